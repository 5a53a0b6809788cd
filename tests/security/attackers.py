"""Strangers who mean harm, in a process of their own, each kind as fast as it can until told to stop.

    python -m tests.security.attackers KINDS PORT TABLE PRIVATE TOKEN

TABLE is a public table, PRIVATE one that nobody may watch, TOKEN good for nothing. Says `ready`, attacks when
a line comes on stdin, stops at its end, and prints as JSON what it did and what it learnt.
"""

import asyncio
import json
import random
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import uvloop
from msgspec import Struct
from msgspec.structs import replace
from tests.hub.serving import SUBPROTOCOLS
from tests.security.raw import PING, frame

from bookboard.hub.live.ids import new_room_code

SECRET = "Nobody's Business"
"""The name of the private table."""
CLOSES = b"\x88"
"""Begins a close frame; it is in no text."""
STALLED = 500
TOGETHER = 300


class Target(Struct, frozen=True):
    port: int
    table: str
    private: str
    token: str

    @property
    def at(self) -> str:
        return f"127.0.0.1:{self.port}"


class Line:
    """A connection of an attacker's: raw bytes out, and what came back until it is cut."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    @classmethod
    async def dial(cls, target: Target) -> "Line":
        return cls(*await asyncio.open_connection("127.0.0.1", target.port))

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def hear(self, *, within_s: float) -> bytes:
        """Something, or nothing in that time or at the end."""
        try:
            async with asyncio.timeout(within_s):
                heard = await self._reader.read(65536)
        except (TimeoutError, OSError):
            return b""
        LEARNT["of the private table"] += SECRET.encode() in heard
        return heard

    def cut(self) -> None:
        self.writer.transport.abort()


DONE: Counter[str] = Counter()
LEARNT: Counter[str] = Counter()
"""What must stay at 0."""
ANSWERS: dict[str, list[tuple[str, float]]] = {"private": [], "absent": []}
"""To guesses: what was heard, and after how many seconds."""


def request(target: Target, line: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join((f"{line} HTTP/1.1", f"Host: {target.at}", *headers, "", "")).encode() + body


def upgrade(target: Target, origin: str | None = None) -> bytes:
    return request(
        target,
        "GET /ws",
        f"Origin: {origin or f'http://{target.at}'}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {SUBPROTOCOLS[0]}",
    )


def hello(code: str, token: str | None = None) -> bytes:
    return frame(json.dumps({"type": "hello", "room": code, "token": token}))


def do(number: int, command: dict[str, object]) -> bytes:
    return frame(json.dumps({"type": "do", "cmd": f"evil{number}", "command": command}))


async def welcomed(target: Target, token: str | None = None) -> Line:
    line = await Line.dial(target)
    await line.say(upgrade(target))
    await line.hear(within_s=10)
    await line.say(hello(target.table, token))
    await line.hear(within_s=10)
    return line


# ── the kinds ────────────────────────────────────────────────────────────────────────────────────────────────────


async def stall(target: Target) -> None:
    """Hello, ten syncs, and never a byte read, on a socket that takes next to nothing; back when closed."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    with raw:
        await loop.sock_connect(raw, ("127.0.0.1", target.port))
        await loop.sock_sendall(raw, upgrade(target))
        await loop.sock_recv(raw, 512)
        await loop.sock_sendall(raw, hello(target.table) + frame('{"type":"sync"}') * 10)
        DONE["stalled"] += 1
        await asyncio.sleep(18)


async def half_open(target: Target) -> None:
    line = await Line.dial(target)
    DONE["half open"] += 1
    await line.hear(within_s=60)
    line.cut()


async def trickle(target: Target) -> None:
    """A handshake, a byte at a time."""
    line = await Line.dial(target)
    try:
        for byte in upgrade(target):
            await line.say(bytes((byte,)))
            DONE["bytes"] += 1
            await asyncio.sleep(0.05)
    finally:
        line.cut()


async def guess(target: Target) -> None:
    """A table's code, or the private table's with a token of nobody's."""
    line = await Line.dial(target)
    try:
        await line.say(upgrade(target))
        await line.hear(within_s=10)
        what = random.choice(["private", "absent", "absent"])
        asked = asyncio.get_running_loop().time()
        room = target.private if what == "private" else new_room_code()
        await line.say(hello(room, random.choice([None, target.token])))
        heard = await line.hear(within_s=0.6)
        took = asyncio.get_running_loop().time() - asked
        while heard and CLOSES not in heard and (rest := await line.hear(within_s=10)):
            heard += rest
        if heard:
            ANSWERS[what].append((heard.hex(), took))
        DONE["guesses"] += 1
    finally:
        line.cut()


async def guess_and_go(target: Target) -> None:
    """Guesses that wait for no answer."""
    line = await Line.dial(target)
    try:
        await line.say(upgrade(target))
        await line.hear(within_s=10)
        await line.say(hello(new_room_code()))
        await line.hear(within_s=0.02)
        DONE["guesses"] += 1
    finally:
        line.cut()


async def guess_over_http(target: Target) -> None:
    line = await Line.dial(target)
    try:
        code = target.private if random.random() < 0.3 else new_room_code()
        await line.say(request(target, f"GET /api/tables/{code}/record", f"Authorization: Bearer {target.token}"))
        heard = await line.hear(within_s=0.6)
        DONE[_status(heard)] += 1
    finally:
        line.cut()


async def forge(target: Target) -> None:
    line = await Line.dial(target)
    try:
        origin = random.choice(["null", "http://evil.example", f"http://{target.at}.evil.example"])
        await line.say(upgrade(target, origin) + hello(target.table))
        heard = await line.hear(within_s=10)
        LEARNT["of a forged origin"] += heard.startswith(b"HTTP/1.1 101")
        DONE["forged"] += 1
    finally:
        line.cut()


def random_frames(rng: random.Random) -> bytes:
    match rng.randrange(7):
        case 0:
            return frame(rng.randbytes(rng.randrange(200)))
        case 1:
            return frame("[" * 16_000)
        case 2:
            return frame("x" * 100_000)
        case 3:
            return frame(rng.randbytes(rng.randrange(125)), rng.randrange(16), fin=rng.random() < 0.5)
        case 4:
            return rng.randbytes(300)
        case 5:
            return frame('{"a":' * 3000 + "1" + "}" * 3000)
        case _:
            return frame(json.dumps({"type": "do", "cmd": "c", "command": {"type": "enter_hand", "hand": "x" * 9000}}))


async def spoil(target: Target) -> None:
    """Random, oversized and deep frames, before and after a hello."""
    rng = random.Random()
    line = await Line.dial(target)
    try:
        await line.say(upgrade(target))
        await line.hear(within_s=10)
        if random.random() < 0.5:
            await line.say(hello(target.table))
            await line.hear(within_s=10)
        while True:
            await line.say(random_frames(rng))
            DONE["frames"] += 1
            if b"\x88" in await line.hear(within_s=0.05):
                break
    finally:
        line.cut()


async def ping(target: Target) -> None:
    """As many pings as a connection takes, then another connection."""
    line = await welcomed(target)
    try:
        for _ in range(50):
            await line.say(frame(b"x", PING) * 300)
            DONE["pings"] += 300
            if b"too_fast" in await line.hear(within_s=0.02):
                break
    finally:
        line.cut()


async def watch(target: Target) -> None:
    """As much as a spectator can do without being closed: syncs, commands and previews that are refused."""
    line = await welcomed(target, target.token)
    try:
        for number in range(200):
            forbidden = do(number, {"type": "name_table", "name": "Pwned"})
            preview = frame(json.dumps({"type": "preview", "id": "p", "command": {"type": "end_game", "game": 1}}))
            await line.say(forbidden + preview + frame('{"type":"sync"}'))
            DONE["messages"] += 3
            await line.hear(within_s=0.15)
    finally:
        line.cut()


async def churn(target: Target) -> None:
    (await welcomed(target)).cut()
    DONE["came and went"] += 1


async def all_at_once(target: Target) -> None:
    """Three hundred come, and go in the same moment."""
    lines = await asyncio.gather(*(welcomed(target) for _ in range(TOGETHER)), return_exceptions=True)
    for line in lines:
        if isinstance(line, Line):
            line.cut()
            DONE["went together"] += 1


async def knock(target: Target) -> None:
    """Connections of which nothing comes."""
    (await Line.dial(target)).cut()
    DONE["knocks"] += 1


def _status(heard: bytes) -> str:
    return f"answered {heard[9:12].decode()}" if heard.startswith(b"HTTP/") else "cut off or the rest of an answer"


BODIES = [b"[" * 15_000, b'{"name":"x"' + b" " * 9000 + b"}", b"\xff" * 1000, b'{"a":' * 2000]


async def flood(target: Target) -> None:
    """Calls of the API one after another on a connection, some with bodies that are none."""
    line = await Line.dial(target)
    try:
        for _ in range(100):
            path = random.choice(["games", "here", "tables", "tables/import", "rules", "qr", "rules/spades"])
            body = random.choice(BODIES) if path in {"tables", "tables/import", "rules", "qr"} else b""
            line_of_it = f"{'POST' if body else 'GET'} /api/{path}"
            await line.say(request(target, line_of_it, f"Content-Length: {len(body)}", body=body))
            heard = await line.hear(within_s=10)
            DONE[_status(heard)] += 1
            if not heard:
                break
    finally:
        line.cut()


async def browse(target: Target) -> None:
    """Pages and scripts, one after another."""
    line = await Line.dial(target)
    try:
        for _ in range(100):
            path = random.choice(["/", "/t/AAAAAAA", "/js/nothing.js", "/i18n/en.json", "/healthz", "/css/tokens.css"])
            await line.say(request(target, f"GET {path}"))
            heard = await line.hear(within_s=10)
            DONE[_status(heard)] += 1
            if not heard:
                break
    finally:
        line.cut()


OWN_TOKEN = "insider-token-insider-token"
OWN_TABLE: list[str] = []
_opening = asyncio.Lock()


def long_game() -> dict[str, object]:
    books = [{"north_south": 7, "east_west": 6}, {"north_south": 6, "east_west": 7}]
    hands = [{"bids": {"north_south": 7, "east_west": 7}, "books": books[number % 2]} for number in range(480)]
    settings = {"score_limit": 5000, "first_hand_bids_itself": False}
    return {"format": 1, "game": "spades", "settings": settings, "hands": hands}


async def post(target: Target, path: str, body: bytes) -> bytes:
    line = await Line.dial(target)
    try:
        await line.say(request(target, f"POST {path}", f"Content-Length: {len(body)}", body=body))
        return await line.hear(within_s=30)
    finally:
        line.cut()


def taken_in() -> bytes:
    about = {"name": "Own", "host_name": "Eve", "host_token": OWN_TOKEN}
    return json.dumps({**about, "record": long_game()}).encode()


async def play_at_an_own_table(target: Target) -> None:
    """The host of a long game who looks at corrections of its first hand, and makes some."""
    async with _opening:
        if not OWN_TABLE:
            heard = await post(target, "/api/tables/import", taken_in())
            if b'"code":"' not in heard or not heard.startswith(b"HTTP/1.1 201"):
                return
            OWN_TABLE.append(heard.partition(b'"code":"')[2][:7].decode())
    line = await welcomed(replace(target, table=OWN_TABLE[0]), OWN_TOKEN)
    try:
        for number in range(100):
            bids = {"north_south": 6 + number % 2, "east_west": 7}
            entry = {"bids": bids, "books": {"north_south": 7, "east_west": 6}}
            command = {"type": "correct_hand", "game": 1, "hand": 1, "revision": 2**40, "entry": entry}
            preview = frame(json.dumps({"type": "preview", "id": f"{number}", "command": command}))
            await line.say(preview + (do(random.getrandbits(50), command) if number % 10 == 0 else b""))
            DONE["corrections"] += 1
            while await line.hear(within_s=0.2):
                pass
    finally:
        line.cut()


HEAVY = [b'{"a":[' + b"{}," * 80_000 + b"{}]}", b'{"a":{"b":[' + b"[[[[]]]]," * 26_000 + b"[]]}}"]


async def weigh_down(target: Target) -> None:
    """Bodies that take long to decode, and records that take long to score."""
    heard = await post(target, "/api/tables/import", random.choice([*HEAVY, taken_in()]))
    DONE[_status(heard)] += 1


KINDS: dict[str, tuple[Callable[[Target], Awaitable[None]], int]] = {
    "stalled readers": (stall, STALLED),
    "half-open connections": (half_open, STALLED),
    "slow handshakes": (trickle, STALLED),
    "guesses": (guess, 300),
    "guesses in a hurry": (guess_and_go, 50),
    "guesses over HTTP": (guess_over_http, 300),
    "forged origins": (forge, 50),
    "spoiled frames": (spoil, 50),
    "pings": (ping, 50),
    "spectators": (watch, 200),
    "churn": (churn, 50),
    "bursts": (all_at_once, 1),
    "knocks": (knock, 50),
    "calls": (flood, 50),
    "pages": (browse, 50),
    "insiders": (play_at_an_own_table, 20),
    "heavy bodies": (weigh_down, 4),
}


async def again_and_again(kind: Callable[[Target], Awaitable[None]], target: Target) -> None:
    while True:
        try:
            await kind(target)
        except (OSError, EOFError):
            DONE["cut off"] += 1
            await asyncio.sleep(0.01)


async def attack(kinds: list[str], target: Target) -> None:
    tasks = [
        asyncio.create_task(again_and_again(kind, target))
        for kind, together in (KINDS[name] for name in kinds)
        for _ in range(together)
    ]
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), ended.set)
    await ended.wait()
    loop.remove_reader(sys.stdin.fileno())
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    kinds, port, table, private, token = sys.argv[1:]
    target = Target(int(port), table, private, token)
    print("ready", flush=True)
    sys.stdin.readline()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(attack(kinds.split(","), target))
    print(json.dumps({"done": DONE, "learnt": LEARNT, "answers": ANSWERS}), flush=True)


if __name__ == "__main__":
    main()

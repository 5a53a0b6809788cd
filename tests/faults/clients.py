"""Clients that check themselves: they follow the protocol's rules, come back, and keep what they were told.

Each is one task. A `Screen` only watches; a `Phone` also sends commands, each with one `cmd` until it has an answer.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Self

import msgpack  # type: ignore[import-untyped]
from msgspec import Struct
from tests.faults.tally import Tally
from tests.following import lay
from tests.hub.serving import SUBPROTOCOLS, Somewhere
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

FIRST_RETRY_S, LONGEST_RETRY_S = 0.05, 1.0
SILENT_S = 12.5
"""Two and a half heartbeats: a line that is dead is often never closed by anyone."""
ASK_AGAIN_S = 0.25


class Position(Struct, frozen=True):
    epoch: int
    version: int
    last: str


class Screen:
    """`view` at `position`, by the protocol's rules; `wrongs` are the times when the server broke them."""

    screen = "watch"

    def __init__(
        self,
        hubs: Sequence[Somewhere],
        code: str,
        token: str | None = None,
        *,
        codec: int = 0,
        rng: Random,
        first: int | None = None,
    ) -> None:
        self.hubs = hubs
        self.code = code
        self.token = token
        self.subprotocol = SUBPROTOCOLS[codec]
        self.rng = rng
        self.view: dict[str, Any] | None = None
        self.position: Position | None = None
        self.status = ""
        self.role = ""
        self.wrongs: list[str] = []
        self.rewound: list[dict[str, Any]] = []
        self.connections = 0
        self.snapshots = 0
        self.close_codes: list[int] = []
        self.heard: deque[tuple[float, dict[str, Any]]] = deque(maxlen=2000)
        self._hub = rng.randrange(len(hubs)) if first is None else first
        self._next: int | None = None
        self._socket: ClientConnection | None = None
        self._moved = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._reconnect_in: float | None = None

    # ── coming and going ──────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_connected())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def drop(self) -> None:
        """Hang up without a word; the client comes back."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def move_to(self, hub: int) -> None:
        """Hang up, and be welcomed at that hub."""
        self._next = hub
        connections = self.connections
        self.drop()
        await self.until(lambda screen: screen.is_live and screen.connections > connections)

    @property
    def is_live(self) -> bool:
        return self._socket is not None

    async def until(self, holds: Callable[[Self], object], *, within_s: float = 60) -> None:
        """Returns once it holds, asked after every message and every end of a connection."""
        async with asyncio.timeout(within_s):
            while not holds(self):
                self._moved.clear()
                await self._moved.wait()

    def is_at(self, epoch: int, version: int, last: str) -> bool:
        return self.position == Position(epoch, version, last)

    async def reach(self, epoch: int, version: int, *, within_s: float = 60) -> None:
        await self.until(
            lambda screen: screen.position and (screen.position.epoch, screen.position.version) >= (epoch, version),
            within_s=within_s,
        )

    async def _keep_connected(self) -> None:
        failures = 0
        while True:
            self._reconnect_in = None
            connections = self.connections
            with suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError):
                await self._visit(self.hubs[self._hub % len(self.hubs)])
            self._lost()
            self._hub, self._next = self._hub + 1 if self._next is None else self._next, None
            failures = 0 if self.connections > connections else failures + 1
            longest = min(LONGEST_RETRY_S, FIRST_RETRY_S * 2**failures)
            wait_s = longest if self._reconnect_in is None else self._reconnect_in
            await asyncio.sleep(wait_s * self.rng.uniform(0.5, 1))

    async def _visit(self, hub: Somewhere) -> None:
        async with connect(
            f"ws://{hub.at}/ws",
            subprotocols=[Subprotocol(self.subprotocol)],
            additional_headers={"Origin": f"http://{hub.at}"},
            compression=None,
            ping_interval=None,
            open_timeout=20,
            close_timeout=0.1,
            max_size=None,
        ) as socket:
            at = self.position
            resume = None if at is None else {"epoch": at.epoch, "version": at.version, "last": at.last}
            hello = {"type": "hello", "room": self.code, "token": self.token, "screen": self.screen, "resume": resume}
            self._post(socket, hello)
            while True:
                async with asyncio.timeout(SILENT_S):
                    data = await self._receive(socket)
                message = msgpack.unpackb(data) if isinstance(data, bytes) else json.loads(data)
                if message["type"] == "welcome" and self._socket is None:
                    self._socket = socket
                    self.connections += 1
                self._hear(message)

    async def _receive(self, socket: ClientConnection) -> str | bytes:
        try:
            return await socket.recv()
        except WebSocketException:
            if socket.close_code is not None:
                self.close_codes.append(socket.close_code)
            raise

    def _lost(self) -> None:
        self._socket = None
        self._moved.set()

    def _post(self, socket: ClientConnection, message: object) -> None:
        data = msgpack.packb(message) if self.subprotocol == SUBPROTOCOLS[1] else json.dumps(message)
        # As the browser does: put into the socket's buffer, whatever becomes of it.
        with suppress(OSError, WebSocketException):
            if isinstance(data, bytes):
                socket.protocol.send_binary(data)
            else:
                socket.protocol.send_text(data.encode())
            socket.send_data()

    def send(self, message: object) -> bool:
        if self._socket is None:
            return False
        self._post(self._socket, message)
        return True

    # ── following ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _hear(self, message: dict[str, Any]) -> None:
        self.heard.append((asyncio.get_running_loop().time(), message))
        match message["type"]:
            case "welcome":
                self.role, self.status = message["role"], message["status"]["store"]
            case "status":
                self.status = message["store"]
            case "snapshot":
                self._adopt(message)
            case "event":
                self._follow(message)
            case "rewound":
                self.rewound.append(message)
            case "beat":
                self.send({"type": "pong"})
            case "bye" if message["reconnect_in"] is not None:
                self._reconnect_in = message["reconnect_in"] / 1000
        self._moved.set()

    def _adopt(self, message: dict[str, Any]) -> None:
        before, self.position = self.position, Position(message["epoch"], message["version"], message["last"])
        self.snapshots += 1
        self.view = message["state"]
        if self.view["table"]["code"] != self.code:
            self.wrongs.append(f"a snapshot of table {self.view['table']['code']}")
        if before is None or before.epoch < self.position.epoch:
            return
        if (before.epoch, before.version) > (self.position.epoch, self.position.version):
            self.wrongs.append(f"went back from {before} to {self.position}")
        elif before.version == self.position.version and before.last != self.position.last:
            self.wrongs.append(f"forked without a word: {before}, {self.position}")

    def _follow(self, message: dict[str, Any]) -> None:
        at = self.position
        if at is None or self.view is None or message["epoch"] != at.epoch:
            self.send({"type": "sync"})
        elif message["version"] > at.version:
            if (message["version"], message["prev"]) != (at.version + 1, at.last):
                self.send({"type": "sync"})
                return
            self.view = lay(self.view, message["changes"])
            self.position = Position(at.epoch, message["version"], message["id"])


class Sent(Struct):
    """A command, and its answer once there is one. `epoch` is the one that it was acknowledged in."""

    cmd: str
    command: dict[str, Any]
    answered: asyncio.Future[dict[str, Any]]
    epoch: int = 0
    answer: dict[str, Any] | None = None
    refusals: int = 0


class Phone(Screen):
    """Has its own list of what was acknowledged to it: `sent`, in order."""

    screen = "play"

    def __init__(
        self,
        hubs: Sequence[Somewhere],
        code: str,
        token: str,
        *,
        codec: int = 0,
        rng: Random,
        tally: Tally,
    ) -> None:
        super().__init__(hubs, code, token, codec=codec, rng=rng)
        self.tally = tally
        self.sent: dict[str, Sent] = {}
        self._open: dict[str, Sent] = {}

    async def do(self, kind: str, *, within_s: float = 120, **members: object) -> dict[str, Any]:
        """The answer, whatever happens to the connection meanwhile."""
        async with asyncio.timeout(within_s):
            return await self.submit(kind, **members).answered

    def submit(self, kind: str, **members: object) -> Sent:
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        sent = Sent(f"{self.rng.getrandbits(96):024x}", {"type": kind, **members}, answered)
        self.sent[sent.cmd] = self._open[sent.cmd] = sent
        self.tally.sent += 1
        self._ask(sent)
        return sent

    def _ask(self, sent: Sent) -> None:
        if sent.cmd in self._open:
            self.send({"type": "do", "cmd": sent.cmd, "command": sent.command})

    def _hear(self, message: dict[str, Any]) -> None:
        super()._hear(message)
        match message["type"]:
            case "welcome":
                for sent in self._open.values():
                    self._ask(sent)
            case "done" | "refused":
                self._answered(message)

    def _answered(self, answer: dict[str, Any]) -> None:
        sent = self.sent.get(answer["cmd"])
        if sent is None:
            self.wrongs.append(f"an answer to what was never asked here: {answer}")
        elif answer["type"] == "refused" and answer["retry"]:
            sent.refusals += 1
            asyncio.get_running_loop().call_later(ASK_AGAIN_S * self.rng.uniform(0.5, 1), self._ask, sent)
        elif sent.answer is None:
            sent.answer, sent.epoch = answer, self.position.epoch if self.position else 0
            del self._open[sent.cmd]
            if answer["type"] == "done":
                self.tally.acknowledged += 1
                self.tally.recovered()
            if not sent.answered.done():
                sent.answered.set_result(answer)
        elif (sent.answer["type"], sent.answer.get("version")) != (answer["type"], answer.get("version")):
            self.wrongs.append(f"another answer than before: {sent.answer}, {answer}")

"""Failures 5, 7 and 12: readers that do not read, thousands that hang up mid-command, a hub that dies under a crowd."""

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.faults.clients import Screen
from tests.faults.club import Club, Table, slack
from tests.faults.test_feeds import reads
from tests.faults.wire import Wire, running_wire
from tests.hub.serving import HOST_TOKEN, SUBPROTOCOLS, HubProcess
from tests.servers import RedisServer
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from bookboard.room.events import TableNamed

WINDOW_S = 20
"""Everybody is back within this, at the rate at which a hub takes handshakes."""

# ── readers that do not read ─────────────────────────────────────────────────────────────────────────────────────


def memory_kb(hub: HubProcess) -> int:
    assert hub.process is not None
    status = Path(f"/proc/{hub.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


async def stalled_reader(hub: HubProcess, code: str) -> socket.socket:
    """One that asks for snapshots and never reads them, on a socket that takes next to nothing."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(raw, ("127.0.0.1", hub.port))
    lines = (
        "GET /ws HTTP/1.1",
        f"Host: {hub.at}",
        f"Origin: http://{hub.at}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: {SUBPROTOCOLS[0]}",
    )
    await loop.sock_sendall(raw, ("\r\n".join(lines) + "\r\n\r\n").encode())
    await loop.sock_recv(raw, 512)
    for message in ({"type": "hello", "room": code}, *[{"type": "sync"}] * 10):
        payload = json.dumps(message).encode()
        assert len(payload) < 126
        await loop.sock_sendall(raw, bytes((0x81, 0x80 | len(payload), 0, 0, 0, 0)) + payload)
    return raw


async def shown_after(table: Table, hands: int) -> list[float]:
    """How long after its submission each hand stood on the projector, in s, shortest first."""
    projector, times = table.screens[0], []
    for _ in range(hands):
        started = asyncio.get_running_loop().time()
        answer = await table.play(1)
        await projector.reach(1, answer["version"])
        times.append(asyncio.get_running_loop().time() - started)
    return sorted(times)


@pytest.mark.failure("5 readers that do not read")
async def test_stalled_readers_cost_nobody_anything_and_go(club: Club, redis: RedisServer) -> None:
    (hub,) = await club.hubs_on(redis.url)
    table = await club.table(hub)
    await table.sit_down([hub], phones=4, screens=1)
    await table.play(60)
    before = await shown_after(table, 60)
    memory = memory_kb(hub)
    club.tally.faults += 50
    stalled = await asyncio.gather(*(stalled_reader(hub, table.code) for _ in range(50)))
    counted = table.screens[0]
    await counted.until(lambda screen: screens_counted(screen) >= 50, within_s=30)
    during = await shown_after(table, 60)
    grown = memory_kb(hub) - memory
    await counted.until(lambda screen: screens_counted(screen) <= len(table.clients), within_s=25 * slack())
    for raw in stalled:
        raw.close()
    await table.check()
    print(f"p99 {before[-1] * 1000:.1f} ms, {during[-1] * 1000:.1f} ms among stalled readers; {grown} kB more")
    assert during[-1] < 3 * before[-1] + 0.1 * slack()
    assert grown < 50 * 1024


def screens_counted(screen: Screen) -> int:
    counts = [message["screens"] for _, message in screen.heard if message["type"] == "watching"]
    return counts[-1] if counts else 0


# ── cancelled in flight ──────────────────────────────────────────────────────────────────────────────────────────


class Impatient:
    """Sends a command and hangs up somewhere on the way; then asks again, until it learns what became of it."""

    def __init__(self, wire: Wire, code: str, rng: Random) -> None:
        self.wire = wire
        self.code = code
        self.cmd = f"{rng.getrandbits(96):024x}"
        self.patience_s = rng.uniform(0, 0.03)
        self.codec = rng.randrange(2)
        self.version = 0
        self.wrongs = 0

    async def run(self) -> None:
        with suppress(OSError, WebSocketException, TimeoutError):
            await self.ask(self.patience_s)
        while not self.version:
            with suppress(OSError, WebSocketException, TimeoutError):
                await self.ask(20)

    async def ask(self, patience_s: float) -> None:
        async with connect(
            f"ws://{self.wire.at}/ws",
            subprotocols=[Subprotocol(SUBPROTOCOLS[0])],
            compression=None,
            ping_interval=None,
            open_timeout=30,
            close_timeout=0,
        ) as line:
            await line.send(json.dumps({"type": "hello", "room": self.code, "token": HOST_TOKEN}))
            command = {"type": "name_table", "name": self.cmd}
            await line.send(json.dumps({"type": "do", "cmd": self.cmd, "command": command}))
            try:
                async with asyncio.timeout(patience_s):
                    while not self.version:
                        self.hear(json.loads(await line.recv()))
            finally:
                line.transport.abort()

    def hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self.wrongs += message["state"]["table"]["code"] != self.code
            case "done" | "refused" if message["cmd"] != self.cmd:
                self.wrongs += 1
            case "done":
                self.version = message["version"]


@pytest.mark.parametrize(
    "many", [pytest.param(200, marks=pytest.mark.quick_fault), 10_000], ids=lambda many: f"{many} hang up"
)
@pytest.mark.timeout(900)
@pytest.mark.failure("7 cancelled in flight")
async def test_no_answer_ever_reaches_another_and_a_retry_learns_the_truth(
    club: Club, redis: RedisServer, many: int
) -> None:
    (hub,) = await club.hubs_on(redis.url)
    tables = [await club.table(hub) for _ in range(10)]
    async with running_wire(hub.port) as wire:
        wire.delay_s = 0.003
        waiting = [Impatient(wire, tables[number % 10].code, club.rng) for number in range(many)]
        club.tally.sent = club.tally.faults = many
        left = iter(waiting)

        async def work() -> None:
            for client in left:
                await client.run()
                club.tally.acknowledged += 1

        await asyncio.gather(*(work() for _ in range(24)))
    for table in tables:
        names = {
            event.event.name: event.version
            for event in (await table.check()).log
            if isinstance(event.event, TableNamed)
        }
        mine = [client for client in waiting if client.code == table.code]
        club.tally.lost += sum(names.get(client.cmd) != client.version for client in mine)
        club.tally.doubled += len((await table.ledger()).log) - 1 - len(mine)
    club.tally.wrong += sum(client.wrongs for client in waiting)


# ── the storm ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "many", [pytest.param(100, marks=pytest.mark.quick_fault), 2000], ids=lambda many: f"{many} clients"
)
@pytest.mark.failure("12 the storm")
async def test_everybody_is_back_after_a_hub_died(club: Club, redis: RedisServer, many: int) -> None:
    doomed, other = await club.hubs_on(redis.url, redis.url)
    tables = [await club.table(other) for _ in range(5)]
    for table in tables:
        await table.sit_down([doomed, other], phones=1, screens=0)
        await table.phones[0].move_to(1)
        await table.play(3)
    screens = [tables[number % 5].screen([doomed, other], codec=number % 2, first=0) for number in range(many)]
    await asyncio.gather(*(screen.until(lambda screen: screen.position, within_s=120) for screen in screens))
    async with Redis.from_url(redis.url) as raw:
        before = await reads(raw)
        started = asyncio.get_running_loop().time()
        club.kill(doomed)
        club.tally.faults = many
        await asyncio.gather(
            *(
                screen.until(lambda screen: screen.is_live and screen.connections > 1, within_s=120)
                for screen in screens
            )
        )
        took = asyncio.get_running_loop().time() - started
        assert await reads(raw) - before <= len(tables)
    club.tally.recovery_s = took
    assert took < WINDOW_S * slack()
    for table in tables:
        await table.play(1)
        await table.check(within_s=120)

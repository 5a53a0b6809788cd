"""Who is known goes first, of strangers one portion is handled a turn, and who has gone leaves nothing to collect."""

import asyncio
import gc
import socket
import weakref
from collections.abc import AsyncIterator
from itertools import pairwise
from types import FrameType
from typing import cast

import pytest
from tests.hub.conftest import CODE, HOST, INVITED, open_in
from tests.hub.memory_store import MemoryStore
from tests.hub.serving import SUBPROTOCOLS, dialled, joined
from tests.hub.test_socket import LocalHub, served_by
from tests.security.raw import CLOSE, CONTINUATION, PING, PONG, frame
from tests.servers import until
from websockets.server import ServerProtocol

from bookboard.catalogue import KINDS
from bookboard.config import Config
from bookboard.hub.endpoints.connection import Connection
from bookboard.hub.endpoints.context import HubContext
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.rooms import Rooms
from bookboard.hub.process.serve import HubServer
from bookboard.hub.wire.gate import PORTION, Gate, QueuedInput
from bookboard.hub.wire.http_protocol import HttpProtocol
from bookboard.hub.wire.websocket_protocol import WireProtocol


async def turns(many: int) -> None:
    for _ in range(many):
        await asyncio.sleep(0)


async def test_who_finds_nobody_in_line_waits_for_nothing() -> None:
    gate, taken = Gate(), list[int]()
    gate.enter(lambda: taken.append(1))
    assert taken == [1]
    await turns(3)
    gate.enter(lambda: taken.append(2))
    assert taken == [1, 2]


async def test_of_a_crowd_one_is_let_in_a_turn() -> None:
    gate, taken = Gate(), list[int]()
    for number in range(50):
        gate.enter(lambda number=number: taken.append(number))  # type: ignore[misc]
    seen = []
    for _ in range(60):
        seen.append(len(taken))
        await asyncio.sleep(0)
    assert taken == [*range(50)]
    assert all(after - before <= 1 for before, after in pairwise(seen))


class Transport:
    """Of a connection: whether it is read."""

    is_read = True
    is_closed = False

    def pause_reading(self) -> None:
        self.is_read = False

    def is_closing(self) -> bool:
        return self.is_closed


class Sender(QueuedInput):
    def __init__(self, gate: Gate, heard: list[tuple[str, int]], name: str) -> None:
        self.gate = gate
        self.transport = cast("asyncio.Transport", Transport())
        self.heard = heard
        self.name = name

    def handle(self, portion: bytes) -> None:
        self.heard.append((self.name, len(portion)))

    def read_on(self) -> None:
        self.of_transport.is_read = True

    @property
    def of_transport(self) -> Transport:
        return cast("Transport", self.transport)


async def test_who_sends_a_lot_waits_behind_the_others_with_each_portion() -> None:
    gate, heard = Gate(), list[tuple[str, int]]()
    much, little = Sender(gate, heard, "much"), Sender(gate, heard, "little")
    much.queue_up(bytes(3 * PORTION + 1))
    little.queue_up(bytes(10))
    assert [sender.of_transport.is_read for sender in (much, little)] == [False, False]
    await turns(10)
    assert heard == [("much", PORTION), ("much", PORTION), ("little", 10), ("much", PORTION), ("much", 1)]
    assert [sender.of_transport.is_read for sender in (much, little)] == [True, True]


async def test_what_waits_of_who_has_gone_is_forgotten() -> None:
    gate, heard = Gate(), list[tuple[str, int]]()
    gone = Sender(gate, heard, "gone")
    gone.queue_up(bytes(5 * PORTION))
    gone.of_transport.is_closed = True
    await turns(10)
    assert heard == [("gone", PORTION)]
    assert not gone.is_waiting


# ── with real sockets ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def local(store: MemoryStore) -> AsyncIterator[LocalHub]:
    await open_in(store)
    rooms = Rooms(store, KINDS, StoreClock(lambda: store.time))
    await rooms.start()
    context = HubContext(rooms, Config(), [])
    async with served_by(HubServer(context, Config()), 0) as at:
        yield LocalHub(context, int(at.partition(":")[2]))
    await rooms.stop()


def wires(local: LocalHub) -> list[WireProtocol]:
    return [cast("Connection", guest)._wire for guest in local.context.guests]  # type: ignore[misc] # noqa: SLF001


@pytest.mark.parametrize(("token", "is_known"), [(HOST, True), (INVITED, False), (None, False)])
async def test_a_persons_token_makes_known(local: LocalHub, token: str | None, *, is_known: bool) -> None:
    async with joined(local, CODE, token):
        assert [wire.is_known for wire in wires(local)] == [is_known]


async def test_who_claims_a_seat_is_known_from_then_on(local: LocalHub) -> None:
    async with joined(local, CODE, INVITED) as guest:
        (wire,) = wires(local)
        assert not wire.is_known
        await guest.do("claim_seat", seat="west", name="Wes", token="w" * 22)
        assert wire.is_known


async def test_a_member_does_not_wait_for_strangers(local: LocalHub) -> None:
    """A line of far more turns than a command takes, and of far less time than a hello may take."""
    async with joined(local, CODE, HOST) as host, dialled(local) as stranger:
        (wire, _) = wires(local)
        for _ in range(5000):
            wire.gate.enter(lambda: None)
        await stranger.send({"type": "hello", "room": CODE})
        assert (await host.do("start_game", game=1))["type"] == "done"
        assert wire.gate._line  # noqa: SLF001
        assert not stranger.heard
        await stranger.until("welcome")


@pytest.mark.parametrize("token", [HOST, None, "nobodys-token-nobodys-token"])
async def test_who_has_gone_leaves_no_circle(local: LocalHub, token: str | None) -> None:
    gc.collect()
    gc.disable()
    try:
        async with dialled(local) as client:
            gone = [weakref.ref(wire) for wire in wires(local)]
            await client.send({"type": "hello", "room": CODE, "token": token})
            await (client.closed() if token and token != HOST else client.until("welcome"))
        assert len(gone) == 1
        await until(lambda: gone[0]() is None)
    finally:
        gc.enable()


HEAD = "GET /ws HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
SHAKE = f"{HEAD}{KEY}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {SUBPROTOCOLS[0]}\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "sent"),
    [
        pytest.param(SHAKE, frame(b"x" * 20_000), id="a message too long"),
        pytest.param(SHAKE, frame(b"x" * 9000, fin=False) + frame(b"x" * 9000, CONTINUATION), id="too long in parts"),
        pytest.param(SHAKE, frame(b"{}", masked=False), id="no mask"),
        pytest.param(SHAKE, frame(b"{}", 3), id="no opcode"),
        pytest.param(SHAKE, frame(b"{}", rsv=4), id="an extension nobody agreed to"),
        pytest.param(SHAKE, frame(b"{}", CONTINUATION), id="goes on with nothing"),
        pytest.param(SHAKE, frame(b"x" * 126, PING), id="a long ping"),
        pytest.param(SHAKE, frame(b"\x03\xe8\xff", CLOSE), id="closes with a word that is no UTF-8"),
        pytest.param(SHAKE, frame(b"\xff"), id="text that is no UTF-8"),
        pytest.param(SHAKE, frame(b"\x03\xe8", CLOSE), id="closes"),
        pytest.param(SHAKE, frame(b"", PONG) * 2000, id="too many frames"),
        pytest.param(SHAKE, b"", id="just goes"),
        pytest.param(f"{HEAD}Sec-WebSocket-Version: 13\r\n\r\n", b"", id="no key"),
        pytest.param(f"{HEAD}Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n", b"", id="a key too short"),
        pytest.param(f"{HEAD}{KEY}Sec-WebSocket-Version: 12\r\n\r\n", b"", id="another version"),
        pytest.param(f"{HEAD}{KEY}Sec-WebSocket-Version: 13\r\nno header\r\n\r\n", b"", id="no header"),
        pytest.param(f"{HEAD}{KEY}Sec-WebSocket-Version: 13\r\nX: {'x' * 9000}\r\n\r\n", b"", id="a long header"),
        pytest.param(HEAD + "X: x\r\n" * 200 + "\r\n", b"", id="many headers"),
        pytest.param(SHAKE.replace("/ws", "/nowhere"), b"", id="another path"),
        pytest.param(SHAKE.replace("/ws", "/ws/ABC/DEF"), b"", id="a path below the code"),
        pytest.param(SHAKE.replace("http://", "http://else"), b"", id="another origin"),
        pytest.param(SHAKE.replace("GET", "PUT"), b"", id="another method"),
    ],
)
async def test_who_was_turned_away_leaves_no_circle(local: LocalHub, head: str, sent: bytes) -> None:
    loop = asyncio.get_running_loop()

    async def turned_away() -> None:
        with socket.create_connection(("127.0.0.1", local.port)) as client:
            client.setblocking(False)
            await loop.sock_sendall(client, head.format(at=local.at).encode())
            heard = await loop.sock_recv(client, 4096)
            await loop.sock_sendall(client, sent)
            client.shutdown(socket.SHUT_WR)
            while heard:
                heard = await loop.sock_recv(client, 4096)
        await until(lambda: not local.context.guests)

    await turned_away()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for _ in range(3):
            await turned_away()
        await turns(10)
        gc.collect()
        ours = (BaseException, FrameType, ServerProtocol, WireProtocol, HttpProtocol)  # asyncio's transport is a circle
        assert not [each for each in gc.garbage if isinstance(each, ours)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()

"""Sockets of a hub in this process, on the store in memory: what takes a clock, or a fault, to see."""

import asyncio
import contextlib
import dataclasses
import json
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import msgpack  # type: ignore[import-untyped]
import pytest
import uvicorn
from msgspec import structs
from tests.hub.conftest import CODE, HOST, INVITED, open_in
from tests.hub.memory_store import MemoryStore
from tests.hub.serving import SUBPROTOCOLS, HubProcess, dialled, joined
from tests.security import raw
from tests.servers import until
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from bookboard.catalogue import KINDS
from bookboard.config import Config
from bookboard.hub.endpoints import connection as socket_module
from bookboard.hub.endpoints import requests
from bookboard.hub.endpoints.app import make_app
from bookboard.hub.endpoints.connection import Connection
from bookboard.hub.endpoints.context import HubContext
from bookboard.hub.live import rooms as rooms_module
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.ids import new_room_code
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.rooms import Rooms
from bookboard.hub.process.serve import HubServer, listen_on
from bookboard.hub.wire import outbox, stall
from bookboard.hub.wire.frames import message_frame
from bookboard.hub.wire.websocket_protocol import WIRE, WireProtocol
from bookboard.log.actors import TokenHash
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import CODECS, JSON, Codec, codec_for
from bookboard.protocol.messages import Pong, Refused
from bookboard.tables.opening import REFUSED_AFTER_S


class LocalHub:
    def __init__(self, context: HubContext, port: int) -> None:
        self.context = context
        self.port = port
        self.at = f"127.0.0.1:{port}"


@asynccontextmanager
async def served_by(server: uvicorn.Server, port: int) -> AsyncIterator[str]:
    """The address of a server that runs in this loop."""
    listening = listen_on("127.0.0.1", port)
    running = asyncio.create_task(server.serve([listening]))
    yield f"127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    await running


@pytest.fixture(params=["wire", "plain"])
async def local(request: pytest.FixtureRequest, store: MemoryStore) -> AsyncIterator[LocalHub]:
    """A hub with its own WebSocket class, and one that has to make do with ASGI alone."""
    await open_in(store)
    rooms = Rooms(store, KINDS, StoreClock(lambda: store.time))
    await rooms.start()
    context = HubContext(rooms, Config(), [])
    server: uvicorn.Server = HubServer(context, Config())
    if request.param == "plain":
        app = make_app(context)
        server.config = uvicorn.Config(app, ws="websockets-sansio", lifespan="off", log_config=None)
    async with served_by(server, 0) as at:
        yield LocalHub(context, int(at.partition(":")[2]))
    await rooms.stop()


# ── the wire ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_wires_bytes_are_those_that_asgi_sends() -> None:
    wires: list[WireProtocol] = []

    async def app(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        wire: WireProtocol = scope["extensions"][WIRE]
        wires.append(wire)
        written: list[bytes] = []
        transport = wire.transport

        class Spy:
            def __getattr__(self, name: str) -> object:
                return getattr(transport, name)

            def write(self, data: bytes) -> None:
                written.append(data)
                transport.write(data)

        wire.transport = Spy()  # type: ignore[assignment]
        for text in ("", "x" * 125, "y" * 126, "ü" * 40_000):
            await send({"type": "websocket.send", "text": text})
            assert written.pop() == message_frame(text.encode(), JSON)
        wire.transport = transport
        await send({"type": "websocket.close"})

    server = uvicorn.Server(
        uvicorn.Config(app, ws=WireProtocol, lifespan="off", log_config=None, ws_per_message_deflate=False)
    )
    async with served_by(server, 0) as at, connect(f"ws://{at}/") as client:
        assert [len(text) async for text in client] == [0, 125, 126, 40_000]
    assert len(wires) == 1


@pytest.mark.parametrize(
    "answer",
    [
        [{"type": "websocket.accept"}],
        [
            {"type": "websocket.http.response.start", "status": 503, "headers": []},
            {"type": "websocket.http.response.body", "body": b""},
        ],
    ],
    ids=["accepted", "turned away"],
)
async def test_a_handshake_that_a_shutdown_interrupts_is_no_exception(
    answer: list[dict[str, object]], caplog: pytest.LogCaptureFixture
) -> None:
    async def app(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        await receive()
        scope["extensions"][WIRE].shutdown()
        for message in answer:
            await send(message)

    server = uvicorn.Server(uvicorn.Config(app, ws=WireProtocol, lifespan="off", log_config=None))
    async with served_by(server, 0) as at:
        with pytest.raises(InvalidStatus, match="500"):
            await connect(f"ws://{at}/")
    assert not caplog.records


# ── with and without it ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_a_command_reaches_every_screen(local: LocalHub, subprotocol: str) -> None:
    async with joined(local, CODE, HOST, subprotocol=subprotocol) as host, joined(local, CODE) as screen:
        assert (await host.do("start_game", game=1))["version"] == 2
        await host.reach(2)
        await screen.reach(2)
        assert host.view == screen.view
        await screen.send({"type": "nonsense"} if subprotocol == SUBPROTOCOLS[0] else {})
        assert (await screen.closed())[0] == 3500


async def test_who_does_not_answer_the_beats_is_closed(monkeypatch: pytest.MonkeyPatch, local: LocalHub) -> None:
    monkeypatch.setattr(socket_module, "SILENT_AFTER_S", 0.05)
    async with joined(local, CODE) as silent:
        await asyncio.sleep(0.1)
        for connection in list(local.context.rooms.connections):
            connection.beat()
        assert (await silent.closed())[0] == 3002


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_who_answers_the_beats_stays(local: LocalHub, subprotocol: str) -> None:
    codec = codec_for([subprotocol])
    assert codec is not None
    as_pages_say_it = msgpack.packb({"type": "pong"}) if codec.binary else '{"type":"pong"}'
    async with joined(local, CODE, subprotocol=subprotocol) as screen:
        (connection,) = local.context.rooms.connections
        assert isinstance(connection, Connection)
        connection._heard_at -= 60  # noqa: SLF001
        await screen._socket.send(as_pages_say_it)  # noqa: SLF001
        await screen.ping()
        connection.beat()
        await screen.send({"type": "sync"})
        await screen.until("snapshot")


@pytest.mark.parametrize("codec", CODECS, ids=[codec.name for codec in CODECS])
def test_a_pong_that_is_known_by_its_bytes_is_one(codec: Codec) -> None:
    (pong,) = [payload for payload in requests._PONGS if (payload[:1] != b"{") is codec.binary]  # noqa: SLF001
    assert codec.decode(pong) == Pong()


async def test_an_idle_connection_keeps_no_headers(local: LocalHub) -> None:
    async with joined(local, CODE):
        (connection,) = local.context.rooms.connections
        assert isinstance(connection, Connection)
        wire = connection._wire  # noqa: SLF001
        if wire is not None:
            assert not wire.request.headers
            assert not wire.scope["headers"]


async def test_beats_come_with_the_servers_clock(store: MemoryStore, local: LocalHub) -> None:
    async with joined(local, CODE) as screen:
        await local.context.rooms.beat()
        assert (await screen.until("beat"))["now"] == store.time
    assert screen.heard[0]["heartbeat"] == rooms_module.BEAT_EVERY_S


async def test_how_many_watch_is_told_when_it_changes(local: LocalHub) -> None:
    async with joined(local, CODE) as one:
        assert (await one.until("watching"))["screens"] == 1
        async with joined(local, CODE):
            assert (await one.until("watching"))["screens"] == 2
        assert (await one.until("watching"))["screens"] == 1


async def test_without_the_store_boards_stay_and_commands_are_refused(local: LocalHub, store: MemoryStore) -> None:
    async with joined(local, CODE, HOST) as host:
        store.down = "disk"
        refused = await host.do("start_game", cmd="start", game=1)
        assert (refused["code"], refused["retry"]) == ("unavailable", True)
        await host.has_heard("status", store="readonly")
        async with joined(local, CODE, back_from=host) as late:
            assert late.heard[-1]["status"]["store"] == "readonly"
            store.down = None
            await local.context.rooms.probe()
            assert (await late.until("status"))["store"] == "ok"
        assert (await host.do("start_game", cmd="start", game=1))["version"] == 2


async def test_a_room_that_cannot_be_read_is_no_unknown_room(local: LocalHub, store: MemoryStore) -> None:
    store.down = "timeout"
    async with dialled(local) as client:
        await client.send({"type": "hello", "room": CODE})
        code, bye = await client.closed()
    assert code == 3003
    assert bye is not None
    assert bye["reconnect_in"] >= 1000


async def test_a_private_tables_record_looks_unknown_while_the_store_is_away(
    local: LocalHub, store: MemoryStore
) -> None:
    async def asked_for(code: str) -> tuple[int, bytes, bool]:
        started = time.monotonic()
        answer = await asyncio.to_thread(HubProcess.get, cast("HubProcess", local), f"/api/tables/{code}/record")
        return *answer[:2], time.monotonic() - started > REFUSED_AFTER_S

    async with joined(local, CODE, HOST) as host:
        await host.do("set_privacy", private=True)
        for store.down, status in (("timeout", 503), (None, 404)):
            private, unknown = await asked_for(CODE), await asked_for(new_room_code())
            assert private == unknown
            assert (private[0], private[2]) == (status, True)


async def test_a_room_that_cannot_be_understood_is_logged_and_closed_with_a_code(
    local: LocalHub, store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    store.rooms[CODE].entries = [structs.replace(store.rooms[CODE].entries[0], body=b"from the future")]
    async with dialled(local) as client:
        await client.send({"type": "hello", "room": CODE})
        assert (await client.closed())[0] == 3006
    assert "a connection failed" in caplog.text


async def test_a_command_that_fails_is_answered_all_the_same(
    local: LocalHub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    live = await local.context.rooms.enter(CODE)
    assert live is not None
    monkeypatch.setattr(live, "kind", dataclasses.replace(live.kind, decide=lambda *_: [1 // 0]))
    async with joined(local, CODE, HOST) as host:
        refused = await host.do("start_game", game=1)
        assert (refused["code"], refused["retry"]) == ("failed", False)
        monkeypatch.undo()
        assert (await host.do("start_game", game=1))["type"] == "done"
    assert "a command failed" in caplog.text


async def test_a_player_whose_role_changes_is_welcomed_anew(local: LocalHub) -> None:
    phone = "phone-token-phone-token-phone"
    async with joined(local, CODE, HOST) as host, joined(local, CODE, INVITED) as player:
        await player.do("claim_seat", seat="west", name="Wes", token=phone)
        welcome = await player.until("welcome", role="player")
        await host.do("hand_over", person=welcome["person"])
        await player.until("welcome", role="host")
        assert [message["role"] for message in host.heard if message["type"] == "welcome"] == ["host", "player"]


async def test_nobody_is_let_in_while_the_hub_goes_down(local: LocalHub) -> None:
    local.context.is_draining = True
    with pytest.raises(Exception, match="503"):
        async with dialled(local):
            pass


async def test_a_client_gone_in_the_middle_of_a_command_learns_the_outcome(local: LocalHub, store: MemoryStore) -> None:
    async with dialled(local) as client:
        await client.send({"type": "hello", "room": CODE, "token": HOST})
        command = {"type": "start_game", "game": 1}
        await client.send({"type": "do", "cmd": "start", "command": command})
        await client.until("snapshot")
    await until(lambda: len(store.rooms[CODE].entries) == 2)
    async with joined(local, CODE, HOST) as host:
        assert (await host.do("start_game", cmd="start", game=1))["repeated"] is True


# ── who does not read ────────────────────────────────────────────────────────────────────────────────────────────


class Stubborn:
    """A client of the host's that reads when the test does, and of which the server soon has more than it takes."""

    def __init__(self, local: LocalHub, live: LiveLog) -> None:
        self.live = live
        self.frames: list[tuple[int, bytes]] = []
        self._local = local
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.setblocking(False)

    async def come(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self._socket, ("127.0.0.1", self._local.port))
        await self.say(raw.handshake(self._local))
        assert (await loop.sock_recv(self._socket, 1024)).endswith(b"\r\n\r\n")
        await self.say(raw.hello(CODE, HOST))
        await until(lambda: self.live.audience.members)
        for number in range(30):
            self.live.audience.publish(Refused(str(number), "failed", {"padding": "x" * 30_000}, retry=False))
            await asyncio.sleep(0)

    async def say(self, *frames: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._socket, b"".join(frames))

    def has_read(self, kind: str) -> int:
        """How many messages of that type."""
        return sum(payload.startswith(f'{{"type":"{kind}"'.encode()) for _, payload in self.frames)

    async def read(self) -> None:
        """Opcode and payload of all frames, until the connection is closed. Fails on a torn one."""
        loop, rest = asyncio.get_running_loop(), b""
        with contextlib.suppress(ConnectionError):
            while more := await asyncio.wait_for(loop.sock_recv(self._socket, 65536), 30):
                rest += more
                while (frame := first_frame(rest)) is not None:
                    opcode, payload, rest = frame
                    self.frames.append((opcode, payload))
                    if opcode == raw.CLOSE:
                        await self.say(raw.frame(payload, raw.CLOSE))
        assert not rest

    def close(self) -> None:
        self._socket.close()


def first_frame(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Opcode, payload and what comes behind, if a server's frame is there whole."""
    if len(data) < 4:
        return None
    at, length = (4, int.from_bytes(data[2:4], "big")) if data[1] == 126 else (2, data[1])
    return None if len(data) < at + length else (data[0] & 15, data[at : at + length], data[at + length :])


@pytest.fixture
async def stubborn(local: LocalHub) -> AsyncIterator[Stubborn]:
    live = await local.context.rooms.enter(CODE)
    assert live is not None
    client = Stubborn(local, live)
    try:
        await client.come()
        yield client
    finally:
        client.close()
    local.context.rooms.leave(CODE)


def rename(number: int) -> bytes:
    command = {"type": "name_table", "name": f"Table {number}"}
    return raw.frame(json.dumps({"type": "do", "cmd": str(number), "command": command}))


@pytest.fixture
def soon_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stall, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(outbox, "STUCK_AFTER_S", 0.2)


@pytest.mark.usefixtures("soon_stuck")
async def test_nothing_is_done_for_who_was_stuck_and_nothing_follows_the_goodbye(
    stubborn: Stubborn, store: MemoryStore
) -> None:
    await until(lambda: not stubborn.live.audience.members)
    await stubborn.say(*(rename(number) for number in range(5)))
    await stubborn.read()
    closes = [number for number, (opcode, _) in enumerate(stubborn.frames) if opcode == raw.CLOSE]
    assert closes in ([], [len(stubborn.frames) - 1]), "a close frame is the last one"
    assert not any(b'"done"' in payload for _, payload in stubborn.frames)
    assert len(store.rooms[CODE].entries) == 1


@pytest.mark.usefixtures("soon_stuck")
async def test_who_never_reads_is_let_go(stubborn: Stubborn, local: LocalHub) -> None:
    await until(lambda: not local.context.guests)
    assert not stubborn.live.members


async def test_who_read_nothing_while_the_log_went_back_is_told(stubborn: Stubborn, store: MemoryStore) -> None:
    loaded = await store.load(CODE)
    assert loaded is not None
    stubborn.live.adopt(structs.replace(loaded, epoch=loaded.epoch + 1))
    for number in range(70):  # as many as a queue does not hold
        stubborn.live.audience.publish(Refused(str(number), "failed", {}, retry=False))
        await asyncio.sleep(0)
    reading = asyncio.create_task(stubborn.read())
    await until(lambda: stubborn.has_read("rewound") and stubborn.has_read("snapshot") == 2)
    for member in list(stubborn.live.members):
        assert isinstance(member, Connection)
        member.close_soon(Closing.NOT_FOUND)
    await reading
    assert stubborn.has_read("rewound") == 1


async def test_who_is_sent_away_while_a_hello_is_answered_gets_a_goodbye_and_nothing_else(
    local: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()
    role = LiveLog.role

    async def late(live: LiveLog, token_hash: TokenHash | None) -> object:
        asked.set()
        await go_on.wait()
        return await role(live, token_hash)

    monkeypatch.setattr(LiveLog, "role", late)
    async with dialled(local) as client:
        await client.send({"type": "hello", "room": CODE, "token": HOST})
        await asked.wait()
        draining = asyncio.create_task(local.context.drain())
        await client.until("bye", code="restarting")
        go_on.set()
        assert (await client.closed())[0] == 3000
        assert [message["type"] for message in client.heard] == ["bye"]
        await draining

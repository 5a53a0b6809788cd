"""Events go to real sockets past the event loop's transports, and no frame is ever torn or given to somebody else."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, cast
from unittest.mock import Mock

import pytest
import uvloop
from tests.hub.conftest import settle

from bookboard.hub.wire.fanout import RESUME_DELAY_S, Audience, DirectSubscriber
from bookboard.hub.wire.websocket_protocol import WireProtocol
from bookboard.protocol.codecs import JSON
from bookboard.protocol.messages import Beat, Refused

NEWEST = b"the newest state"


def nothing(*_: object) -> None:
    pass


class Wire(asyncio.Protocol):
    """What the fan-out uses of the WebSocket protocol, on a real connection with a small buffer."""

    reader: DirectSubscriber | None = None

    def __init__(self, made: asyncio.Queue["Wire"]) -> None:
        self._made = made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._made.put_nowait(self)
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    def file(self) -> int:
        return WireProtocol.file(cast("WireProtocol", self))

    def pause_writing(self) -> None:
        if self.reader is not None:
            self.reader.paused()

    def resume_writing(self) -> None:
        if self.reader is not None:
            self.reader.resumed()

    def connection_lost(self, _: Exception | None) -> None:
        if self.reader is not None:
            self.reader.lost()


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Wire, socket.socket]]:
    """A server's end of a connection, and the socket of a client that reads when the test does."""
    wires: asyncio.Queue[Wire] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Wire(wires), "127.0.0.1", 0)
    async with server:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setblocking(False)
            await loop.sock_connect(client, server.sockets[0].getsockname())
            wire = await wires.get()
            yield wire, client
            wire.transport.abort()
            await settle()


async def read_whole_frames(client: socket.socket, until: bytes) -> list[bytes]:
    """The payloads that a client reads by and by, up to this one. Fails on a torn frame."""
    loop, data, payloads = asyncio.get_running_loop(), bytearray(), list[bytes]()
    async with asyncio.timeout(30):
        while not payloads or payloads[-1] != until:
            data += await loop.sock_recv(client, 1500)
            while (taken := first_payload(data)) is not None:
                payloads.append(taken)
    return payloads


def first_payload(data: bytearray) -> bytes | None:
    """Taken off `data`, once it is there whole."""
    if len(data) < 4:
        return None
    assert data[0] == 0x81
    head, length = (2, data[1]) if data[1] < 126 else (4, int.from_bytes(data[2:4], "big"))
    if len(data) < head + length:
        return None
    payload = bytes(data[head : head + length])
    del data[: head + length]
    return payload


def on_both_loops(test: Callable[[Audience], Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
    def run(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
        async def with_an_audience() -> None:
            await test(Audience(nothing))

        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(with_an_audience())

    return run


def of_size(number: int) -> Refused:
    """A message of some hundred to some thousand bytes, no two alike."""
    return Refused(str(number), "failed", {"padding": "x" * (100 + number * 37 % 3000)}, retry=False)


@on_both_loops
async def test_a_client_that_reads_slowly_gets_whole_frames_and_the_newest_state(audience: Audience) -> None:
    async with connected() as (wire, client):
        pauses = 0

        def catch_up(_: int) -> None:
            nonlocal pauses
            pauses += 1
            reader.send(NEWEST)

        reader = DirectSubscriber(cast("WireProtocol", wire), JSON, catch_up, nothing)
        reader.join(audience)
        last = JSON.encode(Beat(1))
        reading = asyncio.create_task(read_whole_frames(client, last))
        for number in range(3000):
            audience.publish(of_size(number))
            if number % 3 == 0:
                reader.send(b"an answer")
            await asyncio.sleep(0)
        while not reading.done():
            audience.publish(Beat(1))
            await asyncio.sleep(2 * RESUME_DELAY_S)
        payloads = await reading
    published = [JSON.encode(of_size(number)) for number in range(3000)]
    seen = [payload for payload in payloads if payload not in {NEWEST, b"an answer", last}]
    assert pauses > 0
    assert payloads.count(NEWEST) == pauses
    assert payloads.count(b"an answer") == 1000
    order = {payload: number for number, payload in enumerate(published)}
    assert [order[payload] for payload in seen] == sorted(order[payload] for payload in seen)


@on_both_loops
async def test_who_keeps_up_is_written_to_past_the_transport(audience: Audience) -> None:
    async with connected() as (wire, client):
        wire.transport = transport = Mock(wraps=wire.transport)
        DirectSubscriber(cast("WireProtocol", wire), JSON, nothing, nothing).join(audience)
        for now in range(100):
            audience.publish(Beat(now))
            await settle()
            assert await read_whole_frames(client, JSON.encode(Beat(now))) == [JSON.encode(Beat(now))]
        transport.write.assert_not_called()


@on_both_loops
async def test_a_client_that_has_gone_ends_its_connection_and_disturbs_nobody(audience: Audience) -> None:
    async with connected() as (gone, client), connected() as (other, listening):
        for wire in (gone, other):
            DirectSubscriber(cast("WireProtocol", wire), JSON, nothing, nothing).join(audience)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        while len(audience.members) > 1:
            audience.publish(Beat(1))
            await asyncio.sleep(0.001)
        audience.publish(Beat(2))
        await read_whole_frames(listening, JSON.encode(Beat(2)))


@on_both_loops
async def test_the_file_of_who_was_lost_is_never_written_to_again(audience: Audience) -> None:
    """Its number may by then be the next connection's."""
    async with connected() as (wire, client):
        reader = DirectSubscriber(cast("WireProtocol", wire), JSON, nothing, nothing)
        reader.lost()
        reader.join(audience)
        audience.publish(Beat(1))
        await settle()
        with pytest.raises(BlockingIOError):
            client.recv(1)

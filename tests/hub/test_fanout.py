"""The way from an event to the sockets: same bytes as the library's, one write a turn, slow readers aside."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest
from tests.hub.conftest import settle
from tests.servers import until
from websockets.frames import Frame, Opcode

from bookboard.hub.wire import stall
from bookboard.hub.wire.fanout import RESUME_DELAY_S, Audience, DirectSubscriber
from bookboard.hub.wire.frames import SHARED_FROM_BYTES, message_frame
from bookboard.hub.wire.outbox import MAX_WAITING, QueuedSubscriber
from bookboard.hub.wire.websocket_protocol import WireProtocol
from bookboard.protocol.codecs import CODECS, JSON, MSGPACK, Codec
from bookboard.protocol.messages import Beat, Status, Watching


class Transport:
    """What a reader uses of a transport without a file. `full_after` bytes it asks for a pause, within the write."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.full_after: int | None = None
        self.left = 0
        self.missed_after: list[int] = []
        self.is_stuck = False
        self.reader: DirectSubscriber | None = None

    def write(self, data: bytes) -> None:
        self.written.append(data)
        if self.full_after is not None and sum(map(len, self.written)) > self.full_after:
            self.full_after = None
            assert self.reader is not None
            self.reader.paused()

    def set_write_buffer_limits(self, high: int) -> None:
        assert high == 0

    def get_write_buffer_size(self) -> int:
        return self.left

    def catch_up(self, seen: int) -> None:
        assert self.reader is not None
        self.missed_after.append(seen)
        self.reader.send(NEWEST)

    def stuck(self) -> None:
        self.is_stuck = True


NEWEST = b"the newest state"


@pytest.fixture
def audience() -> Audience:
    return Audience(lambda: None)


@pytest.fixture
def join(audience: Audience) -> Callable[[Codec], Transport]:
    def join(codec: Codec) -> Transport:
        transport = Transport()
        wire = cast("WireProtocol", SimpleNamespace(transport=transport, reader=None, file=lambda: -1))
        transport.reader = DirectSubscriber(wire, codec, transport.catch_up, transport.stuck)
        transport.reader.join(audience)
        return transport

    return join


# ── bytes ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 100_000])
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_a_frame_is_the_one_that_the_library_sends(codec: Codec, length: int) -> None:
    payload = b"x" * length
    opcode = Opcode.BINARY if codec.binary else Opcode.TEXT
    assert message_frame(payload, codec) == Frame(opcode, payload).serialize(mask=False)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_published_in_a_turn_is_one_write(audience: Audience, join: Callable[[Codec], Transport]) -> None:
    transport = join(JSON)
    audience.publish(Beat(1))
    audience.publish(Beat(2))
    assert transport.written == []
    await settle()
    assert transport.written == [b"".join(message_frame(JSON.encode(Beat(n)), JSON) for n in (1, 2))]


async def test_every_codec_gets_its_own_bytes(audience: Audience, join: Callable[[Codec], Transport]) -> None:
    text, binary = join(JSON), join(MSGPACK)
    audience.publish(Beat(1))
    await settle()
    assert text.written == [message_frame(JSON.encode(Beat(1)), JSON)]
    assert binary.written == [message_frame(MSGPACK.encode(Beat(1)), MSGPACK)]


async def test_the_same_bytes_serve_all(audience: Audience, join: Callable[[Codec], Transport]) -> None:
    one, other = join(JSON), join(JSON)
    audience.publish(Beat(1))
    await settle()
    assert one.written[0] is other.written[0]


async def test_who_has_left_gets_nothing(audience: Audience, join: Callable[[Codec], Transport]) -> None:
    transport = join(JSON)
    assert transport.reader is not None
    audience.publish(Beat(1))
    transport.reader.leave()
    await settle()
    assert transport.written == []
    assert not audience.members


async def test_who_was_lost_on_the_way_in_disturbs_nobody(
    audience: Audience, join: Callable[[Codec], Transport]
) -> None:
    gone, other = join(JSON), join(JSON)
    assert gone.reader is not None
    gone.reader.lost()
    gone.reader.send(b"welcome")
    gone.reader.join(audience)
    audience.publish(Beat(1))
    await settle()
    assert gone.written == []
    assert len(other.written) == 1


# ── slow readers ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_full_transport_is_left_out_until_it_has_drained(
    audience: Audience, join: Callable[[Codec], Transport]
) -> None:
    slow, quick = join(JSON), join(JSON)
    slow.full_after = 10
    for now in (1, 2):
        audience.publish(Status("ok", now))
        await settle()
    assert (len(slow.written), len(quick.written)) == (1, 2)
    assert slow.reader is not None
    slow.reader.resumed()
    assert len(slow.written) == 1, "what it says is heard first"
    await asyncio.sleep(2 * RESUME_DELAY_S)
    assert slow.written[1:] == [message_frame(NEWEST, JSON)]
    assert slow.missed_after == [1]
    audience.publish(Status("ok", 3))
    await settle()
    assert (len(slow.written), len(quick.written)) == (3, 3)
    slow.reader.lost()


async def test_who_missed_nothing_while_it_drained_is_sent_nothing(
    audience: Audience, join: Callable[[Codec], Transport]
) -> None:
    busy = join(JSON)
    busy.full_after = 10
    audience.publish(Beat(1))
    await settle()
    assert busy.reader is not None
    busy.reader.resumed()
    assert len(busy.written) == 1
    busy.reader.lost()


async def test_snapshots_do_not_pile_up_for_who_asks_and_does_not_read(
    audience: Audience, join: Callable[[Codec], Transport]
) -> None:
    asking = join(JSON)
    asking.full_after = 10
    audience.publish(Beat(1))
    await settle()
    assert asking.reader is not None
    for _ in range(10):
        asking.reader.send_newest(b"a snapshot of then")
    assert len(asking.written) == 1
    asking.reader.resumed()
    await asyncio.sleep(2 * RESUME_DELAY_S)
    assert asking.written[1:] == [message_frame(NEWEST, JSON)]
    asking.reader.resumed()
    asking.reader.send_newest(b"a snapshot of now")
    assert asking.written[2:] == [message_frame(b"a snapshot of now", JSON)]
    asking.reader.lost()


async def test_a_snapshot_waits_once_for_all_who_do_not_read(join: Callable[[Codec], Transport]) -> None:
    snapshot, readers = b"s" * SHARED_FROM_BYTES, [join(JSON) for _ in range(3)]
    for transport in readers:
        assert transport.reader is not None
        transport.reader.send(snapshot)
    assert len({id(transport.written[0]) for transport in readers}) == 1
    assert readers[0].written == [message_frame(snapshot, JSON)]


async def test_a_pause_in_the_middle_of_a_broadcast_disturbs_nobody(
    audience: Audience, join: Callable[[Codec], Transport]
) -> None:
    transports = [join(JSON) for _ in range(5)]
    for transport in transports[::2]:
        transport.full_after = 1
    audience.publish(Beat(1))
    await settle()
    assert [len(transport.written) for transport in transports] == [1] * 5
    for transport in transports:
        assert transport.reader is not None
        transport.reader.lost()


async def test_a_reader_that_drains_and_fills_again_still_catches_up(
    audience: Audience, join: Callable[[Codec], Transport]
) -> None:
    busy = join(JSON)
    assert busy.reader is not None
    busy.reader.paused()
    audience.publish(Status("ok", 1))
    await settle()
    busy.reader.resumed()
    busy.reader.paused()
    audience.publish(Status("ok", 1))
    await settle()
    busy.reader.resumed()
    await asyncio.sleep(2 * RESUME_DELAY_S)
    assert busy.missed_after == [0]
    assert busy.written == [message_frame(NEWEST, JSON)]
    busy.reader.lost()


@pytest.mark.parametrize("passing", [Beat(1), Watching(2)])
async def test_nobody_misses_a_beat_or_a_count(
    audience: Audience, join: Callable[[Codec], Transport], passing: Beat | Watching
) -> None:
    """They come every few seconds: a long snapshot over a bad line would call for the next one for ever."""
    slow = join(JSON)
    assert slow.reader is not None
    slow.reader.paused()
    audience.publish(passing)
    await settle()
    slow.reader.resumed()
    await asyncio.sleep(2 * RESUME_DELAY_S)
    assert slow.written == []
    slow.reader.lost()


async def test_a_reader_that_takes_nothing_is_stuck(
    join: Callable[[Codec], Transport], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stall, "LOOK_EVERY_S", 0.002)
    stuck = join(JSON)
    assert stuck.reader is not None
    stuck.left = 100
    stuck.reader.paused()
    await until(lambda: stuck.is_stuck)


async def test_a_reader_that_takes_a_little_is_not_stuck(
    join: Callable[[Codec], Transport], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stall, "LOOK_EVERY_S", 0.002)
    monkeypatch.setattr(stall, "LOOKS_UNTIL_STUCK", 5)
    slow = join(JSON)
    assert slow.reader is not None
    slow.left = 30
    slow.reader.paused()
    while slow.left:
        await asyncio.sleep(0.002)
        slow.left -= 1
        assert not slow.is_stuck
    await until(lambda: slow.is_stuck)


# ── without a wire ───────────────────────────────────────────────────────────────────────────────────────────────


def nothing(*_: object) -> None:
    pass


class Asgi:
    """A `send` that waits while the gate is shut."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, message: object) -> None:
        await self.gate.wait()
        self.sent.append(cast("dict[str, object]", message))


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
async def test_a_queue_sends_what_a_wire_would(audience: Audience, codec: Codec) -> None:
    asgi = Asgi()
    reader = QueuedSubscriber(asgi.send, codec, catch_up=nothing, on_stuck=nothing)
    reader.join(audience)
    audience.publish(Beat(1))
    await settle()
    payload = codec.encode(Beat(1))
    content = {"bytes": payload} if codec.binary else {"text": payload.decode()}
    assert asgi.sent == [{"type": "websocket.send", **content}]
    reader.lost()


async def test_a_queue_that_is_full_skips_to_the_newest_snapshot(audience: Audience) -> None:
    asgi = Asgi()
    asgi.gate.clear()
    missed_after: list[int] = []

    def catch_up(seen: int) -> None:
        missed_after.append(seen)
        reader.send(NEWEST)

    reader = QueuedSubscriber(asgi.send, JSON, catch_up=catch_up, on_stuck=nothing)
    reader.join(audience)
    for _ in range(MAX_WAITING + 10):
        audience.publish(Status("ok", 1))
        await settle()
    reader.send(b"an answer")
    asgi.gate.set()
    await settle()
    texts = [message["text"] for message in asgi.sent]
    assert len(texts) < MAX_WAITING
    assert texts[1:3] == [NEWEST.decode(), "an answer"]
    assert missed_after == [1]
    reader.lost()


async def test_a_queue_says_when_it_is_stuck(audience: Audience, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bookboard.hub.wire.outbox.STUCK_AFTER_S", 0.01)
    asgi = Asgi()
    asgi.gate.clear()
    stuck: list[bool] = []
    reader = QueuedSubscriber(asgi.send, JSON, catch_up=nothing, on_stuck=lambda: stuck.append(True))
    reader.join(audience)
    audience.publish(Beat(1))
    await until(lambda: stuck)
    assert stuck == [True]
    reader.lost()

"""From one event to every screen of a room: encoded once a codec, framed once, one write a client and loop turn.

A server's frames are not masked: the same bytes serve every client. An audience keeps `transport.write` of the readers
that can take a frame now, and asks nothing of a reader on the way. A reader whose transport is full steps out; once it
has drained it gets the newest snapshot and steps in again; if it stays stuck it is closed: slow, come back.

An answer of the same turn may overtake the frames joined at its end, and who joins before the flush may get an event
that the snapshot had already: versions sort both out.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from bookboard.hub.wsproto import WireProtocol
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import CODECS, Codec
from bookboard.protocol.messages import Bye, FromServer

STUCK_AFTER_S = 15.0
GONE_AFTER_S = 2.0
_FIN_TEXT, _FIN_BINARY, _FIN_CLOSE = 0x81, 0x82, 0x88


def frame(payload: bytes, first_byte: int) -> bytes:
    """A whole, unmasked frame (RFC 6455, 5.2)."""
    length = len(payload)
    if length < 126:
        return bytes((first_byte, length)) + payload
    if length < 65536:
        return bytes((first_byte, 126)) + length.to_bytes(2, "big") + payload
    return bytes((first_byte, 127)) + length.to_bytes(8, "big") + payload


def message_frame(payload: bytes, codec: Codec) -> bytes:
    return frame(payload, _FIN_BINARY if codec.binary else _FIN_TEXT)


class Reader(Protocol):
    codec: Codec


class Audience:
    """Everyone who watches a room on this hub. `newest` gives the newest snapshot's payload in a codec."""

    def __init__(self, newest: Callable[[Codec], bytes], on_count: Callable[[], None]) -> None:
        self.newest = newest
        self.members: set[Reader] = set()
        self._on_count = on_count
        self._can_write: dict[Codec, dict[Reader, Callable[[bytes], None]]] = {codec: {} for codec in CODECS}
        self._queues: dict[Codec, dict[Reader, Callable[[list[bytes]], None]]] = {codec: {} for codec in CODECS}
        self._pending: list[FromServer] = []

    def publish(self, message: FromServer) -> None:
        """To every member, at the end of this loop turn. Returns at once, whatever the readers do."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append(message)

    def _flush(self) -> None:
        messages, self._pending = self._pending, []
        for codec in CODECS:
            writes, queues = self._can_write[codec], self._queues[codec]
            if not writes and not queues:
                continue
            payloads = [codec.encode(message) for message in messages]
            frames = b"".join([message_frame(payload, codec) for payload in payloads])
            for write in list(writes.values()):  # a copy: a write may pause its transport at once
                write(frames)
            for put in list(queues.values()):
                put(payloads)

    def remove(self, reader: Reader) -> None:
        if reader in self.members:
            self.members.remove(reader)
            self._on_count()
        self.step_out(reader)

    def add(self, reader: Reader) -> None:
        self.members.add(reader)
        self._on_count()

    def step_in(self, reader: Reader, write: Callable[[bytes], None]) -> None:
        self._can_write[reader.codec][reader] = write

    def queue_for(self, reader: Reader, put: Callable[[list[bytes]], None]) -> None:
        self._queues[reader.codec][reader] = put

    def step_out(self, reader: Reader) -> None:
        self._can_write[reader.codec].pop(reader, None)
        self._queues[reader.codec].pop(reader, None)


class WireReader:
    """Writes straight to the transport of our own WebSocket protocol class."""

    def __init__(self, wire: WireProtocol, codec: Codec) -> None:
        self.codec = codec
        self._wire = wire
        self._write: Callable[[bytes], None] = wire.transport.write
        self._audience: Audience | None = None
        self._stuck: asyncio.TimerHandle | None = None
        wire.reader = self

    def send(self, payload: bytes) -> None:
        self._write(message_frame(payload, self.codec))

    def join(self, audience: Audience) -> None:
        self._audience = audience
        audience.add(self)
        if self._stuck is None:
            audience.step_in(self, self._write)

    def leave(self) -> None:
        if self._audience is not None:
            self._audience.remove(self)
            self._audience = None

    def cut(self) -> None:
        """Drop the connection, with whatever the client has not read."""
        self._wire.transport.abort()

    def paused(self) -> None:
        if self._audience is not None:
            self._audience.step_out(self)
        if self._stuck is None:
            self._stuck = asyncio.get_running_loop().call_later(STUCK_AFTER_S, self._give_up)

    def resumed(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        if self._audience is not None:
            self._audience.step_in(self, self._write)
            self.send(self._audience.newest(self.codec))

    def lost(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
        self._wire.reader = None
        self.leave()

    def _give_up(self) -> None:
        """The close frame waits behind what was not read; a transport that does not drain even now is cut off."""
        self.leave()
        self.send(self.codec.encode(Bye(Closing.SLOW.word, reconnect_in=1000)))
        self._write(frame(Closing.SLOW.code.to_bytes(2, "big"), _FIN_CLOSE))
        asyncio.get_running_loop().call_later(GONE_AFTER_S, self._wire.transport.abort)

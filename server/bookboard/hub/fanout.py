"""From one event to every screen of a room: encoded once a codec, framed once, one write a client and loop turn.

A server's frames are not masked: the same bytes serve every client. An audience keeps `transport.write` of the readers
that can take a frame now, and asks nothing of a reader on the way. A reader whose transport is full steps out; once it
has drained it steps in again, and catches up if it missed anything; if it stays stuck it is closed: slow, come back.

An answer may overtake the frames of its turn, a new member may get an event that it has: versions sort both out.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from bookboard.hub.frames import close_frame, message_frame
from bookboard.hub.wsproto import WireProtocol
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import CODECS, Codec
from bookboard.protocol.messages import Bye, FromServer

STUCK_AFTER_S, GONE_AFTER_S = 15.0, 2.0


class Reader(Protocol):
    codec: Codec


class Audience:
    """Everyone who watches a room on this hub. `turns` counts what was sent to all."""

    def __init__(self, on_count: Callable[[], None]) -> None:
        self.turns = 0
        self.members: set[Reader] = set()
        self._on_count = on_count
        self._can_write: dict[Codec, dict[Reader, Callable[[bytes], None]]] = {codec: {} for codec in CODECS}
        self.queues: dict[Codec, dict[Reader, Callable[[list[bytes]], None]]] = {codec: {} for codec in CODECS}
        self._pending: list[FromServer] = []

    def publish(self, message: FromServer) -> None:
        """To every member, at the end of this loop turn. Returns at once, whatever the readers do."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append(message)

    def _flush(self) -> None:
        messages, self._pending = self._pending, []
        self.turns += 1
        for codec in CODECS:
            writes, queues = self._can_write[codec], self.queues[codec]
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

    def count_no_more(self) -> None:
        """The room has been let go of: no circle with it is left for the collector."""
        self._on_count = lambda: None

    def step_in(self, reader: Reader, write: Callable[[bytes], None]) -> None:
        self._can_write[reader.codec][reader] = write

    def step_out(self, reader: Reader) -> None:
        self._can_write[reader.codec].pop(reader, None)
        self.queues[reader.codec].pop(reader, None)


class WireReader:
    """Writes straight to the transport of our own WebSocket protocol class. `catch_up` sends the newest state."""

    def __init__(self, wire: WireProtocol, codec: Codec, catch_up: Callable[[], None]) -> None:
        self.codec = codec
        self._catch_up, self._has_seen = catch_up, 0
        self._wire, wire.reader = wire, self
        self._write: Callable[[bytes], None] = wire.transport.write
        self._audience: Audience | None = None
        self._stuck: asyncio.TimerHandle | None = None

    def send(self, payload: bytes) -> None:
        self._write(message_frame(payload, self.codec))

    def send_newest(self, snapshot: bytes) -> None:
        """A snapshot that was asked for; who does not read gets a newer one instead, once it does."""
        if self._stuck is None:
            self.send(snapshot)
        else:
            self._has_seen = -1  # no turn: something was missed

    def join(self, audience: Audience) -> None:
        self._audience, self._has_seen = audience, audience.turns
        audience.add(self)
        if self._stuck is None:
            audience.step_in(self, self._write)

    def leave(self) -> None:
        if self._audience is not None:
            self._audience.remove(self)
            self._audience = None

    def goes_first(self, *, is_known: bool) -> None:
        self._wire.is_known = is_known

    def cut(self) -> None:
        """Drop the connection, with whatever the client has not read."""
        self._wire.transport.abort()

    def paused(self) -> None:
        if self._audience is not None:
            self._has_seen = self._audience.turns
            self._audience.step_out(self)
        if self._stuck is None:
            self._stuck = asyncio.get_running_loop().call_later(STUCK_AFTER_S, self._give_up)

    def resumed(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        if self._audience is not None:
            self._audience.step_in(self, self._write)
            if self._audience.turns != self._has_seen:  # else a snapshot larger than the buffer would call for the next
                self._has_seen = self._audience.turns
                self._catch_up()

    def lost(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
        self._wire.reader = None
        self._catch_up = lambda: None
        self._write = lambda _: None  # who has gone may be greeted or sent away even now; the transport would raise
        self.leave()

    def _give_up(self) -> None:
        """The close frame waits behind what was not read; a transport that does not drain even now is cut off."""
        self.leave()
        self.send(self.codec.encode(Bye(Closing.SLOW.word, reconnect_in=1000)))
        self._write(close_frame(Closing.SLOW.code))
        asyncio.get_running_loop().call_later(GONE_AFTER_S, self._wire.transport.abort)

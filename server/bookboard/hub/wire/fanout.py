"""From one event to every screen of a room: encoded once a codec, framed once, one write a client and loop turn.

A server's frames are not masked: the same bytes serve every client. An audience writes to the sockets of those that can
take a frame now, past the event loop. A reader with bytes left in its transport steps out, or frames would come between
them; once it has drained it steps in again, and catches up if it missed anything; if it takes nothing it is closed:
slow, come back. A new member may get an event that it has, and an answer may overtake one: versions sort both out.
"""

import asyncio
import os
from collections.abc import Callable
from typing import Protocol

from bookboard.hub.wire.frames import message_frame
from bookboard.hub.wire.stall import Stall
from bookboard.hub.wire.timer import OneShotTimer
from bookboard.hub.wire.websocket_protocol import WireProtocol
from bookboard.protocol.codecs import CODECS, Codec
from bookboard.protocol.messages import Beat, ServerMessage, Watching

RESUME_DELAY_S = 0.02
Out = tuple[int, Callable[[bytes], None]]
"""A socket's file, and its transport's `write` for what the socket does not take."""


class Reader(Protocol):
    codec: Codec


class Audience:
    """Everyone who watches a room on this hub. `turns` counts what was sent to all; beats and counts nobody misses."""

    def __init__(self, on_count: Callable[[], None]) -> None:
        self.turns = 0
        self.members: set[Reader] = set()
        self.on_count = on_count
        self._can_write: dict[Codec, dict[Reader, Out]] = {codec: {} for codec in CODECS}
        self.queues: dict[Codec, dict[Reader, Callable[[list[bytes]], None]]] = {codec: {} for codec in CODECS}
        self._pending: list[ServerMessage] = []

    def publish(self, message: ServerMessage) -> None:
        """To every member, at the end of this loop turn. Returns at once, whatever the readers do."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append(message)

    def _flush(self) -> None:
        messages, self._pending = self._pending, []
        self.turns += not all(isinstance(message, Beat | Watching) for message in messages)
        for codec in CODECS:
            outs, queues = self._can_write[codec], self.queues[codec]
            if not outs and not queues:
                continue
            payloads = [codec.encode(message) for message in messages]
            frames = b"".join([message_frame(payload, codec) for payload in payloads])
            for file, write_rest in list(outs.values()):  # a copy: a write may pause its transport at once
                try:
                    written = os.write(file, frames)
                except OSError:  # full, or gone: the transport finds out which, and pauses or ends
                    written = 0
                if written < len(frames):
                    write_rest(frames[written:])
            for put in list(queues.values()):
                put(payloads)

    def remove(self, reader: Reader) -> None:
        if reader in self.members:
            self.members.remove(reader)
            self.on_count()
        self.deactivate(reader)

    def add(self, reader: Reader) -> None:
        self.members.add(reader)
        self.on_count()

    def activate(self, reader: Reader, out: Out) -> None:
        self._can_write[reader.codec][reader] = out

    def deactivate(self, reader: Reader) -> bool:
        """Whether it was in."""
        self.queues[reader.codec].pop(reader, None)
        return self._can_write[reader.codec].pop(reader, None) is not None


class DirectSubscriber:
    """Uses our own WebSocket protocol class. `catch_up` is told the last turn that was seen, `on_stuck` sends away."""

    def __init__(
        self, wire: WireProtocol, codec: Codec, catch_up: Callable[[int], None], on_stuck: Callable[[], None]
    ) -> None:
        self.codec = codec
        self._catch_up, self._has_seen = catch_up, 0
        self._wire, wire.reader = wire, self
        wire.transport.set_write_buffer_limits(high=0)  # it wants a pause whenever bytes are left in it
        self._write: Callable[[bytes], None] = wire.transport.write
        self._out: Out = (wire.file(), self._write)
        self._audience: Audience | None = None
        self._stall, self._behind = Stall(wire.transport, on_stuck), OneShotTimer()

    def send(self, payload: bytes) -> None:
        self._write(message_frame(payload, self.codec))

    def send_newest(self, snapshot: bytes) -> None:
        """A snapshot that was asked for; who does not read gets a newer one instead, once it does."""
        if not self._stall.is_on:
            self.send(snapshot)
        elif self._audience is not None:
            self._has_seen = min(self._has_seen, self._audience.turns - 1)

    def join(self, audience: Audience) -> None:
        self._audience, self._has_seen = audience, audience.turns
        audience.add(self)
        if not self._stall.is_on:
            audience.activate(self, self._out)

    def leave(self) -> None:
        self._behind.stop()
        if self._audience is not None:
            self._audience.remove(self)
            self._audience = None

    def paused(self) -> None:
        self._behind.cancel()
        if self._audience is not None and self._audience.deactivate(self):
            self._has_seen = self._audience.turns
        self._stall.begin()

    def resumed(self) -> None:
        self._stall.end()
        if self._audience is None:
            return
        if self._audience.turns == self._has_seen:
            self._audience.activate(self, self._out)
        else:
            self._behind.call(RESUME_DELAY_S, self._go_on)  # what it says is heard before it is full again

    def _go_on(self) -> None:
        if self._audience is not None:
            seen, self._has_seen = self._has_seen, self._audience.turns
            self._audience.activate(self, self._out)
            self._catch_up(seen)

    def lost(self) -> None:
        self._stall.stop()
        self._wire.reader = None
        self._catch_up = lambda _: None
        self._write = lambda _: None  # who has gone may be greeted or sent away even now; the transport would raise
        self._out = (-1, self._write)  # and its file may be another's
        self.leave()

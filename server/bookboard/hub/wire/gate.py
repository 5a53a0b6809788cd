"""Who is known goes first: what strangers send waits in one line, and of it one portion is handled a loop turn.

A command needs some turns of the loop, for the store's answer and the feed, so a table waits for whatever else those
turns hold: with hundreds of handshakes ready at once, for all of them. Here each turn holds one. Strangers get all the
time that is left, in turns as well: who sends a lot waits behind the others with each portion. A stranger is anybody
from the first byte until a hello with the token of one of the table's people; watchers are, too.
"""

import asyncio
from collections import deque
from collections.abc import Callable, MutableMapping
from typing import Any

PORTION = 256
"""Bytes handled at once: of the smallest frames as many as take about as long as a handshake."""
_NAME = "bookboard.gate"


class Gate:
    """The line of one server. A step that finds nobody in line is taken at once."""

    def __init__(self) -> None:
        self._line: deque[Callable[[], None]] = deque()
        self._is_free = True

    @classmethod
    def of(cls, app_state: MutableMapping[str, Any]) -> "Gate":
        """The one that all protocols of a server share."""
        gate: Gate = app_state.setdefault(_NAME, cls())
        return gate

    def enter(self, step: Callable[[], None]) -> None:
        if not self._is_free:
            self._line.append(step)
            return
        self._is_free = False
        asyncio.get_running_loop().call_soon(self._next)
        step()

    def _next(self) -> None:
        if not self._line:
            self._is_free = True
            return
        asyncio.get_running_loop().call_soon(self._next)
        self._line.popleft()()


class QueuedInput(asyncio.Protocol):
    """Of a connection's protocol: what was sent and is not handled yet. While there is any, nothing more is read.

    A mixin, since an object of its own would be a circle with the protocol: those of ten thousand gone connections are
    a third of a second for the garbage collector, during which everybody waits.
    """

    transport: asyncio.Transport
    gate: Gate
    _rest = b""

    def handle(self, portion: bytes) -> None:
        """Take what has come to its turn."""
        raise NotImplementedError

    def read_on(self) -> None:
        """Nothing waits any more: read, unless something else stands against it."""
        raise NotImplementedError

    @property
    def is_waiting(self) -> bool:
        return bool(self._rest)

    def queue_up(self, data: bytes) -> None:
        has_place = self.is_waiting
        self._rest += data
        if not has_place:
            self.gate.enter(self._take_turn)
        if self._rest:
            self.transport.pause_reading()

    def forget(self) -> None:
        """What waits is of no use any more."""
        self._rest = b""

    def _take_turn(self) -> None:
        portion, self._rest = self._rest[:PORTION], self._rest[PORTION:]
        if portion and not self.transport.is_closing():
            self.handle(portion)
        if self.transport.is_closing():
            self.forget()
        elif self._rest:
            self.gate.enter(self._take_turn)
        else:
            self.read_on()

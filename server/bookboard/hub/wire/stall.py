"""A transport that is full, and for how long nobody has taken anything from it."""

import asyncio
from collections.abc import Callable

from bookboard.hub.wire.timer import OneShotTimer

LOOK_EVERY_S = 1.0
LOOKS_UNTIL_STUCK = 15


class Stall:
    """From `begin`, when the transport has become full, to `end`. `on_stuck` is called if it has given nothing away.

    Slow and stuck are two things: over a bad line a long table takes its time, and comes through.
    """

    def __init__(self, transport: asyncio.Transport, on_stuck: Callable[[], None]) -> None:
        self._transport = transport
        self._on_stuck = on_stuck
        self._next_look = OneShotTimer()
        self._left = self._looks = 0

    @property
    def is_on(self) -> bool:
        return self._next_look.is_waiting

    def begin(self) -> None:
        self._left, self._looks = self._transport.get_write_buffer_size(), 0
        self._next_look.call(LOOK_EVERY_S, self._look)

    def end(self) -> None:
        self._next_look.cancel()

    def stop(self) -> None:
        """For good: the connection is lost."""
        self._next_look.stop()
        self._on_stuck = lambda: None

    def _look(self) -> None:
        left = self._transport.get_write_buffer_size()
        self._left, self._looks = left, 0 if left < self._left else self._looks + 1
        if self._looks < LOOKS_UNTIL_STUCK:
            self._next_look.call(LOOK_EVERY_S, self._look)
        else:
            self._on_stuck()

"""The store's steady clock: its wall clock without the steps that are made when somebody sets it.

Deadlines and the lifetime of tables are counted in steady time. It is the server's wall clock plus an offset that is
kept in the store, so that all hubs agree. Every hub compares that clock twice a second with its own monotonic one; when
it has jumped, whoever sees it first moves the offset by as much. Where no hub was looking for longer than UNSEEN_MS,
steady time goes on where it stopped: whether the clock was set or the night passed, nobody can tell.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from bookboard.store.contract import ClockSet

STEP_MS = 2000
"""Less is how clocks are kept right, or a slow answer: steady time follows it."""
UNSEEN_MS = 300_000
ONE_CORRECTION_IN_MS = 60_000
ATTEMPTS = 4

_log = logging.getLogger(__name__)


def monotonic_ms() -> int:
    """Goes on while the machine sleeps, where the system has such a clock."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class Reading(Struct, frozen=True):
    wall: int
    offset: int
    seen: int | None
    last_set: ClockSet | None

    @property
    def steady(self) -> int:
        return self.wall + self.offset

    @classmethod
    def of(cls, reply: list[bytes]) -> "Reading":
        wall, offset, seen, set_at, set_by, was_seen = reply
        last_set = ClockSet(int(set_at), int(set_by), was_seen == b"1") if set_at else None
        return cls(int(wall), int(offset), int(seen) if seen else None, last_set)


Ask = Callable[..., Awaitable[Any]]
"""Runs clock.lua with these arguments."""


class SteadyClock:
    """`offset` leads from the server's wall clock to steady time. `last_set` is the newest correction that is known."""

    def __init__(self, tick: Callable[[], int] = monotonic_ms) -> None:
        self._tick = tick
        self._ahead: int | None = None
        self._corrected_at: int | None = None
        self.offset = 0
        self.last_set: ClockSet | None = None

    def estimate(self) -> int | None:
        """Steady time by this hub's own clock, never ahead of the store's; None before the first reading."""
        return None if self._ahead is None else self._tick() + self._ahead

    async def read(self, ask: Ask) -> int:
        """Steady time, once the clock is known not to have jumped, or was corrected."""
        arguments: tuple[str | int, ...] = ("read",)
        for _ in range(ATTEMPTS):
            sent = self._tick()
            reading = Reading.of(await ask(*arguments))
            answered = self._tick()
            by_ms, was_seen = self._jump(reading, sent, answered)
            if by_ms == 0:
                break
            self._corrected_at = answered
            arguments = ("correct", reading.offset, reading.offset - by_ms, by_ms, int(was_seen))
        self._ahead = reading.steady - answered
        self.offset = reading.offset
        if reading.last_set != self.last_set:
            self.last_set = reading.last_set
            _say(self.last_set)
        return reading.steady

    def _jump(self, reading: Reading, sent: int, answered: int) -> tuple[int, bool]:
        """By how many ms the clock has jumped, 0 if it has not, and whether this hub was looking."""
        if self._ahead is None:
            if reading.seen is None or -STEP_MS <= reading.wall - reading.seen <= UNSEEN_MS:
                return 0, False
            return reading.wall - reading.seen, False
        has_just_corrected = self._corrected_at is not None and sent - self._corrected_at < ONE_CORRECTION_IN_MS
        if has_just_corrected and reading.last_set != self.last_set:
            # Another hub sees it otherwise, perhaps because this one was suspended: do not argue.
            return 0, True
        low, high = sent + self._ahead - STEP_MS, answered + self._ahead + STEP_MS
        if low <= reading.steady <= high:
            return 0, True
        return reading.steady - (sent + self._ahead), True


def _say(last_set: ClockSet | None) -> None:
    """A clock that was set is for the operator to see, also at the start; a night's pause is nothing unusual."""
    if last_set is None:
        return
    seconds = last_set.by_ms / 1000
    if last_set.was_seen or seconds < 0:
        _log.error("the store's clock was set by %+.0f s; time limits go on as if it had not been", seconds)
    else:
        _log.warning("no hub was there for %.0f s, or the clock was set; time limits go on where they were", seconds)

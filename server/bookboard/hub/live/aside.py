"""What takes long is worked out beside the loop, a piece at a time, and paid for by the time it took.

A thread that computes gives way to the loop within SWITCH_S, so tables go on meanwhile. What is handed over must not
change: rooms and sheets do not.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SWITCH_S = 0.0002


class Aside:
    """One piece at a time, of all that a hub has to work out."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)

    async def work(self, step: Callable[[], T]) -> tuple[T, float]:
        """What comes of it, and the seconds of a processor that it took. Raises what the step raises."""
        async with self._turn:
            return await asyncio.to_thread(_timed, step)


def give_way_soon() -> None:
    """For a process that serves."""
    sys.setswitchinterval(SWITCH_S)


def _timed(step: Callable[[], T]) -> tuple[T, float]:
    started = time.thread_time()
    result = step()
    return result, time.thread_time() - started

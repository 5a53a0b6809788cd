"""The store's clock, as this hub estimates it between two readings."""

import time
from collections.abc import Callable

from bookboard.store.contract import Store


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class StoreClock:
    """Never ahead of the store by more than the clocks drift between two calls of `read`."""

    def __init__(self, tick: Callable[[], int] = monotonic_ms) -> None:
        self._tick = tick
        self._offset = time.time_ns() // 1_000_000 - tick()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._tick() + self._offset

    def advance_to(self, now: int) -> None:
        """The store said so."""
        self._offset = max(self._offset, now - self._tick())

    async def read(self, store: Store) -> int:
        """Ask the store. What its answer took on the way makes this clock late, not early. Raises StoreUnavailable."""
        now = await store.now()
        self._offset = now - self._tick()
        return now

"""How much anybody may ask: a bucket of tokens a connection, and a price on failures that successes never pay."""

import time
from collections import OrderedDict
from collections.abc import Callable

MAX_ADDRESSES = 10_000


class Bucket:
    """Holds `burst` at first and fills by `rate` a second."""

    def __init__(self, rate: float, burst: float, tick: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._tick = tick
        self._left = burst
        self._at = tick()

    def take(self, cost: float = 1) -> bool:
        """Whether there was enough, and it was taken."""
        now = self._tick()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def owe(self, cost: float) -> None:
        """What was only known once it was done: until it is paid off, nothing can be taken."""
        self.take(0)
        self._left -= cost


class PerAddress:
    """A bucket for each address, and one for all. The addresses not seen for longest are forgotten."""

    def __init__(self, each: Callable[[], Bucket], together: Bucket) -> None:
        self._each = each
        self._together = together
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1) -> bool:
        return self._bucket(address).take(cost) and self._together.take(cost)

    def owe(self, address: str, cost: float) -> None:
        self._bucket(address).owe(cost)
        self._together.owe(cost)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.pop(address, None) or self._each()
        self._buckets[address] = bucket
        while len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket


def failures(hubs: int = 1) -> PerAddress:
    """Hellos that led nowhere. A venue's phones share an address, so one address may be wrong often.

    With several `hubs` on one port this is the share of each.
    """
    return PerAddress(lambda: Bucket(1 / hubs, 60 / hubs), Bucket(50 / hubs, 1000 / hubs))


def calls() -> PerAddress:
    """Calls of the API, by all the pages of a venue. What they cost is the hub's own: this is for each of several."""
    return PerAddress(lambda: Bucket(rate=50, burst=500), Bucket(rate=500, burst=5000))


def writing(hubs: int = 1, bytes_a_second: int = 10_000) -> PerAddress:
    """Bytes that the store is to keep: what a hundred tables write at play, and no stranger fills it with."""
    rate = bytes_a_second / hubs
    return PerAddress(lambda: Bucket(rate, 25 * rate), Bucket(100 * rate, 2500 * rate))


def requests() -> PerAddress:
    """Pages and what they load: twenty phones of a venue at once, and one a second from then on."""
    return PerAddress(lambda: Bucket(rate=100, burst=2000), Bucket(rate=1000, burst=20_000))


def computing() -> PerAddress:
    """Seconds of a processor, for what takes long: scoring a long game again, taking in a record."""
    return PerAddress(lambda: Bucket(0.05, 0.5), Bucket(0.15, 1.5))


def computing_for_a_table() -> Bucket:
    return Bucket(0.05, 0.5)


def openings(hubs: int = 1) -> PerAddress:
    """Tables that are opened: each is kept for as long as rooms are, used or not. `hubs` as with failures."""
    return PerAddress(lambda: Bucket(0.05 / hubs, 200 / hubs), Bucket(1 / hubs, 2000 / hubs))

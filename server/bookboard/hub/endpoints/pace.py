"""Requests over HTTP are counted by address: who has asked for many waits before each of the next.

They are slowed down and not refused: a club whose phones all load their pages at once is one address.
"""

import asyncio
from collections import Counter

from bookboard.hub.wire.throttle import PerAddress, requests

SHORTEST_WAIT_S = 0.05
APART_S = 0.01
"""Of those that an address has waiting, about so far from each other."""


class Pace:
    def __init__(self) -> None:
        self._requests: PerAddress = requests()
        self._waiting: Counter[str] = Counter()

    async def wait_for_turn(self, address: str) -> None:
        if self._requests.take(address):
            return
        self._waiting[address] += 1
        try:
            await asyncio.sleep(max(SHORTEST_WAIT_S, APART_S * self._waiting[address]))
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

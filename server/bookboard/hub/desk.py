"""What all connections and pages of one hub share."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from bookboard.config import Config
from bookboard.hub.rooms import Rooms
from bookboard.hub.throttle import PerAddress, calls, failures, openings
from bookboard.protocol.closing import Closing

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SHORTEST_AWAY_MS = 500
AWAY_MS_A_CONNECTION = 2
LONGEST_DRAIN_S = 10.0
LONGEST_GOODBYE_S = 3.0


class Guest(Protocol):
    """A connection, from its handshake on."""

    def close_soon(self, closing: Closing, reconnect_in: int | None = None) -> None: ...


class Desk:
    """`addresses` are the origins at which other devices reach this hub."""

    def __init__(self, rooms: Rooms, config: Config, addresses: list[str]) -> None:
        self.rooms = rooms
        self.config = config
        self.addresses = addresses
        self.failures: PerAddress = failures()
        self.calls: PerAddress = calls()
        self.openings: PerAddress = openings()
        self.guests: set[Guest] = set()
        self.is_draining = False

    @property
    def is_full(self) -> bool:
        return len(self.guests) >= self.config.most_connections

    async def drain(self) -> None:
        """Finish what is in flight, then send everybody away, each to come back at a time of its own."""
        self.is_draining = True
        with contextlib.suppress(TimeoutError):  # the store hangs: clients send it again, with the same cmd
            async with asyncio.timeout(LONGEST_DRAIN_S):
                await self.rooms.finish()
        window_ms = SHORTEST_AWAY_MS + AWAY_MS_A_CONNECTION * len(self.guests)
        for guest in list(self.guests):
            away_ms = random.randint(SHORTEST_AWAY_MS // 2, window_ms)  # noqa: S311 - spreads load, hides nothing
            guest.close_soon(Closing.RESTARTING, away_ms)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_GOODBYE_S):
                while self.guests:  # noqa: ASYNC110 - once in a hub's life
                    await asyncio.sleep(0.02)


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""

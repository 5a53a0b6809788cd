"""What all connections and pages of one hub share."""

import asyncio
import contextlib
import ipaddress
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any, Protocol

from bookboard.config import Config
from bookboard.hub.endpoints.pace import Pace
from bookboard.hub.live.rooms import Rooms
from bookboard.hub.wire.throttle import PerAddress, calls, computing, failures, openings, writing
from bookboard.protocol.closing import Closing

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SHORTEST_AWAY_MS = 500
AWAY_MS_A_CONNECTION = 2
LONGEST_DRAIN_S = 10.0
LONGEST_GOODBYE_S = 3.0
PROVEN_FOR_S = 1.0


class Guest(Protocol):
    """A connection, from its handshake on. `screen` is what its hello says it is."""

    screen: str

    def close_soon(self, closing: Closing, reconnect_in: int | None = None) -> None: ...


class HubContext:
    """`addresses` are the origins at which other devices reach this hub."""

    def __init__(self, rooms: Rooms, config: Config, addresses: list[str]) -> None:
        self.rooms = rooms
        self.config = config
        self.addresses = addresses
        self.failures: PerAddress = failures(config.workers)
        self.calls: PerAddress = calls()
        self.openings: PerAddress = openings(config.workers)
        self.pace = Pace()
        self.computing: PerAddress = computing()
        self.writes: PerAddress = writing(config.workers, config.most_bytes_a_second)
        self.drawing = asyncio.Semaphore(1)
        self.writing = asyncio.Semaphore(1)
        self.guests: set[Guest] = set()
        self._from: Counter[str] = Counter()
        self.is_draining = False
        self._proof: asyncio.Task[str | None] | None = None
        self._proof_at = 0.0

    def has_place_for(self, address: str) -> bool:
        most = self.config.most_per_address or self.config.most_connections
        return len(self.guests) < self.config.most_connections and self._from[address] < most

    @contextlib.contextmanager
    def hosting(self, guest: Guest, address: str) -> Iterator[None]:
        """While it is here."""
        self.guests.add(guest)
        self._from[address] += 1
        try:
            yield
        finally:
            self.guests.discard(guest)
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]

    async def check_writable(self) -> str | None:
        """See that hands can be committed: once a second, however many ask. Raises StoreUnavailable.

        The policy by which the store throws tables away when it is full, if it does.
        """
        now = asyncio.get_running_loop().time()
        is_old = self.rooms.status.store != "ok" or now - self._proof_at > PROVEN_FOR_S
        if self._proof is None or (self._proof.done() and is_old):
            self._proof, self._proof_at = asyncio.create_task(self._prove()), now
        return await asyncio.shield(self._proof)

    async def _prove(self) -> str | None:
        await self.rooms.store.check_writable()
        return await self.rooms.store.evicting()

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


class AddressBudget:
    """What one address may have the hub do."""

    def __init__(self, context: HubContext, address: str) -> None:
        self._context = context
        self._address = address

    def may_keep(self, count: int) -> bool:
        return self._context.writes.take(self._address, count)

    def may_compute(self) -> bool:
        return self._context.computing.take(self._address, 0)

    def computed(self, seconds: float) -> None:
        self._context.computing.owe(self._address, seconds)


def address_of(scope: Scope) -> str:
    """What throttles count by: of IPv6 the network, since anybody has 2^64 addresses of one."""
    client = scope.get("client")
    address = str(client[0]) if client else ""
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or ipaddress.IPv6Address(int(parsed) >> 64 << 64))

"""A Redis Cluster: commands go to the server that holds their partition, feeds to the servers that hold their rooms.

A redirection means that nothing has been done, so following one is no second try. What is lost with a connection is
never sent again: as with one server, the caller asks again with the same cmd.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from random import uniform
from typing import Any

from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, RedisError, ResponseError, TryAgainError

from bookboard.store import keys
from bookboard.store.contract import FeedMessage, StoreUnavailable
from bookboard.store.feed import CONFIRM_S, RedisFeed
from bookboard.store.link import Argument, Commands, Connect, Link, connector, reason_of
from bookboard.store.sentinel import Address

# A slot that is being moved is moved within this; a room's keys are on both sides meanwhile.
REDIRECTED_S = 3.0
AGAIN_S = 0.05
LOOK_AGAIN_S = 0.5

SLOTS = [key_slot(keys.tag(number).encode()) for number in range(keys.PARTITIONS)]

_log = logging.getLogger(__name__)


class ClusterLink:
    """What `Link` is to one server. `routes` are the servers of the 64 partitions."""

    def __init__(self, url: str, seed: Link, *, read_timeout_s: float) -> None:
        self._url = url
        self._seed = seed
        self._read_timeout_s = read_timeout_s
        self._links: dict[Address, Link] = {}
        self._looking: asyncio.Task[None] | None = None
        self.routes: list[Address] = []

    @property
    def links(self) -> list[Link]:
        """One for each server that holds rooms."""
        return [self._link(address) for address in dict.fromkeys(self.routes)]

    async def call(self, *command: Argument, then: Commands = ()) -> Any:  # noqa: ANN401
        """The reply of the server that holds the command's key. Raises RedisError, OSError or StoreUnavailable."""
        number = keys.partition_of(command)
        give_up = asyncio.get_running_loop().time() + REDIRECTED_S
        link, asking = self._link(self.routes[number]), False
        while True:
            try:
                return await link.submit(command, asking=asking, then=then)
            except MovedError as error:
                failure: ResponseError = error
                self.routes[number] = self._address(error)
                link, asking = self._link(self.routes[number]), False
            except AskError as error:
                failure = error
                link, asking = self._link(self._address(error)), True
            except TryAgainError as error:
                failure = error
                await asyncio.sleep(AGAIN_S)
                link, asking = self._link(self.routes[number]), False
            except ResponseError:
                raise
            except (RedisError, OSError):
                # Its server may be gone: a replica has its slots, or will have.
                self.look_soon()
                raise
            if asyncio.get_running_loop().time() > give_up:
                raise failure

    def submit(self, command: Sequence[Argument]) -> asyncio.Future[Any]:
        return asyncio.ensure_future(self.call(*command))

    def connect_to(self, address: Address) -> Connect:
        return connector(self._url, address)

    def look_soon(self) -> None:
        """Learn the routes again, in the background."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_quietly())

    async def look(self) -> None:
        """Learns where the partitions are, from the first server that answers. Raises StoreUnavailable."""
        reason = "cluster-down"
        for link in [*(self._link(address) for address in dict.fromkeys(self.routes)), self._seed]:
            try:
                slots = await link.call("CLUSTER", "SLOTS")
                self.routes = [_holder(slots, slot) for slot in SLOTS]
            except (RedisError, OSError) as error:
                reason = reason_of(error)
            except (LookupError, TypeError, ValueError):
                # It does not know all slots, or is no cluster at all.
                reason = "cluster-down"
            else:
                return
        raise StoreUnavailable(reason)

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        for link in (self._seed, *self._links.values()):
            await link.close()

    async def _look_quietly(self) -> None:
        try:
            await self.look()
        except StoreUnavailable as error:
            _log.warning("the cluster cannot be asked for its servers: %s", error.reason)
        # What fails in between asks for nothing new.
        await asyncio.sleep(LOOK_AGAIN_S)

    def _link(self, address: Address) -> Link:
        if address not in self._links:
            self._links[address] = Link(self.connect_to(address), read_timeout_s=self._read_timeout_s)
        return self._links[address]

    def _address(self, error: AskError) -> Address:
        return (error.host, error.port)


def _holder(slots: list[Any], slot: int) -> Address:
    """The master of a slot, out of CLUSTER SLOTS: [first, last, [host, port, …], replicas …] for each range."""
    for first, last, (host, port, *_), *_ in slots:
        if first <= slot <= last and host:
            return host.decode(), port
    raise LookupError(slot)


class ClusterFeed:
    """A `Feed` made of one for each server that holds rooms; it moves rooms when their slots move."""

    def __init__(
        self,
        link: ClusterLink,
        call: Callable[..., Awaitable[Any]],
        on_message: Callable[[FeedMessage], None],
        on_gap: Callable[[], None],
    ) -> None:
        self._link = link
        self._call = call
        self._on_message = on_message
        self._on_gap = on_gap
        self._feeds: dict[Address, tuple[int, RedisFeed]] = {}
        self._homes: dict[str, Address] = {}
        self._moving = asyncio.Lock()
        self._broken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_healthy(self) -> bool:
        """Whether the feed of every server that holds rooms has heard itself within the last 4 s."""
        return all(address in self._feeds and self._feeds[address][1].is_healthy for address in self._link.routes)

    async def start(self) -> None:
        """Returns once every server's feed hears itself. Raises StoreUnavailable."""
        await self._settle()
        self._task = asyncio.create_task(self._keep_settled())

    async def subscribe(self, room: str) -> None:
        """Returns once the store has confirmed it. Raises StoreUnavailable after 5 s; the room is let go of then."""
        number = keys.partition(room)
        try:
            async with asyncio.timeout(CONFIRM_S):
                while True:
                    address = self._homes[room] = self._link.routes[number]
                    try:
                        _, feed = await self._feed_at(address)
                        await feed.subscribe(room)
                    except StoreUnavailable:
                        # Its slot moved away meanwhile; unless it did not.
                        if self._link.routes[number] == address:
                            self._homes.pop(room, None)
                            raise
                        continue
                    if self._link.routes[number] == address == self._homes.get(room, address):
                        return
        except TimeoutError:
            await self.unsubscribe(room)
            raise StoreUnavailable("timeout") from None

    async def unsubscribe(self, room: str) -> None:
        address = self._homes.pop(room, None)
        if address in self._feeds:
            await self._feeds[address][1].unsubscribe(room)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for _, feed in self._feeds.values():
            await feed.close()
        self._feeds.clear()

    async def _keep_settled(self) -> None:
        """After a connection broke, or a command was sent elsewhere, feeds and rooms go where the slots are now."""
        seen = list(self._link.routes)
        while True:
            try:
                async with asyncio.timeout(LOOK_AGAIN_S * uniform(0.75, 1.25)):  # noqa: S311
                    await self._broken.wait()
            except TimeoutError:
                if self._link.routes == seen:
                    continue
            self._broken.clear()
            try:
                await self._link.look()
                seen = list(self._link.routes)
                await self._settle()
            except Exception as error:  # noqa: BLE001 - the edge of a worker: it is tried again
                _log.warning("the cluster's feed: %s", error or type(error).__name__)
                self._broken.set()
                await asyncio.sleep(LOOK_AGAIN_S)

    async def _settle(self) -> None:
        """A feed for each server, and each room at its own; tells of a gap if any room was moved."""
        moved = False
        for address, (number, feed) in list(self._feeds.items()):
            if self._link.routes[number] != address:
                # Its message to itself goes elsewhere now, so it cannot prove itself any more.
                await self._let_go(address, feed)
        for address in dict.fromkeys(self._link.routes):
            await self._feed_at(address)
        for room, home in list(self._homes.items()):
            address = self._link.routes[keys.partition(room)]
            _, feed = await self._feed_at(address)
            if home != address:
                if home in self._feeds:
                    await self._feeds[home][1].unsubscribe(room)
                await feed.subscribe(room)
                moved = True
                if room in self._homes:
                    self._homes[room] = address
        if moved:
            self._on_gap()

    async def _let_go(self, address: Address, feed: RedisFeed) -> None:
        del self._feeds[address]
        await feed.close()
        for room, home in self._homes.items():
            if home == address:
                self._homes[room] = ("", 0)

    async def _feed_at(self, address: Address) -> tuple[int, RedisFeed]:
        async with self._moving:
            if address not in self._feeds:
                if address not in self._link.routes:
                    raise StoreUnavailable("moved")
                number = self._link.routes.index(address)
                feed = RedisFeed(
                    self._link.connect_to(address),
                    self._call,
                    self._on_message,
                    self._on_gap,
                    partition=number,
                    on_broken=self._broken.set,
                )
                try:
                    await feed.start()
                except BaseException:
                    await feed.close()
                    raise
                self._feeds[address] = (number, feed)
            return self._feeds[address]

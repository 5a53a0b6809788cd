"""A real Redis Cluster: rooms are found wherever their slots are, and stay heard when these move."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.servers import RedisServer, free_port, running_redis, until
from tests.store.rooms import commit, insist

from bookboard.store import feed as feed_module
from bookboard.store import keys
from bookboard.store.cluster import SLOTS, ClusterFeed
from bookboard.store.contract import Committed, DeadlineAt, FeedMessage, Letter, Repeated
from bookboard.store.redis_store import RedisStore

ROOMS = [f"ROOM{number}" for number in range(100)]
LAST_SLOT = 16383


class Cluster:
    """Three masters with a third of the slots each, the first of them with a replica."""

    def __init__(self, servers: list[RedisServer], buses: list[int]) -> None:
        self.servers = servers
        self.buses = buses
        self.url = servers[0].url

    async def ask(self, number: int, *command: object) -> object:
        # A client of its own kind of parsing would turn some answers into dicts.
        async with Redis.from_url(self.servers[number].url, decode_responses=True) as client:
            client.response_callbacks.clear()
            return await client.execute_command(*command)  # type: ignore[no-untyped-call]

    async def build(self) -> None:
        bounds = [0, 5461, 10923, LAST_SLOT + 1]
        for number in range(3):
            await self.ask(number, "CLUSTER", "ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            await self.ask(number, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for server, bus in zip(self.servers[1:], self.buses[1:], strict=True):
            await self.ask(0, "CLUSTER", "MEET", "127.0.0.1", server.port, bus)
        for number in range(4):
            await until(partial(self.says, number, "cluster_known_nodes:4", "CLUSTER", "INFO"))
        await self.ask(3, "CLUSTER", "REPLICATE", await self.name(0))
        await until(partial(self.says, 3, "master_link_status:up", "INFO", "replication"))
        for number in range(4):
            await until(partial(self.says, number, "cluster_state:ok", "CLUSTER", "INFO"))

    async def says(self, number: int, words: str, *command: str) -> bool:
        return words in str(await self.ask(number, *command))

    async def name(self, number: int) -> str:
        return str(await self.ask(number, "CLUSTER", "MYID"))

    async def move(self, slot: int, source: int, target: int) -> None:
        """A slot with its keys, one key at a time, as redis-cli does it."""
        await self.ask(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", await self.name(source))
        await self.ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", await self.name(target))
        port = self.servers[target].port
        while names := await self.ask(source, "CLUSTER", "GETKEYSINSLOT", slot, 1):
            await self.ask(source, "MIGRATE", "127.0.0.1", port, names[0], 0, 5000)  # type: ignore[index]
            await asyncio.sleep(0)
        for number in (target, source):
            await self.ask(number, "CLUSTER", "SETSLOT", slot, "NODE", await self.name(target))


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    with ExitStack() as stack:
        options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0")
        buses = [free_port() for _ in range(4)]
        servers = [
            stack.enter_context(running_redis(tmp_path / str(bus), *options, "--cluster-port", str(bus)))
            for bus in buses
        ]
        cluster = Cluster(servers, buses)
        await cluster.build()
        yield cluster


@pytest.fixture
async def store(cluster: Cluster) -> AsyncIterator[RedisStore]:
    store = await RedisStore.connect(cluster.url)
    yield store
    await store.close()


def of_server(number: int) -> list[str]:
    """The rooms whose slots the server has at first."""
    return [room for room in ROOMS if SLOTS[keys.partition(room)] * 3 // (LAST_SLOT + 1) == number]


async def test_every_room_is_found(store: RedisStore) -> None:
    await asyncio.gather(*(store.create(commit(0, room=room, deadline=DeadlineAt(1))) for room in ROOMS))
    await asyncio.gather(*(store.commit(commit(1, room=room, archive=(1, room.encode()))) for room in ROOMS))
    for room in ROOMS:
        loaded = await store.load(room)
        assert loaded is not None
        assert await store.head(room, "", "") is not None
    assert sorted(await store.due(2)) == sorted(ROOMS)
    assert await store.now() > 0
    await store.check_writable()


async def play(store: RedisStore, room: str, until_version: int, *, every_s: float = 0.0) -> None:
    """Commits hand after hand as a hub does: asks again with the same cmd for as long as there is no answer."""
    for version in range(until_version):
        answer = await insist(partial(store.create if version == 0 else store.commit, commit(version, room=room)))
        assert isinstance(answer, Committed | Repeated), answer
        await asyncio.sleep(every_s)


class Screen:
    """Hears a feed, and looks where the room stands whenever messages may be missing, as a hub does."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self._looks: set[asyncio.Task[None]] = set()
        self.seen: dict[str, dict[int, str]] = {}
        self.heard: set[tuple[str, int]] = set()
        """What came from the feed itself."""

    def hear(self, message: FeedMessage) -> None:
        self.heard |= {(message.room, entry.version) for entry in message.entries}
        self._see(message)

    def _see(self, message: FeedMessage) -> None:
        self.seen.setdefault(message.room, {}).update({entry.version: entry.id for entry in message.entries})

    def gap(self) -> None:
        for room in list(self.seen):
            look = asyncio.create_task(self._look(room))
            self._looks.add(look)
            look.add_done_callback(self._looks.discard)

    async def _look(self, room: str) -> None:
        loaded = await insist(partial(self._store.load, room, after=0))
        assert loaded is not None
        self._see(FeedMessage(room, loaded.epoch, loaded.entries))

    async def shows(self, room: str, version: int) -> None:
        await until(lambda: set(self.seen.get(room, ())) == set(range(1, version + 1)), within_s=30)


async def test_letters_wait_in_the_partitions_of_their_senders(store: RedisStore) -> None:
    letter = Letter(0, "OTHER", "cmd", b"a command")
    await asyncio.gather(*(store.create(commit(0, room=room, letters=(letter,))) for room in ROOMS))
    assert sorted(await store.senders()) == sorted(ROOMS)
    await asyncio.gather(*(store.strike(room, letter, None) for room in ROOMS[1:]))
    assert await store.senders() == ROOMS[:1]
    assert await store.letters(ROOMS[0]) == [letter]


async def test_rooms_are_heard_and_nothing_is_lost_while_slots_move(cluster: Cluster, store: RedisStore) -> None:
    screen = Screen(store)
    feed = await store.listen(screen.hear, screen.gap)
    assert isinstance(feed, ClusterFeed)
    moving, staying = of_server(0)[:3], of_server(1)[:2]
    await asyncio.gather(*(feed.subscribe(room) for room in moving + staying))
    hands = [asyncio.create_task(play(store, room, 60, every_s=0.02)) for room in moving + staying]
    for room in moving:
        await cluster.move(SLOTS[keys.partition(room)], 0, 2)
    await asyncio.gather(*hands)
    for room in moving + staying:
        await screen.shows(room, 60)
        loaded = await store.load(room, after=0)
        assert loaded is not None
        assert [entry.id for entry in loaded.entries] == [f"e{version}" for version in range(1, 61)]
    # Moved rooms are heard where they are now, without another look.
    home = ("127.0.0.1", cluster.servers[2].port)
    await until(lambda: all(feed._homes[room] == home for room in moving))  # noqa: SLF001 - nothing else tells
    for room in moving:
        await store.commit(commit(60, room=room))
        await until(lambda room=room: (room, 61) in screen.heard)  # type: ignore[misc]
    await until(lambda: feed.is_healthy)


async def test_a_replica_takes_over_and_rooms_go_on(
    cluster: Cluster, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "SILENCE_S", 1.0)
    monkeypatch.setattr(feed_module, "PUT_OFF_EVERY_S", 0.2)
    monkeypatch.setattr(feed_module, "PROOF_EVERY_S", 0.2)
    screen = Screen(store)
    feed = await store.listen(screen.hear, screen.gap)
    room = of_server(0)[0]
    await feed.subscribe(room)
    await play(store, room, 5)
    await store._call("WAIT", 1, 1000)  # noqa: SLF001 - what the replica does not have yet would be rewound
    cluster.servers[0].kill()
    await play(store, room, 10)
    await screen.shows(room, 10)
    await until(lambda: feed.is_healthy)
    await insist(partial(store.commit, commit(10, room=room)))
    await screen.shows(room, 11)
    assert isinstance(feed, ClusterFeed)


async def test_a_room_can_be_let_go_and_watched_again(store: RedisStore) -> None:
    screen = Screen(store)
    feed = await store.listen(screen.hear, screen.gap)
    for room in ROOMS[:6]:
        await feed.subscribe(room)
        await feed.unsubscribe(room)
        await store.create(commit(0, room=room))
        await feed.subscribe(room)
        await store.commit(commit(1, room=room))
    await until(lambda: all(set(screen.seen.get(room, ())) == {2} for room in ROOMS[:6]))

"""What a feed promises: everything while its connection lasts, and word of it when messages may be missing."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.servers import Proxy, running_proxy, running_redis, until
from tests.store.conftest import OpenStore
from tests.store.rooms import commit

from bookboard.store import feed as feed_module
from bookboard.store import keys
from bookboard.store.contract import Committed, Entry, FeedMessage, StoreUnavailable
from bookboard.store.feed import RedisFeed
from bookboard.store.link import connector
from bookboard.store.redis_store import RedisStore


class Ear:
    """What a hub hears."""

    def __init__(self) -> None:
        self.messages: list[FeedMessage] = []
        self.gaps = 0

    def gap(self) -> None:
        self.gaps += 1

    def has_gaps(self, count: int) -> bool:
        return self.gaps >= count

    def heard_after(self, version: int) -> list[int]:
        return [entry.version for entry in self.heard("ABCDEF") if entry.version > version]

    def heard(self, room: str) -> list[Entry]:
        return [entry for message in self.messages if message.room == room for entry in message.entries]


async def listen(store: RedisStore) -> tuple[RedisFeed, Ear]:
    ear = Ear()
    feed = await store.listen(ear.messages.append, ear.gap)
    assert isinstance(feed, RedisFeed)
    return feed, ear


async def test_all_that_is_committed_is_heard_in_order(store: RedisStore, open_store: OpenStore) -> None:
    feed, ear = await listen(store)
    other = await open_store()
    await feed.subscribe("ABCDEF")
    logged: list[Entry] = []
    for version in range(0, 90, 3):
        ids = (f"a{version}", f"b{version}", f"c{version}")
        answer = await (other.create if version == 0 else other.commit)(commit(version, *ids))
        assert isinstance(answer, Committed)
        logged += answer.entries
    await until(lambda: len(ear.messages) == 30)
    assert ear.heard("ABCDEF") == logged
    assert {(message.room, message.epoch) for message in ear.messages} == {("ABCDEF", 1)}
    assert ear.gaps == 0


async def test_what_happens_in_other_rooms_does_not_even_reach_the_hub(
    store: RedisStore, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived: list[bytes] = []
    hear = RedisFeed._hear  # noqa: SLF001

    def count(feed: RedisFeed, channel: bytes, payload: bytes) -> None:
        arrived.append(channel)
        hear(feed, channel, payload)

    monkeypatch.setattr(RedisFeed, "_hear", count)
    feed, ear = await listen(store)
    await feed.subscribe("ABCDEF")
    other = await open_store()
    for version in range(20):
        await (other.commit if version else other.create)(commit(version, f"other{version}", room="OTHERS"))
    await other.create(commit(0, "mine"))
    await until(lambda: ear.messages)
    assert {message.room for message in ear.messages} == {"ABCDEF"}
    own = keys.proof(0, "").encode()
    assert [channel for channel in arrived if not channel.startswith(own)] == [keys.room_keys("ABCDEF").feed.encode()]


async def test_only_rooms_that_are_watched_are_heard(store: RedisStore) -> None:
    feed, ear = await listen(store)
    await asyncio.gather(*(feed.subscribe(room) for room in ("A", "B", "C")))
    await feed.unsubscribe("B")
    await feed.subscribe("D")
    for room in "ABCDE":
        await store.create(commit(0, room=room))
    await until(lambda: len(ear.messages) == 3)
    assert sorted(message.room for message in ear.messages) == ["A", "C", "D"]


async def test_whoever_changes_their_mind_quickly_still_hears_all(store: RedisStore) -> None:
    feed, ear = await listen(store)
    for version in range(20):
        watching = asyncio.gather(feed.subscribe("ABCDEF"), return_exceptions=True)
        await asyncio.sleep(0)
        await feed.unsubscribe("ABCDEF")
        await feed.subscribe("ABCDEF")
        await (store.create if version == 0 else store.commit)(commit(version))
        await watching
    await until(lambda: len(ear.messages) == 20)


async def test_a_room_that_is_subscribed_twice_at_once_is_heard_once(store: RedisStore) -> None:
    feed, ear = await listen(store)
    await asyncio.gather(*(feed.subscribe("ABCDEF") for _ in range(5)))
    await feed.subscribe("ABCDEF")
    await store.create(commit(0, "a"))
    await store.commit(commit(1, "b"))
    await until(lambda: len(ear.messages) == 2)


async def test_a_message_that_nobody_can_take_does_not_end_the_feed(store: RedisStore, raw: Redis) -> None:
    heard = []

    def take(message: FeedMessage) -> None:
        if message.entries[0].id == "bad":
            raise RuntimeError("not this one")
        heard.append(message)

    feed = await store.listen(take, lambda: None)
    await feed.subscribe("ABCDEF")
    await store.create(commit(0, "bad"))
    await raw.execute_command("SPUBLISH", keys.room_keys("ABCDEF").feed, b"\xff no message")  # type: ignore[no-untyped-call]
    await store.commit(commit(1, "good"))
    await until(lambda: heard)


async def test_a_broken_connection_is_made_again_and_tells_of_the_gap(store: RedisStore, raw: Redis) -> None:
    feed, ear = await listen(store)
    rooms = [f"ROOM{number}" for number in range(40)]
    await asyncio.gather(*(feed.subscribe(room) for room in rooms))
    for times in (1, 2, 3):
        await raw.client_kill_filter(_type="pubsub")
        await until(partial(ear.has_gaps, times))
    for room in rooms:
        await store.create(commit(0, room=room))
    await until(lambda: len(ear.messages) == len(rooms))


async def test_at_the_gap_every_room_is_confirmed_again(store: RedisStore, raw: Redis) -> None:
    """Who reads the heads then, and hears the rest, has all: no commit falls between."""
    feed, ear = await listen(store)
    await feed.subscribe("ABCDEF")
    await store.create(commit(0))
    committed = asyncio.create_task(_commit_on(store, 300))
    for _ in range(5):
        gaps = ear.gaps
        await raw.client_kill_filter(_type="pubsub")
        await until(partial(ear.has_gaps, gaps + 1))
        head = await store.head("ABCDEF", "", "")
        assert head is not None
        await until(lambda after=head.version: committed.done() or ear.heard_after(after))  # type: ignore[misc]
        later = ear.heard_after(head.version)
        assert later == list(range(head.version + 1, head.version + 1 + len(later)))
    await committed


async def _commit_on(store: RedisStore, count: int) -> None:
    for version in range(1, count + 1):
        await store.commit(commit(version))


async def test_a_subscribe_that_races_a_broken_connection_is_confirmed(store: RedisStore, raw: Redis) -> None:
    feed, ear = await listen(store)
    for number in range(15):
        room = f"ROOM{number}"
        _, _ = await asyncio.gather(raw.client_kill_filter(_type="pubsub"), feed.subscribe(room))
        await until(lambda: feed.is_healthy)
        gaps = ear.gaps
        await store.create(commit(0, room=room))
        # Either the message comes, or word that it may have been lost.
        await until(lambda room=room, gaps=gaps: ear.heard(room) or ear.gaps > gaps)  # type: ignore[misc]


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Proxy]:
    """A Redis behind a proxy that can go dark."""
    with running_redis(tmp_path / "redis") as redis:
        async with running_proxy(redis.port) as proxy:
            yield proxy


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "BACKOFF_S", (0.05,))
    for name, value in (("PROOF_EVERY_S", 0.1), ("PUT_OFF_EVERY_S", 0.1), ("HEALTHY_FOR_S", 0.8), ("SILENCE_S", 1.2)):
        monkeypatch.setattr(feed_module, name, value)
    monkeypatch.setattr(feed_module, "CONFIRM_S", 3.0)


Connected = tuple[RedisStore, RedisFeed, Ear]


@pytest.fixture
async def connected(wire: Proxy) -> AsyncIterator[Connected]:
    """A store whose commands go straight to the server, and its feed through the proxy."""
    store = await RedisStore.connect(f"redis://127.0.0.1:{wire.target}")
    store._connect = connector(f"redis://127.0.0.1:{wire.port}")  # noqa: SLF001 - no hub has two ways to its server
    yield store, *await listen(store)
    await store.close()


@pytest.mark.usefixtures("hurry")
async def test_a_connection_that_goes_dark_turns_red_and_is_replaced(wire: Proxy, connected: Connected) -> None:
    store, feed, ear = connected
    await feed.subscribe("ABCDEF")
    await until(lambda: feed.is_healthy)
    since, gaps = feed.healthy_since, ear.gaps
    wire.darken()
    await until(lambda: not feed.is_healthy)
    await until(lambda: feed.is_healthy and ear.gaps > gaps)
    assert feed.healthy_since != since
    await store.create(commit(0))
    await until(lambda: ear.messages)


@pytest.mark.usefixtures("hurry")
async def test_a_subscribe_on_a_dark_connection_is_confirmed_on_the_next(wire: Proxy, connected: Connected) -> None:
    store, feed, ear = connected
    wire.darken()
    await feed.subscribe("ABCDEF")
    await store.create(commit(0))
    await until(lambda: ear.messages)


@pytest.mark.usefixtures("hurry")
async def test_a_subscribe_without_a_server_fails_in_bounded_time_and_works_later(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis:
        store = await RedisStore.connect(redis.url)
        feed, ear = await listen(store)
        await feed.subscribe("KEPT")
        redis.kill()
        with pytest.raises(StoreUnavailable, match="unreachable"):
            async with asyncio.timeout(30):
                await feed.subscribe("ABCDEF")
        assert not feed.is_healthy
        redis.start()
        await feed.subscribe("ABCDEF")
        await until(lambda: feed.is_healthy)
        for room in ("KEPT", "ABCDEF"):
            await store.create(commit(0, room=room))
        await until(lambda: len(ear.messages) == 2)
        await store.close()


@pytest.mark.usefixtures("hurry")
async def test_a_feed_does_not_start_without_a_server(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis:
        store = await RedisStore.connect(redis.url)
        redis.kill()
        with pytest.raises(StoreUnavailable, match="unreachable"):
            await listen(store)
        await store.close()


async def test_a_closed_feed_lets_go_of_who_waits(store: RedisStore) -> None:
    feed, _ = await listen(store)
    feed._confirmed.clear()  # noqa: SLF001 - a confirmation that never comes
    waiting = asyncio.create_task(feed.subscribe("ABCDEF"))
    await asyncio.sleep(0)
    await feed.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await waiting

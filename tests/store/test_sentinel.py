"""Redis behind real Sentinels: when they promote a replica, rooms go on there."""

from collections.abc import AsyncIterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.servers import RedisServer, running_redis, until
from tests.store.rooms import commit, insist

from bookboard.store.contract import Committed, FeedMessage, Repeated, StoreUnusable
from bookboard.store.redis_store import RedisStore
from bookboard.store.sentinel import Watched, split_url


async def ask(server: RedisServer, *command: object) -> object:
    async with Redis.from_url(server.url, decode_responses=True) as client:
        client.response_callbacks.clear()
        return await client.execute_command(*command)  # type: ignore[no-untyped-call]


async def says(server: RedisServer, words: str, *command: str) -> bool:
    try:
        return words in str(await ask(server, *command))
    except RedisConnectionError:
        return False  # a Sentinel hangs up on everybody when it promotes


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[tuple[RedisServer, list[RedisServer]]]:
    """A master with a replica, and three Sentinels that watch them."""
    with ExitStack() as stack:
        master = stack.enter_context(running_redis(tmp_path / "master"))
        follow = ("--replicaof", f"127.0.0.1 {master.port}", "--repl-diskless-sync-delay", "0")
        replica = stack.enter_context(running_redis(tmp_path / "replica", *follow))
        await until(partial(says, replica, "master_link_status:up", "INFO", "replication"))
        sentinels = []
        for number in range(3):
            folder = tmp_path / f"sentinel{number}"
            folder.mkdir()
            (folder / "sentinel.conf").write_text(
                f"sentinel monitor night 127.0.0.1 {master.port} 2\n"
                "sentinel down-after-milliseconds night 2000\nsentinel failover-timeout night 3000\n"
            )
            sentinels.append(stack.enter_context(running_redis(folder, config="sentinel.conf")))
        for sentinel in sentinels:
            await until(partial(says, sentinel, "slaves=1,sentinels=3", "INFO", "sentinel"), within_s=60)
        yield master, sentinels


async def test_a_promoted_replica_is_found_and_nothing_it_has_is_lost(
    night: tuple[RedisServer, list[RedisServer]],
) -> None:
    master, sentinels = night
    hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in sentinels)
    store = await RedisStore.connect(f"redis+sentinel://{hosts}/night")
    heard: list[FeedMessage] = []
    gaps: list[None] = []
    feed = await store.listen(heard.append, lambda: gaps.append(None))
    await feed.subscribe("ABCDEF")
    await store.create(commit(0))
    await store._call("WAIT", 1, 5000)  # noqa: SLF001 - what the replica does not have yet would be rewound
    sentinels[0].kill()
    master.kill()
    for version in range(1, 4):
        assert isinstance(await insist(partial(store.commit, commit(version)), within_s=90), Committed | Repeated)
    loaded = await store.load("ABCDEF", after=0)
    assert loaded is not None
    assert [entry.id for entry in loaded.entries] == ["e1", "e2", "e3", "e4"]
    await until(lambda: gaps and feed.is_healthy, within_s=60)
    count = len(heard)
    await insist(partial(store.commit, commit(4)))
    await until(lambda: len(heard) > count)
    await store.close()


async def test_sentinels_that_are_not_there_are_told_in_a_sentence() -> None:
    with pytest.raises(StoreUnusable, match="none of the Sentinels answers"):
        await RedisStore.connect("redis+sentinel://127.0.0.1:1,127.0.0.1:2/night")


@pytest.mark.parametrize("url", ["redis+sentinel://host", "redis+sentinel:///night", "redis+sentinel://a,,b/night"])
async def test_an_address_that_lacks_something_is_told_in_a_sentence(url: str) -> None:
    with pytest.raises(StoreUnusable, match="is missing"):
        await RedisStore.connect(url)


def test_an_address_names_sentinels_master_user_and_database() -> None:
    plain, watched = split_url("redis+sentinel://west:s%40cret@a:1,b,[::1]:3/night/2")
    assert plain == "redis://west:s%40cret@master/2"
    assert watched == Watched((("a", 1), ("b", 26379), ("::1", 3)), "night")

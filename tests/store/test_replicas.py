"""A commit that waits for replicas is answered once they have it."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.servers import RedisServer, free_port, running_redis, until
from tests.store.rooms import commit, insist
from tests.store.test_sentinel import says

from bookboard.store.contract import Committed, Repeated, StoreUnavailable, StoreUnusable
from bookboard.store.embedded import server_binary
from bookboard.store.keys import room_keys
from bookboard.store.link import Link, connector
from bookboard.store.redis_store import RedisStore
from bookboard.store.replicas import Replicas

KEPT = ("--appendonly", "yes", "--appendfsync", "always", "--repl-diskless-sync-delay", "0")


class ValkeyServer(RedisServer):
    """The built-in store's own program, which knows WAITAOF."""

    def __init__(self, folder: Path, *options: str) -> None:
        super().__init__(folder, *options)
        self._command[0] = str(server_binary())


@pytest.fixture(params=[RedisServer, ValkeyServer], ids=["WAIT", "WAITAOF"])
async def pair(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[RedisServer]]:
    """A master and its replica."""
    with ExitStack() as stack:
        servers: list[RedisServer] = []
        for number in range(2):
            follow = ("--replicaof", f"127.0.0.1 {servers[0].port}") if servers else ()
            servers.append(request.param(tmp_path / f"server{number}", *KEPT, *follow))
            stack.callback(servers[-1].kill)
            servers[-1].start()
        await until(partial(says, servers[1], "master_link_status:up", "INFO", "replication"), within_s=30)
        yield servers


async def test_what_was_answered_is_on_the_replica(pair: list[RedisServer]) -> None:
    store = await RedisStore.connect(pair[0].url, wait_replicas=1)
    await insist(partial(store.create, commit(0)))
    for version in range(1, 20):
        assert isinstance(await insist(partial(store.commit, commit(version))), Committed | Repeated)
    pair[0].kill()
    async with Redis.from_url(pair[1].url) as raw:
        assert await raw.xlen(room_keys("ABCDEF").log) == 20
    await store.close()


async def test_without_enough_replicas_nothing_is_answered_until_they_are_back(pair: list[RedisServer]) -> None:
    store = await RedisStore.connect(pair[0].url, wait_replicas=1)
    await insist(partial(store.create, commit(0)))
    await insist(store.check_writable)
    pair[1].signal(signal.SIGSTOP)
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="no-replicas"):
                await store.commit(commit(1))
        with pytest.raises(StoreUnavailable, match="no-replicas"):
            await store.check_writable()
    finally:
        pair[1].signal(signal.SIGCONT)
    assert await insist(partial(store.commit, commit(1))) == Repeated(b"answer to e2")
    await insist(store.check_writable)
    await store.close()


async def test_many_that_wait_share_the_connections(pair: list[RedisServer]) -> None:
    store = await RedisStore.connect(pair[0].url, wait_replicas=1)
    rooms = [f"ROOM{number}" for number in range(50)]
    answers = await asyncio.gather(*(insist(partial(store.create, commit(0, room=room))) for room in rooms))
    assert all(isinstance(answer, Committed | Repeated) for answer in answers)
    await store.close()


async def test_a_server_without_an_append_only_file_is_asked_for_its_replicas_only(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis, pytest.raises(StoreUnusable, match="Fewer replicas follow"):
        await RedisStore.connect(redis.url, wait_replicas=1)


async def test_a_write_that_is_refused_counts_on_nobody(pair: list[RedisServer]) -> None:
    store = await RedisStore.connect(pair[0].url, wait_replicas=1)
    async with Redis.from_url(pair[0].url) as raw:
        await raw.replicaof("127.0.0.1", str(free_port()))
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.check_writable()
    await store.close()


async def test_a_server_that_goes_away_at_the_start_is_told_in_a_sentence() -> None:
    link = Link(connector(f"redis://127.0.0.1:{free_port()}"))
    with pytest.raises(StoreUnusable, match="went away at the start"):
        await Replicas.of(link, 1)
    await link.close()

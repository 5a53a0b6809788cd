"""The hub's Redis user, as deploy/redis.conf has it: all that a hub does, and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, ResponseError
from tests.servers import RedisServer, running_redis
from tests.store.rooms import commit

from bookboard.store.contract import (
    Committed,
    DeadlineAt,
    FeedMessage,
    Letter,
    Repeated,
    Snapshot,
    Stale,
    StoreUnusable,
)
from bookboard.store.redis_store import RedisStore

CONF = Path(__file__).parents[2] / "deploy" / "redis.conf"
ROOM = "ABCDEF"
PASSWORD = "a password of the test's own"


def rights() -> list[str]:
    """The line of deploy/redis.conf, in force and with a password."""
    (line,) = [line for line in CONF.read_text(encoding="utf-8").splitlines() if line.startswith("user bookboard ")]
    name, off, *granted = line.split()[1:]
    assert off == "off"
    return [name, "on", f">{PASSWORD.replace(' ', '-')}", *granted]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis"), "--user", *rights()) as redis:
        yield redis


@pytest.fixture
def url(server: RedisServer) -> str:
    return server.url.replace("redis://", f"redis://bookboard:{PASSWORD.replace(' ', '-')}@")


@pytest.fixture
async def user(url: str) -> AsyncIterator["Redis"]:
    async with Redis.from_url(url, protocol=2) as client:
        yield client


async def test_a_hub_does_all_it_does_as_that_user(url: str) -> None:
    store = await RedisStore.connect(url)
    heard: asyncio.Queue[FeedMessage] = asyncio.Queue()
    feed = await store.listen(heard.put_nowait, lambda: None)
    await feed.subscribe(ROOM)
    await store.check_writable()
    assert isinstance(await store.create(commit(0, "a")), Committed)
    letter = Letter(0, "OTHER", "cmd", b"a command")
    snapshot, deadline = Snapshot(1, b"the room"), DeadlineAt(await store.now() + 60_000)
    second = commit(1, "b", snapshot=snapshot, deadline=deadline, archive=(1, b"a record"), letters=(letter,))
    assert isinstance(await store.commit(second), Committed)
    assert isinstance(await store.commit(second), Repeated)
    assert isinstance(await store.commit(commit(1, "c")), Stale)
    assert [(await heard.get()).entries[0].id for _ in range(2)] == ["a", "b"]
    loaded, head = await store.load(ROOM), await store.head(ROOM, "west", "cmd-b")
    assert loaded is not None
    assert head is not None
    assert (loaded.snapshot, head.answer) == (snapshot, b"answer to b")
    assert await store.archived(ROOM, 1) == b"a record"
    assert await store.due(deadline.at) == [ROOM]
    assert await store.senders() == [ROOM]
    assert await store.letters(ROOM) == [letter]
    assert await store.is_waiting(ROOM, letter)
    await store.strike(ROOM, letter, "conflict")
    assert len(await store.refused_letters(ROOM)) == 1
    assert await store.raise_epoch(ROOM, seen=1, known=1) == 2
    assert await store.load("NOROOM") is None
    await feed.unsubscribe(ROOM)
    await store.close()


@pytest.mark.parametrize(
    "command",
    [
        "FLUSHALL",
        "FLUSHDB",
        "KEYS *",
        "SCAN 0",
        "RANDOMKEY",
        "DBSIZE",
        "CONFIG GET *",
        "CONFIG SET requirepass x",
        "ACL LIST",
        "ACL SETUSER bookboard ~*",
        "CLIENT LIST",
        "CLIENT KILL TYPE normal",
        "SHUTDOWN",
        "MONITOR",
        "REPLICAOF NO ONE",
        "SCRIPT FLUSH",
        "FUNCTION FLUSH",
        "SUBSCRIBE anything",
        "PSUBSCRIBE *",
        "GET other",
        "SET other 1",
        "SET {p}:other 1",
        "SPUBLISH other 1",
        "SSUBSCRIBE other",
        "DEL other",
        "EVAL return(redis.call('get',KEYS[1])) 1 other",
    ],
)
async def test_that_user_may_do_nothing_else(user: "Redis", command: str) -> None:
    with pytest.raises(NoPermissionError):
        await user.execute_command(*command.split(" "))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("call", ["'SET', 'other', '1'", "'DEL', 'other'", "'SPUBLISH', 'other', '1'"])
async def test_that_user_may_do_no_more_in_a_script(user: "Redis", call: str) -> None:
    with pytest.raises(ResponseError, match="can't"):
        await user.eval(f"return redis.call({call})", 0)


async def test_without_its_password_the_user_is_not_let_in(server: RedisServer) -> None:
    with pytest.raises(StoreUnusable, match="does not let this user in"):
        await RedisStore.connect(server.url.replace("redis://", "redis://bookboard:wrong@"))

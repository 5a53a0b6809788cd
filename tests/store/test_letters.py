"""Letters in a room's outbox, on every server there may be under a store."""

from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.store.conftest import OpenStore
from tests.store.rooms import commit

from bookboard.store.backup import restore_backup, write_backup
from bookboard.store.contract import Committed, Letter, RefusedLetter, Repeated, Stale
from bookboard.store.keys import CLOCK, room_keys
from bookboard.store.redis_store import RedisStore

ROOM = "ABCDEF"


def letters(*cmds: str) -> tuple[Letter, ...]:
    return tuple(Letter(number, "OTHER", cmd, f"do {cmd}".encode()) for number, cmd in enumerate(cmds))


async def test_letters_wait_in_the_order_they_were_written_in(store: RedisStore) -> None:
    many = letters(*(f"z{number}" for number in range(300)))
    assert isinstance(await store.create(commit(0, letters=many)), Committed)
    assert await store.senders() == [ROOM]
    await store.commit(commit(1, letters=letters("b", "a")))
    assert await store.letters(ROOM) == [*many, *letters("b", "a")]


async def test_only_a_commit_that_succeeds_leaves_letters(store: RedisStore) -> None:
    first = commit(0, letters=letters("a"))
    await store.create(first)
    assert isinstance(await store.create(first), Repeated)
    assert await store.commit(commit(5, letters=letters("b"))) == Stale()
    assert await store.letters(ROOM) == [*letters("a")]


async def test_a_letter_is_struck_out_once_and_a_refused_one_kept(store: RedisStore) -> None:
    a, b = letters("a", "b")
    await store.create(commit(0, letters=(a, b)))
    await store.strike(ROOM, a, None)
    assert not await store.is_waiting(ROOM, a)
    assert await store.is_waiting(ROOM, b)
    assert await store.senders() == [ROOM]
    await store.strike(ROOM, b, "conflict")
    await store.strike(ROOM, b, "conflict")
    await store.strike(ROOM, a, "conflict")  # a hub that came too late
    assert (await store.letters(ROOM), await store.senders()) == ([], [])
    assert await store.refused_letters(ROOM) == [RefusedLetter(b, "conflict")]


async def test_letters_are_in_the_backup(store: RedisStore, raw: Redis, tmp_path: Path) -> None:
    a, b, c = letters("a", "b", "c")
    await store.create(commit(0, letters=(a, b)))
    await store.commit(commit(1, letters=(c,)))
    await store.strike(ROOM, a, "conflict")
    await write_backup(store, tmp_path / "file")
    await raw.flushall()
    await restore_backup(store, tmp_path / "file")
    assert await store.letters(ROOM) == [b, c]
    assert await store.refused_letters(ROOM) == [RefusedLetter(a, "conflict")]
    assert await store.senders() == [ROOM]


async def test_letters_go_with_their_room(open_store: OpenStore, raw: Redis) -> None:
    store = await open_store(keep_s=1000)
    await store.create(commit(0, letters=letters("a")))
    await raw.hset(CLOCK, "begun", "1")
    await raw.hset(room_keys(ROOM).meta, "used", "1000")
    assert await store.forget_unused() == 1
    assert await store.senders() == []
    assert [name for name in await raw.keys("*") if ROOM.encode() in name] == []


@pytest.mark.parametrize("key", ["outbox", "outboxes"])
async def test_nothing_is_written_where_a_letter_cannot_be(store: RedisStore, raw: Redis, key: str) -> None:
    await store.create(commit(0))
    await raw.set(getattr(room_keys(ROOM), key), "another's")
    with pytest.raises(Exception, match="refused"):
        await store.commit(commit(1, letters=letters("a")))
    assert isinstance(await store.commit(commit(1)), Committed)

"""What a commit promises, on every server that may be under it."""

import asyncio
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.servers import until
from tests.store.conftest import OpenStore
from tests.store.rooms import commit

from bookboard.store.contract import (
    Committed,
    DeadlineAt,
    DeadlineIn,
    Entry,
    FeedMessage,
    Full,
    Head,
    Loaded,
    NewEntry,
    NoDeadline,
    NoRoom,
    Repeated,
    Snapshot,
    Stale,
    StoreUnavailable,
    TimeIsUp,
)
from bookboard.store.embedded import EmbeddedServer
from bookboard.store.keys import CLOCK, room_keys
from bookboard.store.redis_store import RedisStore

ROOM = "ABCDEF"
FAR = 2**52


async def entries(store: RedisStore, room: str = ROOM) -> tuple[Entry, ...]:
    loaded = await store.load(room, after=0)
    assert loaded is not None
    return loaded.entries


async def test_a_room_opens_with_its_first_entries(store: RedisStore) -> None:
    before = await store.now()
    answer = await store.create(commit(0, "a", "b"))
    assert isinstance(answer, Committed)
    first, second = answer.entries
    assert (first.version, first.id, first.prev, first.body) == (1, "a", "", b"body of a")
    assert (second.version, second.id, second.prev, second.body) == (2, "b", "a", b"body of b")
    assert before <= first.at == second.at <= await store.now()
    assert await store.load(ROOM) == Loaded(1, 2, "b", None, answer.entries)


async def test_a_code_that_is_taken_opens_no_second_room(store: RedisStore) -> None:
    await store.create(commit(0, "a"))
    assert await store.create(commit(0, "b", cmd="another")) == Stale()
    assert [entry.id for entry in await entries(store)] == ["a"]


async def test_opening_a_room_twice_with_one_cmd_gets_the_first_answer(store: RedisStore) -> None:
    await store.create(commit(0, "a"))
    assert await store.create(commit(0, "a")) == Repeated(b"answer to a")


async def test_a_lost_room_begins_again_where_it_stood(store: RedisStore) -> None:
    again = commit(7, "whole", epoch=3, last="e7", deadline=DeadlineAt(FAR))
    assert isinstance(await store.create(again), Committed)
    assert [(entry.version, entry.id, entry.prev) for entry in await entries(store)] == [(8, "whole", "e7")]
    loaded = await store.load(ROOM)
    assert loaded is not None
    assert (loaded.epoch, loaded.version, loaded.last, loaded.snapshot) == (3, 8, "whole", None)
    assert [await store.id_at(ROOM, version) for version in (6, 7, 8, 9)] == [None, "e7", "whole", None]
    assert await store.due(FAR) == [ROOM]
    assert isinstance(await store.commit(commit(8, epoch=3)), Committed)
    assert await store.create(commit(7, "another", epoch=3, last="e7")) == Stale()
    assert await store.create(again) == Repeated(again.answer)
    assert [entry.prev for entry in await entries(store)] == ["e7", "whole"]


async def test_a_room_that_is_not_there_takes_nothing(store: RedisStore) -> None:
    assert await store.commit(commit(0)) == NoRoom()
    assert await store.load(ROOM) is None
    assert await store.load(ROOM, after=3) is None
    assert await store.head(ROOM, "west", "cmd") is None


async def test_entries_are_chained_across_commits(store: RedisStore) -> None:
    await store.create(commit(0, "a", "b"))
    await store.commit(commit(2, "c"))
    await store.commit(commit(3, "d", "e"))
    logged = await entries(store)
    assert [(entry.version, entry.id, entry.prev) for entry in logged] == [
        (1, "a", ""),
        (2, "b", "a"),
        (3, "c", "b"),
        (4, "d", "c"),
        (5, "e", "d"),
    ]
    assert [entry.at for entry in logged] == sorted(entry.at for entry in logged)


async def test_the_answer_to_a_commit_is_what_the_log_holds(store: RedisStore) -> None:
    opened = await store.create(commit(0, "a", "b"))
    added = await store.commit(commit(2, "c", "d"))
    assert isinstance(opened, Committed)
    assert isinstance(added, Committed)
    assert await entries(store) == opened.entries + added.entries


async def test_a_cmd_is_committed_once_and_answered_alike_for_ever(store: RedisStore) -> None:
    await store.create(commit(0))
    await store.commit(commit(1, "hand", cmd="one"))
    await store.commit(commit(2))
    for version in (1, 3, 7):
        assert await store.commit(commit(version, "again", cmd="one", answer=b"other")) == Repeated(b"answer to hand")
    assert [entry.id for entry in await entries(store)] == ["e1", "hand", "e3"]


@pytest.mark.parametrize(("actor", "cmd"), [("east", "x"), ("west", "y"), ("wes", "tx"), ("westx", "")])
async def test_a_cmd_belongs_to_its_actor(store: RedisStore, actor: str, cmd: str) -> None:
    await store.create(commit(0))
    await store.commit(commit(1, cmd="x", actor="west"))
    assert isinstance(await store.commit(commit(2, cmd=cmd, actor=actor)), Committed)


@pytest.mark.parametrize(("epoch", "version"), [(1, 0), (1, 2), (0, 1), (2, 1)])
async def test_a_decision_on_another_state_is_stale(store: RedisStore, epoch: int, version: int) -> None:
    await store.create(commit(0))
    assert await store.commit(commit(version, "late", epoch=epoch)) == Stale()
    assert [entry.id for entry in await entries(store)] == ["e1"]


async def test_of_two_hubs_only_one_wins_a_version(store: RedisStore, open_store: OpenStore) -> None:
    other = await open_store()
    await store.create(commit(0))
    for version in range(1, 31):
        answers = await asyncio.gather(
            *((store, other)[n % 2].commit(commit(version, f"{n}-{version}")) for n in range(6))
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Committed"] + ["Stale"] * 5
    logged = await entries(store)
    assert [entry.version for entry in logged] == list(range(1, 32))
    assert [entry.prev for entry in logged[1:]] == [entry.id for entry in logged[:-1]]


async def test_head_tells_where_the_room_stands_and_what_was_answered(store: RedisStore) -> None:
    await store.create(commit(0, epoch=3))
    await store.commit(commit(1, cmd="x", answer=b"", epoch=3))
    assert await store.head(ROOM, "west", "x") == Head(3, 2, b"")
    assert await store.head(ROOM, "east", "x") == Head(3, 2, None)


BINARY = [b"", b"\0", b"\0\xff\xfe\x80", b"\r\n$3\r\n", bytes(range(256)), b"\xc3\x28" * 50_000]


@pytest.mark.parametrize("body", BINARY, ids=lambda body: f"{len(body)}-{body[:3].hex()}")
async def test_bytes_come_back_as_they_went(store: RedisStore, body: bytes) -> None:
    whole = commit(0, entries=(NewEntry("é…", body),), cmd="x", answer=body, snapshot=Snapshot(1, body))
    await store.create(whole)
    await store.commit(commit(1, archive=(1, body)))
    loaded = await store.load(ROOM)
    assert loaded is not None
    assert loaded.snapshot == Snapshot(1, body)
    first = (await entries(store))[0]
    assert (first.id, first.body) == ("é…", body)
    assert await store.archived(ROOM, 1) == body
    assert await store.create(whole) == Repeated(body)


@pytest.mark.parametrize("version", [2**31, 2**32 + 7, 10**14 + 1, 2**53 - 9])
async def test_numbers_stay_whole_up_to_2_53(store: RedisStore, raw: Redis, version: int) -> None:
    await store.create(commit(0, epoch=version))
    await raw.hset(room_keys(ROOM).meta, "version", str(version))
    answer = await store.commit(commit(version, "x", "y", epoch=version, deadline=DeadlineAt(version)))
    assert isinstance(answer, Committed)
    assert [entry.version for entry in answer.entries] == [version + 1, version + 2]
    assert await store.load(ROOM, after=version) == Loaded(version, version + 2, "y", None, answer.entries)
    assert await raw.zscore(room_keys(ROOM).due, ROOM) == version


async def test_a_snapshot_replaces_the_entries_up_to_it(store: RedisStore) -> None:
    await store.create(commit(0, "a", "b", snapshot=Snapshot(2, b"two")))
    await store.commit(commit(2, "c", snapshot=Snapshot(2, b"late")))
    await store.commit(commit(3, "d"))
    loaded = await store.load(ROOM)
    assert loaded is not None
    assert loaded.snapshot == Snapshot(2, b"late")
    assert [entry.id for entry in loaded.entries] == ["c", "d"]


@pytest.mark.parametrize(("after", "ids"), [(0, ["a", "b", "c"]), (1, ["b", "c"]), (3, []), (9, [])])
async def test_entries_after_a_version(store: RedisStore, after: int, ids: list[str]) -> None:
    await store.create(commit(0, "a", "b", "c", snapshot=Snapshot(3, b"three")))
    loaded = await store.load(ROOM, after=after)
    assert loaded is not None
    assert loaded.snapshot is None
    assert (loaded.version, loaded.last) == (3, "c")
    assert [entry.id for entry in loaded.entries] == ids


async def test_a_commit_at_the_deadline_is_too_late(store: RedisStore) -> None:
    now = await store.now()
    await store.create(commit(0, deadline=DeadlineAt(now)))
    answer = await store.commit(commit(1))
    assert isinstance(answer, TimeIsUp)
    assert now <= answer.now <= await store.now()


async def test_a_commit_before_the_deadline_is_in_time_and_one_after_it_is_not(store: RedisStore) -> None:
    await store.create(commit(0, deadline=DeadlineAt(FAR)))
    in_time = await store.commit(commit(1, deadline=DeadlineIn(250)))
    assert isinstance(in_time, Committed)
    deadline = in_time.entries[0].at + 250
    version = 2
    while isinstance(answer := await store.commit(commit(version)), Committed):
        assert answer.entries[0].at < deadline
        version += 1
    assert isinstance(answer, TimeIsUp)
    assert answer.now >= deadline
    assert isinstance(await store.commit(commit(version - 1, "stale")), TimeIsUp)
    assert await store.commit(commit(1)) == Repeated(b"answer to e2")


async def test_what_expires_the_time_gets_in_and_takes_the_deadline_away(store: RedisStore) -> None:
    await store.create(commit(0, deadline=DeadlineAt(1)))
    assert await store.due(FAR) == [ROOM]
    assert isinstance(await store.commit(commit(1, expires=True)), Committed)
    assert await store.due(FAR) == []
    assert isinstance(await store.commit(commit(2)), Committed)


async def test_time_expires_exactly_once_whoever_sees_it(store: RedisStore, open_store: OpenStore) -> None:
    other = await open_store()
    await store.create(commit(0, deadline=DeadlineAt(1)))
    answers = await asyncio.gather(
        *(hub.commit(commit(1, "expired", cmd="expire", actor="clock", expires=True)) for hub in (store, other) * 4)
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Committed"] + ["Repeated"] * 7


async def test_a_deadline_is_kept_moved_and_taken_away(store: RedisStore, raw: Redis) -> None:
    due = room_keys(ROOM).due
    await store.create(commit(0, deadline=DeadlineAt(FAR)))
    await store.commit(commit(1))
    assert await raw.zscore(due, ROOM) == FAR
    moved = await store.commit(commit(2, deadline=DeadlineIn(60_000)))
    assert isinstance(moved, Committed)
    assert await raw.zscore(due, ROOM) == moved.entries[0].at + 60_000
    await store.commit(commit(3, expires=True, deadline=DeadlineAt(FAR - 1)))
    assert await raw.zscore(due, ROOM) == FAR - 1
    await store.commit(commit(4, deadline=NoDeadline()))
    assert await raw.zscore(due, ROOM) is None


async def test_the_due_list_holds_what_lies_at_or_before_the_instant(store: RedisStore) -> None:
    rooms = [f"ROOM{number}" for number in range(200)]
    await asyncio.gather(
        *(store.create(commit(0, room=room, deadline=DeadlineAt(1000 + at))) for at, room in enumerate(rooms))
    )
    assert sorted(await store.due(1099)) == sorted(rooms[:100])
    assert await store.due(999) == []


async def test_the_keys_of_a_room_never_expire(store: RedisStore, raw: Redis) -> None:
    await store.create(commit(0, snapshot=Snapshot(1, b"")))
    await store.commit(commit(1, "last", archive=(1, b"kept")))
    assert [await raw.ttl(key) for key in await raw.keys("*")] == [-1] * 6


async def test_a_room_of_an_earlier_version_loses_its_expiry_with_the_next_commit(
    store: RedisStore, raw: Redis
) -> None:
    await store.create(commit(0, snapshot=Snapshot(1, b"")))
    names = room_keys(ROOM)
    await raw.hdel(names.meta, "used")
    of_room = (names.meta, names.snapshot, names.log, names.answers)
    for key in of_room:
        await raw.expire(key, 1000)
    await store.commit(commit(1))
    assert [await raw.ttl(key) for key in of_room] == [-1] * 4


async def noted_use(raw: Redis) -> int:
    return int(await raw.hget(room_keys(ROOM).meta, "used") or 0)


async def test_a_room_is_forgotten_long_after_its_last_use_but_not_its_games(open_store: OpenStore, raw: Redis) -> None:
    store = await open_store(keep_s=1000)
    await store.create(commit(0, archive=(1, b"first"), deadline=DeadlineAt(FAR)))
    assert await store.forget_unused() == 0
    used = await noted_use(raw)
    await raw.hset(CLOCK, "begun", str(used - 2_000_000))
    await raw.hset(room_keys(ROOM).meta, "used", str(used - 900_000))
    assert await store.forget_unused() == 0
    await raw.hset(room_keys(ROOM).meta, "used", str(used - 1_001_000))
    assert await store.forget_unused() == 1
    assert await store.load(ROOM) is None
    assert await store.due(2 * FAR) == []
    assert await store.archived(ROOM, 1) == b"first"
    assert isinstance(await store.create(commit(0)), Committed)


async def test_a_room_that_is_watched_is_not_forgotten(open_store: OpenStore, raw: Redis) -> None:
    store = await open_store(keep_s=1000)
    await store.create(commit(0))
    feed = await store.listen(lambda _: None, lambda: None)
    await feed.subscribe(ROOM)
    await raw.hset(CLOCK, "begun", "1")
    await raw.hset(room_keys(ROOM).meta, "used", "1000")
    assert await store.forget_unused() == 0
    await feed.unsubscribe(ROOM)
    await until(partial(is_forgotten, store))


async def is_forgotten(store: RedisStore) -> bool:
    return await store.forget_unused() == 1


@pytest.mark.parametrize("used", ["", "1000", "9000000000000000"], ids=["never noted", "older than the clock", "ahead"])
async def test_use_that_another_clock_counted_is_use_of_today(open_store: OpenStore, raw: Redis, used: str) -> None:
    store = await open_store(keep_s=1000)
    await store.create(commit(0))
    names = room_keys(ROOM)
    await raw.hdel(names.meta, "used")
    await raw.expire(names.log, 1000)
    if used:
        await raw.hset(names.meta, "used", used)
    assert await store.forget_unused() == 0
    assert abs(await noted_use(raw) - await store.now()) < 60_000
    assert await raw.ttl(names.log) == -1


async def test_a_commit_without_entries_is_a_mistake(store: RedisStore) -> None:
    with pytest.raises(ValueError, match="at least one entry"):
        await store.create(commit(0, entries=()))
    with pytest.raises(ValueError, match="surrogates"):
        await store.create(commit(0, "\ud800"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": -1},
        {"version": 2**53 - 1},
        {"deadline": DeadlineAt(-5)},
        {"snapshot": Snapshot(3, b"")},
        {"snapshot": Snapshot(-1, b"")},
    ],
    ids=str,
)
async def test_arguments_that_make_no_sense_write_nothing(store: RedisStore, raw: Redis, wrong: dict[str, Any]) -> None:
    await store.create(commit(0))
    before = await raw.dump(room_keys(ROOM).log)
    with pytest.raises(StoreUnavailable, match="refused"):
        await store.commit(commit(**{"version": 1, "cmd": "x", **wrong}))
    assert await raw.dump(room_keys(ROOM).log) == before
    assert isinstance(await store.commit(commit(1, cmd="x")), Committed)


@pytest.mark.parametrize("part", ["snapshot", "log", "answers", "due"])
async def test_a_key_of_another_kind_stops_a_commit_before_it_writes(store: RedisStore, raw: Redis, part: str) -> None:
    await raw.set(getattr(room_keys(ROOM), part), "in the way")
    with pytest.raises(StoreUnavailable, match="refused"):
        await store.create(commit(0, snapshot=Snapshot(1, b""), deadline=DeadlineAt(1)))
    assert await raw.dbsize() == 2  # it, and the clock


async def test_a_cancelled_commit_is_whole_or_not_at_all_and_harms_nobody(store: RedisStore) -> None:
    rooms = [f"ROOM{number}" for number in range(150)]
    await asyncio.gather(*(store.create(commit(0, room=room)) for room in rooms))
    hands = {room: commit(1, f"hand-{room}", room=room) for room in rooms}
    tasks = {room: asyncio.create_task(store.commit(hand)) for room, hand in hands.items()}
    for task in random.sample(list(tasks.values()), k=100):
        for _ in range(random.randrange(3)):
            await asyncio.sleep(0)
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    for room, hand in hands.items():
        answer = await store.commit(hand)
        assert isinstance(answer, Committed) or answer == Repeated(hand.answer)
        assert [entry.id for entry in await entries(store, room)] == ["e1", f"hand-{room}"]


async def test_scripts_that_the_server_forgot_are_sent_again(store: RedisStore, raw: Redis) -> None:
    await store.create(commit(0))
    await raw.script_flush()
    assert isinstance(await store.commit(commit(1)), Committed)
    await raw.script_flush()
    assert [entry.id for entry in await entries(store)] == ["e1", "e2"]


async def test_proving_that_writes_are_taken_leaves_no_trace(store: RedisStore, raw: Redis) -> None:
    await store.check_writable()
    assert await raw.keys() == [CLOCK.encode()]


# ── a log that went back ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("known", "epoch"), [(1, 2), (0, 2), (7, 8), (2**40, 2**40 + 1)])
async def test_a_new_epoch_is_larger_than_what_is_stored_and_known(store: RedisStore, known: int, epoch: int) -> None:
    heard: list[FeedMessage] = []
    feed = await store.listen(heard.append, lambda: None)
    await feed.subscribe("ABCDEF")
    await store.create(commit(0))
    assert await store.raise_epoch("ABCDEF", seen=1, known=known) == epoch
    await until(lambda: len(heard) == 2)
    assert heard[1] == FeedMessage("ABCDEF", epoch, ())
    assert await store.commit(commit(1)) == Stale()
    assert isinstance(await store.commit(commit(1, epoch=epoch)), Committed)


async def test_of_all_who_see_the_same_one_begins_the_new_epoch(store: RedisStore) -> None:
    await store.create(commit(0))
    assert [await store.raise_epoch("ABCDEF", seen=1, known=1) for _ in range(3)] == [2, 2, 2]


async def test_a_room_that_is_gone_has_no_epoch(store: RedisStore) -> None:
    assert await store.raise_epoch("ABCDEF", seen=1, known=1) == 0


async def test_an_epoch_past_counting_is_refused(store: RedisStore) -> None:
    await store.create(commit(0))
    with pytest.raises(StoreUnavailable, match="refused"):
        await store.raise_epoch("ABCDEF", seen=1, known=2**53)


# ── how much is kept ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_room_keeps_so_many_bytes_and_its_time_expires_all_the_same(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bookboard.store.redis_store.MAX_ROOM_BYTES", 1000)
    await store.create(commit(0))
    assert await store.commit(commit(1, archive=(1, bytes(1000)))) == Full()
    assert isinstance(await store.commit(commit(1, answer=bytes(700))), Committed)
    assert await store.commit(commit(2, entries=(NewEntry("e3", bytes(300)),))) == Full()
    assert isinstance(await store.commit(commit(2, entries=(NewEntry("e3", bytes(300)),), expires=True)), Committed)
    assert len(await entries(store)) == 3


async def test_a_server_that_fills_up_takes_hands_for_longer_than_rooms(store: RedisStore, raw: "Redis") -> None:
    await store.create(commit(0))
    used = (await raw.info("memory"))["used_memory"]
    await raw.config_set("maxmemory", used * 100 // 95)
    assert await store.create(commit(0, room="GHJKLM")) == Full()
    assert isinstance(await store.commit(commit(1)), Committed)
    await raw.config_set("maxmemory", used * 2)
    assert isinstance(await store.create(commit(0, room="GHJKLM")), Committed)


async def test_the_embedded_server_has_a_bound_and_evicts_nothing(tmp_path: Path) -> None:
    embedded = await EmbeddedServer.start(tmp_path)
    async with Redis.from_url(embedded.url, protocol=2) as raw:
        assert (await raw.config_get("maxmemory"))["maxmemory"] != "0"
        assert (await raw.config_get("maxmemory-policy"))["maxmemory-policy"] == "noeviction"
    await embedded.stop()

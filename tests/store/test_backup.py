"""Backups, on every server there may be under a store."""

from pathlib import Path

import msgspec
import pytest
from redis.asyncio import Redis
from tests.store.rooms import commit

from bookboard.room.evolve import evolve
from bookboard.room.record import export
from bookboard.room.state import Room
from bookboard.rules.record import score_record
from bookboard.store.backup import BadBackup, Begin, End, Restored, check, read_backup, restore_backup, write_backup
from bookboard.store.contract import Committed, DeadlineAt, Loaded, Repeated, SavedGame, SavedRoom
from bookboard.store.keys import room_keys
from bookboard.store.redis_store import RedisStore
from bookboard.tables.serialization import decode_entry

FIRST_FORMAT = Path(__file__).parent / "backup-1.bookboard"
ROOMS = [f"ROOM{number}" for number in range(70)]


@pytest.fixture
async def path(store: RedisStore, tmp_path: Path) -> Path:
    """The backup of seventy rooms with two entries each; ROOM0 has a deadline and a finished game."""
    for room in ROOMS:
        await store.create(commit(0, room=room))
        await store.commit(commit(1, room=room))
    await store.commit(commit(2, room=ROOMS[0], deadline=DeadlineAt(2**42), archive=(1, b"finished")))
    assert await write_backup(store, tmp_path / "file") == End(70, 1)
    return tmp_path / "file"


async def head(store: RedisStore, room: str = ROOMS[0]) -> Loaded:
    loaded = await store.load(room, after=0)
    assert loaded is not None
    return loaded


async def test_what_was_destroyed_is_there_again_in_a_new_epoch(store: RedisStore, raw: Redis, path: Path) -> None:
    before = [await head(store, room) for room in ROOMS]
    await raw.flushall()
    assert await restore_backup(store, path) == Restored(70, 0, 1)
    after = [await head(store, room) for room in ROOMS]
    assert [loaded.entries for loaded in after] == [loaded.entries for loaded in before]
    assert {loaded.epoch for loaded in after} == {2}
    assert await store.due(2**42) == [ROOMS[0]]
    assert await store.archived(ROOMS[0], 1) == b"finished"
    assert await store.commit(commit(2, room=ROOMS[0])) == Repeated(b"answer to e3")
    assert isinstance(await store.commit(commit(3, room=ROOMS[0], epoch=2)), Committed)
    assert await raw.pttl(room_keys(ROOMS[1]).log) == -1


async def test_a_room_that_began_again_later_is_left_as_it_is_and_can_be_saved(
    store: RedisStore, raw: Redis, path: Path, tmp_path: Path
) -> None:
    await raw.flushall()
    await store.create(commit(2, "whole", room=ROOMS[1], epoch=2, last="e2"))
    await store.commit(commit(3, room=ROOMS[1], epoch=2))
    before = await head(store, ROOMS[1])
    assert await restore_backup(store, path) == Restored(69, 1, 1)
    assert await head(store, ROOMS[1]) == before
    await write_backup(store, tmp_path / "later")
    await raw.flushall()
    assert await restore_backup(store, tmp_path / "later") == Restored(70, 0, 1)
    again = await head(store, ROOMS[1])
    assert (again.entries, again.version, again.last) == (before.entries, 4, "e4")
    assert await restore_backup(store, tmp_path / "later") == Restored(0, 70, 0)


async def test_a_room_that_has_gone_on_is_left_as_it_is(store: RedisStore, path: Path) -> None:
    await store.commit(commit(2, room=ROOMS[1]))
    before = await head(store, ROOMS[1])
    assert await restore_backup(store, path) == Restored(0, 70, 0)
    assert await head(store, ROOMS[1]) == before


async def test_a_room_that_is_behind_or_forked_is_put_back(store: RedisStore, raw: Redis, path: Path) -> None:
    await raw.flushall()
    await store.create(commit(0, room=ROOMS[0]))
    await store.create(commit(0, "other", room=ROOMS[1]))
    await store.commit(commit(1, "fork", room=ROOMS[1]))
    assert await restore_backup(store, path) == Restored(70, 0, 1)
    assert [entry.id for entry in (await head(store, ROOMS[1])).entries] == ["e1", "e2"]
    assert (await head(store)).epoch == 2


async def test_restoring_twice_is_restoring_once(store: RedisStore, raw: Redis, path: Path) -> None:
    await raw.flushall()
    await restore_backup(store, path)
    assert await restore_backup(store, path) == Restored(0, 70, 0)


def cut_off(path: Path, left: int) -> None:
    path.write_bytes(path.read_bytes()[:left])


@pytest.mark.parametrize("left", [0, 3, 20, 300, -5, -1])
async def test_a_file_that_is_not_whole_restores_nothing(store: RedisStore, raw: Redis, path: Path, left: int) -> None:
    cut_off(path, left)
    await raw.flushall()
    with pytest.raises(BadBackup, match=r"is not whole|is no backup"):
        await restore_backup(store, path)
    assert await raw.dbsize() == 0


def test_other_files_are_told_apart(tmp_path: Path) -> None:
    newer = msgspec.msgpack.encode(Begin(2, 0))
    (tmp_path / "newer").write_bytes(len(newer).to_bytes(4, "big") + newer)
    with pytest.raises(BadBackup, match="which a newer version wrote"):
        check(tmp_path / "newer")
    (tmp_path / "other").write_text("name,score\nHolly,100\n")
    with pytest.raises(BadBackup):
        check(tmp_path / "other")


def test_a_backup_is_for_its_owner_alone(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.glob(".file*")] == []


def test_the_oldest_file_is_read_and_replayed() -> None:
    begin, *parts, end = read_backup(FIRST_FORMAT)
    assert isinstance(begin, Begin)
    assert end == End(1, 1)
    for part in parts:
        if isinstance(part, SavedRoom):
            room: Room | None = None
            for entry in part.entries:
                room = evolve(room, decode_entry(entry))
            assert room is not None
            assert room.state.past[0].scores == {"north_south": 160, "east_west": 91}
            assert len(score_record(export(room)).hands) == 3
        elif isinstance(part, SavedGame):
            assert len(score_record(msgspec.json.decode(part.record)).hands) == 2

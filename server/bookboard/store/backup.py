"""A backup: one file with every room's log and answers and every finished game, whatever store it came from.

The file is a run of MessagePack messages, each after its length in four bytes: what it is and in which format, the
rooms, the games, and how many of both there are. Without that end it is not whole, and nothing of it is restored.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bookboard.store.contract import SavedGame, SavedRoom
from bookboard.store.redis_store import RedisStore

FORMAT = 1


class Begin(Struct, frozen=True, array_like=True, tag="bookboard backup"):
    """`at`: the store's clock, ms since 1970."""

    format: int
    at: int


class End(Struct, frozen=True, array_like=True, tag="end"):
    rooms: int
    games: int


class Restored(Struct, frozen=True):
    """`kept` rooms were there already, and hold all that the backup has of them."""

    rooms: int
    kept: int
    games: int


class BadBackup(Exception):  # noqa: N818
    """The file cannot be restored; the text says why, after its name."""


Part = Begin | SavedRoom | SavedGame | End
_decode = msgspec.msgpack.Decoder(Part).decode


async def write_backup(store: RedisStore, path: Path) -> End:
    """All that the store has, in a file that only its owner can read. Raises StoreUnavailable, OSError."""
    rooms = games = 0
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            _put(file, Begin(FORMAT, await store.now()))
            for name in await store.room_names():
                room = await store.save(name)
                if room is not None:
                    _put(file, room)
                    rooms += 1
            for name, number in await store.archives():
                record = await store.archived(name, number)
                if record is not None:
                    _put(file, SavedGame(name, number, record))
                    games += 1
            end = End(rooms, games)
            _put(file, end)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return end


async def restore_backup(store: RedisStore, path: Path) -> Restored:
    """Raises BadBackup before anything is written, StoreUnavailable, OSError; again is safe."""
    check(path)
    rooms = kept = games = 0
    for part in read_backup(path):
        if isinstance(part, SavedRoom):
            is_restored = await store.restore(part)
            rooms, kept = rooms + is_restored, kept + (not is_restored)
        elif isinstance(part, SavedGame):
            games += await store.restore_game(part)
    return Restored(rooms, kept, games)


def check(path: Path) -> None:
    """Raises BadBackup unless the file is whole."""
    rooms = games = 0
    last: Part | None = None
    for last in read_backup(path):
        rooms += isinstance(last, SavedRoom)
        games += isinstance(last, SavedGame)
    if last != End(rooms, games):
        raise BadBackup("is not whole")


def read_backup(path: Path) -> Iterator[Part]:
    """The parts of the file, in order. Raises BadBackup."""
    with path.open("rb") as file:
        begin = _next(file)
        if not isinstance(begin, Begin):
            raise BadBackup("is no backup of Bookboard")
        if begin.format > FORMAT:
            raise BadBackup(f"has format {begin.format}, which a newer version wrote; restore it with that one")
        yield begin
        while (part := _next(file)) is not None:
            yield part


def _put(file: BinaryIO, part: Part) -> None:
    payload = msgspec.msgpack.encode(part)
    file.write(len(payload).to_bytes(4, "big") + payload)


def _next(file: BinaryIO) -> Part | None:
    length = file.read(4)
    if not length:
        return None
    size = int.from_bytes(length, "big")
    payload = file.read(size) if len(length) == 4 else b""
    try:
        part: Part = _decode(payload)
    except msgspec.MsgspecError:
        raise BadBackup("is not whole" if len(payload) < size else "is no backup of Bookboard") from None
    return part

"""A backup: one file with every room's log and answers and every finished game, whatever store it came from.

The file is a run of MessagePack messages, each after its length in four bytes: what it is and in which format, the
rooms, the games, and how many of both there are. Without that end it is not whole, and nothing of it is restored.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast

import msgspec
from msgspec import Struct

from bookboard.store.contract import SavedGame, SavedRoom
from bookboard.store.redis_store import RedisStore

FORMAT = 1
STANDARD = Path("-")
"""Stands for standard input or output."""


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


class NoPlainFile(Exception):  # noqa: N818
    """A backup cannot be written there; the text is a sentence."""


class BadBackup(Exception):  # noqa: N818
    """The file cannot be restored; the text says why, after its name."""


Part = Begin | SavedRoom | SavedGame | End
_decode = msgspec.msgpack.Decoder(Part).decode


async def write_backup(store: RedisStore, path: Path) -> End:
    """All that the store has, in a file that only its owner can read; `-` is standard output.

    Raises StoreUnavailable, NoPlainFile, OSError.
    """
    with sent_on() if path == STANDARD else replacing(path) as file:
        return await _write(store, file)


async def _write(store: RedisStore, file: BinaryIO) -> End:
    rooms = games = 0
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
    return end


@contextmanager
def sent_on() -> Iterator[BinaryIO]:
    """Standard output, for what is no text. Raises NoPlainFile."""
    if sys.stdout.isatty():
        raise NoPlainFile("Standard output is a terminal; send the backup on to a file or a program.")
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """The file, private to its owner, is there once it is whole; until then, and if it fails, the one before.

    Raises NoPlainFile unless a plain file or nothing stands there: a link, pipe, device or folder is not replaced.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise NoPlainFile(f"{path} is not a plain file and is left as it is; give another name.")
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        unfinished = Path(file.name)
        try:
            yield cast("BinaryIO", file)
            file.flush()
            os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    _keep_name(path.parent)


def _keep_name(folder: Path) -> None:
    """The folder's entry survives a power cut, too."""
    if sys.platform == "win32":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


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

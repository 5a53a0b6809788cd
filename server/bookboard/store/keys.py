"""Names of keys and channels.

Everything of one room carries one hash tag, so that a script may touch it in a Redis Cluster. There are only 64 tags,
so that what spans rooms (the due list) is a fixed, small number of keys.
"""

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from msgspec import Struct

PARTITIONS = 64


def partition(room: str) -> int:
    """The room's partition, 0 to 63: the same on every hub and for ever, since keys are found by it."""
    return crc32(room.encode()) % PARTITIONS


def tag(number: int) -> str:
    return f"{{p{number:02d}}}"


def due(number: int) -> str:
    """The sorted set of a partition's rooms by their deadline in ms."""
    return f"{tag(number)}:due"


def outboxes(number: int) -> str:
    """The sorted set of a partition's rooms that have letters, by when they wrote last."""
    return f"{tag(number)}:outboxes"


def archive(room: str, game: int) -> str:
    return f"{tag(partition(room))}:g:{room}:{game}"


def proof(number: int, feed: str) -> str:
    """The channel on which a feed hears itself, in a partition of the server it listens to."""
    return f"{tag(number)}:proof:{feed}"


def writable(number: int = 0) -> str:
    """Written to see whether the server takes writes, and its replicas follow."""
    return f"{tag(number)}:writable"


CLOCK = f"{tag(0)}:clock"
"""What is known of the server's clock: see lua/clock.lua."""


def partition_of(command: Sequence[object]) -> int:
    """The partition of a command's first key; 0 for commands without one, such as TIME."""
    key = command[3] if command[0] in {"EVALSHA", "EVAL"} else command[1] if len(command) > 1 else ""
    return int(key[2:4]) if isinstance(key, str) and key.startswith("{p") else 0


class RoomKeys(Struct, frozen=True):
    meta: str
    snapshot: str
    log: str
    answers: str
    due: str
    feed: str
    outbox: str
    """The sorted set of its letters, by the version they are from."""
    refused: str
    """The sorted set of its letters that were refused for good."""
    outboxes: str


@lru_cache(4096)
def room_keys(room: str) -> RoomKeys:
    number = partition(room)
    return _keys(number, f"{tag(number)}:r:{room}:")


def trial_keys(number: int) -> RoomKeys:
    """A room of no code, on which is tried whether a hand could be entered."""
    return _keys(number, f"{tag(number)}:try:")


def _keys(number: int, stem: str) -> RoomKeys:
    return RoomKeys(
        meta=f"{stem}m",
        snapshot=f"{stem}s",
        log=f"{stem}l",
        answers=f"{stem}i",
        due=due(number),
        feed=f"{stem}feed",
        outbox=f"{stem}o",
        refused=f"{stem}u",
        outboxes=outboxes(number),
    )


def answer_field(actor: str, cmd: str) -> str:
    """Where an actor's answer stands in the hash of answers; the length keeps (a, bc) and (ab, c) apart."""
    return f"{len(actor)}:{actor}:{cmd}"

"""What a store owes its callers. `redis_store.py` keeps the promise on Redis and Valkey; tests/store checks it on both.

The commit is the only truth: what `commit` answered with `Committed` is in the room's log, exactly once, in order. The
feed is a hint: it may lose, repeat or reorder, and every reader can tell from epoch, version and `prev`.

The store sees bytes, ids, epochs and versions. A room's log is a run of entries, versions 1, 2, 3 … An entry's time is
set by the store's own clock inside the commit; deadlines are of steady time, which is that clock without its steps. A
snapshot is the state up to its version, and may lag behind the log: a reader takes it and the entries after it.
"""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

MAX_ROOM_BYTES = 4_000_000
"""Kept of one room: its log, its answers, the records of finished games. A long night takes a tenth of that."""


class Entry(Struct, frozen=True, array_like=True):
    """One logged event. `at` is the store's wall clock in ms since 1970; `prev` the id before, "" at the start.

    `steady` is the steady time, where it differs.
    """

    version: int
    id: str
    prev: str
    at: int
    body: bytes
    steady: int | None = None


class NewEntry(Struct, frozen=True, array_like=True):
    id: str
    body: bytes


class Letter(Struct, frozen=True, array_like=True):
    """A command for another room, as its sender. `number` orders the letters of one commit; `cmd` is no other's."""

    number: int
    to: str
    cmd: str
    command: bytes


class RefusedLetter(Struct, frozen=True, array_like=True):
    """A letter that its addressee will never take, and why."""

    letter: Letter
    code: str


class FeedMessage(Struct, frozen=True, array_like=True):
    """What a commit publishes: all entries of it, oldest first."""

    room: str
    epoch: int
    entries: tuple[Entry, ...]


class Snapshot(Struct, frozen=True, array_like=True):
    version: int
    body: bytes


class Loaded(Struct, frozen=True):
    """A room at its head, read in one step: `entries` are those after the snapshot, up to `version`."""

    epoch: int
    version: int
    last: str
    snapshot: Snapshot | None
    entries: tuple[Entry, ...]


class SavedRoom(Struct, frozen=True, array_like=True, tag="room"):
    """A room in a backup: its whole log, and the answers that were given, by the field they are kept in."""

    room: str
    epoch: int
    deadline: int | None
    entries: tuple[Entry, ...]
    answers: dict[str, bytes]
    letters: tuple[tuple[int, bytes], ...] = ()
    """Those that were not delivered yet: the version each is from, and its bytes."""
    refused: tuple[tuple[int, bytes], ...] = ()


class SavedGame(Struct, frozen=True, array_like=True, tag="game"):
    """A finished game's record in a backup."""

    room: str
    game: int
    record: bytes


class Keep(Struct, frozen=True):
    """Leave the deadline as it is."""


class NoDeadline(Struct, frozen=True):
    """Take the deadline away."""


class DeadlineAt(Struct, frozen=True):
    at: int


class DeadlineIn(Struct, frozen=True):
    """The deadline is so many ms after this commit."""

    ms: int


Deadline = Keep | NoDeadline | DeadlineAt | DeadlineIn


class Commit(Struct, frozen=True, kw_only=True):
    """Events that were decided on a room as it stood at (epoch, version).

    `answer` is kept under `actor` and `cmd` and given again to whoever asks with them. A commit that reaches the store
    at or after the room's deadline is turned away with `TimeIsUp`, unless it `expires` the time itself; then it takes
    the deadline away, unless it sets one. `archive` replaces the record of a finished game, which outlives the room.
    `last` is for `create`: the id of the entry at `version`, in a log that was lost.
    `letters` wait in the room's outbox until they are struck out.
    """

    room: str
    epoch: int
    version: int
    actor: str
    cmd: str
    answer: bytes
    entries: tuple[NewEntry, ...]
    deadline: Deadline = Keep()
    expires: bool = False
    snapshot: Snapshot | None = None
    archive: tuple[int, bytes] | None = None
    last: str = ""
    letters: tuple[Letter, ...] = ()


class Committed(Struct, frozen=True):
    entries: tuple[Entry, ...]


class Repeated(Struct, frozen=True):
    """The actor's cmd is in the log already; its first answer."""

    answer: bytes


class Stale(Struct, frozen=True):
    """The room has moved on from the version (or epoch) that was decided on. Load, decide again, retry."""


class TimeIsUp(Struct, frozen=True):
    """The deadline has passed: decide again as of `now`."""

    now: int


class Full(Struct, frozen=True):
    """It would take the room past MAX_ROOM_BYTES, or the store has no place for another room."""


class NoRoom(Struct, frozen=True):
    """There is no such room (any more)."""


CommitAnswer = Committed | Repeated | Stale | TimeIsUp | Full | NoRoom


class Head(Struct, frozen=True):
    epoch: int
    version: int
    answer: bytes | None


class ClockSet(Struct, frozen=True):
    """The store's clock was set by `by_ms` at the steady time `at`. Unless `was_seen`, it may have been a pause."""

    at: int
    by_ms: int
    was_seen: bool


class StoreUnavailable(Exception):  # noqa: N818
    """The store cannot be reached, or refuses writes; `reason` is a stable word for logs and status. Try later.

    After a commit that raised this, it is unknown whether it happened: ask again with the same actor and cmd.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class StoreUnusable(Exception):  # noqa: N818
    """There is no store to work with, says a sentence for the operator that also says what to do. Raised at start."""


class Feed(Protocol):
    """One connection that listens to the rooms somebody watches on this hub."""

    async def subscribe(self, room: str) -> None:
        """Returns once the store has confirmed it; what is committed afterwards is heard. Raises StoreUnavailable."""

    async def unsubscribe(self, room: str) -> None: ...

    @property
    def is_healthy(self) -> bool:
        """The feed has heard itself lately."""


class Store(Protocol):
    """All methods raise StoreUnavailable. None retries a write by itself."""

    async def create(self, commit: Commit) -> CommitAnswer:
        """Open a room with its first entries. `Stale` if there is a room of this code.

        A new room opens at version 0. One that was lost may begin again at the version where it stood: its log holds
        nothing before that, and its first entry is the whole state.
        """

    async def load(self, room: str, *, after: int | None = None) -> Loaded | None:
        """The room at its head, None if there is none. With `after`: only the entries after that version."""

    async def commit(self, commit: Commit) -> CommitAnswer: ...

    async def head(self, room: str, actor: str, cmd: str) -> Head | None:
        """Where the room stands, and the answer this cmd was given, if it was."""

    async def id_at(self, room: str, version: int) -> str | None:
        """The id of the entry with that version, if it is known."""

    async def raise_epoch(self, room: str, *, seen: int, known: int) -> int:
        """Begin a new epoch of a log that went back, larger than `known`, and publish it without entries.

        Nothing happens unless the stored epoch is `seen`. The epoch that holds now; 0 if there is no room.
        """

    async def archived(self, room: str, game: int) -> bytes | None: ...

    async def due(self, now: int) -> list[str]:
        """Rooms whose deadline lies at or before `now` and has not been fulfilled by a commit that expires it."""

    async def senders(self) -> list[str]:
        """Rooms with letters in their outbox."""

    async def letters(self, room: str) -> list[Letter]:
        """What is in a room's outbox, oldest first."""

    async def is_waiting(self, room: str, letter: Letter) -> bool:
        """Whether the letter is in the room's outbox still."""

    async def strike(self, room: str, letter: Letter, refused: str | None) -> None:
        """Take a letter out of the outbox: it was taken, or refused for good with that code and is kept as such."""

    async def refused_letters(self, room: str) -> list[RefusedLetter]:
        """Those that were refused for good, oldest first."""

    async def now(self) -> int:
        """Steady time: ms since 1970, less all by which the store's clock was set."""

    @property
    def clock_set(self) -> ClockSet | None:
        """When `now` last found that the store's clock had been set."""

    async def check_writable(self) -> None:
        """Returns if hands can be committed just now."""

    async def evicting(self) -> str | None:
        """The policy by which the store throws rooms away when it is full; None if it keeps them."""

    async def forget_unused(self) -> int:
        """Removes the rooms that nobody has used or watched for long; how many these were."""

    async def listen(self, on_message: Callable[[FeedMessage], None], on_gap: Callable[[], None]) -> Feed:
        """Start the feed. `on_gap` is called when messages may have been lost (the connection was made again)."""

    async def close(self) -> None: ...

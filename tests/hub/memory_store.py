"""The store's contract in memory, with a clock that stands still until a test moves it, and faults on demand."""

from collections.abc import Callable

from bookboard.store.contract import (
    ClockSet,
    Commit,
    CommitAnswer,
    Committed,
    DeadlineAt,
    DeadlineIn,
    Entry,
    FeedMessage,
    Head,
    Keep,
    Letter,
    Loaded,
    NoDeadline,
    NoRoom,
    RefusedLetter,
    Repeated,
    Snapshot,
    Stale,
    StoreUnavailable,
    TimeIsUp,
)

START = 1_800_000_000_000


class StoredRoom:
    """`begun`: the version and id after which its log begins."""

    def __init__(self, epoch: int = 1, begun: tuple[int, str] = (0, "")) -> None:
        self.epoch = epoch
        self.begun = begun
        self.entries: list[Entry] = []
        self.snapshot: Snapshot | None = None
        self.answers: dict[tuple[str, str], bytes] = {}
        self.deadline: int | None = None
        self.outbox: list[Letter] = []
        self.refused: list[RefusedLetter] = []

    @property
    def last(self) -> str:
        return self.entries[-1].id if self.entries else self.begun[1]

    @property
    def version(self) -> int:
        return self.begun[0] + len(self.entries)


class MemoryFeed:
    def __init__(self, on_message: Callable[[FeedMessage], None], on_gap: Callable[[], None]) -> None:
        self.on_message = on_message
        self.on_gap = on_gap
        self.rooms: set[str] = set()
        self.is_healthy = True
        self.is_deaf = False

    async def subscribe(self, room: str) -> None:
        self.rooms.add(room)

    async def unsubscribe(self, room: str) -> None:
        self.rooms.discard(room)


class MemoryStore:
    """`down` is the reason of StoreUnavailable for every call; `loses_answers` commits, and raises it all the same."""

    def __init__(self) -> None:
        self.rooms: dict[str, StoredRoom] = {}
        self.archive: dict[tuple[str, int], bytes] = {}
        self.feeds: list[MemoryFeed] = []
        self.time = START
        self.down: str | None = None
        self.clock_set: ClockSet | None = None
        self.loses_answers = False
        self.before_commit: Callable[[], None] | None = None
        self.loads: list[tuple[str, int | None]] = []
        self.commits: list[Commit] = []

    def _reach(self) -> None:
        if self.down is not None:
            raise StoreUnavailable(self.down)

    async def create(self, commit: Commit) -> CommitAnswer:
        self._reach()
        if commit.room in self.rooms:
            room = self.rooms[commit.room]
            known = room.answers.get((commit.actor, commit.cmd))
            return Stale() if known is None else Repeated(known)
        self.rooms[commit.room] = StoredRoom(commit.epoch, (commit.version, commit.last))
        return self._write(self.rooms[commit.room], commit)

    async def commit(self, commit: Commit) -> CommitAnswer:
        self._reach()
        if self.before_commit is not None:
            interfere, self.before_commit = self.before_commit, None
            interfere()
        room = self.rooms.get(commit.room)
        if room is None:
            return NoRoom()
        known = room.answers.get((commit.actor, commit.cmd))
        if known is not None:
            return Repeated(known)
        if commit.epoch != room.epoch:
            return Stale()
        if room.deadline is not None and self.time >= room.deadline and not commit.expires:
            return TimeIsUp(self.time)
        if commit.version != room.version:
            return Stale()
        written = self._write(room, commit)
        if self.loses_answers:
            raise StoreUnavailable("timeout")
        return written

    def _write(self, room: StoredRoom, commit: Commit) -> Committed:
        self.commits.append(commit)
        written: list[Entry] = []
        for new in commit.entries:
            written.append(Entry(room.version + 1, new.id, room.last, self.time, new.body))
            room.entries.append(written[-1])
        room.answers[commit.actor, commit.cmd] = commit.answer
        room.snapshot = commit.snapshot or room.snapshot
        match commit.deadline:
            case NoDeadline():
                room.deadline = None
            case DeadlineAt(at):
                room.deadline = at
            case DeadlineIn(ms):
                room.deadline = self.time + ms
            case Keep():
                room.deadline = None if commit.expires else room.deadline
        if commit.archive is not None:
            self.archive[commit.room, commit.archive[0]] = commit.archive[1]
        room.outbox += commit.letters
        self.publish(FeedMessage(commit.room, room.epoch, tuple(written)))
        return Committed(tuple(written))

    def publish(self, message: FeedMessage) -> None:
        for feed in self.feeds:
            if message.room in feed.rooms and not feed.is_deaf:
                feed.on_message(message)

    async def load(self, room: str, *, after: int | None = None) -> Loaded | None:
        self._reach()
        self.loads.append((room, after))
        stored = self.rooms.get(room)
        if stored is None:
            return None
        snapshot = stored.snapshot if after is None else None
        start = after if after is not None else snapshot.version if snapshot else 0
        entries = tuple(entry for entry in stored.entries if entry.version > start)
        return Loaded(stored.epoch, stored.version, stored.last, snapshot, entries)

    async def head(self, room: str, actor: str, cmd: str) -> Head | None:
        self._reach()
        stored = self.rooms.get(room)
        return None if stored is None else Head(stored.epoch, stored.version, stored.answers.get((actor, cmd)))

    async def id_at(self, room: str, version: int) -> str | None:
        self._reach()
        stored = self.rooms[room]
        known = {stored.begun[0]: stored.begun[1] or None} | {entry.version: entry.id for entry in stored.entries}
        return known.get(version)

    async def raise_epoch(self, room: str, *, seen: int, known: int) -> int:
        self._reach()
        stored = self.rooms[room]
        if stored.epoch == seen:
            stored.epoch = max(seen, known) + 1
            self.publish(FeedMessage(room, stored.epoch, ()))
        return stored.epoch

    async def archived(self, room: str, game: int) -> bytes | None:
        self._reach()
        return self.archive.get((room, game))

    async def due(self, now: int) -> list[str]:
        self._reach()
        return [code for code, room in self.rooms.items() if room.deadline is not None and room.deadline <= now]

    async def senders(self) -> list[str]:
        self._reach()
        return [code for code, room in self.rooms.items() if room.outbox]

    async def letters(self, room: str) -> list[Letter]:
        self._reach()
        return list(self.rooms[room].outbox)

    async def is_waiting(self, room: str, letter: Letter) -> bool:
        self._reach()
        return letter in self.rooms[room].outbox

    async def strike(self, room: str, letter: Letter, refused: str | None) -> None:
        self._reach()
        stored = self.rooms[room]
        if letter in stored.outbox:
            stored.outbox.remove(letter)
            if refused is not None:
                stored.refused.append(RefusedLetter(letter, refused))

    async def refused_letters(self, room: str) -> list[RefusedLetter]:
        self._reach()
        return list(self.rooms[room].refused)

    async def now(self) -> int:
        self._reach()
        return self.time

    async def check_writable(self) -> None:
        self._reach()

    async def evicting(self) -> str | None:
        return None

    async def forget_unused(self) -> int:
        self._reach()
        return 0

    async def listen(self, on_message: Callable[[FeedMessage], None], on_gap: Callable[[], None]) -> MemoryFeed:
        self._reach()
        self.feeds.append(MemoryFeed(on_message, on_gap))
        return self.feeds[-1]

    async def close(self) -> None:
        pass

"""The store on Redis 7.0 or later, or Valkey: what contract.py promises, by a few Lua scripts."""

from collections.abc import Callable
from typing import Any, assert_never

import msgspec
from redis.exceptions import RedisError

from bookboard.store import keys
from bookboard.store.cluster import ClusterFeed, ClusterLink
from bookboard.store.contract import (
    MAX_ROOM_BYTES,
    ClockSet,
    Commit,
    CommitAnswer,
    Committed,
    Deadline,
    DeadlineAt,
    DeadlineIn,
    Entry,
    Feed,
    FeedMessage,
    Full,
    Head,
    Keep,
    Letter,
    Loaded,
    NewEntry,
    NoDeadline,
    NoRoom,
    Repeated,
    Snapshot,
    Stale,
    StoreUnavailable,
    StoreUnusable,
    TimeIsUp,
)
from bookboard.store.copies import Copies
from bookboard.store.feed import RedisFeed
from bookboard.store.link import READ_S, Argument, Connect, Link, connector, without_password
from bookboard.store.outboxes import Outboxes
from bookboard.store.replicas import Replicas
from bookboard.store.scripts import Script, all_but_the_feed, read_entry, unavailable, written
from bookboard.store.server_check import check_policy, evicting, is_cluster, why_no_hands
from bookboard.store.steady_clock import SteadyClock

DAY_S = 86_400


_COMMIT = Script.read("commit.lua")
_LOAD = Script.read("load.lua")
_HEAD = Script.read("head.lua")
_RAISE_EPOCH = Script.read("raise_epoch.lua")
_CLOCK = Script.read("clock.lua")
_FORGET = Script.read("forget.lua")

_TRIAL = Commit(
    room="",
    epoch=1,
    version=0,
    actor="",
    cmd="",
    answer=b"",
    entries=(NewEntry("trial", b""),),
    snapshot=Snapshot(1, b""),
    archive=(0, b""),
    letters=(Letter(0, "", "", b""),),
)


class RedisStore(Copies, Outboxes):
    """A `Store`. Open it with `connect`, and `close` it."""

    def __init__(self, connect: Connect, link: Link | ClusterLink, *, keep_s: int, replicas: Replicas) -> None:
        super().__init__(link)
        self._connect = connect
        self._keep_ms = keep_s * 1000
        self._replicas = replicas
        self._feeds: list[RedisFeed | ClusterFeed] = []
        self._clock = SteadyClock()

    @classmethod
    async def connect(
        cls, url: str, *, keep_s: int = 30 * DAY_S, read_timeout_s: float = READ_S, wait_replicas: int = 0
    ) -> "RedisStore":
        """A store whose server has answered and is fit. `forget_unused` leaves rooms alone until `keep_s` after use.

        A commit is answered once so many replicas have it. Raises StoreUnusable, with a sentence for the operator.
        """
        connect = connector(url)
        seed = Link(connect, read_timeout_s=read_timeout_s)
        link: Link | ClusterLink = seed
        try:
            if await is_cluster(seed, without_password(url)):
                link = ClusterLink(url, seed, read_timeout_s=read_timeout_s)
                await link.look()
            replicas = await Replicas.of(link.links[0], wait_replicas)
            store = cls(connect, link, keep_s=keep_s, replicas=replicas)
            await store._check_start(without_password(url))
        except BaseException as error:
            await link.close()
            if isinstance(error, StoreUnavailable):
                raise StoreUnusable(f"The cluster at {without_password(url)} is not whole; repair it first.") from error
            raise
        return store

    async def _check_start(self, url: str) -> None:
        """Raises StoreUnusable where no hand could be entered and waiting does not help."""
        for link in self._link.links:
            await check_policy(link, url)
        try:
            await self.check_writable()
        except StoreUnavailable as error:
            sentence = why_no_hands(url, error)
            if sentence is not None:
                raise StoreUnusable(sentence) from error

    async def create(self, commit: Commit) -> CommitAnswer:
        return await self._commit("open", commit)

    async def commit(self, commit: Commit) -> CommitAnswer:
        return await self._commit("commit", commit)

    async def load(self, room: str, *, after: int | None = None) -> Loaded | None:
        names = keys.room_keys(room)
        first = "" if after is None else str(after + 1)
        reply = await self._run(_LOAD, (names.meta, names.snapshot, names.log, names.due), room, first)
        if reply is None:
            return None
        epoch, version, last, snapshot_version, body, entries = reply
        return Loaded(
            epoch=int(epoch),
            version=int(version),
            last=last.decode(),
            snapshot=Snapshot(int(snapshot_version), body) if snapshot_version else None,
            entries=tuple(read_entry(entry_id, fields) for entry_id, fields in entries),
        )

    async def head(self, room: str, actor: str, cmd: str) -> Head | None:
        names = keys.room_keys(room)
        reply = await self._run(_HEAD, (names.meta, names.answers), keys.answer_field(actor, cmd))
        return None if reply is None else Head(int(reply[0]), int(reply[1]), reply[2])

    async def id_at(self, room: str, version: int) -> str | None:
        found = await self._call("XRANGE", keys.room_keys(room).log, f"{version}-0", f"{version + 1}-0", "COUNT", 1)
        entries = [read_entry(*each) for each in found]
        return next((entry.id if entry.version == version else entry.prev or None for entry in entries), None)

    async def raise_epoch(self, room: str, *, seen: int, known: int) -> int:
        names = keys.room_keys(room)
        reply = await self._run(_RAISE_EPOCH, (names.meta,), room, names.feed, seen, known)
        return 0 if reply is None else int(reply)

    async def archived(self, room: str, game: int) -> bytes | None:
        record: bytes | None = await self._call("GET", keys.archive(room, game))
        return record

    async def due(self, now: int) -> list[str]:
        """The earliest 100 of each of the 64 partitions that answers; call again once they are done."""
        return await self._first_of_all(keys.due, now)

    # ── the server ────────────────────────────────────────────────────────────────────────────────────────────────

    async def now(self) -> int:
        return await self._clock.read(self._ask_clock)

    async def _ask_clock(self, *arguments: Argument) -> Any:  # noqa: ANN401
        return await self._run(_CLOCK, (keys.CLOCK,), *arguments)

    @property
    def clock_set(self) -> ClockSet | None:
        """When the store's clock was last found to have been set."""
        return self._clock.last_set

    async def check_writable(self) -> None:
        """Commits to a room of no code. Raises StoreUnavailable if no hand can be entered."""
        await self.now()
        names = keys.trial_keys(0)
        touched = (*written(names), names.outbox, names.outboxes, f"{names.meta}:record")
        then = self._replicas.commands(0)
        reply = await self._run(_COMMIT, touched, *self._arguments("try", _TRIAL, names.feed), then=then)
        if then:
            self._replicas.check(reply)
        await self._ask_clock("note")

    async def evicting(self) -> str | None:
        """The policy by which a server throws tables away when it is full; None if none does."""
        try:
            found = [await evicting(link) for link in self._link.links]
        except (RedisError, OSError) as error:
            raise unavailable(error) from error
        return next((policy for policy in found if policy is not None), None)

    async def forget_unused(self) -> int:
        """Removes rooms that nobody has used or watched for long, counted in steady time; how many these were."""
        begun: bytes | None = await self._call("HGET", keys.CLOCK, "begun")
        if begun is None:
            return 0
        removed = 0
        for room in await self.room_names():
            names = keys.room_keys(room)
            touched = all_but_the_feed(names)
            now = self._clock.estimate()
            if now is not None:
                removed += await self._run(_FORGET, touched, room, names.feed, now, begun, self._keep_ms)
        return removed

    async def listen(self, on_message: Callable[[FeedMessage], None], on_gap: Callable[[], None]) -> Feed:
        """A feed that has heard itself once. Raises StoreUnavailable."""
        feed: RedisFeed | ClusterFeed
        if isinstance(self._link, ClusterLink):
            feed = ClusterFeed(self._link, self._call, on_message, on_gap)
        else:
            feed = RedisFeed(self._connect, self._call, on_message, on_gap)
        try:
            await feed.start()
        except BaseException:
            await feed.close()
            raise
        self._feeds.append(feed)
        return feed

    async def close(self) -> None:
        """Stops the feeds, finishes the commands that were sent, lets go of the connections."""
        for feed in self._feeds:
            await feed.close()
        await self._link.close()

    async def _commit(self, mode: str, commit: Commit) -> CommitAnswer:
        names = keys.room_keys(commit.room)
        touched = [*written(names)]
        if commit.letters or commit.archive is not None:
            touched += [names.outbox, names.outboxes]
        if commit.archive is not None:
            touched.append(keys.archive(commit.room, commit.archive[0]))
        then = self._replicas.commands(keys.partition(commit.room))
        if self._clock.estimate() is None:
            await self.now()
        reply = await self._run(_COMMIT, touched, *self._arguments(mode, commit, names.feed), then=then)
        match self._replicas.check(reply) if then else reply:
            case [b"committed", at, steady, last]:
                return Committed(_chained(commit, at=int(at), steady=int(steady), last=last.decode()))
            case [b"repeated", answer]:
                return Repeated(answer)
            case [b"stale"]:
                return Stale()
            case [b"time", now]:
                return TimeIsUp(int(now))
            case [b"full"]:
                return Full()
            case [b"none"]:
                return NoRoom()
            case _:
                raise StoreUnavailable("refused")

    def _arguments(self, mode: str, commit: Commit, feed: str) -> list[Argument]:
        """ARGV of commit.lua."""
        if not commit.entries:
            raise ValueError("a commit has at least one entry")
        kind, span_ms = _deadline(commit.deadline)
        snapshot = commit.snapshot
        arguments: list[Argument] = [mode, commit.room, feed, commit.epoch, commit.version]
        arguments += [keys.answer_field(commit.actor, commit.cmd), commit.answer, int(commit.expires), kind, span_ms]
        arguments += [self._clock.offset, self._clock.estimate() or 0]
        arguments += ["", b""] if snapshot is None else [snapshot.version, snapshot.body]
        arguments += [b"" if commit.archive is None else commit.archive[1], MAX_ROOM_BYTES, commit.last]
        arguments += [len(commit.letters), *map(msgspec.msgpack.encode, commit.letters)]
        for entry in commit.entries:
            arguments += [entry.id, entry.body]
        return arguments


def _deadline(deadline: Deadline) -> tuple[str, int]:
    match deadline:
        case Keep():
            return "keep", 0
        case NoDeadline():
            return "none", 0
        case DeadlineAt(at):
            return "at", at
        case DeadlineIn(ms):
            return "in", ms
        case _:
            assert_never(deadline)


def _chained(commit: Commit, *, at: int, steady: int, last: str) -> tuple[Entry, ...]:
    """The entries as the script has just written them after the entry `last`."""
    entries = []
    for version, entry in enumerate(commit.entries, start=commit.version + 1):
        entries.append(Entry(version, entry.id, last, at, entry.body, steady if steady != at else None))
        last = entry.id
    return tuple(entries)

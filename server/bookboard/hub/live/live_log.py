"""A log that somebody watches on this hub: kept at its head, commands decided and committed on it.

The commit is the only truth. What the feed brings is applied when it fits; whatever does not fit sends it to the store.
All that is awaited here leaves the log usable: `apply` and `adopt` never await.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, assert_never

from bookboard.hub.live.aside import Aside
from bookboard.hub.live.budget import NO_LIMIT, Budget
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.kind import AnyKind
from bookboard.hub.live.planning import Head, Sender, bytes_of, plan
from bookboard.hub.live.rewind import Trail, goes_on_from, is_beyond, is_in_log, missing_from
from bookboard.hub.live.screens import Screens
from bookboard.hub.live.serialization import decode_answer
from bookboard.hub.live.work import Gone, Member, OnFailure, Work
from bookboard.hub.wire.throttle import computing_for_a_table
from bookboard.hub.wire.timer import OneShotTimer
from bookboard.log.actors import SPECTATOR, Actor, TokenHash
from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal
from bookboard.protocol.codecs import Codec
from bookboard.protocol.messages import (
    Done,
    LogEvent,
    LogRewound,
    Outlook,
    Preview,
    Refused,
    Resume,
    ServerMessage,
    SnapshotMessage,
)
from bookboard.store.contract import (
    Committed,
    Entry,
    FeedMessage,
    Full,
    Loaded,
    NoRoom,
    Repeated,
    Stale,
    Store,
    StoreUnavailable,
    TimeIsUp,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_ATTEMPTS = 10
CLOCK_ACTOR = "clock"


class LiveLog(Work):
    """`state`, `epoch`, `version` and `last` are the head as this hub knows it, once `adopt` was called."""

    def __init__(  # noqa: PLR0913
        self, kind: AnyKind, code: str, *, store: Store, clock: StoreClock, on_failure: OnFailure, beside: Aside
    ) -> None:
        super().__init__(on_failure)
        self.kind = kind
        self.code = code
        self.screens = Screens()
        self.audience = self.screens.audience
        self.members: set[Member] = set()
        self.epoch, self.version, self.last = 0, 0, ""
        self.rewound: LogRewound | None = None
        self._rewound_turn = 0
        self.computing = computing_for_a_table()
        self._beside = beside
        self._state: Any = None
        self._trail = Trail()
        self._store = store
        self._clock = clock
        self._lock = asyncio.Lock()
        self._early: list[FeedMessage] = []
        self._time_limit = OneShotTimer()
        self._snapshot_version = 0

    @property
    def state(self) -> Any:  # noqa: ANN401 - the kind's own
        if self._state is None:
            raise RuntimeError("the log is used before it is loaded")
        return self._state

    @property
    def is_loaded(self) -> bool:
        return self._state is not None

    # ── the head ──────────────────────────────────────────────────────────────────────────────────────────────────

    def adopt(self, loaded: Loaded) -> None:
        """Take the log over as the store has it. Whoever watches gets a snapshot."""
        state = None
        version = 0
        if loaded.snapshot is not None:
            state, version = self.kind.read_state(loaded.snapshot.body), loaded.snapshot.version
        for entry in loaded.entries:
            state = self.kind.evolve(state, self.kind.read_entry(entry))
        before, self._state, self._snapshot_version = self._state, state, version
        self._trail.restart(loaded.entries)
        if before is not None and loaded.epoch > self.epoch:
            self.rewound = self.kind.rewound(loaded.epoch, before, self.state)
            self._rewound_turn = self.audience.turns + 1
            self.audience.publish(self.rewound)
        self.epoch, self.version, self.last = loaded.epoch, loaded.version, loaded.last
        self.screens.begin_anew()
        self.screens.look_ahead(self.foretold)
        self._set_timer()
        if self.audience.members:
            self.audience.publish(self.snapshot())
        for member in list(self.members):
            member.role_may_have_changed()
        early, self._early = self._early, []
        for message in early:
            self.hear(message)

    def apply(self, entries: tuple[Entry, ...]) -> bool:
        """Apply the entries that are news. False when one does not fit: there is a gap, or the log was forked."""
        for entry in entries:
            if entry.version <= self.version:
                if entry.version == self.version and entry.id != self.last:
                    return False
            elif entry.version == self.version + 1 and entry.prev == self.last:
                self._advance(entry)
            else:
                return False
        return True

    def _advance(self, entry: Entry) -> None:
        before, recorded = self.state, self.kind.read_entry(entry)
        self._state = self.kind.evolve(before, recorded)
        self.version, self.last = entry.version, entry.id
        self._trail.add(entry)
        message = self.kind.event_message(self.epoch, entry, recorded, before, self._state)
        self.screens.tell(message)
        if self.kind.is_forecast_stale(message):
            self.screens.look_ahead(self.foretold)
        self._set_timer()
        if self.kind.changes_roles(recorded.event):
            for member in list(self.members):
                member.role_may_have_changed()

    def hear(self, message: FeedMessage) -> None:
        """What the feed says. It may repeat, reorder or leave out."""
        if self._state is None:
            self._early.append(message)
        elif message.epoch != self.epoch or not self.apply(message.entries):
            self.start(self.catch_up())

    async def catch_up(self) -> None:
        """Be at the head, as the store knows it now. Raises StoreUnavailable, Gone."""
        epoch, version, last = self.epoch, self.version, self.last
        loaded = await self._store.load(self.code, after=version)
        if loaded is None:
            raise Gone
        self.screens.set_lost(now=self._clock.now(), is_lost=False)
        goes_on = loaded.epoch >= epoch and goes_on_from(loaded, version, last)
        if goes_on and loaded.epoch == self.epoch and self.apply(loaded.entries):
            return
        if not goes_on and loaded.epoch <= epoch:
            log.warning("the log of a table went back: %d.%d, was %d.%d", loaded.epoch, loaded.version, epoch, version)
            await self._store.raise_epoch(self.code, seen=loaded.epoch, known=epoch)
        await self.reload()

    async def reconcile(self, resume: Resume, *, may_raise: bool) -> LogRewound | None:
        """A screen comes back: is it ahead, and what has to be told to it? Raises StoreUnavailable, Gone."""
        if is_beyond(resume, self.epoch, self.version, self._trail):
            await self.catch_up()
            if may_raise and is_beyond(resume, self.epoch, self.version, self._trail) and self._trail.claims.take():
                await self._store.raise_epoch(self.code, seen=self.epoch, known=resume.epoch)
                await self.catch_up()
        if self.screens.is_lost:
            return None
        known = self.rewound if resume.epoch < self.epoch else None
        if known is not None and known.names_losses:
            return known
        is_there = await is_in_log(self._store, self.code, resume, self._trail)
        return known if is_there else self.kind.rewound(self.epoch, None, self.state)

    async def reload(self) -> None:
        """Take the log over whole. Raises StoreUnavailable, Gone."""
        loaded = await self._store.load(self.code)
        if loaded is None:
            raise Gone
        if loaded.epoch < self.epoch:
            raise StoreUnavailable("rewound")  # servers of two pasts answer in turn: look again in a while
        self.adopt(loaded)

    async def role(self, token_hash: TokenHash | None) -> Actor | None:
        """Whose token it is. Another hub may have given it: the store says who is nobody. Raises StoreUnavailable."""
        actor = self.kind.role_of(self.state, token_hash)
        if actor is None:
            with contextlib.suppress(Gone):
                await self.catch_up()
                actor = self.kind.role_of(self.state, token_hash)
        return actor

    # ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def do(
        self, token_hash: TokenHash | None, cmd: str, command: object, budget: Budget = NO_LIMIT
    ) -> Done | Refused:
        """Decide and commit; every way out is an answer. Must not be cancelled: run it as a task of the log."""
        if self.kind.role_of(self.state, token_hash) == Actor(SPECTATOR):
            return Refused(cmd, "read_only", {}, retry=False)  # nor do players wait behind those who only watch
        async with self._lock:
            try:
                return await self._decide_and_commit(token_hash, cmd, command, budget)
            except StoreUnavailable as error:
                self._on_failure(error)
                return Refused(cmd, "unavailable", {}, retry=True)
            except Gone:
                self.lose()
                return Refused(cmd, "unavailable", {}, retry=True)

    async def _decide_and_commit(
        self, token_hash: TokenHash | None, cmd: str, command: object, budget: Budget
    ) -> Done | Refused:
        not_before = 0
        for _ in range(MOST_ATTEMPTS):
            actor = self.kind.role_of(self.state, token_hash)
            if actor is None:
                return Refused(cmd, "not_found", {}, retry=False)
            if actor.role == SPECTATOR:
                return Refused(cmd, "read_only", {}, retry=False)
            person = self.kind.person_behind(actor, token_hash, command)
            sender = Sender(person, cmd, person)
            now = self._decision_time(not_before)
            state, step = self.state, partial(self.kind.decide, self.state, command, actor, now)
            decided = await self._aside(step, budget) if self.kind.is_long(state, command) else step()
            if self.state is not state:
                continue
            if isinstance(decided, Already | Refusal):
                answer = await self._answer_at_head(sender, decided, command)
                if answer is not None:
                    return answer
                continue
            outcome = await self._commit(decided, sender, now, budget)
            if not isinstance(outcome, int):
                return outcome
            not_before = max(not_before, outcome)
        return Refused(cmd, "unavailable", {}, retry=True)

    async def _commit(
        self, events: list[Any], sender: Sender, now: int, budget: Budget = NO_LIMIT
    ) -> Done | Refused | int:
        """The answer, or the time by the store's clock from which to decide again (0: as before)."""
        commit = plan(
            Head(self.kind, self.code, self.epoch, self.version, self.state, self._snapshot_version),
            events,
            sender,
            now,
        )
        if not budget.may_keep(bytes_of(commit)):
            return Refused(sender.cmd, "stored_too_fast", {}, retry=True)
        outcome = await self._store.commit(commit)
        match outcome:
            case Committed(entries):
                if commit.snapshot is not None:
                    self._snapshot_version = commit.snapshot.version
                if not self.apply(entries):
                    await self.catch_up()
                return Done(sender.cmd, entries[-1].version)
            case Repeated(answer):
                return await self._repeated(sender.cmd, answer)
            case Stale():
                await self.catch_up()
                return 0
            case TimeIsUp(at):
                self._clock.advance_to(at)
                return at
            case Full():
                return Refused(sender.cmd, "log_full", {}, retry=False)
            case NoRoom():
                raise Gone
            case _ as unreachable:
                assert_never(unreachable)

    async def _answer_at_head(
        self, sender: Sender, decided: Already | Refusal, command: object
    ) -> Done | Refused | None:
        """A refusal counts only if this cmd was not accepted before, and if it was decided at the head; else None."""
        decided_on = (self.epoch, self.version)  # the feed may move this log on meanwhile
        head = await self._store.head(self.code, sender.actor, sender.cmd)
        if head is None:
            raise Gone
        if head.answer is not None:
            return await self._repeated(sender.cmd, head.answer)
        if (head.epoch, head.version) != decided_on:
            await self.catch_up()
            return None
        match decided:
            case Already(by, at, version):
                return Done(sender.cmd, version, repeated=True, by=by, at=at)
            case Refusal():
                return self.kind.refusal(sender.cmd, decided, self.state, command)
            case _ as unreachable:
                assert_never(unreachable)

    async def missing(self, token_hash: TokenHash | None, cmds: list[str]) -> list[str]:
        """Those of somebody's own commands that the log does not hold. Raises StoreUnavailable."""
        return await missing_from(self._store, self.code, self.kind.role_of(self.state, token_hash), cmds)

    async def _repeated(self, cmd: str, answer: bytes) -> Done:
        version = decode_answer(answer)
        if version > self.version:
            await self.catch_up()
        return Done(cmd, version, repeated=True)

    def _decision_time(self, not_before: int) -> int:
        """Only the store may say that the deadline has passed: this hub's clock never runs past it by itself."""
        now, due = self._clock.now(), self.kind.due_at(self.state)
        return max(not_before, now if due is None else min(now, due - 1))

    def preview(self, token_hash: TokenHash | None, message: Preview[Any]) -> ServerMessage:
        actor = self.kind.role_of(self.state, token_hash) or Actor(SPECTATOR)
        return self.kind.preview(self.state, message, actor, self._decision_time(0))

    async def preview_aside(self, token_hash: TokenHash | None, message: Preview[Any], budget: Budget) -> ServerMessage:
        """The same of a command that takes long."""
        actor = self.kind.role_of(self.state, token_hash) or Actor(SPECTATOR)
        return await self._aside(partial(self.kind.preview, self.state, message, actor, self._decision_time(0)), budget)

    async def _aside(self, step: Callable[[], T], budget: Budget) -> T:
        result, took_s = await self._beside.work(step)
        self.computing.owe(took_s)
        budget.computed(took_s)
        return result

    # ── time ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _set_timer(self) -> None:
        due = self.kind.due_at(self.state)
        if due is None:
            self._time_limit.cancel()
        else:
            self._time_limit.call(max(0, due - self._clock.now()) / 1000, self._time_is_up)

    def _time_is_up(self) -> None:
        self.start(self.time_out())

    async def time_out(self) -> None:
        """Commit that time has expired, if by the store's clock it has. Several hubs do it once: they send one cmd."""
        async with self._lock:
            for _ in range(MOST_ATTEMPTS):
                now = await self._clock.read(self._store)
                events = self.kind.expire(self.state, now)
                if not events:
                    self._set_timer()
                    return
                cmd = self.kind.expiry_cmd(self.state)
                if isinstance(await self._commit(events, Sender(CLOCK_ACTOR, cmd, ""), now), Done):
                    return

    # ── screens ───────────────────────────────────────────────────────────────────────────────────────────────────

    def snapshot(self) -> SnapshotMessage[Any, Any]:
        return SnapshotMessage(self.epoch, self.version, self.last, self.kind.view(self.state), self.screens.outlook)

    def snapshot_payload(self, codec: Codec) -> bytes:
        return self.screens.payload(codec, self.snapshot)

    def foretold(self) -> Outlook[Any]:
        return Outlook(self.epoch, self.version, self.screens.outlook or self.kind.forecast(self.state))

    def rewound_since(self, turn: int) -> LogRewound | None:
        """The last time the log went back, if a screen has not seen it that saw everything up to that turn."""
        return self.rewound if turn < self._rewound_turn else None

    def missed_since(self, epoch: int, version: int, last: str) -> list[LogEvent] | None:
        """The events a screen at that point has missed; None when only a snapshot can tell."""
        if epoch != self.epoch or version > self.version:
            return None
        if version == self.version:
            return [] if last == self.last else None
        missed = [event for event in self.screens.recent if event.version > version]
        return missed if missed and missed[0].prev == last else None

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def lose(self) -> None:
        self.screens.set_lost(now=self._clock.now(), is_lost=True)

    def stop(self) -> None:
        """No more timers; what is in flight goes on."""
        self._time_limit.stop()
        self.screens.stop()

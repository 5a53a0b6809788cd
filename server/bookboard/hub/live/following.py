"""A live log at its head: what the store has and the feed brings, applied where it fits.

Whatever does not fit sends the log to the store. `apply` and `adopt` never await, so it can be used at any time.
"""

import asyncio
import contextlib
import logging
from typing import Any

from bookboard.hub.live.aside import Aside
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.kind import AnyKind
from bookboard.hub.live.rewind import Trail, goes_on_from, is_beyond, is_in_log
from bookboard.hub.live.screens import Screens
from bookboard.hub.live.work import Gone, Member, OnFailure, Work
from bookboard.hub.wire.throttle import computing_for_a_table
from bookboard.hub.wire.timer import OneShotTimer
from bookboard.log.actors import Actor, TokenHash
from bookboard.protocol.messages import (
    Forecast,
    LogRewound,
    Resume,
    SnapshotMessage,
)
from bookboard.store.contract import (
    Entry,
    FeedMessage,
    Loaded,
    Store,
    StoreUnavailable,
)

log = logging.getLogger(__name__)


class Following(Work):
    """`state`, `epoch`, `version` and `last` are the head as this hub knows it, once `adopt` was called."""

    def __init__(  # noqa: PLR0913
        self, kind: AnyKind, code: str, *, store: Store, clock: StoreClock, on_failure: OnFailure, beside: Aside
    ) -> None:
        super().__init__(on_failure)
        self.kind = kind
        self.code = code
        self.screens = Screens(f"{kind.name} {code}")
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
        self.deciding = asyncio.Lock()
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
        self.screens.look_ahead(self.forecast)
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
            self.screens.look_ahead(self.forecast)
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
            gone_back = (self.kind.name, self.code, loaded.epoch, loaded.version, epoch, version)
            log.warning("the log of %s %s went back: %d.%d, was %d.%d", *gone_back)
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
        """Whose token it is. Another hub may have given it, so reload before rejecting it. Raises StoreUnavailable."""
        actor = self.kind.role_of(self.state, token_hash)
        if actor is None:
            with contextlib.suppress(Gone):
                await self.catch_up()
                actor = self.kind.role_of(self.state, token_hash)
        return actor

    def _set_timer(self) -> None:
        due = self.kind.due_at(self.state)
        if due is None:
            self._time_limit.cancel()
        else:
            self._time_limit.call(max(0, due - self._clock.now()) / 1000, self._time_is_up)

    def _time_is_up(self) -> None:
        self.start(self.time_out())

    async def time_out(self) -> None:
        """Commit what follows from a deadline that has passed."""
        raise NotImplementedError

    def snapshot(self) -> SnapshotMessage[Any, Any]:
        raise NotImplementedError

    def forecast(self) -> Forecast[Any]:
        """What is worth telling a moment later."""
        raise NotImplementedError

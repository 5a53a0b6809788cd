"""The rooms that somebody watches on this hub, and the work they share: feed, sweep, beats, and how the store is.

A room is taken up with its first watcher: listen first, then read, drop what was read already, go live. It is let go a
while after its last watcher left.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from bookboard.hub.live.aside import Aside
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.kind import AnyKind
from bookboard.hub.live.letters import Postman
from bookboard.hub.live.live_log import LiveLog
from bookboard.protocol.messages import Beat, ClockChange, ServerMessage, Status
from bookboard.store.contract import Feed, FeedMessage, Store, StoreUnavailable

log = logging.getLogger(__name__)

BEAT_EVERY_S = 5
SWEEP_EVERY_S = 0.5
SWEEP_BEHIND_MS = 200
"""A hub that watches the room has a timer for it: the sweep comes after, for those that nobody watches."""
LET_GO_AFTER_S = 30.0
PROBE_EVERY_S = 0.5
PROBES_A_PROOF = 10
"""Every so often a hub that nobody writes at tries a write: its server may have become a replica, or full."""
CHECKED_AT_ONCE = 16
FORGET_EVERY_S = 3600.0
CLOCK_CHANGE_SHOWN_MS = 900_000


class Connection(Protocol):
    def beat(self) -> None: ...


class Rooms:
    """Owns the feed. `start` before the first `enter`, `stop` after the last `leave`."""

    def __init__(self, store: Store, kinds: Sequence[AnyKind], clock: StoreClock | None = None) -> None:
        self.kinds = kinds
        self.store = store
        self.clock = clock or StoreClock()
        self.status = Status("ok", 0)
        self.connections: set[Connection] = set()
        self.aside = Aside()
        self._live: dict[str, LiveLog] = {}
        self._loading: dict[str, asyncio.Task[LiveLog | None]] = {}
        self._holds: dict[str, int] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._unsubscribing: dict[str, asyncio.Task[None]] = {}
        self._feed: Feed | None = None
        self._work: list[asyncio.Task[None]] = []
        self._probes = 0
        self._checking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Raises StoreUnavailable."""
        await self.clock.read(self.store)
        self.status = self._status("ok", self.clock.now())
        self._feed = await self.store.listen(self._hear, self._gap)
        loop = asyncio.get_running_loop()
        self._work = [
            loop.create_task(forever(self.sweep, SWEEP_EVERY_S)),
            loop.create_task(forever(Postman(self).sweep, SWEEP_EVERY_S)),
            loop.create_task(forever(self.probe, PROBE_EVERY_S)),
            loop.create_task(forever(self.beat, BEAT_EVERY_S)),
            loop.create_task(forever(self.forget_unused, FORGET_EVERY_S)),
        ]

    async def finish(self) -> None:
        """Wait for the commands in flight."""
        for live in list(self._live.values()):
            await live.finish()

    async def stop(self) -> None:
        for task in self._work:
            task.cancel()
        for handle in self._leaving.values():
            handle.cancel()
        for live in self._live.values():
            live.stop()
        await self.finish()

    @property
    def count(self) -> int:
        """How many are kept up to date here."""
        return len(self._live)

    # ── taking rooms up and letting them go ───────────────────────────────────────────────────────────────────────

    async def enter(self, code: str) -> LiveLog | None:
        """The room, at its head, kept until `leave`; None if there is none. Raises StoreUnavailable."""
        if self.kind_of(code) is None:
            return None
        self._holds[code] = self._holds.get(code, 0) + 1
        leaving = self._leaving.pop(code, None)
        if leaving is not None:
            leaving.cancel()
        live = None if code in self._loading else self._live.get(code)
        try:
            if live is None:
                if code not in self._loading:
                    self._loading[code] = asyncio.get_running_loop().create_task(self._load(code))
                live = await asyncio.shield(self._loading[code])
        except BaseException:
            self.leave(code)
            raise
        if live is None:
            self.leave(code)
        return live

    def kind_of(self, code: str) -> AnyKind | None:
        return next((kind for kind in self.kinds if kind.is_code(code)), None)

    def leave(self, code: str) -> None:
        holds = self._holds[code] - 1
        if holds:
            self._holds[code] = holds
            return
        del self._holds[code]
        if code in self._live:
            self._leaving[code] = asyncio.get_running_loop().call_later(LET_GO_AFTER_S, self._let_go, code)

    async def _load(self, code: str) -> LiveLog | None:
        kind = self.kind_of(code)
        if kind is None:
            return None
        live = LiveLog(kind, code, store=self.store, clock=self.clock, on_failure=self.store_failed, beside=self.aside)
        try:
            if await self.store.head(code, "", "") is None:
                return None
            unsubscribing = self._unsubscribing.get(code)
            if unsubscribing is not None:
                await unsubscribing
            self._live[code] = live
            await self.feed.subscribe(code)
            loaded = await self.store.load(code)
            if loaded is not None:
                live.adopt(loaded)
        except StoreUnavailable as error:
            self.store_failed(error)
            raise
        finally:
            del self._loading[code]
            if not live.is_loaded:
                self._forget(code)
        return live if live.is_loaded else None

    def _let_go(self, code: str) -> None:
        del self._leaving[code]
        if self._live[code].is_busy:
            self._leaving[code] = asyncio.get_running_loop().call_later(LET_GO_AFTER_S, self._let_go, code)
        else:
            self._forget(code)

    def _forget(self, code: str) -> None:
        live = self._live.pop(code, None)
        leaving = self._leaving.pop(code, None)
        if leaving is not None:
            leaving.cancel()
        if live is not None:
            live.stop()
            task = asyncio.get_running_loop().create_task(self._unsubscribe(code))
            self._unsubscribing[code] = task

    async def _unsubscribe(self, code: str) -> None:
        try:
            await self.feed.unsubscribe(code)
        except StoreUnavailable:
            pass  # the connection is gone, and the subscription with it
        finally:
            self._unsubscribing.pop(code, None)

    @property
    def feed(self) -> Feed:
        if self._feed is None:
            raise RuntimeError("rooms are used before they are started")
        return self._feed

    # ── the feed ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _hear(self, message: FeedMessage) -> None:
        live = self._live.get(message.room)
        if live is not None:
            try:
                live.hear(message)
            except Exception:
                log.exception("a feed message of %s could not be applied", message.room)
                live.start(live.reload())

    def _gap(self) -> None:
        """Messages may have been lost: look where every room stands."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(self._check_all())

    async def _check_all(self) -> None:
        behind = [live for code, live in self._live.items() if code not in self._loading]
        while behind:
            some, behind = behind[:CHECKED_AT_ONCE], behind[CHECKED_AT_ONCE:]
            await asyncio.wait([live.start(live.catch_up()) for live in some])

    # ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────

    def store_failed(self, error: StoreUnavailable) -> None:
        if self.status.store == "ok":
            log.warning("the store is unavailable: %s", error.reason)
            self._tell(self._status("readonly", self.clock.now()))

    async def probe(self) -> None:
        """How is the store, and what time is it there? Called about twice a second."""
        try:
            self._probes += 1
            if self.status.store != "ok" or self._probes % PROBES_A_PROOF == 0:
                await self.store.check_writable()
                for live in [live for live in self._live.values() if live.screens.is_lost]:
                    live.start(live.catch_up())
            await self.clock.read(self.store)
        except StoreUnavailable as error:
            self.store_failed(error)
        else:
            if self.status.store != "ok":
                log.warning("the store is back")
                self._tell(self._status("ok", self.clock.now()))
                self._gap()
            elif self._clock_change() != self.status.clock:
                self._tell(self._status("ok", self.status.since))

    def _status(self, store: str, since: int) -> Status:
        return Status(store, since, self._clock_change())

    def _clock_change(self) -> ClockChange | None:
        found = self.store.clock_set
        if found is None or self.clock.now() - found.at > CLOCK_CHANGE_SHOWN_MS:
            return None
        return ClockChange(found.at, found.by_ms, found.was_seen)

    def _tell(self, status: Status) -> None:
        self.status = status
        for live in self._live.values():
            live.screens.tell_status(status)

    async def sweep(self) -> None:
        """Let time expire in rooms that nobody watches; their hub may have been killed."""
        try:
            due = await self.store.due(self.clock.now() - SWEEP_BEHIND_MS)
            for code in due:
                live = await self.enter(code)
                if live is None:
                    await self.store.load(code)  # takes a room that has expired off the list
                else:
                    await live.start(live.time_out())
                    self.leave(code)
        except StoreUnavailable as error:
            self.store_failed(error)

    async def forget_unused(self) -> None:
        try:
            await self.store.forget_unused()
        except StoreUnavailable as error:
            self.store_failed(error)

    # ── screens ───────────────────────────────────────────────────────────────────────────────────────────────────

    def to_all(self, message: ServerMessage) -> None:
        for live in self._live.values():
            live.audience.publish(message)

    async def beat(self) -> None:
        self.to_all(Beat(self.clock.now()))
        for connection in list(self.connections):
            connection.beat()


async def forever(step: Callable[[], Awaitable[None]], every_s: float) -> None:
    """Run a step about that often, with jitter, whatever happens in it."""
    while True:
        await asyncio.sleep(every_s * random.uniform(0.8, 1.2))  # noqa: S311 - jitter is no secret
        try:
            await step()
        except Exception:
            log.exception("a step of the hub's own work failed")

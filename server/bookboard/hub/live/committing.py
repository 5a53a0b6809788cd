"""Commands on a live log: decided at its head, committed, answered. The commit is the only truth."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, assert_never

from bookboard.hub.live.budget import NO_LIMIT, Budget
from bookboard.hub.live.following import Following
from bookboard.hub.live.orders import Order, TokenBearer
from bookboard.hub.live.planning import Head, Sender, bytes_of, plan
from bookboard.hub.live.rewind import missing_from
from bookboard.hub.live.serialization import decode_answer
from bookboard.hub.live.work import Gone
from bookboard.log.actors import SPECTATOR, Actor, TokenHash
from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal
from bookboard.protocol.messages import (
    Done,
    Preview,
    Refused,
    ServerMessage,
)
from bookboard.store.contract import (
    Committed,
    Full,
    NoRoom,
    Repeated,
    Stale,
    StoreUnavailable,
    TimeIsUp,
)

T = TypeVar("T")

MAX_ATTEMPTS = 10
CLOCK_ACTOR = "clock"


class Committing(Following):
    """Commands and deadlines, decided on the head and committed; every way out is an answer."""

    @property
    def head(self) -> Head:
        return Head(self.kind, self.code, self.epoch, self.version, self.state, self._snapshot_version)

    async def do(
        self, token_hash: TokenHash | None, cmd: str, command: object, budget: Budget = NO_LIMIT
    ) -> Done | Refused:
        """Decide and commit; every way out is an answer. Must not be cancelled: run it as a task of the log."""
        if self.kind.role_of(self.state, token_hash) == Actor(SPECTATOR):
            return Refused(cmd, "read_only", {}, retry=False)  # nor do players wait behind those who only watch
        return await self.carry_out(Order(cmd, command, TokenBearer(self.kind, token_hash)), budget)

    async def carry_out(self, order: Order, budget: Budget = NO_LIMIT) -> Done | Refused:
        """As `do`, whoever gives it."""
        async with self.deciding:
            try:
                return await self._decide_and_commit(order, budget)
            except StoreUnavailable as error:
                self._on_failure(error)
            except Gone:
                self.lose()
            return Refused(order.cmd, "unavailable", {}, retry=True)

    async def _decide_and_commit(self, order: Order, budget: Budget) -> Done | Refused:
        cmd, command, not_before = order.cmd, order.command, 0
        for _ in range(MAX_ATTEMPTS):
            actor = order.giver.actor(self.state)
            if actor is None:
                return Refused(cmd, "not_found", {}, retry=False)
            if actor.role == SPECTATOR:
                return Refused(cmd, "read_only", {}, retry=False)
            person = order.giver.person(actor, command)
            sender = Sender(person, cmd, person)
            now = self._decision_time(not_before)
            state, step = self.state, partial(self.kind.decide, self.state, command, actor, now)
            decided = await self._aside(step, budget) if self.kind.is_long(state, command) else step()
            if order.is_waiting is not None and not await order.is_waiting():
                return Refused(cmd, "conflict", {}, retry=True)
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
        commit = plan(self.head, events, sender, now)
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

    async def time_out(self) -> None:
        """Commit that time has expired, if by the store's clock it has. Several hubs do it once: they send one cmd."""
        async with self.deciding:
            for _ in range(MAX_ATTEMPTS):
                now = await self._clock.read(self._store)
                events = self.kind.expire(self.state, now)
                if not events:
                    self._set_timer()
                    return
                cmd = self.kind.expiry_cmd(self.state)
                if isinstance(await self._commit(events, Sender(CLOCK_ACTOR, cmd, ""), now), Done):
                    return

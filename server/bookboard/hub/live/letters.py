"""Letters on their way: every hub looks into the outboxes and carries each letter out where it is addressed to.

A letter is struck out once it was taken, or refused for good. Until then it is tried again by any hub, so that none is
lost with a hub; its `cmd` gets its first answer again, so that none is taken twice. Those of one log to another go one
after another. A hub that comes too late with a letter finds it struck out: it looks after it knows the addressee's
version, and what was taken since then has made that version stale.
"""

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.orders import Order, SendingLog
from bookboard.protocol.messages import Done, Refused
from bookboard.store.contract import Letter, StoreUnavailable

if TYPE_CHECKING:
    from bookboard.hub.live.rooms import Rooms

log = logging.getLogger(__name__)


class Postman:
    """Carries the letters of all logs there are, each log's by one task at a time."""

    def __init__(self, rooms: "Rooms") -> None:
        self._rooms = rooms

    async def sweep(self) -> None:
        """Carry what waits in the outboxes. Called about twice a second."""
        try:
            senders = await self._rooms.store.senders()
            outcomes = await asyncio.gather(*map(self.carry, senders), return_exceptions=True)
        except StoreUnavailable as error:
            self._rooms.store_failed(error)
            return
        for outcome in outcomes:
            if isinstance(outcome, StoreUnavailable):
                self._rooms.store_failed(outcome)
            elif isinstance(outcome, BaseException):
                log.error("letters could not be carried", exc_info=outcome)

    async def carry(self, sender: str) -> None:
        """All letters of one log, in order; one that cannot be taken now holds up those to the same log only."""
        store, held = self._rooms.store, set[str]()
        for letter in await store.letters(sender):
            if letter.to in held:
                continue
            answer = await self._deliver(sender, letter)
            if answer is None or (isinstance(answer, Refused) and answer.retry):
                held.add(letter.to)
            elif isinstance(answer, Refused):
                await store.strike(sender, letter, answer.code)
                kept = len(await store.refused_letters(sender))
                log.warning("a letter is refused for good (%s); its log keeps %d such letters", answer.code, kept)
            else:
                await store.strike(sender, letter, None)

    async def _deliver(self, sender: str, letter: Letter) -> Done | Refused | None:
        """None if it is to be tried again. Raises StoreUnavailable."""
        if self._rooms.kind_of(letter.to) is None:
            log.error("a letter is addressed to a kind of log that this hub does not know; is there a newer one?")
            return None
        live = await self._rooms.enter(letter.to)
        if live is None:
            return Refused(letter.cmd, "not_found", {}, retry=False)
        answers: list[Done | Refused] = []
        try:
            await asyncio.wait([live.start(self._hand_over(live, sender, letter, answers))])  # goes on if this ends
        finally:
            self._rooms.leave(letter.to)
        return answers[0] if answers else None

    async def _hand_over(self, live: LiveLog, sender: str, letter: Letter, answers: list[Done | Refused]) -> None:
        order = Order(
            letter.cmd,
            command_of(live, letter),
            SendingLog(live.kind, sender),
            partial(self._rooms.store.is_waiting, sender, letter),
        )
        if order.giver.actor(live.state) is None:
            await live.catch_up()  # it may have been made known on another hub a moment ago
        answers.append(await live.carry_out(order))


def command_of(live: LiveLog, letter: Letter) -> object:
    """The letter's command, of the addressee's family."""
    message = {"type": "do", "cmd": letter.cmd, "command": msgspec.msgpack.decode(letter.command)}
    command: object = msgspec.convert({"message": message}, live.kind.messages).message.command  # type: ignore[attr-defined]
    return command

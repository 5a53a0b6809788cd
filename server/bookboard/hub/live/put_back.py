"""A log that the store has lost begins again with the state that this hub still shows, once its host asks for it."""

import logging

from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.planning import Sender, beginning_again
from bookboard.hub.live.serialization import decode_answer
from bookboard.hub.live.work import Gone
from bookboard.log.actors import TokenHash
from bookboard.protocol.messages import Done, Refused
from bookboard.store.contract import Committed, Full, Repeated, Store

log = logging.getLogger(__name__)


async def put_back(live: LiveLog, store: Store, token_hash: TokenHash | None, cmd: str) -> Done | Refused:
    """The version that was put back, by one alone of those who ask at once. Raises StoreUnavailable."""
    async with live.deciding:
        actor = live.kind.role_of(live.state, token_hash)
        event = None if actor is None else live.kind.put_back(live.state, actor)
        if actor is None or actor.person is None or event is None:
            return Refused(cmd, "host_only", {}, retry=False)
        put_back_at, sender = live.version, Sender(actor.person, cmd, actor.person)
        outcome = await store.create(beginning_again(live.head, live.last, event, sender))
        try:
            await live.catch_up()
        except Gone:
            live.lose()
            return Refused(cmd, "unavailable", {}, retry=True)
        match outcome:
            case Committed():
                log.warning("the host put lost %s %s back: version %d", live.kind.name, live.code, put_back_at)
                return Done(cmd, put_back_at)
            case Repeated(answer):
                return Done(cmd, decode_answer(answer), repeated=True)
            case Full():
                return Refused(cmd, "log_full", {}, retry=False)
            case _:
                return Refused(cmd, "not_lost", {}, retry=False)

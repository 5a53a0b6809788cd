"""How the store runs its Lua scripts and commands, and what its replies and keys are."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any

from msgspec import Struct
from redis.exceptions import NoScriptError, RedisError

from bookboard.store import keys
from bookboard.store.cluster import ClusterLink
from bookboard.store.contract import Entry, StoreUnavailable
from bookboard.store.link import Argument, Commands, Link, reason_of

AT_ONCE = 100

_log = logging.getLogger(__name__)


class Script(Struct, frozen=True):
    text: str
    sha: str

    @classmethod
    def read(cls, name: str) -> "Script":
        text = files("bookboard.store").joinpath("lua", name).read_text(encoding="utf-8")
        return cls(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


class Scripts:
    """A link that raises StoreUnavailable, and nothing else, when a server does not do what it is asked to."""

    def __init__(self, link: Link | ClusterLink) -> None:
        self._link = link

    async def _run(self, script: Script, touched: Sequence[str], *arguments: Argument, then: Commands = ()) -> Any:  # noqa: ANN401
        rest = (len(touched), *touched, *arguments)
        try:
            return await self._link.call("EVALSHA", script.sha, *rest, then=then)
        except NoScriptError:
            # The server has been restarted and has run nothing yet, so this is no second try.
            return await self._call("EVAL", script.text, *rest, then=then)
        except (RedisError, OSError) as error:
            raise unavailable(error) from error

    async def _call(self, *command: Argument, then: Commands = ()) -> Any:  # noqa: ANN401
        try:
            return await self._link.call(*command, then=then)
        except (RedisError, OSError) as error:
            raise unavailable(error) from error

    async def _first_of_all(self, name: Callable[[int], str], most: int | str) -> list[str]:
        """The rooms on the lists of all partitions, 100 of each, up to that score."""
        limits = ("-inf", most, "BYSCORE", "LIMIT", 0, AT_ONCE)
        asked = [self._link.submit(("ZRANGE", name(number), *limits)) for number in range(keys.PARTITIONS)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        failures = [reply for reply in found if isinstance(reply, Exception)]
        # One server of a cluster that is away does not stop the clocks of the others.
        if len(failures) == len(found):
            raise unavailable(failures[0])
        return [room.decode() for rooms in found if isinstance(rooms, list) for room in rooms]


def unavailable(error: Exception) -> StoreUnavailable:
    reason = reason_of(error)
    if reason == "refused":
        _log.error("redis refused a command: %s", error)
    return StoreUnavailable(reason)


def written(names: keys.RoomKeys) -> tuple[str, ...]:
    """KEYS that every commit touches."""
    return names.meta, names.snapshot, names.log, names.answers, names.due


def all_but_the_feed(names: keys.RoomKeys) -> tuple[str, ...]:
    return (*written(names), names.outbox, names.refused, names.outboxes)


def read_entry(entry_id: bytes, fields: list[bytes]) -> Entry:
    """An entry as XRANGE gives it: `version-0`, and names and values in turn, in the order they were written."""
    _, new_id, _, prev, _, at, _, body, *rest = fields
    steady = int(rest[1]) if rest else None
    return Entry(int(entry_id.partition(b"-")[0]), new_id.decode(), prev.decode(), int(at), body, steady)

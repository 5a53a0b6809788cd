"""A log that went back: an older file was restored, or a replica promoted that was behind its master.

Whoever notices begins a new epoch, so that everybody takes the log over as it is now. What had been acknowledged and is
gone is named, by number; the phone that sent it offers it again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable

from bookboard.hub.wire.throttle import Bucket
from bookboard.log.actors import Actor
from bookboard.protocol.messages import Resume
from bookboard.store.contract import Entry, Loaded, Store

KEPT_IDS = 64
FARTHEST_EPOCH = 1000
"""A screen may know of at most this many epochs more than the store: larger claims are treated as forged."""
CLAIMS_BURST, CLAIMS_PER_SECOND = 2, 1 / 600
"""One player's word is enough to find a rewind, so more claims than that find nothing."""


class Trail:
    """The ids of a log's newest versions: they tell a screen that is behind from one whose past is gone.

    `claims`: how many players are believed who say that the log went back.
    """

    def __init__(self) -> None:
        self.claims = Bucket(CLAIMS_PER_SECOND, CLAIMS_BURST)
        self._ids: OrderedDict[int, str] = OrderedDict()

    def restart(self, entries: Iterable[Entry]) -> None:
        self._ids.clear()
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        self._ids[entry.version] = entry.id
        if len(self._ids) > KEPT_IDS:
            self._ids.popitem(last=False)

    def id_at(self, version: int) -> str | None:
        """None if nobody knows any more."""
        return self._ids.get(version)

    def contradicts(self, version: int, last: str) -> bool:
        return self._ids.get(version, last) != last


def is_beyond(resume: Resume, epoch: int, version: int, trail: Trail) -> bool:
    """Whether a screen comes from what a log that stands at (epoch, version) does not hold."""
    if resume.epoch != epoch:
        return epoch < resume.epoch <= epoch + FARTHEST_EPOCH
    return resume.version > version or trail.contradicts(resume.version, resume.last)


def goes_on_from(loaded: Loaded, version: int, last: str) -> bool:
    """Whether a log, read after `version`, still holds the entry `last` there."""
    if loaded.version <= version:
        return (loaded.version, loaded.last) == (version, last)
    return bool(loaded.entries) and loaded.entries[0].prev == last


async def is_in_log(store: Store, code: str, resume: Resume, trail: Trail) -> bool:
    """Whether the log holds what a screen saw last, whatever epoch that was in. Raises StoreUnavailable."""
    if resume.version == 0:
        return True
    known = trail.id_at(resume.version)
    return (await store.id_at(code, resume.version) if known is None else known) == resume.last


async def missing_from(store: Store, code: str, actor: Actor | None, cmds: list[str]) -> list[str]:
    """Those of a person's commands that the log does not hold. Raises StoreUnavailable."""
    if actor is None or actor.person is None:
        return []
    heads = await asyncio.gather(*(store.head(code, actor.person, cmd) for cmd in cmds))
    return [cmd for cmd, head in zip(cmds, heads, strict=True) if head is not None and head.answer is None]

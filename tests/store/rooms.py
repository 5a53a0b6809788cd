"""Commits on a room, short to write."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from bookboard.store.contract import Commit, NewEntry, StoreUnavailable

Answer = TypeVar("Answer")


async def insist(ask: Callable[[], Awaitable[Answer]], *, within_s: float = 60) -> Answer:
    """Asks the same again for as long as the store is unavailable, as a phone does."""
    async with asyncio.timeout(within_s):
        while True:
            with suppress(StoreUnavailable):
                return await ask()
            await asyncio.sleep(0.02)


def commit(version: int, *ids: str, cmd: str | None = None, **rest: Any) -> Commit:
    """One that was decided at `version` of room ABCDEF and logs an entry for each id."""
    ids = ids or (f"e{version + 1}",)
    whole: dict[str, Any] = {
        "room": "ABCDEF",
        "epoch": 1,
        "version": version,
        "actor": "west",
        "cmd": cmd or f"cmd-{ids[0]}",
        "answer": f"answer to {ids[0]}".encode(),
        "entries": tuple(NewEntry(entry_id, f"body of {entry_id}".encode()) for entry_id in ids),
    }
    return Commit(**(whole | rest))

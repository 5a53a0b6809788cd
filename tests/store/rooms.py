"""Commits on a room, short to write."""

from typing import Any

from bookboard.store.contract import Commit, NewEntry


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

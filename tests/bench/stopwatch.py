"""Instants on a command's way through a hub, taken by functions wrapped from outside: the product knows nothing of it.

For one room and one command at a time: the marks are a list in the order they were made, on the clock the load uses.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bookboard.hub.endpoints.connection import Connection
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.wire import fanout
from bookboard.hub.wire.fanout import Audience
from bookboard.protocol.messages import Do, EventMessage
from bookboard.store.redis_store import RedisStore

MARKS = ("heard", "decoded", "committing", "known", "applied", "sending", "encoded")
PARTS = {
    "to the hub": ("asked", "heard"),
    "decode": ("heard", "decoded"),
    "decide": ("decoded", "committing"),
    "commit": ("committing", "known"),
    "apply": ("known", "applied"),
    "end of turn": ("applied", "sending"),
    "encode": ("sending", "encoded"),
    "write": ("encoded", "done"),
}
"""Between which marks; `asked` and `done` are the load's: the command leaves, the last screen has the event."""


@contextmanager
def running(file: Path) -> Iterator[None]:
    marks: list[tuple[str, int]] = []
    _wrap(marks)
    try:
        yield
    finally:
        file.write_text(json.dumps(marks))


def _wrap(marks: list[tuple[str, int]]) -> None:
    now, is_sending = time.monotonic_ns, False
    decode, commit, advance = Connection._decode, RedisStore.commit, LiveLog._advance  # noqa: SLF001
    flush, message_frame = Audience._flush, vars(fanout)["message_frame"]  # noqa: SLF001

    def decoding(self: Connection, message: Any, messages: Any) -> Any:
        began = now()
        decoded = decode(self, message, messages)
        if isinstance(decoded, Do):
            marks.extend((("heard", began), ("decoded", now())))
        return decoded

    async def committing(self: RedisStore, commit_: Any) -> Any:
        marks.append(("committing", now()))
        return await commit(self, commit_)

    def advancing(self: LiveLog, entry: Any) -> None:
        marks.append(("known", now()))
        advance(self, entry)
        marks.append(("applied", now()))

    def flushing(self: Audience) -> None:
        nonlocal is_sending
        is_sending = any(isinstance(message, EventMessage) for message in self._pending)
        if is_sending:
            marks.append(("sending", now()))
        flush(self)
        is_sending = False

    def framing(*arguments: Any) -> bytes:
        framed: bytes = message_frame(*arguments)
        if is_sending:
            marks.append(("encoded", now()))
        return framed

    vars(fanout)["message_frame"] = framing
    for owner, name, wrapped in (
        (Connection, "_decode", decoding),
        (RedisStore, "commit", committing),
        (LiveLog, "_advance", advancing),
        (Audience, "_flush", flushing),
    ):
        setattr(owner, name, wrapped)


def ways(spans: list[tuple[int, int]], marks: list[tuple[str, int]]) -> list[dict[str, float]]:
    """Of each command that has all marks: what each part took, and `all` of them, in microseconds."""
    found, at = [], 0
    for asked, done in spans:
        while at < len(marks) and marks[at][1] < asked:
            at += 1
        stamps = {"asked": asked, "done": done}
        while at < len(marks) and marks[at][1] <= done:
            stamps.setdefault(*marks[at])
            at += 1
        if all(mark in stamps for mark in MARKS):
            way = {part: (stamps[end] - stamps[start]) / 1000 for part, (start, end) in PARTS.items()}
            found.append(way | {"all": (done - asked) / 1000})
    return found

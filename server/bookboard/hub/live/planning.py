"""From the events that were decided to the commit that carries them: deadline, snapshot, archive and answer with it."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from bookboard.hub.live.ids import new_event_id
from bookboard.hub.live.kind import AnyKind, Foreseen
from bookboard.hub.live.serialization import encode_answer
from bookboard.store.contract import Commit, DeadlineAt, NewEntry, NoDeadline, Snapshot

SNAPSHOT_EVERY = 8
KEPT_BESIDE_AN_ENTRY, KEPT_BESIDE_AN_ANSWER = 120, 180
"""Bytes: ids, time, and what the store itself needs."""
OPENING = ""
"""The cmd that opens a log. No client can send it: theirs have a character at least."""


class Head(Struct, frozen=True):
    """A log as this hub knows it: where it stands, and how far the stored snapshot goes."""

    kind: AnyKind
    code: str
    epoch: int
    version: int
    state: Any
    snapshot_version: int


class Sender(Struct, frozen=True):
    """Who a commit is by: `actor` and `cmd` make it unique; `person` is what the log says, "" for the clock."""

    actor: str
    cmd: str
    person: str


def plan(head: Head, events: Sequence[Any], sender: Sender, now: int) -> Commit:
    """The commit of events decided at `now` (ms since 1970, the store's clock)."""
    kind = head.kind
    foreseen = kind.foresee(head.state, events, sender.person, now)
    snapshot = None
    if head.version - head.snapshot_version >= SNAPSHOT_EVERY:
        snapshot = Snapshot(head.version, kind.write_state(head.state))
    return Commit(
        room=head.code,
        epoch=head.epoch,
        version=head.version,
        actor=sender.actor,
        cmd=sender.cmd,
        answer=encode_answer(head.version + len(events)),
        entries=tuple([NewEntry(new_event_id(), kind.write_event(sender.person, event)) for event in events]),
        deadline=foreseen.deadline,
        expires=any(kind.is_expiry(event) for event in events),
        snapshot=snapshot,
        archive=foreseen.archive,
    )


def opening_commit(code: str, person: str, events: Sequence[bytes], foreseen: Foreseen) -> Commit:
    """The commit that opens a log by its first events, as they are stored."""
    return Commit(
        room=code,
        epoch=1,
        version=0,
        actor=person,
        cmd=OPENING,
        answer=encode_answer(len(events)),
        entries=tuple([NewEntry(new_event_id(), event) for event in events]),
        deadline=foreseen.deadline,
        archive=foreseen.archive,
    )


def beginning_again(head: Head, last: str, event: Any, sender: Sender) -> Commit:  # noqa: ANN401 - the kind's own
    """The commit that begins a lost log again, in a new epoch, after `last`, by an event that holds the whole state."""
    due_at = head.kind.due_at(head.state)
    return Commit(
        room=head.code,
        epoch=head.epoch + 1,
        version=head.version,
        last=last,
        actor=sender.actor,
        cmd=sender.cmd,
        answer=encode_answer(head.version),
        entries=(NewEntry(new_event_id(), head.kind.write_event(sender.person, event)),),
        deadline=NoDeadline() if due_at is None else DeadlineAt(due_at),
    )


def bytes_of(commit: Commit) -> int:
    """About what the store will have to keep for good."""
    archive = 0 if commit.archive is None else len(commit.archive[1])
    answer = KEPT_BESIDE_AN_ANSWER + len(commit.cmd)
    return archive + answer + sum(KEPT_BESIDE_AN_ENTRY + len(entry.body) for entry in commit.entries)

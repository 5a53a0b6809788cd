"""From the events that were decided to the commit that carries them: deadline, snapshot, archive and answer with it."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from bookboard.hub.live import kind as kinds
from bookboard.hub.live.ids import new_event_id
from bookboard.hub.live.kind import AnyKind, Foreseen
from bookboard.hub.live.serialization import encode_answer
from bookboard.store.contract import Commit, DeadlineAt, Letter, NewEntry, NoDeadline, Snapshot

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
    entries = tuple([NewEntry(new_event_id(), kind.write_event(sender.person, event)) for event in events])
    return Commit(
        room=head.code,
        epoch=head.epoch,
        version=head.version,
        actor=sender.actor,
        cmd=sender.cmd,
        answer=encode_answer(head.version + len(events)),
        entries=entries,
        deadline=foreseen.deadline,
        expires=any(kind.is_expiry(event) for event in events),
        snapshot=snapshot,
        archive=foreseen.archive,
        letters=_letters(foreseen.letters, entries) if foreseen.letters else (),
    )


def opening_commit(code: str, person: str, events: Sequence[bytes], foreseen: Foreseen) -> Commit:
    """The commit that opens a log by its first events, as they are stored."""
    entries = tuple([NewEntry(new_event_id(), event) for event in events])
    return Commit(
        room=code,
        epoch=1,
        version=0,
        actor=person,
        cmd=OPENING,
        answer=encode_answer(len(events)),
        entries=entries,
        deadline=foreseen.deadline,
        archive=foreseen.archive,
        letters=_letters(foreseen.letters, entries),
    )


def _letters(letters: Sequence[kinds.Letter], entries: Sequence[NewEntry]) -> tuple[Letter, ...]:
    """With a cmd each that no other letter has: the id of the first event, and a number."""
    return tuple(
        Letter(number, letter.to, f"{entries[0].id}.{number}", msgspec.msgpack.encode(letter.command))
        for number, letter in enumerate(letters)
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
    letters = sum(len(letter.command) for letter in commit.letters)
    return archive + answer + letters + sum(KEPT_BESIDE_AN_ENTRY + len(entry.body) for entry in commit.entries)

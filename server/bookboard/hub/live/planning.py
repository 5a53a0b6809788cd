"""From the events that were decided to the commit that carries them: deadline, snapshot, archive and answer with it."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bookboard.hub.live.ids import new_event_id
from bookboard.hub.live.serialization import encode_answer, encode_event, encode_state
from bookboard.log.actors import Actor, TokenHash, hash_token, person_of
from bookboard.room.clock import due_at, is_relative
from bookboard.room.commands import AnyCommand, ClaimSeat
from bookboard.room.events import AnyEvent, HandNoted, NextGameStarted, Recorded, TableOpened, TimeExpired
from bookboard.room.evolve import evolve
from bookboard.room.record import export
from bookboard.room.state import Room
from bookboard.store.contract import (
    Commit,
    Deadline,
    DeadlineAt,
    DeadlineIn,
    Keep,
    NewEntry,
    NoDeadline,
    Snapshot,
)

SNAPSHOT_EVERY = 8
KEPT_BESIDE_AN_ENTRY, KEPT_BESIDE_AN_ANSWER = 120, 180
"""Bytes: ids, time, and what the store itself needs."""
OPENING = ""
"""The cmd of an opening, by its host. No client can send it: theirs have a character at least."""


class Head(Struct, frozen=True):
    """A room as this hub knows it: where the log stands, and how far the stored snapshot goes."""

    code: str
    epoch: int
    room: Room
    snapshot_version: int


class Sender(Struct, frozen=True):
    """Who a commit is by: `actor` and `cmd` make it unique; `person` is what the log says, "" for the clock."""

    actor: str
    cmd: str
    person: str


def sender_of(actor: Actor, token_hash: TokenHash | None, cmd: str, command: AnyCommand) -> Sender:
    """Whose cmd it is: the person's, or the one's whom the claim of a seat is just making."""
    if actor.person is not None:
        person = actor.person
    elif isinstance(command, ClaimSeat) and command.token is not None:
        person = person_of(hash_token(command.token))
    else:
        person = person_of(token_hash or "")
    return Sender(person, cmd, person)


def plan(head: Head, events: list[AnyEvent], sender: Sender, now: int) -> Commit:
    """The commit of events decided at `now` (ms since 1970, the store's clock)."""
    version = head.room.state.version
    deadline, archive = _foreseen(head.room, events, sender.person, now)
    snapshot = None
    if version - head.snapshot_version >= SNAPSHOT_EVERY:
        snapshot = Snapshot(version, encode_state(head.room.state))
    return Commit(
        room=head.code,
        epoch=head.epoch,
        version=version,
        actor=sender.actor,
        cmd=sender.cmd,
        answer=encode_answer(version + len(events)),
        entries=tuple([NewEntry(new_event_id(), encode_event(sender.person, event)) for event in events]),
        deadline=deadline,
        expires=any(isinstance(event, TimeExpired) for event in events),
        snapshot=snapshot,
        archive=archive,
    )


def _foreseen(
    room: Room, events: Sequence[AnyEvent], person: str, now: int
) -> tuple[Deadline, tuple[int, bytes] | None]:
    """What follows from the events, whatever time they are committed at: a deadline, a finished game's record."""
    first = room
    relative = False
    archive = None
    for event in events:
        if isinstance(event, HandNoted):
            continue  # the commonest event: it ends no game, and no deadline follows from it
        before = room
        room = evolve(before, Recorded(before.state.version + 1, "", now, person, event))
        if due_at(room) != due_at(before):
            relative = is_relative(before, event)
        if isinstance(event, NextGameStarted):
            archive = _record(before)
    if room.outcome is not None:
        archive = _record(room)
    return _deadline(due_at(first), due_at(room), now if relative else None), archive


def _deadline(before: int | None, after: int | None, counts_from: int | None) -> Deadline:
    if after is None:
        return Keep() if before is None else NoDeadline()
    if counts_from is not None:
        return DeadlineIn(after - counts_from)
    return Keep() if after == before else DeadlineAt(after)


def _record(room: Room) -> tuple[int, bytes]:
    return room.state.game.number, encode_record(room)


def encode_record(room: Room) -> bytes:
    """The game being played, as a game record."""
    return msgspec.json.encode(export(room))


def bytes_of(commit: Commit) -> int:
    """About what the store will have to keep for good."""
    archive = 0 if commit.archive is None else len(commit.archive[1])
    answer = KEPT_BESIDE_AN_ANSWER + len(commit.cmd)
    return archive + answer + sum(KEPT_BESIDE_AN_ENTRY + len(entry.body) for entry in commit.entries)


def opening_commit(opened: TableOpened, following: Sequence[AnyEvent] = ()) -> Commit:
    """The commit that opens a table, with what has been played at it already."""
    empty = evolve(None, Recorded(1, "", 0, opened.host, opened))
    deadline, archive = _foreseen(empty, following, opened.host, 0)
    return Commit(
        room=opened.code,
        epoch=1,
        version=0,
        actor=opened.host,
        cmd=OPENING,
        answer=encode_answer(1 + len(following)),
        entries=tuple([NewEntry(new_event_id(), encode_event(opened.host, event)) for event in (opened, *following)]),
        deadline=deadline,
        archive=archive,
    )

"""What follows from a table's events beside them: its deadline, and the record of a game that is over."""

from collections.abc import Sequence

import msgspec

from bookboard.hub.live.kind import Foreseen
from bookboard.hub.live.planning import opening_commit
from bookboard.room.clock import due_at, is_relative
from bookboard.room.events import AnyEvent, HandNoted, NextGameStarted, Recorded, TableOpened
from bookboard.room.evolve import evolve
from bookboard.room.record import export
from bookboard.room.state import Room
from bookboard.store.contract import Commit, Deadline, DeadlineAt, DeadlineIn, Keep, NoDeadline
from bookboard.tables.serialization import encode_event


def foresee(room: Room, events: Sequence[AnyEvent], person: str, now: int) -> Foreseen:
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
    return Foreseen(_deadline(due_at(first), due_at(room), now if relative else None), archive)


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


def opening_of_table(opened: TableOpened, following: Sequence[AnyEvent] = ()) -> Commit:
    """The commit that opens a table, with what has been played at it already."""
    empty = evolve(None, Recorded(1, "", 0, opened.host, opened))
    bodies = [encode_event(opened.host, event) for event in (opened, *following)]
    return opening_commit(opened.code, opened.host, bodies, foresee(empty, following, opened.host, 0))

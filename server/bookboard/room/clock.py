"""The time limit of the game being played (reading S13): when it is due, and how a commit has to state it."""

from bookboard.room import events as e
from bookboard.room.state import Room


def due_at(room: Room) -> int | None:
    """The instant (ms since 1970) at which time runs out; None while nothing is to happen then."""
    clock = room.state.game.clock
    if clock.expired_after is not None or room.outcome is not None:
        return None
    return clock.deadline


def is_out(room: Room, now: int) -> bool:
    """The deadline has passed and the log does not say so yet."""
    due = due_at(room)
    return due is not None and now >= due


def is_relative(before: Room, event: e.AnyEvent) -> bool:
    """The deadline that this event sets counts from the event's own time."""
    match event:
        case e.GameStarted() | e.ClockResumed():
            return True
        case e.ClockExtended():
            return before.state.game.clock.expired_after is not None
        case _:
            return False

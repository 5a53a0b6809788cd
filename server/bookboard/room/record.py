"""A table's game as a game record, which scores the same wherever it is taken."""

from bookboard.room.evolve import seats_of
from bookboard.room.state import KeptHand, Room
from bookboard.rules.model import Entry, Json
from bookboard.rules.record import RECORD_FORMAT


def export(room: Room) -> dict[str, Json]:
    """The game being played, in the form of the game record's contract; names and times ride along."""
    state, game = room.state, room.state.game
    record: dict[str, Json] = {"format": RECORD_FORMAT, "game": game.rules.key, "settings": {**game.rules.settings}}
    if game.rules.players is not None:
        record["players"] = [*game.rules.players]
    record["names"] = {
        **{seat: state.people[person] for seat, person in state.seats.items() if seat in seats_of(room.sheet)},
        **state.side_names,
    }
    if game.started is not None:
        record["started_at"] = game.started.at
    record["hands"] = [_hand(room, kept) for kept in game.hands]
    if game.clock.expired_after is not None:
        record["time_expired_after"] = game.clock.expired_after
    if game.ended_by_host is not None:
        record["ended_by_host"] = True
    return record


def _hand(room: Room, kept: KeptHand) -> Entry:
    last = kept.last_mark
    return {**kept.entry, "at": last.at, "by": room.state.people.get(last.by, "")}

"""Rooms that were stored by an earlier version, brought to the present form."""

from msgspec.structs import replace

from bookboard.room.state import GameState, RoomState

STORED_FORMAT = 2


def up_to_date(state: RoomState) -> RoomState:
    """Format 1 knew hands by their numbers only."""
    if state.game.last_hand_id:
        return state
    return replace(state, format=STORED_FORMAT, game=_with_hand_ids(state.game))


def _with_hand_ids(game: GameState) -> GameState:
    """The ids that the log gives: hands in the order in which they came into play, the removed ones among them."""
    hands: list[tuple[str, int]] = [("kept", place) for place in range(len(game.hands))]
    hands.append(("in play", 0))
    for place, removed in reversed(list(enumerate(game.removed))):
        hands.insert(removed.number - 1, ("removed", place))
    ids = {hand: number for number, hand in enumerate(hands, start=1)}
    return replace(
        game,
        hands=tuple([replace(kept, id=ids["kept", place]) for place, kept in enumerate(game.hands)]),
        removed=tuple([replace(removed, id=ids["removed", place]) for place, removed in enumerate(game.removed)]),
        in_play=replace(game.in_play, id=ids["in play", 0]),
        last_hand_id=len(hands),
    )

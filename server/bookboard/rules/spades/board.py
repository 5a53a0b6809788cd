"""What a board shows of a game of Spades beside its scores, and what the next hand needs."""

from bookboard.rules.model import Entry, Fact, Possible
from bookboard.rules.partnership import (
    SEATS_OF,
    SIDES,
    Side,
    dealer_after,
    order_from_the_left_of,
)
from bookboard.rules.spades.entry import (
    bids_itself,
    divisions,
    ends_at_once,
    has_blinds_left,
    is_far_enough_behind,
    side_carry,
)
from bookboard.rules.spades.hand import Carry
from bookboard.rules.spades.settings import SpadesSettings


def dealer(settings: SpadesSettings, carry: Carry, _in_play: Entry) -> str:
    return dealer_after(carry.hands, settings.first_dealer)


def bidding_order(settings: SpadesSettings, carry: Carry) -> tuple[str, ...]:
    if bids_itself(settings, carry):
        return ()
    return order_from_the_left_of(dealer_after(carry.hands, settings.first_dealer))


def missing_members(settings: SpadesSettings, carry: Carry, in_play: Entry) -> tuple[str, ...]:
    missing = []
    if not bids_itself(settings, carry) and not _have_bid(_names(in_play, "bids")):
        missing.append("bids")
    if not ends_at_once(settings, in_play) and not _names(in_play, "books").issuperset(SIDES):
        missing.append("books")
    return tuple(missing)


def _have_bid(names: set[str]) -> bool:
    """Every side as such, or both of its seats."""
    return names.issuperset(SIDES) or all(side in names or names.issuperset(SEATS_OF[side]) for side in SIDES)


def _names(in_play: Entry, key: str) -> set[str]:
    given = in_play.get(key)
    return {name for name, value in given.items() if value is not None} if isinstance(given, dict) else set()


def possible(settings: SpadesSettings, carry: Carry, in_play: Entry) -> tuple[Possible, ...]:
    """Every division of the books."""
    if missing_members(settings, carry, in_play) != ("books",):
        return ()
    return tuple(divisions(settings, carry, {**in_play, "books": None}))


def standing(settings: SpadesSettings, carry: Carry) -> dict[str, dict[str, Fact]]:
    return {side: _standing_of(settings, carry, side) for side in SIDES}


def _standing_of(settings: SpadesSettings, carry: Carry, side: Side) -> dict[str, Fact]:
    """`bags_shown` counts toward the next penalty (T1); the total, which decides, is never reduced."""
    mine = side_carry(carry, side)
    limit, most_blinds, most_penalties = settings.bag_penalty, settings.max_team_blinds, settings.max_bag_penalties
    gap_ok = is_far_enough_behind(settings, carry, side)
    return {
        "bags_shown": mine.bags_total if limit is None else mine.bags_total % limit,
        "bags_total": mine.bags_total,
        "bag_limit": limit,
        "bag_penalties": mine.penalties,
        "bag_penalties_left": None if most_penalties is None else most_penalties - mine.penalties,
        "sets": mine.sets,
        "sets_in_a_row": mine.sets_in_a_row,
        "blinds_used": mine.blinds,
        "blinds_left": None if most_blinds is None else max(most_blinds - mine.blinds, 0),
        "blind_gap_ok": gap_ok,
        "may_bid_blind": gap_ok and has_blinds_left(settings, mine) and not bids_itself(settings, carry),
    }

"""How a game of Spades ends, asked after every hand in the order of S12; the first rule that decides wins.

A rule that both sides meet and that cannot tell them apart decides nothing, and the next one is asked.
"""

from collections.abc import Callable
from typing import TypeAlias

from bookboard.rules.model import Outcome
from bookboard.rules.partnership import EAST_WEST, NORTH_SOUTH, OTHER
from bookboard.rules.spades.hand import Carry
from bookboard.rules.spades.settings import SpadesSettings

TieBreak: TypeAlias = Callable[[Carry], str | None]

REASONS = (
    "score_limit",
    "time_limit",
    "boston",
    "renege",
    "shot_back_to_back",
    "set_limit",
    "lowest_allowed_score",
)


def finish(settings: SpadesSettings, carry: Carry, time_expired_after: int | None) -> Outcome | None:
    is_boston = settings.boston and carry.sweep is not None
    return decide(settings, carry, time_expired_after, is_boston=is_boston, lowest=settings.lowest_allowed_score)


def decide(
    settings: SpadesSettings, carry: Carry, time_expired_after: int | None, *, is_boston: bool, lowest: int | None
) -> Outcome | None:
    """The outcome where a sweep is a Boston or not, and the sides with less than `lowest` lose."""
    if carry.forfeited_by is not None:
        return Outcome(OTHER[carry.forfeited_by], "renege")
    if is_boston and carry.sweep is not None:
        return Outcome(carry.sweep.side, "boston")
    return (
        sets(settings, carry)
        or (None if lowest is None else lowest_allowed_score(lowest, carry))
        or scores(settings, carry, time_expired_after)
    )


def sets(settings: SpadesSettings, carry: Carry) -> Outcome | None:
    """Shot back to back, then the set limit."""
    outcome = None
    if settings.shot_back_to_back is not None:
        outcome = shot_back_to_back(settings.shot_back_to_back, carry)
    if outcome is None and settings.set_limit is not None:
        outcome = set_limit(settings.set_limit, carry, TIE_BREAKERS[settings.tie_breaker])
    return outcome


def shot_back_to_back(most: int, carry: Carry) -> Outcome | None:
    out = carry.north_south.sets_in_a_row >= most, carry.east_west.sets_in_a_row >= most
    return _lost(out, carry, "shot_back_to_back", higher_score)


def set_limit(most: int, carry: Carry, tie_breaker: TieBreak) -> Outcome | None:
    out = carry.north_south.sets >= most, carry.east_west.sets >= most
    return _lost(out, carry, "set_limit", tie_breaker)


def lowest_allowed_score(lowest: int, carry: Carry) -> Outcome | None:
    out = carry.north_south.score < lowest, carry.east_west.score < lowest
    return _lost(out, carry, "lowest_allowed_score", higher_score)


def scores(settings: SpadesSettings, carry: Carry, time_expired_after: int | None) -> Outcome | None:
    """Once time has run out only the time rule compares scores (S13)."""
    if time_expired_after is not None and carry.hands > time_expired_after:
        return time_limit(settings, carry, extra_hands=carry.hands - time_expired_after - 1)
    return score_limit(settings, carry)


def time_limit(settings: SpadesSettings, carry: Carry, *, extra_hands: int) -> Outcome | None:
    """The higher score; bags, where the tie breaker asks them second, once an extra hand has been played."""
    asks_bags = extra_hands > 0 and settings.tie_breaker == "highest_score_then_fewer_bags"
    winner = higher_score_then_fewer_bags(carry) if asks_bags else higher_score(carry)
    return Outcome(winner, "time_limit") if winner else None


def score_limit(settings: SpadesSettings, carry: Carry) -> Outcome | None:
    limit = settings.score_limit
    north_south, east_west = carry.north_south.score >= limit, carry.east_west.score >= limit
    if not (north_south or east_west):
        return None
    if north_south and east_west:
        winner = TIE_BREAKERS[settings.tie_breaker](carry)
    else:
        winner = NORTH_SOUTH if north_south else EAST_WEST
    return Outcome(winner, "score_limit") if winner else None


def _lost(out: tuple[bool, bool], carry: Carry, reason: str, between: TieBreak) -> Outcome | None:
    """Who wins where the sides that are `out` (north-south, east-west) have lost."""
    match out:
        case (False, False):
            return None
        case (True, True):
            winner = between(carry)
        case _:
            winner = EAST_WEST if out[0] else NORTH_SOUTH
    return Outcome(winner, reason) if winner else None


# Telling two sides apart


def higher_score(carry: Carry) -> str | None:
    mine, theirs = carry.north_south.score, carry.east_west.score
    return None if mine == theirs else NORTH_SOUTH if mine > theirs else EAST_WEST


def fewer_bags(carry: Carry) -> str | None:
    """Over the whole game; a bag penalty does not reset the count."""
    mine, theirs = carry.north_south.bags_total, carry.east_west.bags_total
    return None if mine == theirs else NORTH_SOUTH if mine < theirs else EAST_WEST


def fewer_bags_first(carry: Carry) -> str | None:
    return fewer_bags(carry) or higher_score(carry)


def higher_score_then_fewer_bags(carry: Carry) -> str | None:
    return higher_score(carry) or fewer_bags(carry)


TIE_BREAKERS: dict[str, TieBreak] = {
    "highest_score": higher_score,
    "fewer_bags_first": fewer_bags_first,
    "highest_score_then_fewer_bags": higher_score_then_fewer_bags,
}

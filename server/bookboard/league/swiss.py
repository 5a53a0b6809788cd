"""The next Swiss round: the cheapest matching of all present."""

from itertools import combinations

from bookboard.league.matching import Cost, cheapest_matching
from bookboard.league.rounds import History, Pair, Round, drawn_number

NOBODY = -1
"""Stands for the missing opponent of who has the bye."""


def pair_swiss(history: History, present: list[int], number: int, seed: str) -> Round:
    """`present` are at least two."""
    nodes = [*present, NOBODY] if len(present) % 2 else present
    costs = {(one, other): _cost(history, seed, one, other) for one, other in combinations(nodes, 2)}
    matched = cheapest_matching(nodes, costs)
    assert matched is not None, "everybody can meet everybody"
    bye = next((max(pair) for pair in matched if NOBODY in pair), None)
    pairs = [_by_dealer(seed, pair) for pair in matched if NOBODY not in pair]
    pairs.sort(key=lambda pair: (*sorted(-history.points[i] for i in pair), drawn_number(seed, *pair)))
    return Round(number, tuple(pairs), bye, history.broken(pairs, bye))


def _cost(history: History, seed: str, one: int, other: int) -> Cost:
    """Earlier meetings, earlier byes, the bye's points, the squared difference of points, chance."""
    chance = drawn_number(seed, one, other)
    if other == NOBODY:
        return 0, history.byes[one], history.points[one], 0, chance
    return history.meetings(one, other), 0, 0, (history.points[one] - history.points[other]) ** 2, chance


def _by_dealer(seed: str, pair: Pair) -> Pair:
    """Chance decides who deals first."""
    low, high = sorted(pair)
    return (low, high) if drawn_number(seed, high, low) % 2 else (high, low)

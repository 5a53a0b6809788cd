"""Pairs those who wait at a check-in night: the free tables fill up, and the front of the queue goes first.

Who plays last in the queue decides who is passed over. Each possible last one is tried, with the cheapest matching of
those up to there, in which some are paired with a wait instead of an opponent.
"""

from itertools import combinations

from msgspec import Struct

from bookboard.league.matching import Cost, cheapest_matching
from bookboard.league.rounds import Broken, History, Pair, Round, drawn_number

Found = tuple[Cost, list[Pair]]


class Queue(Struct, frozen=True):
    waiting: list[int]
    """Who came first is first."""
    free_tables: int
    overtaken: frozenset[int]
    """Who was passed over last time."""


def pair_queue(history: History, queue: Queue, number: int, seed: str) -> tuple[Round, tuple[int, ...]]:
    """The round, which may have no games, and who was passed over."""
    waiting, overtaken = queue.waiting, queue.overtaken
    games = min(queue.free_tables, len(waiting) // 2)
    if not games:
        return Round(number, ()), ()
    costs: dict[Pair, Cost] = {
        (i, j): (history.meetings(waiting[i], waiting[j]), 0, i + j, drawn_number(seed, waiting[i], waiting[j]))
        for i, j in combinations(range(len(waiting)), 2)
    }
    is_overtaken = [entrant in overtaken for entrant in waiting]
    fewest_meetings = _cheapest(costs, [False] * len(waiting), games, None)[0][0]
    best: Found | None = None
    for last in range(2 * games - 1, len(waiting)):
        if best is not None and best[0][:3] <= (fewest_meetings, 0, last + sum(range(2 * games - 1))):
            break
        found = _cheapest(costs, is_overtaken[: last + 1], games, last)
        best = found if best is None else min(best, found)
    assert best is not None
    playing = {place for pair in best[1] for place in pair}
    passed_over = [waiting[place] for place in range(max(playing)) if place not in playing]
    pairs = [_sides(seed, waiting[i], waiting[j]) for i, j in sorted(best[1])]
    again = tuple(Broken("overtaken", (entrant,)) for entrant in passed_over if entrant in overtaken)
    return Round(number, tuple(pairs), broken=(*history.broken(pairs), *again)), tuple(passed_over)


def _cheapest(costs: dict[Pair, Cost], is_overtaken: list[bool], games: int, last: int | None) -> Found:
    """Of that many games among the first of the queue, `last` being one of those who play."""
    size = len(is_overtaken)
    waits = range(size, 2 * size - 2 * games)
    edges = {pair: cost for pair, cost in costs.items() if max(pair) < size}
    for place, again in enumerate(is_overtaken):
        if place != last:
            edges.update({(place, wait): (0, int(again), 0, 0) for wait in waits})
    matched = cheapest_matching(range(2 * size - 2 * games), edges)
    assert matched is not None, "there are as many waits as are left over"
    total = tuple(map(sum, zip(*(edges[pair] for pair in matched), strict=True)))
    return total, [pair for pair in matched if pair[1] < size]


def _sides(seed: str, one: int, other: int) -> Pair:
    """Chance decides who deals first."""
    return (one, other) if drawn_number(seed, min(one, other), max(one, other), 1) % 2 else (other, one)

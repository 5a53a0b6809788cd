"""The next Swiss round: the cheapest matching of all present.

In a large field most pairs cannot be part of it. Without a look at earlier meetings, neighbours by points are the
cheapest round: a pair that costs more than that, by more than a round that was found among near ones does, is left out.
"""

from collections.abc import Iterator
from itertools import accumulate, combinations

from bookboard.league.matching import Cost, cheapest_matching
from bookboard.league.rounds import History, Pair, Round, drawn_number

NOBODY = -1
"""Stands for the missing opponent of who has the bye."""
NEAR = 10
"""How far apart by points those stand whom the first try pairs."""


def pair_swiss(history: History, present: list[int], number: int, seed: str) -> Round:
    """`present` are at least two."""
    line = sorted(present, key=lambda entrant: (-history.points[entrant], drawn_number(seed, entrant)))
    matched, bye = _few_pairs(history, line) or _all_pairs(history, line)
    pairs = [_by_dealer(seed, pair) for pair in matched]
    pairs.sort(key=lambda pair: (*sorted(-history.points[i] for i in pair), drawn_number(seed, *pair)))
    return Round(number, tuple(pairs), bye, history.broken(pairs, bye))


def _all_pairs(history: History, line: list[int]) -> tuple[list[Pair], int | None]:
    costs: dict[Pair, Cost] = {}
    for i, j in combinations(range(len(line)), 2):
        one, other = line[i], line[j]
        costs[i, j] = (history.meetings(one, other), 0, 0, (history.points[one] - history.points[other]) ** 2, j - i)
    places = [*range(len(line))]
    if len(line) % 2:
        costs.update({(i, NOBODY): (0, history.byes[e], history.points[e], 0, 0) for i, e in enumerate(line)})
        places.append(NOBODY)
    matched = cheapest_matching(places, costs)
    assert matched is not None, "everybody can meet everybody"
    bye = next((line[i] for i, j in matched if j == NOBODY), None)
    return [(line[i], line[j]) for i, j in matched if j != NOBODY], bye


def _few_pairs(history: History, line: list[int]) -> tuple[list[Pair], int | None] | None:
    """None where earlier meetings cannot be avoided so."""
    if len(line) % 2 == 0:
        found = _Field(history, line).cheapest()
        return found and (found[1], None)
    fewest = min((history.byes[entrant], history.points[entrant]) for entrant in line)
    candidates = [i for i, e in enumerate(line) if (history.byes[e], history.points[e]) == fewest]
    fields = {i: _Field(history, line[:i] + line[i + 1 :]) for i in candidates}
    best: tuple[int, list[Pair], int] | None = None
    for i in sorted(candidates, key=lambda i: fields[i].least):
        if best is not None and fields[i].least >= best[0]:
            break
        found = fields[i].cheapest()
        if found is None:
            return None
        if best is None or found[0] < best[0]:
            best = (*found, line[i])
    return best and (best[1], best[2])


def _by_dealer(seed: str, pair: Pair) -> Pair:
    """Chance decides who deals first."""
    low, high = sorted(pair)
    return (low, high) if drawn_number(seed, high, low) % 2 else (high, low)


class _Field:
    """An even number of entrants by points, paired without earlier meetings."""

    def __init__(self, history: History, line: list[int]) -> None:
        self._history = history
        self._line = line
        self._points = [history.points[entrant] for entrant in line]
        self._scale = len(line) ** 3 + 1
        steps = [self._cost(i, i + 1) for i in range(len(line) - 1)]
        # What the neighbours up to a place cost that are paired from an even place on, and from an odd one.
        self._even = [0, *accumulate(step * (i % 2 == 0) for i, step in enumerate(steps))]
        self._odd = [0, *accumulate(step * (i % 2) for i, step in enumerate(steps))]

    def _cost(self, i: int, j: int) -> int:
        """The squared difference of points; among equals, near ones in the drawn line."""
        return (self._points[i] - self._points[j]) ** 2 * self._scale + (j - i) ** 2

    @property
    def least(self) -> int:
        """No round has a smaller sum of squared differences."""
        return self._even[-1] // self._scale

    def cheapest(self) -> tuple[int, list[Pair]] | None:
        """The squared differences and the pairs; None where earlier meetings cannot be avoided among near ones."""
        size = len(self._line)
        near = self._match((i, j) for i in range(size) for j in range(i + 1, min(size, i + NEAR)))
        if near is None:
            return None
        cost, _ = near
        found = self._match((i, j) for i, j in combinations(range(size), 2) if self._with_pair(i, j) <= cost)
        assert found is not None, "what was found among near ones is still allowed"
        return found[0] // self._scale, found[1]

    def _match(self, allowed: Iterator[Pair]) -> tuple[int, list[Pair]] | None:
        costs: dict[Pair, Cost] = {
            (i, j): (self._cost(i, j),) for i, j in allowed if not self._history.meetings(self._line[i], self._line[j])
        }
        matched = cheapest_matching(range(len(self._line)), costs)
        if matched is None:
            return None
        return sum(costs[pair][0] for pair in matched), [(self._line[i], self._line[j]) for i, j in matched]

    def _with_pair(self, i: int, j: int) -> int:
        """The least that a round with this pair can cost: all others play their neighbours in what is left."""
        odd_i, odd_j = i % 2, j % 2
        cost = (
            self._cost(i, j)
            + self._even[i - odd_i]
            + self._even[-1]
            - self._even[min(j + 2 - odd_j, len(self._line) - 1)]
        )
        if j == i + 1:
            return cost + (self._cost(i - 1, j + 1) if odd_i else 0)
        cost += self._odd[j - 2 + odd_j] - self._odd[i + 1 + odd_i]
        cost += self._cost(i - 1, i + 1) if odd_i else 0
        return cost + (0 if odd_j else self._cost(j - 1, j + 1))

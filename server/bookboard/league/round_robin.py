"""A whole round robin by the circle method: in round r, those meet who stand r + k and r - k around the circle.

With an odd number that puts everybody at each table k twice, once as the first side. With an even number one more
stands in the middle and meets whoever has nobody. This game would always be at the same table; it therefore changes
places with another in most rounds, so that everybody gets around.
"""

from collections import Counter
from collections.abc import Iterator

from bookboard.league.rounds import History, Round, drawn_order

FIRST_TABLE = 0
"""Where the middle's game is before it changes places."""


def pair_round_robin(history: History, entrants: list[int], legs: int, seed: str) -> tuple[Round, ...]:
    """`entrants` are at least two."""
    circle = drawn_order(seed, entrants)
    middle = None if len(circle) % 2 else circle.pop()
    swaps = _tables_of_the_middle(len(circle))
    rounds: list[Round] = []
    for leg in range(legs):
        for r, alone in enumerate(circle):
            pairs = [(circle[(r + k) % len(circle)], circle[r - k]) for k in range(1, len(circle) // 2 + 1)]
            if middle is not None:
                pairs.insert(FIRST_TABLE, (middle, alone) if r % 2 else (alone, middle))
                pairs[FIRST_TABLE], pairs[swaps[r]] = pairs[swaps[r]], pairs[FIRST_TABLE]
            if leg % 2:
                pairs = [(second, first) for first, second in pairs]
            bye = alone if middle is None else None
            # In the second leg everybody has met and had a bye: no promise is broken by it.
            broken = () if leg else history.broken(pairs, bye)
            rounds.append(Round(len(rounds) + 1, tuple(pairs), bye, broken))
    return tuple(rounds)


def _tables_of_the_middle(size: int) -> list[int]:
    """The table, counted from 0, at which the middle plays in each round.

    The step 2 around the circle gives everybody each table twice and one table once, unless 3 divides the size: then a
    few rounds are changed for the better until no two tables differ by more than two.
    """
    swaps = [min(2 * r % size, -2 * r % size) for r in range(size)]
    if size % 3:
        return swaps
    seats = _Seats(swaps)
    while size > 3 and not seats.are_even():
        seats.improve()
    return seats.swaps


class _Seats:
    """How often everybody plays at each table, the middle as the last, and what a change of one round does to it."""

    def __init__(self, swaps: list[int]) -> None:
        self.swaps = swaps
        others = [2] * (len(swaps) // 2)
        self._counts = [[1, *others] for _ in swaps] + [[len(swaps), *[0] * len(others)]]
        for r, table in enumerate(swaps):
            for entrant, at, change in self._moves(r, table, 1):
                self._counts[entrant][at] += change

    def are_even(self) -> bool:
        return all(max(counts) - min(counts) <= 2 for counts in self._counts)

    def improve(self) -> None:
        """Move the middle in each round to where the counts become most alike."""
        for r in range(len(self.swaps)):
            changes = {table: self._changes(r, table) for table in range(len(self._counts[0]))}
            best = min(changes, key=lambda table: (self._gain(changes[table]), table))
            for (entrant, at), change in changes[best].items():
                self._counts[entrant][at] += change
            self.swaps[r] = best

    def _changes(self, r: int, table: int) -> Counter[tuple[int, int]]:
        """To the counts, by entrant and table, if the middle moves to this table in round r."""
        changes: Counter[tuple[int, int]] = Counter()
        for entrant, at, change in (*self._moves(r, self.swaps[r], -1), *self._moves(r, table, 1)):
            changes[entrant, at] += change
        return changes

    def _gain(self, changes: Counter[tuple[int, int]]) -> int:
        """The lower, the better; far from two counts for much more than near it."""
        return sum(
            (self._counts[entrant][at] + change - 2) ** 4 - (self._counts[entrant][at] - 2) ** 4
            for (entrant, at), change in changes.items()
        )

    def _moves(self, r: int, table: int, sign: int) -> Iterator[tuple[int, int, int]]:
        """What the swap of round r changes for the two couples that it moves."""
        size = len(self.swaps)
        for entrant in (r, size):
            yield entrant, FIRST_TABLE, -sign
            yield entrant, table, sign
        for entrant in ((r + table) % size, (r - table) % size) if table else ():
            yield entrant, table, -sign
            yield entrant, FIRST_TABLE, sign

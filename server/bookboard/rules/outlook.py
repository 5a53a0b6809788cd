"""What a hand in play holds for each side: the engine run over every way the books can fall, and nothing else."""

from collections import defaultdict

from msgspec import Struct

from bookboard.rules.model import Entry, RecordError
from bookboard.rules.sheet import Sheet

WIN, LOSE = "win", "lose"


class Prospect(Struct, frozen=True):
    """With `low` to `high` books this side would `win` or `lose` the game, or get a line of a rule (`made`, `set`)."""

    what: str
    low: int
    high: int


def outlook(sheet: Sheet, in_play: Entry, time_expired_after: int | None) -> dict[str, list[Prospect]]:
    """Each side's prospects by its own books, nils taken as held; empty until the books are all that is open."""
    found: dict[str, defaultdict[str, list[int]]] = {side: defaultdict(list) for side in sheet.sides}
    for possible in sheet.possible(in_play):
        try:
            sides, outcome = sheet.trial(possible, time_expired_after)
        except RecordError:
            continue
        winner = None if outcome is None else outcome.winner
        for side, books in possible.books.items():
            happens = found[side]
            for line in sides[side].lines:
                happens[line.rule].append(books)
            if winner is not None:
                happens[WIN if winner == side else LOSE].append(books)
    return {
        side: [Prospect(what, low, high) for what, books in happens.items() for low, high in _runs(books)]
        for side, happens in found.items()
        if happens
    }


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """The numbers, in any order, as runs without gaps: 1, 2, 5 is 1 to 2 and 5 to 5."""
    low, high, count = min(numbers), max(numbers), len(numbers)
    if high - low < count and len(set(numbers)) == high - low + 1:
        return [(low, high)]
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs

"""What a hand in play holds for each side: the engine run over every way the books can fall, and nothing else."""

from collections import defaultdict

from msgspec import Struct

from bookboard.rules.model import Entry
from bookboard.rules.sheet import Sheet

WIN = "win"


class Prospect(Struct, frozen=True):
    """With `low` to `high` books this side would `win` the game, or get a line of a rule that its game foretells."""

    what: str
    low: int
    high: int


def outlook(sheet: Sheet, in_play: Entry, time_expired_after: int | None) -> dict[str, list[Prospect]]:
    """Each side's prospects by its own books, nils taken as held; empty until the books are all that is open."""
    found: dict[str, defaultdict[str, list[int]]] = {side: defaultdict(list) for side in sheet.sides}
    foretold = sheet.game.foretold
    for possible in sheet.possible(in_play) if sheet.outcome is None else ():
        sides, outcome = sheet.trial(possible, time_expired_after)
        if outcome is not None and outcome.winner is not None:
            found[outcome.winner][WIN].append(possible.books[outcome.winner])
        for side, result in sides.items():
            for line in result.lines:
                if line.rule in foretold:
                    found[side][line.rule].append(possible.books[side])
    return {
        side: [Prospect(what, low, high) for what, books in happens.items() for low, high in _runs(books)]
        for side, happens in found.items()
        if happens
    }


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """The numbers as runs without gaps: 1, 2, 5 is 1 to 2 and 5 to 5."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs

"""What a hand in play holds for each side: the engine run over every way the books can fall, and nothing else."""

from collections import defaultdict

from msgspec import Struct

from bookboard.rules.model import Entry
from bookboard.rules.sheet import Sheet

WIN = "win"


class Prospect(Struct, frozen=True):
    """With `low` to `high` books this side would `win` the game, or get a line of a rule that its game foretells.

    `nils` are the seats whose nil has to hold for it.
    """

    what: str
    low: int
    high: int
    nils: tuple[str, ...] = ()


def forecast(sheet: Sheet, in_play: Entry, time_expired_after: int | None) -> dict[str, list[Prospect]]:
    """Each side's prospects by its own books; empty until the books, and whether nils hold, are all that is open."""
    found: dict[str, defaultdict[tuple[str, tuple[str, ...]], list[int]]] = {
        side: defaultdict(list) for side in sheet.sides
    }
    for possible in sheet.possible(in_play) if sheet.outcome is None else ():
        failures = [(seats, _brought(sheet, hand, time_expired_after)) for seats, hand in possible.failures]
        for side, what in _brought(sheet, possible.hand, time_expired_after):
            nils = _needed([seats for seats, brought in failures if (side, what) not in brought])
            found[side][what, nils].append(possible.books[side])
    return {
        side: [Prospect(what, low, high, nils) for (what, nils), books in happens.items() for low, high in _runs(books)]
        for side, happens in found.items()
        if happens
    }


def _brought(sheet: Sheet, hand: object, time_expired_after: int | None) -> set[tuple[str, str]]:
    """Which side a hand would bring what."""
    sides, outcome = sheet.trial(hand, time_expired_after)
    brought = {
        (side, line.rule)
        for side, result in sides.items()
        for line in result.lines
        if line.rule in sheet.game.forecast_rules
    }
    if outcome is not None and outcome.winner is not None:
        brought.add((outcome.winner, WIN))
    return brought


def _needed(broken_by: list[frozenset[str]]) -> tuple[str, ...]:
    """The seats in the smallest sets: where one nil's failure is enough, another's beside it says nothing."""
    smallest = (seats for seats in broken_by if not any(other < seats for other in broken_by))
    return tuple(sorted({seat for seats in smallest for seat in seats}))


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """The numbers as runs without gaps: 1, 2, 5 is 1 to 2 and 5 to 5."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs

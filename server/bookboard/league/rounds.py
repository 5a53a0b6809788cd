"""What all pairing methods share: rounds, the history they look back at, and chance that a seed decides."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product
from typing import Literal

from msgspec import Struct

from bookboard.league.record import LeagueRecord

Pair = tuple[int, int]


class Broken(Struct, frozen=True):
    """A promise that could not be kept, and the entrants it concerns."""

    promise: Literal["met_before", "second_bye", "overtaken"]
    entrants: tuple[int, ...]


class Round(Struct, frozen=True):
    number: int
    pairs: tuple[Pair, ...]
    """By table; the first of a pair deals first."""
    bye: int | None = None
    broken: tuple[Broken, ...] = ()


class Pairing(Struct, frozen=True):
    record: LeagueRecord
    rounds: tuple[Round, ...]
    passed_over: tuple[int, ...] | None = None
    """Of a queue only."""
    champion: int | None = None


class History:
    """Points (2 for a win, 1 for a draw), byes and meetings so far."""

    def __init__(self, record: LeagueRecord) -> None:
        self.points: Counter[int] = Counter()
        self.byes = Counter(bye.entrant for bye in record.byes)
        self._meetings: Counter[frozenset[int]] = Counter()
        for game in record.counted_games:
            for i, side in enumerate(game.sides):
                self.points.update(dict.fromkeys(side, 2 * (game.winner == i) + game.is_drawn))
            for one, other in combinations(game.sides, 2):
                self._meetings.update(frozenset(pair) for pair in product(one, other))
        if record.byes_win:
            self.points.update({entrant: 2 * byes for entrant, byes in self.byes.items()})

    def meetings(self, one: int, other: int) -> int:
        return self._meetings[frozenset((one, other))]

    def broken(self, pairs: Iterable[Pair], bye: int | None = None) -> tuple[Broken, ...]:
        """Each pair that has met before, and who has had a bye before."""
        again = [Broken("met_before", pair) for pair in pairs if self.meetings(*pair)]
        if bye is not None and self.byes[bye]:
            again.append(Broken("second_bye", (bye,)))
        return tuple(again)


def last_round(record: LeagueRecord) -> int:
    return max([0, *(game.round for game in record.games), *(bye.round for bye in record.byes)])


def drawn_number(seed: str, *entrants: int) -> int:
    """64 bits that depend on the seed and the entrants alone."""
    text = ":".join([*map(str, entrants), seed])
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])


def drawn_order(seed: str, entrants: Iterable[int]) -> list[int]:
    return sorted(entrants, key=lambda entrant: (drawn_number(seed, entrant), entrant))

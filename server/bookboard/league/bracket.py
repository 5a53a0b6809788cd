"""Brackets: who can play next in a single or double elimination, and who has won it.

Every place in a bracket is an entrant, `EMPTY` for good, or `OPEN` until games decide it. The games of the record are
taken in their order, each by the first match between its two that has none yet.
"""

from collections import Counter
from collections.abc import Mapping

from bookboard.league.record import LeagueRecord
from bookboard.league.rounds import Pair, Pairing, Round, last_round

EMPTY = -1
"""Nobody comes here: there are fewer entrants than places, or nobody went through."""
OPEN = -2
"""Games still have to decide who comes here."""


def pair_bracket(record: LeagueRecord, seeds: list[int], *, is_double: bool) -> Pairing:
    """What can be played next; `seeds` are all entrants, the strongest first."""
    matches = _Matches(record)
    level = [seeds[place] if place < len(seeds) else EMPTY for place in standard_order(len(seeds))]
    champion = _double(matches, level) if is_double else _single(matches, level)
    if matches.ready:
        return Pairing(record, (Round(last_round(record) + 1, tuple(matches.ready)),))
    return Pairing(record, (), champion=champion if champion >= 0 else None)


def standard_order(entrants: int) -> list[int]:
    """Seeds from 0 by their places in the bracket: 1 meets the last, 1 and 2 only in the final."""
    order = [0]
    while len(order) < entrants:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


class _Matches:
    """Plays matches by the record, and collects those that nobody has played yet."""

    def __init__(self, record: LeagueRecord) -> None:
        self.ready: list[Pair] = []
        self._withdrawn: Mapping[int, str] = record.withdrawn
        self._games: dict[frozenset[int], list[int]] = {}
        """The winners of each pair's games that decided something; EMPTY for a double forfeit."""
        for game in record.counted_games:
            if game.is_drawn:
                continue
            (one, *_), (other, *_) = game.sides
            winner = EMPTY if game.winner is None else (one, other)[game.winner]
            self._games.setdefault(frozenset((one, other)), []).append(winner)
        self._used: Counter[frozenset[int]] = Counter()

    def play(self, one: int, other: int) -> Pair:
        """The winner and the loser."""
        if OPEN in (one, other):
            return OPEN, OPEN
        if EMPTY in (one, other):
            return max(one, other), EMPTY
        pair = frozenset((one, other))
        games = self._games.get(pair, [])
        if self._used[pair] < len(games):
            winner = games[self._used[pair]]
            self._used[pair] += 1
            return self._result(one, other, winner)
        if one in self._withdrawn or other in self._withdrawn:
            staying = [each for each in (one, other) if each not in self._withdrawn]
            return self._result(one, other, staying[0] if staying else EMPTY)
        self.ready.append((one, other))
        return OPEN, OPEN

    @staticmethod
    def _result(one: int, other: int, winner: int) -> Pair:
        return winner, EMPTY if winner == EMPTY else one + other - winner


def _play_level(matches: _Matches, level: list[int]) -> list[Pair]:
    return [matches.play(one, other) for one, other in zip(level[::2], level[1::2], strict=True)]


def _single(matches: _Matches, level: list[int]) -> int:
    while len(level) > 1:
        level = [winner for winner, _ in _play_level(matches, level)]
    return level[0]


def _double(matches: _Matches, upper: list[int]) -> int:
    """Who loses in the upper bracket goes on in the lower one; who loses there is out."""
    lower: list[int] = []
    turned_round = False
    while len(upper) > 1:
        results = _play_level(matches, upper)
        upper = [winner for winner, _ in results]
        dropped = [loser for _, loser in results]
        if lower:
            # Every other time from the far end, so that nobody meets at once whom they have just met.
            turned_round = not turned_round
            dropped = dropped[::-1] if turned_round else dropped
            lower = [place for pair in zip(lower, dropped, strict=True) for place in pair]
            lower = [winner for winner, _ in _play_level(matches, lower)]
        else:
            lower = dropped
        if len(lower) > 1:
            lower = [winner for winner, _ in _play_level(matches, lower)]
    winner, loser = matches.play(upper[0], lower[0])
    if loser >= 0 and loser == upper[0]:  # the first game the unbeaten one has lost
        winner, _ = matches.play(upper[0], lower[0])
    return winner

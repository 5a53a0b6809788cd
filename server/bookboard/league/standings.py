"""Standings: what each entrant has played, won and scored, who stands where, and what put them there.

A group of level entrants is asked one criterion after another. Where a criterion separates it, each part that is
still level is asked on: from the same criterion where it was head-to-head, among themselves only, else from the next.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from bookboard.league.record import Game, LeagueRecord

Values = tuple[Fraction, Fraction]


class Tally(Struct):
    """One entrant's games that count, summed up."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    points: int = 0
    point_differential: int = 0
    games: list[tuple[int, Game]] = []
    """With the index of the entrant's own side."""

    @property
    def percentage(self) -> Fraction:
        return Fraction(2 * self.won + self.drawn, 2 * self.played) if self.played else Fraction(0)


class Reason(Struct, frozen=True):
    """What put an entrant above the next: the criterion, both values, and everybody who was asked with them."""

    criterion: str
    values: Values
    asked: tuple[int, ...]


class Standing(Struct, frozen=True):
    place: int
    entrant: int
    tally: Tally
    over_next: Reason | None


class Standings(Struct, frozen=True):
    record: LeagueRecord
    rows: tuple[Standing, ...]


def standings_of(record: LeagueRecord) -> Standings:
    tallies = tally_games(record)
    ask = _Criteria(tallies)
    started = [i for i in record.active if tallies[i].played]
    waiting = [i for i in record.active if not tallies[i].played]
    ranked = _rank(started, record.criteria, ask)
    if started and waiting:
        level, _ = ranked[-1]
        played = Fraction(tallies[level[-1]].played)
        ranked[-1] = (level, Reason("played", (played, Fraction(0)), ()))
    ranked += _rank(waiting, record.criteria, ask)
    rows: list[Standing] = []
    for level, reason in ranked:
        place = len(rows) + 1
        rows += [Standing(place, i, tallies[i], reason if i == level[-1] else None) for i in level]
    return Standings(record, tuple(rows))


# Sums


def tally_games(record: LeagueRecord) -> list[Tally]:
    """For every entrant, those who have withdrawn included."""
    tallies = [Tally() for _ in record.entrants]
    for game in record.counted_games:
        for i, side in enumerate(game.sides):
            for entrant in side:
                _add_game(tallies[entrant], game, i, record.forfeit_margin)
    if record.byes_win:
        for bye in record.byes:
            tallies[bye.entrant].played += 1
            tallies[bye.entrant].won += 1
    for adjustment in record.adjustments:
        tallies[adjustment.entrant].points += adjustment.points
        tallies[adjustment.entrant].point_differential += adjustment.points
    return tallies


def _add_game(tally: Tally, game: Game, own: int, forfeit_margin: int) -> None:
    tally.games.append((own, game))
    tally.played += 1
    tally.won += game.winner == own
    tally.drawn += game.is_drawn
    tally.lost += game.winner != own and not game.is_drawn
    if game.forfeited:
        tally.point_differential += -forfeit_margin if own in game.forfeited else forfeit_margin
    else:
        best_other = max(score for i, score in enumerate(game.scores) if i != own)
        tally.points += game.scores[own]
        tally.point_differential += game.scores[own] - best_other


# Criteria


class _Criteria:
    """The value of each of a level group by a criterion, or None where the criterion decides nothing."""

    def __init__(self, tallies: list[Tally]) -> None:
        self._tallies = tallies
        self._opponents: dict[int, Fraction] = {}
        self._simple: dict[str, Callable[[int], Fraction]] = {
            "percentage": lambda i: tallies[i].percentage,
            "wins": lambda i: Fraction(tallies[i].won),
            "net_wins": lambda i: Fraction(tallies[i].won - tallies[i].lost),
            "points": lambda i: Fraction(tallies[i].points),
            "point_differential": lambda i: Fraction(tallies[i].point_differential),
            "opponents": self._mean_of_opponents,
        }

    def values(self, criterion: str, level: list[int]) -> dict[int, Fraction] | None:
        if criterion == "head_to_head":
            return self._head_to_head(level)
        value = self._simple[criterion]
        return {i: value(i) for i in level}

    def _head_to_head(self, level: list[int]) -> dict[int, Fraction] | None:
        among = {i: head_to_head(self._tallies[i], level) for i in level}
        if any(not tally.played for tally in among.values()):
            return None
        return {i: tally.percentage for i, tally in among.items()}

    def _mean_of_opponents(self, entrant: int) -> Fraction:
        if entrant not in self._opponents:
            met = [
                self._tallies[other].percentage
                for own, game in self._tallies[entrant].games
                for i, side in enumerate(game.sides)
                if i != own
                for other in side
            ]
            self._opponents[entrant] = sum(met, Fraction(0)) / len(met) if met else Fraction(0)
        return self._opponents[entrant]


def head_to_head(tally: Tally, level: Iterable[int]) -> Tally:
    """The games in which the entrant met somebody of the group on the other side."""
    group = set(level)
    among = Tally()
    for own, game in tally.games:
        if not group.isdisjoint(game.sides[1 - own]):
            _add_game(among, game, own, 0)
    return among


def _rank(group: list[int], criteria: tuple[str, ...], ask: _Criteria) -> list[tuple[list[int], Reason | None]]:
    """The group in its order, by shared places, each with what put it above the next."""
    ranked: list[tuple[list[int], Reason | None]] = []
    # A stack instead of recursion: head-to-head may split off one entrant at a time.
    to_ask: list[tuple[list[int], int, Reason | None]] = [(group, 0, None)] if group else []
    while to_ask:
        level, i, over_next = to_ask.pop()
        parts, i = _separate(level, i, criteria, ask)
        if len(parts) == 1:
            ranked.append((level, over_next))
            continue
        again = i if criteria[i] == "head_to_head" else i + 1
        reasons = [Reason(criteria[i], (value, below), tuple(level)) for (value, _), (below, _) in pairwise(parts)]
        found = [(part, again, why) for (_, part), why in zip(parts, [*reasons, over_next], strict=True)]
        to_ask += reversed(found)
    return ranked


def _separate(
    level: list[int], i: int, criteria: tuple[str, ...], ask: _Criteria
) -> tuple[list[tuple[Fraction, list[int]]], int]:
    """The parts by the first criterion from `i` on that separates them, the best first, and its index."""
    while len(level) > 1 and i < len(criteria):
        values = ask.values(criteria[i], level)
        if values is not None and len(set(values.values())) > 1:
            parts: dict[Fraction, list[int]] = {}
            for entrant in level:
                parts.setdefault(values[entrant], []).append(entrant)
            return sorted(parts.items(), reverse=True), i
        i += 1
    return [(Fraction(0), level)], i

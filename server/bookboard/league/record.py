"""The league record as the arithmetic works with it: entrants by their index, games with their sides."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Side = tuple[int, ...]
"""The entrants of one side, as indexes into `entrants`."""
Departure = Literal["keep", "annul"]
TWO_SIDES = 2


class Game(Struct, frozen=True):
    """A finished game. `scores` is empty for a forfeit; `winner` is None for a draw and for a double forfeit."""

    sides: tuple[Side, ...]
    scores: tuple[int, ...]
    winner: int | None
    forfeited: frozenset[int] = frozenset()
    """The indexes of the sides that did not play."""
    round: int = 0

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(entrant for side in self.sides for entrant in side)

    @property
    def is_drawn(self) -> bool:
        return self.winner is None and not self.forfeited


class Bye(Struct, frozen=True):
    entrant: int
    round: int = 0


class Adjustment(Struct, frozen=True):
    entrant: int
    points: int


class LeagueRecord(Struct, frozen=True):
    entrants: tuple[str, ...]
    games: tuple[Game, ...] = ()
    byes: tuple[Bye, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    withdrawn: Mapping[int, Departure] = {}
    byes_win: bool = False
    forfeit_margin: int = 0
    criteria: tuple[str, ...] = ()

    @property
    def counted_games(self) -> tuple[Game, ...]:
        """Without the games of those whose results were annulled."""
        annulled = {entrant for entrant, departure in self.withdrawn.items() if departure == "annul"}
        return tuple(game for game in self.games if annulled.isdisjoint(game.players))

    @property
    def active(self) -> tuple[int, ...]:
        """Who has not withdrawn, in the order of `entrants`."""
        return tuple(i for i in range(len(self.entrants)) if i not in self.withdrawn)

    @property
    def has_more_than_two_sides(self) -> bool:
        return any(len(game.sides) > TWO_SIDES for game in self.games)

"""The words every game is made of: lines that explain points, hands scored, outcomes, and what is wrong with a hand.

A game (see `game.py`) turns entries, which are hands as people enter them, into these. Nothing here knows a game.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from bookboard.rules.codes import RecordCode

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # msgspec knows no recursive types; the codecs let nothing else in
Entry: TypeAlias = dict[str, Json]
"""One hand as the game record writes it, complete or still in play: `{"bids": {...}, "books": {...}}`."""

Fact: TypeAlias = "bool | int | str | None"
Facts: TypeAlias = Mapping[str, Fact]


class Line(Struct, frozen=True, gc=False):
    """One reason for points: the rule that gave or took them, and the facts its sentence is made from."""

    rule: str
    points: int
    facts: Facts = {}


class SideResult(Struct, frozen=True, gc=False):
    """What one hand did to one side. `figures` are the game's own (Spades: bags, bags_total, set)."""

    points: int
    score: int
    lines: tuple[Line, ...]
    figures: Facts = {}


class Possible(Struct, frozen=True, gc=False):
    """A hand as it may turn out: the books by side, and the hand as the game reads it."""

    books: Mapping[Any, int]
    hand: Any
    failures: tuple[tuple[frozenset[str], Any], ...] = ()
    """The same books where the nils of these seats fail, each way they can: whose, and the hand as it is then."""


class Outcome(Struct, frozen=True, gc=False):
    """How a game ended. No winner: the host ended it while no side led alone."""

    winner: str | None
    reason: str


class RecordError(Exception):
    """A hand, a setting or a record that cannot be scored, by the codes of the game record's contract.

    `field` is a dotted path within the hand, the settings or the record (`bids.west`); `hand` counts from 1 and is
    filled in by whoever knows it. The sentence for people is made from `code` and `facts` where it is shown.
    """

    def __init__(
        self, code: RecordCode, field: str | None = None, facts: Facts | None = None, hand: int | None = None
    ) -> None:
        super().__init__(code, field, hand)
        self.code = code
        self.field = field
        self.facts: Facts = facts or {}
        self.hand = hand

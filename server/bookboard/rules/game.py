"""A game is a record of functions over its own settings, hands and carry; `catalogue.py` lists the games.

`score` folds hands: `score(settings, carry, hand)` explains one hand in lines and returns the carry for the next. A
total is only ever a sum of lines. Everything outside this package works with a `Sheet` (see `sheet.py`), never with
a game's own types.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from bookboard.rules.model import Entry, Fact, Json, Outcome, Possible, SideResult

S = TypeVar("S")
H = TypeVar("H")
C = TypeVar("C")

Sides = tuple[str, ...]


class Choice(Struct, frozen=True):
    value: Json
    label: str


class Setting(Struct, frozen=True, kw_only=True):
    """One setting, declared once: form, JSON schema, messages, the rules page and the reference are made from it.

    Offered are `choices`, in display order, and where `low` and `high` are given every whole number between them.
    `hidden_when` lists conditions, any of which hides the setting; each maps other settings to the value that hides.
    """

    key: str
    label: str
    group: str
    help: str
    source: str
    """Document and heading, as `Spades rules, section Bag penalty`."""
    default: Json
    choices: tuple[Choice, ...]
    low: int | None = None
    high: int | None = None
    unit: str = ""
    hidden_when: tuple[Mapping[str, Json], ...] = ()
    idle_when: tuple[Mapping[str, Json], ...] | None = None
    """When it changes no result, where that is not when it is hidden."""
    text: str = ""
    """Where its sentences stand in the texts, if not under its key: a setting may mean another thing in each game."""

    def offers(self, value: Json) -> bool:
        """Whether the setting may have this value; true is not 1, and 5.0 is not 5."""
        if type(value) is int and self.low is not None and self.high is not None and self.low <= value <= self.high:
            return True
        return any(type(choice.value) is type(value) and choice.value == value for choice in self.choices)


class Field(Struct, frozen=True, kw_only=True):
    """One member of a hand as a person enters it, for pages that have no form of their own for the game.

    `side`: one of the sides; `choice`: one of the choices; `number`: from low to high; `numbers`: one for every side.
    """

    member: str
    label: str
    kind: Literal["side", "choice", "number", "numbers"]
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 13
    optional: bool = False


class Preset(Struct, frozen=True):
    key: str
    label: str
    settings: Mapping[str, Json]


class HandResult(Struct, Generic[C], frozen=True, gc=False):
    """A hand's points by side, each explained by lines that add up to them, and the carry for the next hand."""

    sides: dict[str, SideResult]
    carry: C


class Game(Struct, Generic[S, H, C], frozen=True, kw_only=True):
    """One game: adding one is a module with such a record, and its line in the catalogue."""

    key: str
    version: int
    title: str
    settings: tuple[Setting, ...]
    presets: tuple[Preset, ...] = ()
    line_rules: tuple[str, ...]
    """The names its lines use, for the reference and for the texts that explain them."""
    reasons: tuple[str, ...]
    """The reasons its outcomes give."""
    fields: tuple[Field, ...] = ()
    """How a hand is entered where the pages have no form of their own for the game."""
    overrides: tuple[str, ...] = ()
    """The checks a host may override: what `allowed` in a hand may hold."""
    basics: tuple[str, ...] = ()
    """The names of the sentences that hold at every table, for the rules in words."""
    explained_by: Mapping[str, tuple[str, ...]] = {}
    """The settings or basics behind a line's rule or an outcome's reason: of several, the first in force.

    What is not listed is explained by the setting or sentence of the same name."""
    players: tuple[int, int] | None = None
    """The fewest and the most that may play, where every player is a side."""
    seats: tuple[str, ...] = ()
    """The seats in the order of the deal; empty where every player is a side."""

    has_time_limit: bool = False
    """Whether a record of this game may say when its time ran out."""

    read_settings: Callable[[Mapping[str, Json]], S]
    """Settings from those that differ from the defaults. Raises unknown_setting, invalid_setting."""
    read_sides: Callable[[Json], Sides]
    """The sides from the record's `players` (None where left out). Raises invalid_players, unknown_field."""
    begin: Callable[[S, Sides], C]
    read_hand: Callable[[S, C, Entry], H]
    """A complete hand, shape and names and all checks against settings and carry, in the contract's order of errors."""
    score: Callable[[S, C, H], HandResult[C]]
    finish: Callable[[S, C, int | None], Outcome | None]
    """The outcome after the carry's last hand, given how many hands had been scored when the time ran out."""
    best: Callable[[Iterable[int]], int] = max
    """Of the scores, the one that leads; `min` where the lowest wins."""

    note: Callable[[S, C, Entry, Entry], Entry]
    """Lay a part (`{"bids": {"west": 4}}`) over the hand in play: mappings merge, null removes, the rest replaces.

    Returns the new hand in play. It is checked as far as it goes: what is there must be in shape and range; a side
    whose bid is complete must be allowed to make it; what only a complete hand can break is left for `read_hand`."""
    ends_at_once: Callable[[S, Entry], bool] = lambda _settings, _in_play: False
    """This hand in play ends the game as it stands (Spades: a renege under automatic loss)."""
    dealer: Callable[[S, C, Entry], str]
    """Who deals the carry's next hand."""
    bidding_order: Callable[[S, C], tuple[str, ...]] = lambda _settings, _carry: ()
    """The seats of the next hand in bidding order, or () where the game has no such order."""
    missing_members: Callable[[S, C, Entry], tuple[str, ...]]
    """The members the hand in play still needs, in the order they are entered: ("bids", "books")."""
    possible: Callable[[S, C, Entry], tuple[Possible, ...]] = lambda _settings, _carry, _in_play: ()
    """What the hand in play can still become once all it lacks are the books; () before, or if books do not decide."""
    forecast_rules: frozenset[str] = frozenset()
    """The rules whose lines are told beforehand, with the books that lead to them."""
    standing: Callable[[S, C], dict[str, dict[str, Fact]]]
    """What a board shows of each side beside its score (Spades: bags, penalties, sets, may_bid_blind)."""
    time_limit_minutes: Callable[[S], int | None] = lambda _settings: None
    """The time limit, or None where the table or the game has none."""

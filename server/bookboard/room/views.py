"""What screens are sent of a room, and what of it an event changed. Secrets never enter a view.

A view is made of sections. A snapshot holds them all; an event's `Changes` holds those that it changed, and of the hands
only the tail from the first that differs.
"""

from bookboard.room.state import HandInPlay, Room
from bookboard.rules.model import Entry, Fact, Json, Outcome, SideResult
from msgspec import UNSET, Struct, UnsetType


class TableView(Struct, frozen=True):
    code: str
    name: str
    host: str
    """Person id."""


class PeopleView(Struct, frozen=True):
    names: dict[str, str]
    """By person id."""
    seats: dict[str, str]
    """Person id by seat."""
    sides: dict[str, str]
    """The sides' own names; a side that has none is left out."""


class RulesView(Struct, frozen=True):
    key: str
    version: int
    title: str
    settings: dict[str, Json]
    """Every setting, defaults included."""
    fingerprint: str
    """Four characters: the same for the same rules."""


class ByView(Struct, frozen=True):
    """Who, and when (ms since 1970)."""

    by: str
    at: int


class GameView(Struct, frozen=True):
    number: int
    phase: str
    """`waiting` (not started), `playing`, `over`."""
    sides: list[str]
    seats: list[str]
    started_at: int | None
    scores: dict[str, int]
    standing: dict[str, dict[str, Fact]]
    """What the board shows of each side beside its score (Spades: bags_shown, bag_limit, bag_penalties, sets …)."""
    outcome: Outcome | None
    ended_by_host: ByView | None


class ClockView(Struct, frozen=True):
    """All None: no time limit, or not started. `last_hand`: time is up and the game goes on; `extra`: past the last hand."""

    deadline: int | None
    left: int | None
    expired_after: int | None
    last_hand: bool
    extra: bool


class InPlayView(Struct, frozen=True):
    hand: int
    dealer: str
    order: list[str]
    """Seats in bidding order."""
    wants: list[str]
    """The members still to be entered, in order: `bids`, `books`."""
    entry: Entry
    noted_by: dict[str, ByView]
    """By part: `bids.west`, `reneges`."""


class HandView(Struct, frozen=True):
    number: int
    dealer: str
    entry: Entry
    sides: dict[str, SideResult]
    entered: ByView
    corrected: ByView | None


class PastGameView(Struct, frozen=True):
    number: int
    key: str
    scores: dict[str, int]
    winner: str | None
    reason: str | None


class View(Struct, frozen=True):
    table: TableView
    people: PeopleView
    rules: RulesView
    game: GameView
    clock: ClockView
    in_play: InPlayView
    hands: list[HandView]
    past: list[PastGameView]


class HandsChange(Struct, frozen=True):
    """Keep the first `keep` hands and put these after them."""

    keep: int
    hands: list[HandView]


class Changes(Struct, frozen=True, omit_defaults=True):
    """The sections an event changed; what is left out stays as it was."""

    table: TableView | UnsetType = UNSET
    people: PeopleView | UnsetType = UNSET
    rules: RulesView | UnsetType = UNSET
    game: GameView | UnsetType = UNSET
    clock: ClockView | UnsetType = UNSET
    in_play: InPlayView | UnsetType = UNSET
    hands: HandsChange | UnsetType = UNSET
    past: list[PastGameView] | UnsetType = UNSET

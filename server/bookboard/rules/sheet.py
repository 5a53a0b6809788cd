"""The score sheet: one game's hands, folded. The only door through which rooms and records reach the rules."""

from bookboard.rules.game import Game
from bookboard.rules.model import Entry, Fact, Json, Outcome, SideResult
from msgspec import Struct


class ScoredHand(Struct, frozen=True):
    number: int
    dealer: str
    entry: Entry
    sides: dict[str, SideResult]


class Sheet(Struct, frozen=True):
    """A game so far. Immutable: every method that changes something returns another sheet.

    Raises RecordError, with `hand` filled in, for what cannot be scored.
    """

    @property
    def game(self) -> Game: ...
    @property
    def settings(self) -> dict[str, Json]:  # complete, defaults included
        ...
    @property
    def sides(self) -> tuple[str, ...]: ...
    @property
    def hands(self) -> tuple[ScoredHand, ...]: ...
    @property
    def scores(self) -> dict[str, int]: ...
    @property
    def outcome(self) -> Outcome | None:
        """What the rules decided; None while the game goes on."""
    def leader(self) -> str | None:
        """The sole leader."""
    def add(self, entry: Entry, time_expired_after: int | None) -> "Sheet":
        """With one more hand. Raises game_over after the end."""
    def back_to(self, count: int) -> "Sheet":
        """With the first `count` hands only."""
    # the next hand
    def dealer(self, in_play: Entry) -> str: ...
    def bidding_order(self) -> tuple[str, ...]: ...
    def wants(self, in_play: Entry) -> tuple[str, ...]: ...
    def note(self, in_play: Entry, part: Entry) -> Entry: ...
    def ends_at_once(self, in_play: Entry) -> bool: ...
    def standing(self) -> dict[str, dict[str, Fact]]: ...
    def time_limit_minutes(self) -> int | None: ...


def open_sheet(game: str, settings: dict[str, Json], players: Json = None) -> Sheet:
    """An empty sheet. Raises unknown_game, unknown_setting, invalid_setting, invalid_players."""

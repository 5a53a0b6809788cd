"""The score sheet: one game's hands, folded. The only door through which rooms and records reach the rules."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field, json, structs

from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.model import Entry, Fact, Json, Outcome, Possible, RecordError, SideResult


class ScoredHand(Struct, frozen=True):
    number: int
    dealer: str
    entry: Entry
    sides: dict[str, SideResult]


class Tried:
    """The hand that was added to a sheet last, and what came of it: a hand is decided on, planned and recorded in turn.

    No part of the sheet's value: any two are equal.
    """

    __slots__ = ("kept",)

    def __init__(self) -> None:
        self.kept: tuple[tuple[Entry, int | None], Sheet] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tried)

    __hash__ = None  # type: ignore[assignment]

    def keep(self, entry: Entry, time_expired_after: int | None, sheet: "Sheet") -> "Sheet":
        self.kept = (entry, time_expired_after), sheet
        return sheet

    def find(self, entry: Json, time_expired_after: int | None) -> "Sheet | None":
        if self.kept is None:
            return None
        (before, sheet), asked = self.kept, (entry, time_expired_after)
        if before != asked:
            return None
        # For Python 1, 1.0 and True are equal; for the rules they are not.
        same = before[0] is entry or json.encode(before) == json.encode(asked)
        return sheet if same else None


class Replayed:
    """The hands that were played again last from somewhere in a sheet, and what came of it.

    A correction is decided on, planned and recorded in turn. No part of the sheet's value: any two are equal.
    """

    __slots__ = ("kept",)

    def __init__(self) -> None:
        self.kept: tuple[int, list[Entry], int | None, Sheet] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Replayed)

    __hash__ = None  # type: ignore[assignment]

    def find(self, count: int, entries: list[Entry], time_expired_after: int | None) -> "Sheet | None":
        kept = self.kept  # once: another thread may keep something else meanwhile
        if kept is None or (kept[0], len(kept[1]), kept[2]) != (count, len(entries), time_expired_after):
            return None
        pairs = zip(kept[1], entries, strict=True)
        # For Python 1, 1.0 and True are equal; for the rules they are not.
        same = all(one is other or json.encode(one) == json.encode(other) for one, other in pairs)
        return kept[3] if same else None


class Sheet(Struct, frozen=True, kw_only=True):
    """A game so far. Immutable: every method that changes something returns another sheet.

    Raises RecordError, with `hand` filled in, for what cannot be scored. Made by `open_sheet`.
    """

    game: AnyGame
    sides: tuple[str, ...]
    hands: tuple[ScoredHand, ...] = ()
    outcome: Outcome | None = None
    """What the rules decided; None while the game goes on."""
    chosen: Any
    """The game's own settings struct."""
    carries: tuple[Any, ...]
    """The carry before each hand and after the last, so that going back costs nothing."""
    tried: Tried = field(default_factory=Tried)
    replayed: Replayed = field(default_factory=Replayed)

    @property
    def settings(self) -> dict[str, Json]:
        """Every setting, defaults included."""
        return structs.asdict(self.chosen)

    @property
    def scores(self) -> dict[str, int]:
        if not self.hands:
            return dict.fromkeys(self.sides, 0)
        return {side: result.score for side, result in self.hands[-1].sides.items()}

    def leader(self) -> str | None:
        """The sole leader, by the score that leads in this game."""
        scores = self.scores
        best = self.game.best(scores.values())
        leaders = [side for side, score in scores.items() if score == best]
        return leaders[0] if len(leaders) == 1 else None

    def add(self, entry: Json, time_expired_after: int | None) -> "Sheet":
        """With one more hand. Raises game_over after the end, before any look into the hand."""
        known = self.tried.find(entry, time_expired_after)
        if known is not None:
            return known
        game, carry = self.game, self.carries[-1]
        number = len(self.hands) + 1
        if self.outcome is not None:
            raise RecordError("game_over", hand=number)
        if not isinstance(entry, dict):
            raise RecordError("malformed", hand=number)
        try:
            hand = game.read_hand(self.chosen, carry, entry)
        except RecordError as error:
            error.hand = number
            raise
        result = game.score(self.chosen, carry, hand)
        scored = ScoredHand(number, game.dealer(self.chosen, carry, entry), entry, result.sides)
        after = Sheet(
            game=game,
            sides=self.sides,
            hands=(*self.hands, scored),
            outcome=game.finish(self.chosen, result.carry, time_expired_after),
            chosen=self.chosen,
            carries=(*self.carries, result.carry),
        )
        return self.tried.keep(entry, time_expired_after, after)

    def back_to(self, count: int) -> "Sheet":
        """With the first `count` hands only."""
        if count == len(self.hands):
            return self
        return Sheet(
            game=self.game,
            sides=self.sides,
            hands=self.hands[:count],
            chosen=self.chosen,
            carries=self.carries[: count + 1],
        )

    def replay(self, count: int, entries: list[Entry], time_expired_after: int | None) -> "Sheet":
        """With these hands after the first `count`, and none of those that followed them."""
        sheet = self.replayed.find(count, entries, time_expired_after)
        if sheet is None:
            sheet = self.back_to(count)
            for entry in entries:
                sheet = sheet.add(entry, time_expired_after)
            self.keep_replayed(count, entries, time_expired_after, sheet)
        return sheet

    def keep_replayed(self, count: int, entries: list[Entry], time_expired_after: int | None, sheet: "Sheet") -> None:
        """Spare `replay` the work: that sheet is what it would come to."""
        self.replayed.kept = count, entries, time_expired_after, sheet

    def dealer(self, in_play: Entry) -> str:
        """Who deals the next hand."""
        return self.game.dealer(self.chosen, self.carries[-1], in_play)

    def bidding_order(self) -> tuple[str, ...]:
        return self.game.bidding_order(self.chosen, self.carries[-1])

    def missing_members(self, in_play: Entry) -> tuple[str, ...]:
        """The members the next hand still needs, in the order they are entered."""
        return self.game.missing_members(self.chosen, self.carries[-1], in_play)

    def note(self, in_play: Entry, part: Entry) -> Entry:
        """The hand in play with a part laid over it, checked as far as it goes; see `Game.note`."""
        try:
            return self.game.note(self.chosen, self.carries[-1], in_play, part)
        except RecordError as error:
            error.hand = len(self.hands) + 1
            raise

    def ends_at_once(self, in_play: Entry) -> bool:
        return self.game.ends_at_once(self.chosen, in_play)

    def possible(self, in_play: Entry) -> tuple[Possible, ...]:
        """What the hand in play can still become, once all it lacks are the books."""
        return self.game.possible(self.chosen, self.carries[-1], in_play)

    def trial(self, hand: object, time_expired_after: int | None) -> tuple[dict[str, SideResult], Outcome | None]:
        """What a possible hand would bring each side if it were the next, and the end if it were one."""
        game = self.game
        result = game.score(self.chosen, self.carries[-1], hand)
        return result.sides, game.finish(self.chosen, result.carry, time_expired_after)

    def standing(self) -> dict[str, dict[str, Fact]]:
        return self.game.standing(self.chosen, self.carries[-1])

    def time_limit_minutes(self) -> int | None:
        return self.game.time_limit_minutes(self.chosen)


def open_sheet(game: str, settings: Mapping[str, Json], players: Json = None) -> Sheet:
    """An empty sheet. Raises unknown_game, unknown_setting, invalid_setting, invalid_players, unknown_field."""
    if game not in GAMES:
        raise RecordError("unknown_game", "game", {"game": game})
    rules = GAMES[game]
    chosen = rules.read_settings(settings)
    sides = rules.read_sides(players)
    return Sheet(game=rules, sides=sides, chosen=chosen, carries=(rules.begin(chosen, sides),))

"""A room: one table, its people, and the game being played. Changed by `evolve.py` only."""

from msgspec import Struct

from bookboard.rules.model import Entry, Json, Outcome
from bookboard.rules.sheet import Sheet


class Grant(Struct, frozen=True):
    """What a token, known by its hash only, is good for: see `access.py`."""

    role: str
    person: str | None = None


class Rules(Struct, frozen=True):
    """The rules a game is played by: `key@version`, the settings that differ from the defaults, Pack's players."""

    key: str
    version: int
    settings: dict[str, Json]
    players: list[str] | None = None


class Mark(Struct, frozen=True, omit_defaults=True):
    """Who changed something, when, and with which version of the room; `steady` as in `Recorded`."""

    by: str
    at: int
    version: int
    steady: int | None = None

    @property
    def clock_at(self) -> int:
        """The instant that deadlines count from."""
        return self.at if self.steady is None else self.steady


class Correction(Struct, frozen=True):
    """Who corrected a hand, and what it was before."""

    mark: Mark
    before: Entry


class KeptHand(Struct, frozen=True):
    """A scored hand, by whom it was entered, and its corrections, oldest first.

    `id` is the hand's own, as everywhere here: its number in the game changes when an earlier hand is removed.
    """

    entry: Entry
    entered: Mark
    id: int = 0
    reason: str = ""
    """Why the host let pass what `allowed` says."""
    corrections: tuple[Correction, ...] = ()

    @property
    def last_mark(self) -> Mark:
        """Of the entry as it stands."""
        return self.corrections[-1].mark if self.corrections else self.entered


class RemovedHand(Struct, frozen=True):
    """A hand that was taken out: the number it had, what it was, and who took it out."""

    number: int
    entry: Entry
    mark: Mark
    id: int = 0


class HandInPlay(Struct, frozen=True):
    """What is known of the hand being played; `changed` marks each part (`bids.west`, `reneges`) with its last change.

    `since` marks how this hand became the one in play: the one before was scored, or this one was taken back.
    """

    since: Mark
    id: int = 0
    was_taken_back: bool = False
    entry: Entry = {}
    changed: dict[str, Mark] = {}
    reason: str = ""


class Clock(Struct, frozen=True):
    """A time limit: running towards `deadline` (ms since 1970), or paused with `left` ms to go, or run out.

    `expired_after`: how many hands had been scored when it ran out. `version`: the last pause, resumption, extension
    or expiry.
    """

    deadline: int | None = None
    left: int | None = None
    expired_after: int | None = None
    version: int = 0

    def expired_without(self, hand: int) -> int | None:
        """`expired_after`, were that hand not there."""
        if self.expired_after is None or hand > self.expired_after:
            return self.expired_after
        return self.expired_after - 1


class PastGame(Struct, frozen=True):
    """How an earlier game at this table went; its record is kept apart."""

    number: int
    key: str
    scores: dict[str, int]
    winner: str | None
    reason: str | None


class GameState(Struct, frozen=True):
    number: int
    rules: Rules
    in_play: HandInPlay
    set_up: Mark
    started: Mark | None = None
    hands: tuple[KeptHand, ...] = ()
    removed: tuple[RemovedHand, ...] = ()
    clock: Clock = Clock()
    ended_by_host: Mark | None = None
    last_hand_id: int = 0
    """The newest id that was given to a hand of this game."""

    @property
    def number_in_play(self) -> int:
        return len(self.hands) + 1

    def number_of(self, hand_id: int) -> int | None:
        """The number that a scored hand has now; None if no scored hand has this id."""
        return next((number for number, kept in enumerate(self.hands, start=1) if kept.id == hand_id), None)

    def removed_hand(self, hand_id: int) -> RemovedHand | None:
        return next((removed for removed in self.removed if removed.id == hand_id), None)


class RoomState(Struct, frozen=True):
    """What is stored of a room. `people` holds names by person id, the one place where they are.

    `format` counts the changes of what is stored that an older hub could not read.
    """

    format: int
    code: str
    name: str
    version: int
    people: dict[str, str]
    host: str
    seats: dict[str, str]
    grants: dict[str, Grant]
    side_names: dict[str, str]
    game: GameState
    past: tuple[PastGame, ...] = ()
    private: bool = False
    """Nobody watches without a token."""


class Room(Struct, frozen=True):
    """A room's state and what follows from it: the score sheet of the game being played."""

    state: RoomState
    sheet: Sheet

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or else by the host; None while it goes on."""
        if self.sheet.outcome is not None or self.state.game.ended_by_host is None:
            return self.sheet.outcome
        return Outcome(self.sheet.leader(), "host")

"""What people ask of a room. `decide.py` answers each command with events or a refusal.

`game` counts from 1; `hand` is the id of a hand, which it keeps when its number changes. `revision` is the room's
version that the sender was looking at: the command is a `conflict` if what it touches has changed since, and is
answered as the first if it would change nothing.
"""

from typing import Annotated

from msgspec import Meta

from bookboard.log.tagged import Tagged
from bookboard.rules.model import Entry, Json

Name = Annotated[str, Meta(max_length=80)]
Short = Annotated[str, Meta(max_length=40)]
Secret = Annotated[str, Meta(max_length=128)]
Number = Annotated[int, Meta(ge=0, le=2**40)]
Minutes = Annotated[int, Meta(ge=1, le=240)]


class Command(Tagged, frozen=True, forbid_unknown_fields=True):
    pass


# ── who sits where ───────────────────────────────────────────────────────────────────────────────────────────────


class ClaimSeat(Command, frozen=True):
    """Join as a player: at a seat, or with none as the table's shared tablet.

    `token` is a secret of the sender's own making (at least 22 characters of base64url, 128 random bits): it proves
    from now on who this is. Without it the sender keeps the token it came with. `replace` takes over a taken seat: from
    the person with this id, or with `true` from anybody.
    """

    seat: Short | None
    name: Name
    token: Secret | None = None
    replace: bool | Short = False


class LeaveSeat(Command, frozen=True):
    """Empty a seat; with `person` only if it is that person's."""

    seat: Short
    person: Short | None = None


class NameSides(Command, frozen=True):
    names: dict[Short, Name]


class NameTable(Command, frozen=True):
    name: Name


class HandOver(Command, frozen=True):
    """Host: make another player the host."""

    person: Short


class InvitePlayers(Command, frozen=True):
    """Host: invite by this token, of the sender's own making, from now on; earlier invitations are good for nothing."""

    token: Secret


class RemovePerson(Command, frozen=True):
    """Host: take away a person's seat and tokens."""

    person: Short


class SetPrivacy(Command, frozen=True):
    """Host: with `private` only bearers of `token`, of the sender's own making, and the table's people may watch."""

    private: bool
    token: Secret | None = None


# ── the game ─────────────────────────────────────────────────────────────────────────────────────────────────────


class SetRules(Command, frozen=True):
    """Host, before the first hand is in: the rules of this game, as in the game record."""

    game: Number
    key: Short
    settings: dict[Short, Json]
    players: list[Name] | None = None


class StartGame(Command, frozen=True):
    """Host: the first deal; a time limit runs from here."""

    game: Number


class EndGame(Command, frozen=True):
    """Host: end the game before the rules do, with this hand in play; with `revision` only at the scores of then."""

    game: Number
    hand: Number
    revision: Number | None = None


class ReopenGame(Command, frozen=True):
    """Host: go on with a game that the host had ended; with `revision` only after the ending seen then."""

    game: Number
    revision: Number | None = None


class NextGame(Command, frozen=True):
    """Host: put the game away, set up the next by the same rules; with `revision` only at the scores of then."""

    game: Number
    revision: Number | None = None


# ── hands ────────────────────────────────────────────────────────────────────────────────────────────────────────


class NoteHand(Command, frozen=True):
    """Lay `part` over the hand in play: bids seat by seat or by side, a renege, what the host allows.

    Mappings merge, null removes, anything else replaces: `{"bids": {"west": 4}}`, `{"reneges": ["east"]}`.
    `reason` is the host's for what `allowed` lets pass.
    """

    game: Number
    hand: Number
    revision: Number
    part: Entry
    reason: Name = ""


class EnterHand(Command, frozen=True):
    """Complete the hand in play with `part` (books, nil books, first 7; bids, if they were not noted) and score it."""

    game: Number
    hand: Number
    revision: Number
    part: Entry
    reason: Name = ""


class CorrectHand(Command, frozen=True):
    """Replace a scored hand by `entry`, whole."""

    game: Number
    hand: Number
    revision: Number
    entry: Entry
    reason: Name = ""


class TakeBackHand(Command, frozen=True):
    """Take the last scored hand back: it is in play again, with all that was entered of it."""

    game: Number
    hand: Number
    revision: Number


class RemoveHand(Command, frozen=True):
    """Take a scored hand out for good, wherever it stands; the hands after it move up."""

    game: Number
    hand: Number
    revision: Number


# ── the clock ────────────────────────────────────────────────────────────────────────────────────────────────────


class PauseClock(Command, frozen=True):
    game: Number


class ResumeClock(Command, frozen=True):
    game: Number


class ExtendClock(Command, frozen=True):
    """Host: so many minutes more; after the time ran out, from now, if the last hand is not yet scored."""

    game: Number
    minutes: Minutes
    revision: Number


AnyCommand = (
    ClaimSeat
    | LeaveSeat
    | NameSides
    | NameTable
    | HandOver
    | InvitePlayers
    | RemovePerson
    | SetPrivacy
    | SetRules
    | StartGame
    | EndGame
    | ReopenGame
    | NextGame
    | NoteHand
    | EnterHand
    | CorrectHand
    | TakeBackHand
    | RemoveHand
    | PauseClock
    | ResumeClock
    | ExtendClock
)

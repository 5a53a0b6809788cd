"""What happened in a room. Only `decide.py` makes events, and only `evolve.py` reads them.

Stored for good: a field may be added with a default, never renamed or given another meaning.
"""

from msgspec import Struct

from bookboard.log.tagged import Tagged
from bookboard.room.state import Grant, RoomState
from bookboard.rules.model import Entry, Json


class Event(Tagged, frozen=True):
    pass


class TableOpened(Event, frozen=True):
    """`grants` by token hash; `host` is the id of the person who opened the table."""

    code: str
    name: str
    host: str
    host_name: str
    grants: dict[str, Grant]
    key: str
    version: int
    settings: dict[str, Json]
    players: list[str] | None
    side_names: dict[str, str]


class TablePutBack(Event, frozen=True):
    """By the host, after the store had lost the table: its log begins again with the state that a hub still had."""

    state: RoomState


class SeatClaimed(Event, frozen=True):
    """`seat` None: the table's shared tablet. `token_hash` None: the person keeps the token they came with."""

    seat: str | None
    person: str
    name: str
    token_hash: str | None = None


class SeatLeft(Event, frozen=True):
    seat: str


class SidesNamed(Event, frozen=True):
    names: dict[str, str]


class TableNamed(Event, frozen=True):
    name: str


class HostChanged(Event, frozen=True):
    person: str


class PlayersInvited(Event, frozen=True):
    """By a new token; earlier ones do not invite any more."""

    token_hash: str


class PersonRemoved(Event, frozen=True):
    person: str


class PrivacySet(Event, frozen=True):
    """`token_hash` None: nobody watches without a token of their own."""

    private: bool
    token_hash: str | None = None


class RulesSet(Event, frozen=True):
    key: str
    version: int
    settings: dict[str, Json]
    players: list[str] | None


class GameStarted(Event, frozen=True):
    pass


# `hand` is the number that the hand had in the game at that time, `id` its own. Older events have no id: `evolve.py`
# gives the same one again, since it follows from the log.


class HandNoted(Event, frozen=True):
    """The hand in play as it is known now: `entry` is the whole of it, `part` what this event laid over it."""

    hand: int
    part: Entry
    entry: Entry
    reason: str = ""
    id: int = 0


class HandScored(Event, frozen=True):
    """`reason`: why the host let pass what `allowed` in the entry says."""

    hand: int
    entry: Entry
    reason: str = ""
    id: int = 0


class HandCorrected(Event, frozen=True):
    """`allowed` names the later hands whose blind bids stay although the correction no longer entitles them (by hand,
    as a string, the hand in play among them), with the checks they are excused from.
    """

    hand: int
    entry: Entry
    allowed: dict[str, list[str]] = {}
    reason: str = ""
    id: int = 0


class HandTakenBack(Event, frozen=True):
    """The last hand is in play again, as it was entered or corrected."""

    hand: int
    id: int = 0


class HandRemoved(Event, frozen=True):
    """`allowed` as in HandCorrected; it names the later hands as they are numbered afterwards."""

    hand: int
    allowed: dict[str, list[str]] = {}
    id: int = 0


class TimeExpired(Event, frozen=True):
    """`after`: so many hands had been scored, where it is not as many as there are (an imported game)."""

    after: int | None = None


class ClockPaused(Event, frozen=True):
    pass


class ClockResumed(Event, frozen=True):
    pass


class ClockExtended(Event, frozen=True):
    more_ms: int


class GameEnded(Event, frozen=True):
    """By the host, before the rules did."""


class GameReopened(Event, frozen=True):
    """By the host, who had ended it."""


class NextGameStarted(Event, frozen=True):
    pass


AnyEvent = (
    TableOpened
    | TablePutBack
    | SeatClaimed
    | SeatLeft
    | SidesNamed
    | TableNamed
    | HostChanged
    | PlayersInvited
    | PersonRemoved
    | PrivacySet
    | RulesSet
    | GameStarted
    | HandNoted
    | HandScored
    | HandCorrected
    | HandTakenBack
    | HandRemoved
    | TimeExpired
    | ClockPaused
    | ClockResumed
    | ClockExtended
    | GameEnded
    | GameReopened
    | NextGameStarted
)


class Recorded(Struct, frozen=True):
    """An event with what the log knows of it. `by` is a person's id, "" for the clock; `at` is ms since 1970.

    `steady` is the time that deadlines are counted in, where a clock that was set made the two differ.
    """

    version: int
    id: str
    at: int
    by: str
    event: AnyEvent
    steady: int | None = None

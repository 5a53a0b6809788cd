"""The wire protocol, v1: every message in both directions.

`docs/protocol.md` explains it; the browser's types are made from it. The families are those of a table; what another
kind of live log says in its own words is a type argument (`Do[C]`) or its own class of the same base (`LogEvent`).

A connection says `hello` first. The server answers `welcome` and, unless the client is at the head already, a
`snapshot` or the events it missed. From then on: same epoch and a version not newer than mine: drop it. The next
version whose `prev` is my `last`: apply it. Anything else: `sync`. A new epoch is adopted whole.
"""

from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct

from bookboard.log.refusals import RefusalCode
from bookboard.log.tagged import Tagged
from bookboard.room.commands import AnyCommand
from bookboard.room.hand_views import HandView
from bookboard.room.views import Changes, Current, View
from bookboard.rules.forecast import Prospect
from bookboard.rules.model import Facts, Outcome

Id = Annotated[str, Meta(min_length=1, max_length=40)]

C = TypeVar("C")
"""A log's commands, a closed family."""
V = TypeVar("V")
"""Its view."""
F = TypeVar("F")
"""What is worked out ahead of it."""

# ── from a client ────────────────────────────────────────────────────────────────────────────────────────────────


class ClientMessage(Tagged, frozen=True, forbid_unknown_fields=True):
    pass


class Resume(Struct, frozen=True):
    """Where a client that was here before left off."""

    epoch: int
    version: int
    last: str


SCREENS = ("watch", "play", "display")


class Hello(ClientMessage, frozen=True):
    """First message, within 5 s. No token: a spectator."""

    room: Annotated[str, Meta(max_length=16)]
    token: Annotated[str, Meta(max_length=200)] | None = None
    screen: Annotated[str, Meta(max_length=16)] = "watch"
    """What kind of screen this is (`watch`, `play`, `display`); decides nothing, is counted in the hub's log."""
    resume: Resume | None = None


class Do(ClientMessage, Generic[C], frozen=True):
    """Carry out a command. `cmd` is a random id of the client's: sent again, it gets its first answer again."""

    cmd: Id
    command: C


class Preview(ClientMessage, Generic[C], frozen=True):
    """What would this command score? Commits nothing. Answered by `preview` or `refused` with the same id."""

    id: Id
    command: C


class Sync(ClientMessage, frozen=True):
    """Send me the newest snapshot."""


class Check(ClientMessage, frozen=True):
    """Are these commands of mine, which were done, still in the log? After a snapshot, for what it no longer shows."""

    cmds: Annotated[list[Id], Meta(min_length=1, max_length=16)]


class PutBack(ClientMessage, frozen=True):
    """Host: have a table that the store has lost (`status`) begin again as the server still shows it.

    Answered by `done`, whose `version` is the one that was put back, or by `refused`, with `id` as `cmd`.
    """

    id: Id


class Pong(ClientMessage, frozen=True):
    """The answer to `beat`."""


FromClientOf = Hello | Do[C] | Preview[C] | Sync | Check | PutBack | Pong
"""What the clients of a log send that takes these commands."""
FromClient = FromClientOf[AnyCommand]

# ── to a client ──────────────────────────────────────────────────────────────────────────────────────────────────


class ServerMessage(Tagged, frozen=True):
    pass


class Welcome(ServerMessage, frozen=True):
    """`now` is the server's clock (ms since 1970), `heartbeat` the seconds between beats; `status` as in Status."""

    role: str
    """`host`, `player`, `invited` (has to claim a seat first), `spectator`."""
    person: str | None
    epoch: int
    version: int
    last: str
    now: int
    heartbeat: int
    status: "Status"
    addresses: list[str] = []
    """Origins at which other devices on the network reach this server."""


class SnapshotMessage(ServerMessage, Generic[V, F], frozen=True, tag="snapshot"):
    """The whole view, and what is known of its `outlook` already."""

    epoch: int
    version: int
    last: str
    state: V
    outlook: F = {}  # type: ignore[assignment] # nothing, whatever it is about


class LogEvent(ServerMessage, frozen=True, tag="event"):
    """An event of any log. Its kind adds what screens need to know of it: `changes`, what it did to the view."""

    epoch: int
    version: int
    id: str
    prev: str
    at: int
    by: str
    kind: str


class EventMessage(LogEvent, frozen=True, tag="event"):
    """One event: `kind` is its name (`hand_scored`), `changes` what it did to the view.

    `hand` is the number, at that time, of the hand it is about, and `hand_id` the hand's id.
    """

    hand: int | None
    hand_id: int | None
    changes: Changes


class Forecast(ServerMessage, Generic[F], frozen=True, tag="outlook"):
    """By side, what its own number of books would bring it in the hand in play, once they are all that is open.

    It comes a moment after the event, once the hand has been left alone, and holds until an event changes `in_play`.
    """

    epoch: int
    version: int
    outlook: F


class LogRewound(ServerMessage, frozen=True, tag="rewound"):
    """Any log went back. Its kind adds what is gone."""

    epoch: int

    @property
    def names_losses(self) -> bool:
        """If not, whether a screen lost anything is looked up by where it left off."""
        return False


class Rewound(LogRewound, frozen=True, tag="rewound"):
    """The store had to go back: `epoch` is a new one, and these hands of `game`, acknowledged before, are gone.

    Not `complete`: what the screen came back from is not in the log, and nobody here knows which hands that concerns.
    """

    game: int
    hands: list[int]
    complete: bool = True

    @property
    def names_losses(self) -> bool:
        return bool(self.hands)


class Done(ServerMessage, frozen=True):
    """The command is in the log, up to `version`. `repeated`: it was before, by this cmd or somebody (`by`, `at`)."""

    cmd: str
    version: int
    repeated: bool = False
    by: str | None = None
    at: int | None = None


class Refused(ServerMessage, frozen=True, omit_defaults=True):
    """`retry`: the same message may be accepted later. `field` is the entry's part it is about (`bids.west`).

    `current` comes with `conflict`: the hand as it is recorded, or as it is known while in play; null if it was
    removed (the facts `removed_by` and `removed_at` say so) or there is none.
    """

    cmd: str
    code: RefusalCode
    facts: Facts
    retry: bool
    field: str | None = None
    current: Current | None = None


class PreviewResult(ServerMessage, frozen=True, tag="preview"):
    """What a command would do. `hand`: the hand it is about, scored; `changed`: the hands that would get other points.

    `excused`: later hands (by id) whose blind bids would stay only because the checks named are waived for them.
    Scores and outcome as they would be afterwards.
    """

    id: str
    hand: HandView | None
    changed: list[HandView]
    excused: dict[str, list[str]]
    scores: dict[str, int]
    outcome: Outcome | None


class ClockChange(Struct, frozen=True):
    """The server's clock was set by `by` ms at `at`; time limits went on as if it had not been.

    With `seen` false no server was looking: it may have been a pause, during which time limits stood still.
    """

    at: int
    by: int
    seen: bool


class Checked(ServerMessage, frozen=True):
    """The answer to `check`: of `cmds`, those are `missing` that a store lost when it went back."""

    cmds: list[str]
    missing: list[str]


class Status(ServerMessage, frozen=True):
    """`store` is `ok`, `readonly` (hands are refused for now) or `lost` (it has lost this table) since `since` (ms).

    `clock` is there for a quarter of an hour after the server's clock was set.
    """

    store: str
    since: int
    clock: ClockChange | None = None


class Watching(ServerMessage, frozen=True):
    """How many screens are connected to this room at this hub."""

    screens: int


class Beat(ServerMessage, frozen=True):
    now: int


class Bye(ServerMessage, frozen=True):
    """The server is about to close: come back in `reconnect_in` ms, or not at all (null)."""

    code: str
    reconnect_in: int | None


FromServer = (
    Welcome
    | SnapshotMessage[View, dict[str, list[Prospect]]]
    | EventMessage
    | Forecast[dict[str, list[Prospect]]]
    | Rewound
    | Done
    | Refused
    | PreviewResult
    | Checked
    | Status
    | Watching
    | Beat
    | Bye
)

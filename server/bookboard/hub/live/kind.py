"""What a live log is about, as far as the hub has to know: a record of functions, one for each kind of log.

The hub keeps a log at its head, commits what is decided on it and tells its subscribers. A kind says what its events
do, who may command, what follows when time runs out, and what screens are shown. `bookboard/catalogue.py` lists them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from starlette.routing import BaseRoute

from bookboard.log.actors import Actor, TokenHash
from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal
from bookboard.protocol.messages import LogEvent, LogRewound, Preview, Refused, ServerMessage
from bookboard.store.contract import Deadline, Entry, Keep

S = TypeVar("S")
"""A log's state."""
C = TypeVar("C")
"""Its commands, a closed family."""
E = TypeVar("E")
"""Its events, a closed family."""


class Recorded(Protocol):
    """An event with what the log knows of it; `by` is a person's id, "" for the clock."""

    @property
    def by(self) -> str: ...

    @property
    def event(self) -> Any: ...  # noqa: ANN401 - of the kind's own family


class Letter(Struct, frozen=True):
    """A command for the log of that code, of whatever kind, carried out once in the name of the log that sends it."""

    to: str
    command: Struct


class Foreseen(Struct, frozen=True):
    """What a commit carries beside its events: the log's next deadline, and a finished part of it to keep for good.

    `letters` reach other logs a moment later; those to the same log in this order.
    """

    deadline: Deadline = Keep()
    archive: tuple[int, bytes] | None = None
    letters: tuple[Letter, ...] = ()


def _no_routes(_: object) -> Sequence[BaseRoute]:
    return ()


def _nothing(_: object) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[S, C, E]):
    """All times are ms since 1970 by the store's clock. No function may fail on what `decide` has let through."""

    name: str
    is_code: Callable[[str], bool]
    """Whether a log of this kind can have this code."""
    messages: type[Struct]
    """Of one field, `message`: the closed family of what its clients send."""

    # what is stored
    read_state: Callable[[bytes], S]
    write_state: Callable[[S], bytes]
    read_entry: Callable[[Entry], Recorded]
    write_event: Callable[[str, E], bytes]
    """Of the person it is by."""

    # what happens
    decide: Callable[[S, C, Actor, int], list[E] | Already | Refusal]
    evolve: Callable[[S | None, Any], S]
    """The state after a recorded event; the first one opens the log."""
    foresee: Callable[[S, Sequence[E], str, int], Foreseen]
    """What follows from events by a person, decided at that time."""
    due_at: Callable[[S], int | None] = _nothing
    """When time runs out; None while nothing is to happen then."""
    expire: Callable[[S, int], list[E]] = lambda _state, _now: []
    """The events of a deadline that has passed."""
    expiry_cmd: Callable[[S], str] = lambda _state: ""
    """The same on every hub for one deadline, and another for each."""
    is_expiry: Callable[[E], bool] = lambda _event: False

    # who acts
    role_of: Callable[[S, TokenHash | None], Actor | None]
    """None for a token that is good for nothing here."""
    sender_of: Callable[[S, str], Actor | None] = lambda _state, _code: None
    """Who another log is here, by its code, when it sends a letter: a person of a role; None for a stranger."""
    person_behind: Callable[[Actor, TokenHash | None, C], str]
    """Whose command it is, also where the command is what makes its sender a person of the log."""
    token_of: Callable[[C], str | None] = _nothing
    """The token that its sender shows from now on."""
    changes_roles: Callable[[E], bool] = lambda _event: True
    put_back: Callable[[S, Actor], E | None] = lambda _state, _actor: None
    """The event that begins a lost log again with this whole state; None for whom it is not to decide."""
    cost_of: Callable[[S, C], float] = lambda _state, _command: 1
    """Of deciding or previewing it, in ordinary commands."""
    is_long: Callable[[S, C], bool] = lambda _state, _command: False
    """Whether deciding or previewing it would hold up the loop."""

    # what is shown
    view: Callable[[S], Any]
    event_message: Callable[[int, Entry, Any, S, S], LogEvent]
    """Of the epoch, the entry and its event, and the states before and after it."""
    refusal: Callable[[str, Refusal, S, C], Refused]
    preview: Callable[[S, Preview[C], Actor, int], ServerMessage]
    """Answered by `preview` of the kind's own, or `refused`."""
    rewound: Callable[[int, S | None, S], LogRewound]
    """What the log lost that went back from a state, None if that is not known, to another, in this new epoch."""
    forecast: Callable[[S], Any] = lambda _state: {}
    """What is worth working out a moment later, once the log is left alone."""
    is_forecast_stale: Callable[[Any], bool] = lambda _message: False

    routes: Callable[[Any], Sequence[BaseRoute]] = _no_routes
    """Its calls of the HTTP API, on the hub's context."""


AnyKind = Kind[Any, Any, Any]

"""A kind of live log that the hub has never seen: a counter, which runs for a while after its first number.

Its keeper may reset it, who brings the other token may add to it, and everybody else watches. Counters pass numbers on
to each other by letters, and each remembers in which order they came.
"""

import re
from collections.abc import Sequence
from typing import Annotated, assert_never

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from bookboard.hub.endpoints.calls import as_json, body_of, route
from bookboard.hub.endpoints.context import HubContext
from bookboard.hub.live.kind import Foreseen, Kind, Letter
from bookboard.hub.live.planning import opening_commit
from bookboard.log.actors import SPECTATOR, Actor, TokenHash, hash_token, person_of
from bookboard.log.answers import Already, unchanged
from bookboard.log.refusals import Refusal
from bookboard.log.tagged import Tagged, snake_case
from bookboard.protocol.messages import FromClientOf, LogEvent, LogRewound, Preview, Refused, ServerMessage
from bookboard.store.contract import Committed, DeadlineIn, Entry, Keep, NoDeadline

MOST = 1000

# ── what happens ─────────────────────────────────────────────────────────────────────────────────────────────────


class Add(Tagged, frozen=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=1)]


class Reset(Tagged, frozen=True, forbid_unknown_fields=True):
    pass


class Pass(Tagged, frozen=True, forbid_unknown_fields=True):
    """Send a number to another counter, from where it comes back and goes again so many times."""

    to: str
    number: int
    times: int = 0


class Take(Tagged, frozen=True, forbid_unknown_fields=True):
    """What a letter says. Numbers below nothing are refused."""

    number: int
    times: int


Command = Add | Reset | Pass | Take


class Opened(Tagged, frozen=True):
    keeper: str
    adder: str
    lasts_ms: int


class Added(Tagged, frozen=True):
    number: int


class WasReset(Tagged, frozen=True):
    pass


class RanOut(Tagged, frozen=True):
    pass


class Passed(Tagged, frozen=True):
    to: str
    number: int
    times: int


class Took(Tagged, frozen=True):
    sender: str
    number: int
    times: int


Event = Opened | Added | WasReset | RanOut | Passed | Took


class Recorded(Struct, frozen=True):
    version: int
    at: int
    by: str
    event: Event


class Stored(Struct, frozen=True, array_like=True):
    by: str
    event: Event


class Counter(Struct, frozen=True):
    keeper: str
    adder: str
    lasts_ms: int
    version: int = 1
    value: int = 0
    due: int | None = None
    is_over: bool = False
    taken: dict[str, tuple[int, ...]] = {}
    """By the counter that sent them."""


def decide(counter: Counter, command: Command, actor: Actor, _now: int) -> list[Event] | Already | Refusal:
    match command:
        case Add(number):
            if counter.is_over:
                return Refusal("time_is_up")
            if counter.value + number > MOST:
                return Refusal("bad_score", {"most": MOST - counter.value}, field="number")
            return [Added(number)]
        case Reset():
            if actor.role != "keeper":
                return Refusal("host_only")
            return [WasReset()] if counter.value or counter.is_over else unchanged(counter.version)
        case Pass(to, number, times):
            return [Passed(to, number, times)]
        case Take(number, times):
            if actor.role != "counter":
                return Refusal("host_only")
            return [Took(actor.person or "", number, times)] if number >= 0 else Refusal("bad_score")
        case _ as unreachable:
            assert_never(unreachable)


def evolve(counter: Counter | None, recorded: Recorded) -> Counter:
    event = recorded.event
    if isinstance(event, Opened):
        return Counter(event.keeper, event.adder, event.lasts_ms)
    assert counter is not None
    counter = replace(counter, version=recorded.version)
    match event:
        case Added(number):
            due = recorded.at + counter.lasts_ms if counter.due is None else counter.due
            return replace(counter, value=counter.value + number, due=due)
        case WasReset():
            return replace(counter, value=0, due=None, is_over=False)
        case RanOut():
            return replace(counter, due=None, is_over=True)
        case Passed():
            return counter
        case Took(sender, number):
            taken = {**counter.taken, sender: (*counter.taken.get(sender, ()), number)}
            return replace(counter, taken=taken)
        case _ as unreachable:
            assert_never(unreachable)


def foresee(counter: Counter, events: Sequence[Event], _person: str, _now: int) -> Foreseen:
    match events[0]:
        case Added():
            return Foreseen(DeadlineIn(counter.lasts_ms) if counter.due is None else Keep())
        case Passed(to, number, times):
            return Foreseen(letters=(Letter(to, Take(number, times)),))
        case Took(sender, number, times) if times:
            return Foreseen(letters=(Letter(sender, Take(number, times - 1)),))
        case Took():
            return Foreseen()
        case _:
            return Foreseen(NoDeadline())


def expire(counter: Counter, now: int) -> list[Event]:
    return [RanOut()] if counter.due is not None and now >= counter.due else []


def role_of(counter: Counter, token_hash: TokenHash | None) -> Actor | None:
    if token_hash is None:
        return Actor(SPECTATOR)
    if token_hash == counter.keeper:
        return Actor("keeper", person_of(token_hash))
    return Actor("adder", person_of(token_hash)) if token_hash == counter.adder else None


def is_code(text: str) -> bool:
    return re.fullmatch(r"[0-9]{3}", text) is not None


def sender_of(_counter: Counter, code: str) -> Actor | None:
    return Actor("counter", code) if is_code(code) else None


# ── what is stored, and what is shown ────────────────────────────────────────────────────────────────────────────


class View(Struct, frozen=True):
    value: int
    is_over: bool


class CounterEvent(LogEvent, frozen=True, tag="event"):
    changes: View


class CounterPreview(ServerMessage, frozen=True, tag="preview"):
    id: str
    value: int


class CounterRewound(LogRewound, frozen=True, tag="rewound"):
    lost: int | None


class FromCounters(Struct):
    message: FromClientOf[Command]


def read_entry(entry: Entry) -> Recorded:
    stored = msgspec.msgpack.decode(entry.body, type=Stored)
    return Recorded(entry.version, entry.at if entry.steady is None else entry.steady, stored.by, stored.event)


def write_event(by: str, event: Event) -> bytes:
    return msgspec.msgpack.encode(Stored(by, event))


def view(counter: Counter) -> View:
    return View(counter.value, counter.is_over)


def event_message(epoch: int, entry: Entry, recorded: Recorded, _before: Counter, after: Counter) -> CounterEvent:
    return CounterEvent(
        epoch=epoch,
        version=entry.version,
        id=entry.id,
        prev=entry.prev,
        at=entry.at,
        by=recorded.by,
        kind=snake_case(type(recorded.event).__name__),
        changes=view(after),
    )


def refusal(cmd: str, refused: Refusal, _counter: Counter, _command: Command) -> Refused:
    return Refused(cmd, refused.code, refused.facts, retry=False, field=refused.field)


def preview(counter: Counter, message: Preview[Command], actor: Actor, now: int) -> ServerMessage:
    events = decide(counter, message.command, actor, now)
    if isinstance(events, Refusal):
        return refusal(message.id, events, counter, message.command)
    added = sum(event.number for event in events if isinstance(event, Added)) if isinstance(events, list) else 0
    return CounterPreview(message.id, 0 if isinstance(message.command, Reset) else counter.value + added)


def rewound(epoch: int, before: Counter | None, after: Counter) -> CounterRewound:
    return CounterRewound(epoch, None if before is None else before.value - after.value)


class OpenCounter(Struct, frozen=True):
    code: str
    keeper: str
    adder: str
    lasts_ms: int = 3_600_000


async def open_counter(context: HubContext, request: Request) -> Response:
    asked = await body_of(context, request, OpenCounter)
    keeper = hash_token(asked.keeper)
    opened = write_event(person_of(keeper), Opened(keeper, hash_token(asked.adder), asked.lasts_ms))
    commit = opening_commit(asked.code, person_of(keeper), [opened], Foreseen())
    return as_json({}, 201 if isinstance(await context.rooms.store.create(commit), Committed) else 409)


def routes(context: HubContext) -> list[BaseRoute]:
    return [route(context, "/api/counters", open_counter, "POST")]


COUNTER: Kind[Counter, Command, Event] = Kind(
    name="counter",
    is_code=is_code,
    messages=FromCounters,
    read_state=lambda body: msgspec.msgpack.decode(body, type=Counter),
    write_state=msgspec.msgpack.encode,
    read_entry=read_entry,
    write_event=write_event,
    decide=decide,
    evolve=evolve,
    foresee=foresee,
    due_at=lambda counter: counter.due,
    expire=expire,
    expiry_cmd=lambda counter: f"over:{counter.due}",
    is_expiry=lambda event: isinstance(event, RanOut),
    role_of=role_of,
    sender_of=sender_of,
    person_behind=lambda actor, _token_hash, _command: actor.person or "",
    changes_roles=lambda _event: False,
    view=view,
    event_message=event_message,
    refusal=refusal,
    preview=preview,
    rewound=rewound,
    routes=routes,
)

"""The table, as a kind of live log."""

from msgspec import UNSET

from bookboard.hub.live.ids import is_room_code
from bookboard.hub.live.kind import Kind
from bookboard.log.actors import Actor, TokenHash, hash_token, person_of
from bookboard.protocol.codecs import Envelope
from bookboard.protocol.messages import EventMessage
from bookboard.room.access import HOST, role_of
from bookboard.room.clock import due_at
from bookboard.room.commands import AnyCommand, ClaimSeat
from bookboard.room.corrections import cost_of, is_long
from bookboard.room.decide import decide, expire
from bookboard.room.events import (
    AnyEvent,
    HostChanged,
    PersonRemoved,
    PlayersInvited,
    PrivacySet,
    SeatClaimed,
    TablePutBack,
    TimeExpired,
)
from bookboard.room.evolve import evolve, room_of
from bookboard.room.state import Room
from bookboard.room.views import forecast_of, view_of
from bookboard.tables import api, replies
from bookboard.tables.planning import foresee
from bookboard.tables.serialization import decode_entry, decode_state, encode_event, encode_state


def person_behind(actor: Actor, token_hash: TokenHash | None, command: AnyCommand) -> str:
    """Who sends a command: the person, or the one whom the claim of a seat is just making."""
    if actor.person is not None:
        return actor.person
    token = token_of(command)
    return person_of(hash_token(token) if token is not None else token_hash or "")


def token_of(command: AnyCommand) -> str | None:
    return command.token if isinstance(command, ClaimSeat) else None


def changes_roles(event: AnyEvent) -> bool:
    return isinstance(event, SeatClaimed | HostChanged | PlayersInvited | PersonRemoved | PrivacySet)


def put_back(room: Room, actor: Actor) -> AnyEvent | None:
    return TablePutBack(room.state) if actor.role == HOST else None


def is_forecast_stale(message: EventMessage) -> bool:
    return message.changes.in_play is not UNSET


TABLE: Kind[Room, AnyCommand, AnyEvent] = Kind(
    name="table",
    is_code=is_room_code,
    messages=Envelope,
    read_state=lambda body: room_of(decode_state(body)),
    write_state=lambda room: encode_state(room.state),
    read_entry=decode_entry,
    write_event=encode_event,
    decide=decide,
    evolve=evolve,
    foresee=foresee,
    due_at=due_at,
    expire=expire,
    expiry_cmd=lambda room: f"{room.state.game.number}:{due_at(room)}",
    is_expiry=lambda event: isinstance(event, TimeExpired),
    role_of=lambda room, token_hash: role_of(room.state, token_hash),
    person_behind=person_behind,
    token_of=token_of,
    changes_roles=changes_roles,
    put_back=put_back,
    cost_of=cost_of,
    is_long=is_long,
    view=view_of,
    event_message=replies.event_message,
    refusal=replies.refused,
    preview=replies.preview_answer,
    rewound=replies.rewound,
    forecast=forecast_of,
    is_forecast_stale=is_forecast_stale,
    routes=api.routes,
)

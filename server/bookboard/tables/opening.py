"""Opening a table, with a new game or one taken in from a record."""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from bookboard.hub.endpoints.calls import ApiRefusal, as_json, body_of, refused
from bookboard.hub.endpoints.context import AddressBudget, HubContext, address_of
from bookboard.hub.live.ids import new_recovery_phrase, new_room_code, new_token
from bookboard.hub.live.planning import bytes_of
from bookboard.log.actors import hash_token, is_strong
from bookboard.log.refusals import Refusal, from_rules
from bookboard.room.commands import Name, Secret, Short
from bookboard.room.events import AnyEvent
from bookboard.room.importing import events_of, opening_of
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.rules.model import Json, RecordError
from bookboard.rules.spreadsheet import read_sheet
from bookboard.store.contract import Committed, Full
from bookboard.tables.planning import opening_of_table

SHEET_BYTES_AN_OPENING, HANDS_AN_OPENING = 4096, 16
"""As much to score as costs the hub what opening a table does."""
MAX_CODES_TRIED = 5
MAX_RECORD_BYTES = 256 * 1024
HANDS_A_TURN = 16
REFUSED_AFTER_S = 0.3


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    host_name: Name
    key: Short
    settings: dict[Short, Json]
    host_token: Secret
    players: list[Name] | None = None
    side_names: dict[Short, Name] = {}


class TableOpenedAnswer(Struct, frozen=True):
    """`player_token` invites: who has it may claim a seat. The phrase gives the host's rights back."""

    code: str
    player_token: str
    recovery_phrase: str


class TakeIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A game record, or the sheet that one was exported to."""

    name: Name
    host_name: Name
    host_token: Secret
    record: Json = None
    sheet: str | None = None


async def open_a_table(context: HubContext, request: Request) -> Response:
    asked = await body_of(context, request, OpenTable)
    opening = Opening(
        name=asked.name,
        host_name=asked.host_name,
        key=asked.key,
        settings=asked.settings,
        players=asked.players,
        side_names=asked.side_names,
    )
    return await _open(context, request, opening, asked.host_token)


async def take_in_a_record(context: HubContext, request: Request) -> Response:
    """Open a table with the game of a record: its rules, its hands, and what ended it."""
    budget = AddressBudget(context, address_of(request.scope))
    if not budget.may_compute():
        raise ApiRefusal(429, "too_fast", headers={"Connection": "close"})
    asked = await body_of(context, request, TakeIn, MAX_RECORD_BYTES)
    if not context.openings.take(address_of(request.scope), cost_of(asked)):
        raise ApiRefusal(429, "too_fast")
    read, took_s = await context.rooms.aside.work(partial(_read_record, asked))
    budget.computed(took_s)
    if isinstance(read, Refusal):
        raise refused(read)
    opening, played = read
    return await _open(context, request, opening, asked.host_token, played)


def _read_record(asked: TakeIn) -> tuple[Opening, list[AnyEvent]] | Refusal:
    try:
        record = asked.record if asked.sheet is None else read_sheet(asked.sheet)
    except RecordError as error:
        return from_rules(error)
    opening = opening_of(record, asked.name, asked.host_name)
    if isinstance(opening, Refusal):
        return opening
    assert isinstance(record, dict)
    played = events_of(record)
    return played if isinstance(played, Refusal) else (opening, played)


def cost_of(asked: TakeIn) -> float:
    """What scoring a record costs the hub, in tables opened: next to nothing for an evening's game."""
    if asked.sheet is not None:
        return len(asked.sheet) // SHEET_BYTES_AN_OPENING
    hands = asked.record.get("hands") if isinstance(asked.record, dict) else None
    return len(hands) // HANDS_AN_OPENING if isinstance(hands, list) else 0


async def _open(
    context: HubContext, request: Request, opening: Opening, host_token: str, played: Sequence[AnyEvent] = ()
) -> Response:
    if not is_strong(host_token):
        raise ApiRefusal(422, "weak_token", field="host_token")
    if context.is_draining or not context.openings.take(address_of(request.scope)):
        raise ApiRefusal(503 if context.is_draining else 429, "unavailable" if context.is_draining else "too_fast")
    budget = AddressBudget(context, address_of(request.scope))
    player_token, phrase = new_token(), new_recovery_phrase()
    hashes = Hashes(host=hash_token(host_token), invited=hash_token(player_token), recovery=hash_token(phrase))
    for _ in range(MAX_CODES_TRIED):
        opened = open_table(new_room_code(), opening, hashes)
        if isinstance(opened, Refusal):
            raise refused(opened)
        commit, took_s = await context.rooms.aside.work(partial(opening_of_table, opened, played))
        budget.computed(took_s if played else 0)
        if not budget.may_keep(bytes_of(commit)):
            raise ApiRefusal(429, "stored_too_fast")
        outcome = await context.rooms.store.create(commit)
        if isinstance(outcome, Full):
            break
        if isinstance(outcome, Committed):
            return as_json(TableOpenedAnswer(opened.code, player_token, phrase), 201)
    raise ApiRefusal(503, "server_full")

"""Taking a game's record away, as a game record or as a sheet."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bookboard.hub.endpoints.calls import BYTES_A_CALL, ApiRefusal, charge
from bookboard.hub.endpoints.context import HubContext, address_of
from bookboard.log.actors import TokenHash, hash_token
from bookboard.room.state import Room
from bookboard.rules.spreadsheet import write_lines
from bookboard.store.contract import StoreUnavailable
from bookboard.tables.planning import encode_record

HANDS_A_TURN = 16
REFUSED_AFTER_S = 0.3


async def record(context: HubContext, request: Request) -> Response:
    """A game, finished or as it stands, as a game record, or with `format=csv` as a sheet."""
    code = request.path_params["code"].upper()
    number = request.query_params.get("game", "")
    if number and not (number.isascii() and number.isdigit() and len(number) < 6):
        raise ApiRefusal(400, "malformed", field="game")
    body, played = await _record(context, code, int(number) if number else None, request)
    as_sheet = request.query_params.get("format") == "csv"
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{code}-{played}.json"'}
    if not as_sheet:
        return Response(body, headers=headers, media_type="application/json")
    charge(context, request, len(body) // BYTES_A_CALL)
    headers["Content-Disposition"] = f'attachment; filename="{code}-{played}.csv"'
    return Response("\ufeff" + await sheet_of(context, body), headers=headers, media_type="text/csv")


async def sheet_of(context: HubContext, body: bytes) -> str:
    """Some hands a turn of the loop, and of all sheets that are asked for one at a time: tables go on meanwhile."""
    lines = list[str]()
    async with context.writing:
        for line in write_lines(msgspec.json.decode(body)):
            lines.append(line)
            if len(lines) % HANDS_A_TURN == 0:
                await asyncio.sleep(0)
    return "".join(lines)


async def _record(context: HubContext, code: str, number: int | None, request: Request) -> tuple[bytes, int]:
    """The record of that game, else of the one being played, and its number. Raises ApiRefusal not_found.

    A private table shows it to those who bring one of its tokens (`Authorization: Bearer`).
    """
    answer_at = asyncio.get_running_loop().time() + REFUSED_AFTER_S
    try:
        room = await _shown_to(context, code, _bearer(request))
    except StoreUnavailable:
        await asyncio.sleep(answer_at - asyncio.get_running_loop().time())
        raise
    if room is None:
        raise await not_found(context, request, answer_at)
    playing = room.state.game.number
    if number in (None, playing):
        async with context.writing:
            await asyncio.sleep(0)
            return encode_record(room), playing
    body = await context.rooms.store.archived(code, number)
    if body is None:
        raise await not_found(context, request, answer_at)
    return body, number


async def _shown_to(context: HubContext, code: str, token_hash: TokenHash | None) -> Room | None:
    """The room, if this token may see it. It is the store that says no, to all alike. Raises StoreUnavailable."""
    live = await context.rooms.enter(code)
    if live is None:
        return None
    try:
        return None if await live.role(token_hash) is None else live.state
    finally:
        context.rooms.leave(code)


def _bearer(request: Request) -> TokenHash | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return hash_token(token) if scheme.lower() == "bearer" and token else None


async def not_found(context: HubContext, request: Request, answer_at: float) -> ApiRefusal:
    """For what is not there and for what is not shown: they look alike, and take as long. Nobody may try it often."""
    is_in_time = context.failures.take(address_of(request.scope))
    await asyncio.sleep(answer_at - asyncio.get_running_loop().time())
    return ApiRefusal(404, "not_found") if is_in_time else ApiRefusal(429, "too_fast")

"""What is not a socket: the API's few calls, and how they are answered."""

from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Annotated, Any, TypeVar

import msgspec
import segno
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bookboard.hub.chance import new_recovery_phrase, new_room_code, new_token
from bookboard.hub.desk import Desk, address_of
from bookboard.hub.origins import header, is_allowed
from bookboard.hub.planning import Sender, encode_record, opening_commit
from bookboard.protocol.codecs import MAX_MESSAGE_BYTES, Malformed, check_bounds
from bookboard.room.access import hash_token, is_strong
from bookboard.room.commands import Name, Secret, Short
from bookboard.room.events import TableOpened
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.room.rejections import Rejected
from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.game import Preset, Setting
from bookboard.rules.model import Json
from bookboard.store.contract import Committed, StoreUnavailable

T = TypeVar("T")
MOST_CODES_TRIED = 5
RETRY_AFTER = {"Retry-After": "2"}


class Trouble(Exception):  # noqa: N818
    """Answered as JSON, in the words of `refused`."""

    def __init__(self, status: int, code: str, facts: object = None, field: str | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.body = {"code": code, "field": field, "facts": facts or {}}


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


class DrawQr(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=300)]


class GameOffer(Struct, frozen=True):
    key: str
    version: int
    title: str
    seats: tuple[str, ...]
    overrides: tuple[str, ...]
    settings: tuple[Setting, ...]
    presets: tuple[Preset, ...]


class Here(Struct, frozen=True):
    addresses: list[str]
    version: str


def offer(game: AnyGame) -> GameOffer:
    return GameOffer(game.key, game.version, game.title, game.seats, game.overrides, game.settings, game.presets)


def routes(desk: Desk) -> list[Route]:
    """The API of one hub."""

    def route(path: str, answer: Callable[[Desk, Request], Awaitable[Response]], method: str = "GET") -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                if path.startswith("/api/"):
                    let_through(desk, request)
                return await answer(desk, request)
            except Trouble as trouble:
                return as_json(trouble.body, trouble.status)
            except StoreUnavailable as error:
                desk.rooms.store_failed(error)
                return as_json({"code": "unavailable", "field": None, "facts": {}}, 503, RETRY_AFTER)

        return Route(path, endpoint, methods=[method])

    return [
        route("/api/games", games),
        route("/api/here", here),
        route("/api/tables", open_a_table, "POST"),
        route("/api/tables/{code}/record", record),
        route("/api/qr", draw_qr, "POST"),
        route("/healthz", healthy),
        route("/readyz", ready),
    ]


async def games(_: Desk, __: Request) -> Response:
    return as_json([offer(game) for game in GAMES.values()])


async def here(desk: Desk, _: Request) -> Response:
    return as_json(Here(desk.addresses, version("bookboard")))


async def open_a_table(desk: Desk, request: Request) -> Response:
    asked = await body_of(request, OpenTable)
    if not is_strong(asked.host_token):
        raise Trouble(422, "weak_token", field="host_token")
    if desk.is_draining or not desk.openings.take(address_of(request.scope)):
        raise Trouble(503 if desk.is_draining else 429, "unavailable" if desk.is_draining else "too_fast")
    player_token, phrase = new_token(), new_recovery_phrase()
    hashes = Hashes(host=hash_token(asked.host_token), invited=hash_token(player_token), recovery=hash_token(phrase))
    opening = Opening(
        name=asked.name,
        host_name=asked.host_name,
        key=asked.key,
        settings=asked.settings,
        players=asked.players,
        side_names=asked.side_names,
    )
    for _ in range(MOST_CODES_TRIED):
        opened = open_table(new_room_code(), opening, hashes)
        if isinstance(opened, Rejected):
            raise Trouble(422, opened.code, opened.facts, opened.field)
        if await _create(desk, opened):
            return as_json(TableOpenedAnswer(opened.code, player_token, phrase), 201)
    raise Trouble(503, "server_full")


async def _create(desk: Desk, opened: TableOpened) -> bool:
    """False if another table has the code."""
    commit = opening_commit(opened, Sender(opened.host, "open", opened.host))
    return isinstance(await desk.rooms.store.create(commit), Committed)


async def record(desk: Desk, request: Request) -> Response:
    """A game as a game record: a finished one from the archive, the one being played as it stands."""
    code = request.path_params["code"].upper()
    number = request.query_params.get("game", "")
    if number and not (number.isascii() and number.isdigit() and len(number) < 6):
        raise Trouble(400, "malformed", field="game")
    live = await desk.rooms.enter(code)
    if live is None:
        raise Trouble(404, "not_found")
    try:
        body = encode_record(live.room) if not number or int(number) == live.room.state.game.number else None
    finally:
        desk.rooms.leave(code)
    if body is None:
        body = await desk.rooms.store.archived(code, int(number))
    if body is None:
        raise Trouble(404, "not_found")
    return Response(body, media_type="application/json")


async def draw_qr(_: Desk, request: Request) -> Response:
    asked = await body_of(request, DrawQr)
    drawn = segno.make(asked.text, error="m", micro=False).svg_inline(scale=1, border=2, omitsize=True, light="#fff")
    return Response(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), media_type="image/svg+xml")


async def healthy(_: Desk, __: Request) -> Response:
    return Response("ok\n", media_type="text/plain")


async def ready(desk: Desk, _: Request) -> Response:
    """Whether hands can be entered here: the store takes writes, and the feed has heard itself lately."""
    await desk.rooms.store.prove()
    if desk.is_draining or not desk.rooms.feed.is_healthy:
        return Response("not ready\n", 503, media_type="text/plain")
    return Response("ready\n", media_type="text/plain")


def let_through(desk: Desk, request: Request) -> None:
    """Raises Trouble for too many calls, and for pages of others: they may not open tables in their visitors' names."""
    if not desk.calls.take(address_of(request.scope)):
        raise Trouble(429, "too_fast")
    headers = request.scope["headers"]
    origin = header(headers, b"origin")
    if origin is not None and not is_allowed(origin, header(headers, b"host"), desk.config.allow_origins):
        raise Trouble(403, "not_found")


async def body_of(request: Request, kind: type[T]) -> T:
    """The JSON body. Raises Trouble for one that is too long, or not of this kind."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MAX_MESSAGE_BYTES:
            raise Trouble(413, "malformed")
    try:
        value: Any = msgspec.json.decode(raw)
        check_bounds(value)
        return msgspec.convert(value, kind)
    except (msgspec.MsgspecError, ValueError, RecursionError, Malformed):
        raise Trouble(400, "malformed") from None


def as_json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    shown = {"Cache-Control": "no-store", **(headers or {})}
    return Response(msgspec.json.encode(value), status, shown, media_type="application/json")

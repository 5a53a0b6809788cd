"""How a call of the API is let in, read and answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from bookboard.hub.endpoints.context import HubContext, address_of
from bookboard.hub.endpoints.origins import header, is_allowed
from bookboard.log.refusals import Refusal, RefusalCode
from bookboard.protocol.codecs import MAX_MESSAGE_BYTES, Malformed, check_bounds
from bookboard.store.contract import StoreUnavailable

T = TypeVar("T")
RETRY_AFTER = {"Retry-After": "2"}
BODY_WITHIN_S = 10.0
BYTES_A_CALL = 4096
MAX_NESTED = 10_000
"""Lists and mappings in one body, counted before it is decoded: a game of 500 hands has half as many."""


class ApiRefusal(Exception):  # noqa: N818
    """A call that is refused: answered as JSON, with the members of `refused`."""

    def __init__(
        self,
        status: int,
        code: RefusalCode,
        facts: Mapping[str, bool | int | str | None] | None = None,
        field: str | None = None,
        *,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.headers = headers
        self.body = {"code": code, "field": field, "facts": facts or {}}


def refused(refusal: Refusal) -> ApiRefusal:
    """A refusal of the log, as the answer to a call."""
    return ApiRefusal(422, refusal.code, refusal.facts, refusal.field)


def route(
    context: HubContext, path: str, answer: Callable[[HubContext, Request], Awaitable[Response]], method: str = "GET"
) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            if path.startswith("/api/"):
                let_through(context, request)
            return await answer(context, request)
        except ApiRefusal as trouble:
            return as_json(trouble.body, trouble.status, trouble.headers)
        except StoreUnavailable as error:
            context.rooms.store_failed(error)
            return as_json(ApiRefusal(503, "unavailable").body, 503, RETRY_AFTER)

    return Route(path, endpoint, methods=[method])


def let_through(context: HubContext, request: Request) -> None:
    """Raises ApiRefusal for too many calls, and for pages of others: they may not open tables for their visitors."""
    charge(context, request, 1)
    headers = request.scope["headers"]
    origin = header(headers, b"origin")
    if origin is not None and not is_allowed(origin, header(headers, b"host"), context.config.origins):
        raise ApiRefusal(403, "other_origin")


async def body_of(context: HubContext, request: Request, kind: type[T], most_bytes: int = MAX_MESSAGE_BYTES) -> T:
    """The JSON body, paid for before it is read. Raises ApiRefusal for one too long, too slow, or not of this kind."""
    announced = request.headers.get("content-length", "")
    charge(context, request, int(announced) // BYTES_A_CALL if announced.isdigit() and len(announced) < 10 else 0)
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            raw = await _read(request, most_bytes)
    except TimeoutError:
        raise ApiRefusal(408, "malformed", headers={"Connection": "close"}) from None
    except ClientDisconnect:
        raise ApiRefusal(400, "malformed") from None  # nobody is there to hear it
    if raw.count(b"[") + raw.count(b"{") > MAX_NESTED:
        raise ApiRefusal(400, "malformed")
    try:
        value: Any = msgspec.json.decode(raw)
        check_bounds(value)
        return msgspec.convert(value, kind)
    except (msgspec.MsgspecError, ValueError, RecursionError, Malformed):
        raise ApiRefusal(400, "malformed") from None


async def _read(request: Request, most_bytes: int) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > most_bytes:
            raise ApiRefusal(413, "malformed", headers={"Connection": "close"})
    return bytes(raw)


def charge(context: HubContext, request: Request, cost: float) -> None:
    """For a call that takes the hub longer than most. Raises ApiRefusal for too many of them."""
    if not context.calls.take(address_of(request.scope), cost):
        raise ApiRefusal(429, "too_fast")


def as_json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    shown = {"Cache-Control": "no-store", **(headers or {})}
    return Response(msgspec.json.encode(value), status, shown, media_type="application/json")

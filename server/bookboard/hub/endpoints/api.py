"""What is not a socket: the API's few calls, and how they are answered."""

import asyncio
from importlib.metadata import version
from typing import Annotated

import segno
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from bookboard.hub.endpoints.calls import as_json, body_of, charge, route
from bookboard.hub.endpoints.context import HubContext

CHARACTERS_A_CALL = 25


class DrawQr(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=900)]


class Here(Struct, frozen=True):
    addresses: list[str]
    version: str


def routes(context: HubContext) -> list[BaseRoute]:
    """The API of one hub: its own calls, and those of each kind of log."""
    own = [
        route(context, "/api/here", here),
        route(context, "/api/qr", draw_qr, "POST"),
        route(context, "/healthz", healthy),
        route(context, "/readyz", ready),
    ]
    return [*own, *(each for kind in context.rooms.kinds for each in kind.routes(context))]


async def here(context: HubContext, _: Request) -> Response:
    return as_json(Here(context.addresses, version("bookboard")))


async def draw_qr(context: HubContext, request: Request) -> Response:
    """Drawn beside the loop and one after another: the longest text takes a tenth of a second."""
    asked = await body_of(context, request, DrawQr)
    charge(context, request, len(asked.text) // CHARACTERS_A_CALL)
    async with context.drawing:
        drawn = await asyncio.to_thread(qr_code, asked.text)
    return Response(drawn, media_type="image/svg+xml")


def qr_code(text: str) -> str:
    drawn = segno.make(text, error="m", micro=False).svg_inline(scale=1, border=2, omitsize=True, light="#fff")
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


async def healthy(_: HubContext, __: Request) -> Response:
    return Response("ok\n", media_type="text/plain")


async def ready(context: HubContext, _: Request) -> Response:
    """Whether hands can be entered here, and stay: the store takes commits, and the feed has heard itself lately."""
    policy = await context.check_writable()
    if policy is not None:
        text = f"the store throws tables away when it is full (maxmemory-policy {policy}): set noeviction\n"
        return Response(text, 503, media_type="text/plain")
    if context.is_draining or not context.rooms.feed.is_healthy:
        return Response("not ready\n", 503, media_type="text/plain")
    return Response("ready\n", media_type="text/plain")

"""The hub as one ASGI application: sockets go straight to `handshake.py`, everything else through Starlette."""

from pathlib import Path

from starlette.applications import Starlette

from bookboard.hub.endpoints import api, pages
from bookboard.hub.endpoints.context import HubContext, Receive, Scope, Send, address_of
from bookboard.hub.endpoints.handshake import serve_socket
from bookboard.hub.endpoints.pages import App, with_security_headers
from bookboard.web_root import web_root


def make_app(context: HubContext, root: Path | None = None) -> App:
    """The application of a hub whose rooms are started and stopped by the caller."""
    starlette = Starlette(routes=[*api.routes(context), *pages.routes(root or web_root())])
    over_http = with_security_headers(starlette)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await serve_socket(context, scope, receive, send)
        else:
            await context.pace.wait_for_turn(address_of(scope))
            await over_http(scope, receive, send)

    return app

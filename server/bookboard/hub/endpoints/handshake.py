"""A WebSocket's handshake. A raw ASGI application: at a storm, every layer in between shows."""

import logging
import re

from bookboard.hub.endpoints.connection import Connection
from bookboard.hub.endpoints.context import HubContext, Receive, Scope, Send, address_of
from bookboard.hub.endpoints.origins import header, is_allowed
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import Codec, codec_for

log = logging.getLogger(__name__)

SOCKET_PATH = re.compile(r"/ws(?:/[0-9A-Za-z]{1,16})?")
"""With a log's code, so that a proxy can keep its screens on one hub by hashing the path; `hello` names it, too."""


async def serve_socket(context: HubContext, scope: Scope, receive: Receive, send: Send) -> None:
    await receive()  # websocket.connect
    codec = codec_for(scope["subprotocols"])
    origin = header(scope["headers"], b"origin")
    status = _handshake_status(context, scope, codec, origin)
    if status is not None or codec is None:
        await _turn_away(scope, send, status or 400)
        return
    await send({"type": "websocket.accept", "subprotocol": codec.name})
    connection = Connection(context, scope, receive, send, codec=codec)
    scope["headers"] = []  # kept for as long as the connection
    with context.hosting(connection, address_of(scope)):
        try:
            await connection.run()
        except Exception:
            log.exception("a connection failed")
            await connection.close(Closing.FAILED)
        finally:
            connection.end()


def _handshake_status(context: HubContext, scope: Scope, codec: Codec | None, origin: str | None) -> int | None:
    if not SOCKET_PATH.fullmatch(scope["path"]):
        return 404
    if origin is not None and not is_allowed(origin, header(scope["headers"], b"host"), context.config.origins):
        return 403
    if codec is None:
        return 400
    return 503 if context.is_draining or not context.has_place_for(address_of(scope)) else None


async def _turn_away(scope: Scope, send: Send, status: int) -> None:
    if "websocket.http.response" in scope.get("extensions", {}):
        await send({"type": "websocket.http.response.start", "status": status, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b""})
    else:
        await send({"type": "websocket.close"})

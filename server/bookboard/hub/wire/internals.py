"""Every name of uvicorn, h11 and websockets that is not public and that the hub uses, in one place.

The fan-out writes past ASGI, strangers' bytes are parsed in small portions, and a closed connection leaves no reference
cycle: none of this can be had from a public interface. The packages are pinned to the minor version for that, and
`tests/hub/test_internals.py` checks that each name is there, that no other is used, and that none is listed in vain.
"""

import h11
from uvicorn import Server
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

__all__ = [
    "HTTP_NAMES",
    "SERVER_NAMES",
    "WEBSOCKET_NAMES",
    "ASGIReceiveEvent",
    "ASGISendEvent",
    "ClientDisconnected",
    "Frame",
    "H11Protocol",
    "Server",
    "State",
    "WebSocketsSansIOProtocol",
    "h11",
]

WEBSOCKET_NAMES = frozenset(
    {
        "app_state",
        "close_sent",
        "conn",
        "conn.data_to_send",
        "conn.events",
        "conn.handshake_exc",
        "conn.parser",
        "conn.parser_exc",
        "conn.send_close",
        "conn.send_response",
        "conn.state",
        "connection_lost",
        "connection_made",
        "curr_msg_data_type",
        "data_received",
        "frames",
        "handle_close",
        "handle_events",
        "handle_parser_exception",
        "handshake_complete",
        "handshake_initiated",
        "pause_writing",
        "queue",
        "read_paused",
        "receive",
        "request",
        "response",
        "resume_writing",
        "run_asgi",
        "scope",
        "send",
        "send_receive_event_to_app",
        "transport",
        "writable",
    }
)
"""Of `WebSocketsSansIOProtocol`, overridden or used; dotted where a part of it has the name."""

HTTP_NAMES = frozenset(
    {
        "_unset_keepalive_if_required",
        "app_state",
        "config",
        "conn",
        "conn.their_state",
        "conn.trailing_data",
        "connection_lost",
        "connection_made",
        "connections",
        "cycle",
        "cycle.more_body",
        "cycle.response_complete",
        "cycle.response_started",
        "data_received",
        "eof_received",
        "flow",
        "flow.read_paused",
        "headers",
        "limit_concurrency",
        "on_response_complete",
        "send_400_response",
        "server_state",
        "shutdown",
        "timeout_keep_alive_task",
        "transport",
        "ws_protocol_class",
    }
)
"""Of `H11Protocol`."""

SERVER_NAMES = frozenset(
    {
        "capture_signals",
        "force_exit",
        "servers",
        "should_exit",
        "shutdown",
    }
)
"""Of `uvicorn.Server`."""

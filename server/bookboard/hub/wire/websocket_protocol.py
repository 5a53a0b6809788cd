"""uvicorn's WebSocket protocol, with a way past ASGI for the fan-out, and bounds on what a stranger can make it do.

`scope["extensions"]["bookboard.wire"]` is the protocol itself: a room writes ready frames to its socket, and its reader
is told when the transport wants a pause. `internals.py` lists what this uses of uvicorn's class.
"""

import sys
from asyncio.transports import BaseTransport
from collections.abc import MutableMapping
from typing import Any, Protocol

from bookboard.hub.wire.gate import Gate, QueuedInput
from bookboard.hub.wire.internals import (
    ASGIReceiveEvent,
    ASGISendEvent,
    ClientDisconnected,
    Frame,
    State,
    WebSocketsSansIOProtocol,
)
from bookboard.hub.wire.throttle import Bucket
from bookboard.protocol.closing import Closing

WIRE = "bookboard.wire"
PORTION = 2048
"""Bytes parsed at once: what a connection's smallest frames of that many bytes cost is a few milliseconds."""
FRAMES_PER_SECOND, FRAMES_BURST = 50, 400
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Paced(Protocol):
    def paused(self) -> None:
        """The transport's buffer is full."""

    def resumed(self) -> None:
        """It has drained."""

    def lost(self) -> None:
        """Nothing can be written any more."""


class Listener(Protocol):
    def hear(self, message: MutableMapping[str, Any]) -> None:
        """A message has come. Must not raise."""


class WireProtocol(QueuedInput, WebSocketsSansIOProtocol):
    """`listener` hears messages as they come, once it is set and those that came before have been received.

    `is_known`: it has shown the token of a person, and what it sends does not wait behind strangers.
    """

    reader: Paced | None = None
    listener: Listener | None = None
    is_known = False
    _frames: Bucket | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.gate = Gate.of(self.app_state)

    async def run_asgi(self) -> None:
        self.scope["extensions"][WIRE] = self  # type: ignore[assignment]
        try:
            await super().run_asgi()
        finally:
            del self.scope["extensions"][WIRE]

    # ── what comes ────────────────────────────────────────────────────────────────────────────────────────────────

    def data_received(self, data: bytes) -> None:
        if not self.is_known or self.is_waiting:
            self.queue_up(data)
            return
        for start in range(0, len(data), PORTION):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PORTION])

    def handle(self, portion: bytes) -> None:
        super().data_received(portion)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(_BAD_REQUEST)  # the base class would wait for ever
            self.transport.close()

    def handle_events(self) -> None:
        """Frames of every kind count, those that no message is made of as well: they cost the same."""
        if self._frames is None:
            self._frames = Bucket(FRAMES_PER_SECOND, FRAMES_BURST)
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            self._hang_up()

    def _hang_up(self) -> None:
        if self.conn.state is State.OPEN:
            self.conn.send_close(Closing.TOO_FAST.code, Closing.TOO_FAST.word)
            self.handle_parser_exception()
        else:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Text that is no UTF-8 goes on as binary: the codec refuses it, the base class would log an exception."""
        data = b"".join(self.frames)
        if self.curr_msg_data_type == "text" and not _is_utf8(data):
            self.curr_msg_data_type = "bytes"
        if self.listener is None or self.close_sent or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        self.frames = []
        if self.curr_msg_data_type == "text":
            self.listener.hear({"type": "websocket.receive", "text": data.decode()})
        else:
            self.listener.hear({"type": "websocket.receive", "bytes": data})

    def handle_close(self, event: Frame) -> None:
        self._say_no_more()
        super().handle_close(event)

    def handle_parser_exception(self) -> None:
        self._say_no_more()
        super().handle_parser_exception()

    def _say_no_more(self) -> None:
        """Nothing comes after a close frame."""
        if self.reader is not None:
            self.reader.lost()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        self._read_if_it_reads()
        return message

    def read_on(self) -> None:
        if not self.read_paused and self.writable.is_set():
            self.transport.resume_reading()

    # ── what goes ─────────────────────────────────────────────────────────────────────────────────────────────────

    def file(self) -> int:
        """The socket's, to write to while nothing waits in the transport; good until the reader is told it is lost.

        An encrypted transport and Windows, where sockets are no files, have none: who writes to -1 fails.
        """
        if sys.platform == "win32" or self.transport.get_extra_info("ssl_object") is not None:
            return -1
        number: int = self.transport.get_extra_info("socket").fileno()
        return number

    async def send(self, message: ASGISendEvent) -> None:
        if not self.handshake_complete and self.transport.is_closing():
            raise ClientDisconnected  # the base class has answered, or there is nobody to answer
        if message["type"] == "websocket.accept" and not self.handshake_complete:
            self._accept(message.get("subprotocol"))
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else the base class logs an error for everybody who is turned away

    def _accept(self, subprotocol: str | None) -> None:
        """As the base class does it, without its log and headers that nobody reads."""
        if subprotocol is not None:
            self.response.headers["Sec-WebSocket-Protocol"] = subprotocol
        self.handshake_complete = True
        self.conn.send_response(self.response)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.request.headers.clear()  # an idle connection's parser would keep them
        self.response.headers.clear()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._read_if_it_reads()
        if self.reader is not None:
            self.reader.paused()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing() and not self.is_waiting:
            self.read_on()
        if self.reader is not None:
            self.reader.resumed()

    def _read_if_it_reads(self) -> None:
        """Nothing more is asked by a client that does not take the answers: they would pile up here."""
        if not self.writable.is_set() or self.is_waiting:
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._say_no_more()
        super().connection_lost(exc)
        self._leave_no_circle()

    def _leave_no_circle(self) -> None:
        """What a crowd of strangers leaves would stop everybody while it is collected. See the extension, above."""
        self.conn.parser.close()
        error: BaseException | None = self.conn.parser_exc or self.conn.handshake_exc
        while error is not None:  # the frames of its traceback know this connection
            error.__traceback__, error = None, error.__cause__ or error.__context__


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True

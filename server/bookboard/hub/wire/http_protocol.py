"""uvicorn's HTTP protocol, for strangers: a request comes soon, comes in whole, and costs no more than it weighs.

What arrives is parsed in small portions, at the gate, so that no connection and no crowd of them holds the loop for
long. A handshake that comes whole goes to the WebSocket's parser at once, and not through h11 first: it is a quarter of
what a client costs that comes back after a hub was killed, and they all come at once. `internals.py` lists what this
uses of uvicorn's class.
"""

import asyncio
import re
from functools import partial
from typing import cast

from bookboard.hub.wire.gate import Gate, QueuedInput
from bookboard.hub.wire.internals import H11Protocol, h11
from bookboard.hub.wire.timer import OneShotTimer

ASKS_WITHIN_S = 10.0
HANDSHAKE, LONGEST_HANDSHAKE = re.compile(rb"GET /ws(?:/[0-9A-Za-z]{1,16})? HTTP/1\.1\r\n"), 4096
_LENGTH_REQUIRED = b"HTTP/1.1 411 Length Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class HttpProtocol(QueuedInput, H11Protocol):
    """`limit_concurrency` of the configuration counts connections that have asked for nothing yet as well."""

    _has_begun = False
    _is_upgrading = False
    _has_ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._asking = OneShotTimer()
        self.gate = Gate.of(self.app_state)
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency:
            transport.abort()
        self._wait_or_not()

    def data_received(self, data: bytes) -> None:
        if not self._has_begun:
            self._has_begun = True
            if _is_whole_handshake(data):
                self._is_upgrading = True
                self._asking.cancel()
                self.transport.pause_reading()
                self.gate.enter(partial(self._upgrade, data))
        if self._is_upgrading:
            return
        self._unset_keepalive_if_required()
        self.queue_up(data)
        self._wait_or_not()

    def handle(self, portion: bytes) -> None:
        super().data_received(portion)
        if self.transport.get_protocol() is not self:
            self.forget()  # a WebSocket now: what follows its handshake before the answer is no frame
            self._asking.cancel()
            return
        self._hang_up_on_endless_bodies()
        self._wait_or_not()
        self._close_if_all_is_said()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Who has said all that they will say is answered first."""
        self._has_ended = True
        return self.is_waiting or self._is_answering

    @property
    def _is_answering(self) -> bool:
        """What was asked for has come whole, and the answer has not gone whole."""
        return self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body

    def _close_if_all_is_said(self) -> None:
        if self._has_ended and not self._is_answering and not self.is_waiting:
            self.transport.close()

    def read_on(self) -> None:
        if self.transport.get_protocol() is self and not self.flow.read_paused:
            self.transport.resume_reading()

    def on_response_complete(self) -> None:
        """A request that was sent before the answer to the one before waits as if it came now."""
        if self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
            self.gate.enter(self._go_on)
        else:
            self._go_on()

    def _go_on(self) -> None:
        super().on_response_complete()
        self._close_if_all_is_said()
        if self.is_waiting:
            self.transport.pause_reading()

    def _upgrade(self, handshake: bytes) -> None:
        """As the base class does it, with the bytes that came."""
        if self.transport.is_closing():
            return
        self.connections.discard(self)
        made = self.ws_protocol_class(  # type: ignore[call-arg, misc]
            config=self.config, server_state=self.server_state, app_state=self.app_state
        )
        protocol = cast("QueuedInput", made)
        protocol.connection_made(self.transport)
        self.transport.set_protocol(protocol)
        protocol.handle(handshake)
        protocol.read_on()

    def _hang_up_on_endless_bodies(self) -> None:
        if not self.headers:
            return
        if any(name == b"transfer-encoding" for name, _ in self.headers):
            # Chunks of a byte each cost thousands of times what they weigh. Browsers give the length.
            if not self.cycle.response_started:
                self.transport.write(_LENGTH_REQUIRED)
            self.transport.close()
        elif self.cycle.response_complete and self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def shutdown(self) -> None:
        """Nobody waits for the rest of a body: whoever sends it is told to come back by the end of the connection."""
        super().shutdown()
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._asking.cancel()
        super().connection_lost(exc)
        self.cycle = None  # type: ignore[assignment] # it knows this protocol: no circle is left for the collector

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # there was an answer already: what follows it is nobody's
            self.transport.close()

    def _wait_or_not(self) -> None:
        """Bytes of a head buy no more time. Between requests uvicorn's own, shorter limit holds."""
        is_asking = self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None
        if not is_asking:
            self._asking.cancel()
        elif not self._asking.is_waiting and not self.transport.is_closing():
            self._asking.call(ASKS_WITHIN_S, self._give_up)

    def _give_up(self) -> None:
        if self.conn.their_state is h11.IDLE and self.transport.get_protocol() is self:
            self.transport.close()


def _is_whole_handshake(data: bytes) -> bool:
    """Whether these first bytes are a WebSocket's handshake and nothing else; if in doubt, h11 looks at them."""
    if not HANDSHAKE.match(data) or len(data) > LONGEST_HANDSHAKE or data.find(b"\r\n\r\n") != len(data) - 4:
        return False
    head = data.lower()
    return head.count(b"\r\nhost:") == 1 and b"\r\nupgrade: websocket\r\n" in head

"""uvicorn's HTTP protocol, for strangers: a request comes soon, comes in whole, and costs no more than it weighs.

What arrives is parsed in small portions, so that one connection never holds the loop for long. Tests check what this
uses of uvicorn's class.
"""

import asyncio

import h11  # uvicorn's own parser
from uvicorn.protocols.http.h11_impl import H11Protocol

PORTION = 4096
ASKS_WITHIN_S = 10.0
_LENGTH_REQUIRED = b"HTTP/1.1 411 Length Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class HttpProtocol(H11Protocol):
    """`limit_concurrency` of the configuration counts connections that have asked for nothing yet as well."""

    _asking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency:
            transport.abort()
        self._wait_or_not()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PORTION):
            super().data_received(data[start : start + PORTION])
            if self.transport.get_protocol() is not self:
                break  # a WebSocket now: what follows its handshake before the answer is no frame
            self._hang_up_on_endless_bodies()
            if self.transport.is_closing():
                break
        self._wait_or_not()

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

    def connection_lost(self, exc: Exception | None) -> None:
        if self._asking is not None:
            self._asking.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # there was an answer already: what follows it is nobody's
            self.transport.close()

    def _wait_or_not(self) -> None:
        """Bytes of a head buy no more time. Between requests uvicorn's own, shorter limit holds."""
        is_asking = self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None
        if not is_asking and self._asking is not None:
            self._asking.cancel()
            self._asking = None
        elif is_asking and self._asking is None and not self.transport.is_closing():
            self._asking = self.loop.call_later(ASKS_WITHIN_S, self._give_up)

    def _give_up(self) -> None:
        self._asking = None
        if self.conn.their_state is h11.IDLE and self.transport.get_protocol() is self:
            self.transport.close()

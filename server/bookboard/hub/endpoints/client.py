"""A client on a WebSocket: what it is sent, and how it is sent away."""

import asyncio
import contextlib
import logging

from bookboard.hub.endpoints.context import AddressBudget, HubContext, Receive, Scope, Send, address_of
from bookboard.hub.endpoints.origins import header
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.wire.fanout import DirectSubscriber
from bookboard.hub.wire.outbox import QueuedSubscriber
from bookboard.hub.wire.websocket_protocol import WIRE, WireProtocol
from bookboard.log.actors import SPECTATOR, Actor, TokenHash
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import Codec, Malformed
from bookboard.protocol.messages import Bye, ServerMessage

log = logging.getLogger(__name__)


class Client:
    """It belongs to no log until its hello was answered with `welcome`."""

    def __init__(self, context: HubContext, scope: Scope, receive: Receive, send: Send, *, codec: Codec) -> None:
        self._context = context
        self._address = address_of(scope)
        self._budget = AddressBudget(context, self._address)
        self._receive = receive
        self._send = send
        self._codec = codec
        self._is_browser = header(scope["headers"], b"origin") is not None
        self._wire: WireProtocol | None = scope.get("extensions", {}).get(WIRE)
        self._reader: DirectSubscriber | QueuedSubscriber = (
            DirectSubscriber(self._wire, codec, self._catch_up, self._stuck)
            if self._wire is not None
            else QueuedSubscriber(send, codec, catch_up=self._catch_up, on_stuck=self._stuck)
        )
        self._live: LiveLog | None = None
        self._token_hash: TokenHash | None = None
        self._actor = Actor(SPECTATOR)
        self._closing: asyncio.Task[None] | None = None
        self._patience: asyncio.Timeout | None = None

    def _catch_up(self, seen: int) -> None:
        """Messages to all were left out after that turn."""
        raise NotImplementedError

    def _tell(self, message: ServerMessage) -> None:
        if self._closing is None:
            self._reader.send(self._codec.encode(message))

    def close_soon(self, closing: Closing, reconnect_in: int | None = None) -> None:
        """Say bye and close; the first reason counts."""
        if self._closing is None:
            self._reader.leave()
            if reconnect_in is None and closing.may_come_back:
                reconnect_in = 1000
            self._closing = asyncio.get_running_loop().create_task(self._close(closing, reconnect_in))

    async def close(self, closing: Closing) -> None:
        """Returns when the goodbye was said."""
        self.close_soon(closing)
        if self._closing is not None:
            await self._closing

    async def _close(self, closing: Closing, reconnect_in: int | None) -> None:
        self._reader.send(self._codec.encode(Bye(closing.word, reconnect_in)))
        if isinstance(self._reader, QueuedSubscriber):
            await self._reader.finish()
        with contextlib.suppress(OSError, RuntimeError):  # it may be gone already
            try:
                async with asyncio.timeout(2):
                    await self._send({"type": "websocket.close", "code": closing.code, "reason": closing.word})
            except TimeoutError:
                self._cut()

    def _cut(self) -> None:
        """It does not take even the goodbye. Without a wire the server is left with it."""
        if self._wire is not None:
            self._wire.transport.abort()
        elif self._patience is not None:
            self._patience.reschedule(asyncio.get_running_loop().time())

    def _stuck(self) -> None:
        self.close_soon(Closing.SLOW)

    def _close_malformed(self, error: Malformed) -> None:
        log.info("malformed: %s", error)
        self.close_soon(Closing.MALFORMED)

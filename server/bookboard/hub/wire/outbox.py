"""The way out where the server offers no wire: plain ASGI sends, by one task a connection, from a bounded queue."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from bookboard.hub.wire.fanout import Audience
from bookboard.hub.wire.stall import LOOK_EVERY_S, LOOKS_UNTIL_STUCK
from bookboard.protocol.codecs import Codec

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
MAX_WAITING = 64
STUCK_AFTER_S = LOOK_EVERY_S * LOOKS_UNTIL_STUCK


class QueuedSubscriber:
    """Past `MAX_WAITING` messages the queue is dropped, and `catch_up`, told what was seen whole, sends what there is.

    `on_stuck` closes the connection.
    """

    def __init__(
        self, send: Send, codec: Codec, *, catch_up: Callable[[int], None], on_stuck: Callable[[], None]
    ) -> None:
        self.codec = codec
        self._catch_up = catch_up
        self._send = send
        self._on_stuck = on_stuck
        self._audience: Audience | None = None
        self._waiting: deque[bytes] = deque()
        self._answers: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._has_seen = 0
        self._task = asyncio.get_running_loop().create_task(self._run())

    def send(self, payload: bytes) -> None:
        self._answers.append(payload)
        self._wake.set()

    def send_newest(self, snapshot: bytes) -> None:
        """A snapshot that was asked for."""
        self.send(snapshot)

    def put(self, payloads: list[bytes]) -> None:
        if self._audience is not None and not self._waiting:
            self._has_seen = self._audience.turns - 1
        self._waiting.extend(payloads)
        if len(self._waiting) > MAX_WAITING:
            self._waiting.clear()
            self._catch_up(self._has_seen)
        self._wake.set()

    def join(self, audience: Audience) -> None:
        self._audience = audience
        audience.add(self)
        audience.queues[self.codec][self] = self.put

    def leave(self) -> None:
        if self._audience is not None:
            self._audience.remove(self)
            self._audience = None

    async def finish(self) -> None:
        """Returns when everything has been sent, or after a second."""
        self.leave()
        self._closing = True
        self._wake.set()
        if not self._task.done():
            await asyncio.wait([self._task], timeout=1)

    def lost(self) -> None:
        self.leave()
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while waiting := self._answers or self._waiting:
                payload = waiting.popleft()
                message = {"bytes": payload} if self.codec.binary else {"text": payload.decode()}
                try:
                    async with asyncio.timeout(STUCK_AFTER_S):
                        await self._send({"type": "websocket.send", **message})
                except TimeoutError:
                    self._on_stuck()
                    return
                except (OSError, RuntimeError):
                    return  # the connection is gone; whoever receives from it hears so
            if self._closing:
                return

"""The feed: one connection that listens to the rooms somebody watches on this hub.

A reader task owns the connection and makes it again, with backoff, whenever it breaks. Whoever subscribes only says
what is wanted and waits for the server's confirmation of it, on whichever connection that comes. A message to itself
every few seconds is the only thing that shows a connection which has gone dark without an error.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from random import uniform
from secrets import token_hex
from time import monotonic
from typing import Any

import msgspec
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from bookboard.store import keys
from bookboard.store.contract import FeedMessage, StoreUnavailable
from bookboard.store.link import Connect, open_connection, reason_of

CONFIRM_S = 5.0
PROOF_EVERY_S = 2.0
HEALTHY_FOR_S = 4.0
SILENCE_S, PUT_OFF_EVERY_S = 5.0, 1.0
BACKOFF_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)

_log = logging.getLogger(__name__)


class RedisFeed:
    """A `Feed` from one server. `on_gap` is called once all rooms are confirmed again: who reads their heads has all.

    `partition` is one that the server holds, for the message to itself. `on_broken` hears of every lost connection.
    """

    def __init__(  # noqa: PLR0913 - the last two are for clusters only
        self,
        connect: Connect,
        call: Callable[..., Awaitable[Any]],
        on_message: Callable[[FeedMessage], None],
        on_gap: Callable[[], None],
        *,
        partition: int = 0,
        on_broken: Callable[[], None] = lambda: None,
    ) -> None:
        self._connect = connect
        self._on_broken = on_broken
        self._call = call
        self._on_message = on_message
        self._on_gap = on_gap
        self._decode = msgspec.msgpack.Decoder(FeedMessage).decode
        self._own = keys.proof(partition, token_hex(8))
        self._wanted = {self._own}
        self._connection: AbstractConnection | None = None
        self._unanswered: dict[str, int] = {}
        self._confirmed: set[str] = set()
        self._waiters: dict[str, asyncio.Future[None]] = {}
        self._resuming = False
        self._made = 0
        self._proven = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.healthy_since: float | None = None
        self.last_proof: float | None = None
        self.last_error = "unreachable"

    @property
    def is_healthy(self) -> bool:
        """Whether the feed has heard itself within the last 4 s. Times are of `time.monotonic`, in s."""
        return self.last_proof is not None and monotonic() - self.last_proof < HEALTHY_FOR_S

    async def start(self) -> None:
        """Returns once the feed hears itself; StoreUnavailable if that takes longer than 5 s."""
        self._tasks = [asyncio.create_task(self._keep_reading()), asyncio.create_task(self._keep_proving())]
        try:
            async with asyncio.timeout(CONFIRM_S):
                await self._proven.wait()
        except TimeoutError:
            raise StoreUnavailable(self.last_error) from None

    async def subscribe(self, room: str) -> None:
        """Returns once the store has confirmed it. Raises StoreUnavailable after 5 s; the room is let go of then."""
        channel = keys.room_keys(room).feed
        if channel in self._wanted and channel in self._confirmed:
            return
        waiter, asks = self._waiters.get(channel), False
        if waiter is None:
            waiter = self._waiters[channel] = asyncio.get_running_loop().create_future()
            self._wanted.add(channel)
            asks = True
        try:
            async with asyncio.timeout(CONFIRM_S):
                if asks:
                    await self._send("SSUBSCRIBE", channel)
                await asyncio.shield(waiter)
        except TimeoutError:
            reason = "timeout" if self._connection is not None else self.last_error
            await self._let_go(channel, reason)
            raise StoreUnavailable(reason) from None

    async def unsubscribe(self, room: str) -> None:
        await self._let_go(keys.room_keys(room).feed, "unsubscribed")

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for channel in list(self._waiters):
            self._settle(channel, StoreUnavailable("closed"))

    async def _let_go(self, channel: str, reason: str) -> None:
        self._settle(channel, StoreUnavailable(reason))
        if channel in self._wanted:
            self._wanted.discard(channel)
            self._confirmed.discard(channel)
            await self._send("SUNSUBSCRIBE", channel)

    async def _send(self, verb: str, *channels: str) -> None:
        """Sends if there is a connection; if not, or if it breaks, the next one asks for all that is wanted."""
        connection = self._connection
        if connection is None or not connection.is_connected:
            return
        for channel in channels:
            self._unanswered[channel] = self._unanswered.get(channel, 0) + 1
        try:
            # One command a channel: in a cluster, channels of one command must share a slot.
            commands = connection.pack_commands([(verb, channel) for channel in channels])
            await connection.send_packed_command(commands, check_health=False)
        except (RedisError, OSError):
            # The reader sees the same break, and makes the connection again.
            await connection.disconnect(nowait=True)

    async def _keep_reading(self) -> None:
        failures = 0
        while True:
            made_before = self._made
            connection = self._connect()
            try:
                await self._read(connection)
            except Exception as error:  # noqa: BLE001 - the edge of a worker: whatever it was, the next connection heals it
                self.last_error = reason_of(error)
                if failures == 0:
                    _log.warning("feed: %s", error or type(error).__name__)
            finally:
                self._connection = None
                self._confirmed.clear()
                self._unanswered.clear()
                await connection.disconnect(nowait=True)
            self._on_broken()
            failures = 0 if self._made > made_before else failures + 1
            await asyncio.sleep(BACKOFF_S[min(failures, len(BACKOFF_S) - 1)] * uniform(0.5, 1.5))  # noqa: S311

    async def _read(self, connection: AbstractConnection) -> None:
        """Reads until the connection breaks; it always ends in an error."""
        await open_connection(connection)
        self._connection = connection
        self._resuming = True
        await self._send("SSUBSCRIBE", *self._wanted)
        # One limit that is put off once in a while, since every message comes by here.
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(SILENCE_S) as limit:
            put_off_at = loop.time()
            while True:
                kind, channel, payload = await connection.read_response()
                if loop.time() - put_off_at > PUT_OFF_EVERY_S:
                    put_off_at = loop.time()
                    limit.reschedule(put_off_at + SILENCE_S)
                if kind == b"smessage":
                    self._hear(channel, payload)
                else:
                    self._confirm(kind, channel.decode())

    def _hear(self, channel: bytes, payload: bytes) -> None:
        if channel == self._own.encode():
            now = monotonic()
            if not self.is_healthy:
                self.healthy_since = now
            self.last_proof = now
            self._proven.set()
            return
        try:
            self._on_message(self._decode(payload))
        except Exception:  # noqa: BLE001 - one message that nobody can take must not cost all rooms their feed
            _log.exception("feed: a message was dropped")

    def _confirm(self, kind: bytes, channel: str) -> None:
        """Counts answers, since only the one to the last command for a channel says what holds now."""
        left = self._unanswered.get(channel, 0) - 1
        if left > 0:
            self._unanswered[channel] = left
            return
        self._unanswered.pop(channel, None)
        if kind == b"ssubscribe" and channel in self._wanted:
            self._confirmed.add(channel)
            self._settle(channel, None)
        elif channel in self._wanted:
            # Nobody here asked for that: the slot has moved to another server.
            raise RedisError(f"{channel} was unsubscribed by the server")
        if self._resuming and self._wanted <= self._confirmed:
            self._resuming = False
            self._made += 1
            if self._made > 1:
                self._on_gap()

    def _settle(self, channel: str, error: StoreUnavailable | None) -> None:
        waiter = self._waiters.pop(channel, None)
        if waiter is None or waiter.done():
            return
        if error is None:
            waiter.set_result(None)
        else:
            waiter.set_exception(error)
            waiter.exception()  # it may have nobody waiting any more

    async def _keep_proving(self) -> None:
        """Sends the message to itself; where it stays away, the reader breaks the connection off."""
        while True:
            if self._own in self._confirmed:
                try:
                    await self._call("SPUBLISH", self._own, "")
                except StoreUnavailable as error:
                    self.last_error = error.reason
                await asyncio.sleep(PROOF_EVERY_S * uniform(0.75, 1.25))  # noqa: S311
            else:
                await asyncio.sleep(0.02)

"""One WebSocket, from its hello to its end.

`receive` is always drained: what takes time runs as a task of the room, and answers when it is done.
"""

import asyncio
import contextlib
import logging
import random
from functools import partial
from typing import assert_never

import msgspec

from bookboard.hub.endpoints.context import AddressBudget, HubContext, Message, Receive, Scope, Send, address_of
from bookboard.hub.endpoints.incoming import is_message, payload_of
from bookboard.hub.endpoints.origins import header
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.rooms import BEAT_EVERY_S
from bookboard.hub.live.work import Gone
from bookboard.hub.wire.fanout import DirectSubscriber
from bookboard.hub.wire.outbox import QueuedSubscriber
from bookboard.hub.wire.throttle import Bucket
from bookboard.hub.wire.timer import OneShotTimer
from bookboard.hub.wire.websocket_protocol import WIRE, WireProtocol
from bookboard.log.actors import SPECTATOR, Actor, TokenHash, hash_token
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import Codec, First, Malformed
from bookboard.protocol.messages import (
    Bye,
    Check,
    Checked,
    Do,
    Done,
    FromClient,
    FromServer,
    Hello,
    Pong,
    Preview,
    Refused,
    Rewound,
    Sync,
    Welcome,
)
from bookboard.store.contract import StoreUnavailable

log = logging.getLogger(__name__)

HELLO_WITHIN_S = 5.0
SILENT_AFTER_S = 30.0
MOST_IN_FLIGHT = 16
REFUSED_AFTER_S = 0.3
REFUSED_AFTER_MANY_S = 5.0
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 10, 40
SYNC_COST = 4
MOST_TOO_FAST = 200
_PONG = Pong()
_PONGS = frozenset((msgspec.json.encode(_PONG), msgspec.msgpack.encode(_PONG)))
"""What every screen says every few seconds need not be decoded."""


class Connection:
    """A client. It belongs to no room until its hello was answered with `welcome`."""

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
        self._rewound: Rewound | None = None
        self._token_hash: TokenHash | None = None
        self._actor = Actor(SPECTATOR)
        self._in_flight = 0
        self._too_fast = 0
        self._bucket = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
        self._late_sync = OneShotTimer()
        self._heard_at = asyncio.get_running_loop().time()
        self._closing: asyncio.Task[None] | None = None
        self._patience: asyncio.Timeout | None = None

    # ── coming and going ──────────────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Returns when the connection is at its end."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None) as self._patience:
                await self._talk()
        if self._closing is not None:
            await self._closing

    async def _talk(self) -> None:
        no_hello = asyncio.get_running_loop().call_later(HELLO_WITHIN_S, self.close_soon, Closing.NO_HELLO)
        received = await self._receive()
        no_hello.cancel()
        try:
            is_welcome = is_message(received) and await self._greet(self._decode(received, First))
        except Malformed as error:
            is_welcome = False
            self._close_malformed(error)
        if is_welcome and self._wire is not None:
            self._wire.listener = self  # what has come already, and the end, are received here
        while is_welcome and is_message(received := await self._receive()):
            self.hear(received)

    def hear(self, message: Message) -> None:
        """Take what a client says that was welcomed."""
        if self._closing is not None or self._live is None:
            return
        self._heard_at = asyncio.get_running_loop().time()
        try:
            self._handle(self._live, self._decode(message, self._live.kind.messages))
        except Malformed as error:
            self._close_malformed(error)
        except Exception:
            log.exception("a connection failed")
            self.close_soon(Closing.FAILED)

    def _decode(self, message: Message, messages: type[msgspec.Struct]) -> FromClient:
        """Raises Malformed."""
        payload = payload_of(message, self._codec)
        return _PONG if payload in _PONGS else self._codec.decode(payload, messages)

    def _close_malformed(self, error: Malformed) -> None:
        log.info("malformed: %s", error)
        self.close_soon(Closing.MALFORMED)

    async def _greet(self, hello: FromClient) -> bool:
        """Whether the client is welcome. All failures look alike and take as long. Raises Malformed."""
        if not isinstance(hello, Hello):
            raise Malformed("a connection begins with hello")
        answer_at = asyncio.get_running_loop().time() + REFUSED_AFTER_S
        token_hash = None if hello.token is None else hash_token(hello.token)
        live = actor = None
        try:
            live = await self._context.rooms.enter(hello.room)
            if live is not None:
                actor = await self._role(live, hello, token_hash)
        except StoreUnavailable:
            if live is not None:
                self._context.rooms.leave(live.code)
            self.close_soon(Closing.UNAVAILABLE, random.randint(1000, 4000))  # noqa: S311 - spreads load
            return False
        may_watch = self._closing is None and (self._is_browser or token_hash is not None)
        if live is not None and actor is not None and may_watch:
            self._live, self._token_hash, self._actor = live, token_hash, actor
            self._welcome(live)
            self._bring_up_to_date(live, hello)
            self._reader.join(live.audience)
            live.members.add(self)
            self._context.rooms.connections.add(self)
            return True
        if live is not None:
            self._context.rooms.leave(live.code)
        if self._closing is not None:
            return False
        if not self._context.failures.take(self._address):
            answer_at += REFUSED_AFTER_MANY_S
        await self._delay_refusal_until(answer_at)
        self.close_soon(Closing.NOT_FOUND)
        return False

    async def _delay_refusal_until(self, answer_at: float) -> None:
        """Whoever leaves meanwhile gives its place away."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(answer_at):
                while (await self._receive())["type"] != "websocket.disconnect":
                    pass

    async def _role(self, live: LiveLog, hello: Hello, token_hash: TokenHash | None) -> Actor | None:
        """Who this is, once the room has heeded where the screen left off. Raises StoreUnavailable."""
        actor = await live.role(token_hash)
        with contextlib.suppress(Gone):
            if actor is not None and hello.resume is not None:
                # A spectator's word moves no epoch.
                self._rewound = await live.reconcile(hello.resume, may_raise=actor.person is not None)
                actor = live.kind.role_of(live.state, token_hash)
        return actor

    def _welcome(self, live: LiveLog) -> None:
        if self._wire is not None:
            self._wire.is_known = self._actor.person is not None
        self._tell(
            Welcome(
                role=self._actor.role,
                person=self._actor.person,
                epoch=live.epoch,
                version=live.version,
                last=live.last,
                now=self._context.rooms.clock.now(),
                heartbeat=BEAT_EVERY_S,
                status=live.screens.lost or self._context.rooms.status,
                addresses=self._context.addresses,
            )
        )

    def _bring_up_to_date(self, live: LiveLog, hello: Hello) -> None:
        at = hello.resume
        missed = live.missed_since(at.epoch, at.version, at.last) if at is not None else None
        if self._rewound is not None:
            self._tell(self._rewound)
        if missed is None:
            self._reader.send(live.snapshot_payload(self._codec))
        else:
            for event in missed:
                self._tell(event)
            if live.screens.outlook:
                self._tell(live.foretold())

    def _catch_up(self, seen: int) -> None:
        """Messages to all were left out after that turn: the welcome says how the store is, the snapshot the rest."""
        if self._live is not None and self._closing is None:
            self._welcome(self._live)
            if (rewound := self._live.rewound_since(seen)) is not None:
                self._tell(rewound)
            self._reader.send(self._live.snapshot_payload(self._codec))

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

    def end(self) -> None:
        """Let go of everything. Commands in flight go on without it."""
        self._reader.lost()
        if self._wire is not None:
            self._wire.listener = None
        self._late_sync.cancel()
        self._context.rooms.connections.discard(self)
        if self._live is not None:
            self._live.members.discard(self)
            self._context.rooms.leave(self._live.code)
            self._live = None

    def _stuck(self) -> None:
        self.close_soon(Closing.SLOW)

    # ── what the room and the hub say ─────────────────────────────────────────────────────────────────────────────

    def role_may_have_changed(self) -> None:
        if self._live is None:
            return
        actor = self._live.kind.role_of(self._live.state, self._token_hash)
        if actor is None:
            self.close_soon(Closing.NOT_FOUND)
        elif actor != self._actor:
            self._actor = actor
            self._welcome(self._live)

    def beat(self) -> None:
        if asyncio.get_running_loop().time() - self._heard_at > SILENT_AFTER_S:
            self.close_soon(Closing.SILENT)

    # ── what the client says ──────────────────────────────────────────────────────────────────────────────────────

    def _handle(self, live: LiveLog, message: FromClient) -> None:
        match message:
            case Pong():
                self._charge()
            case Sync():
                self._sync(live)
            case Do():
                if self._charge(message.cmd, live.kind.cost_of(live.state, message.command)):
                    self._do(live, message)
            case Preview():
                if self._charge(message.id, live.kind.cost_of(live.state, message.command)):
                    self._preview(live, message)
            case Check(cmds):
                if self._charge(cost=len(cmds)):
                    live.start(self._check(live, cmds))
            case Hello():
                raise Malformed("hello comes once")
            case _ as unreachable:
                assert_never(unreachable)

    def _charge(self, cmd: str | None = None, cost: float = 1) -> bool:
        """Whether there is room in the bucket; if not, and if it has an id, the message is refused."""
        if self._closing is None and self._bucket.take(cost):
            return True
        self._too_fast += 1
        if self._too_fast > MOST_TOO_FAST:
            self.close_soon(Closing.TOO_FAST, 10_000)
        elif cmd is not None and self._closing is None:
            self._tell(Refused(cmd, "too_fast", {}, retry=True))
        return False

    def _sync(self, live: LiveLog) -> None:
        """At once, or when there is room in the bucket: a snapshot is large, and one answers all who ask meanwhile."""
        if self._late_sync.is_waiting:
            return
        if self._charge(cost=SYNC_COST):
            self._reader.send_newest(live.snapshot_payload(self._codec))
        elif self._closing is None:
            self._late_sync.call(1, partial(self._sync, live))

    def _do(self, live: LiveLog, message: Do) -> None:
        if self._context.is_draining or self._context.rooms.status.store != "ok":
            self._tell(Refused(message.cmd, "unavailable", {}, retry=True))
        elif self._in_flight >= MOST_IN_FLIGHT or (
            live.kind.is_long(live.state, message.command) and not self._may_compute(live)
        ):
            self._tell(Refused(message.cmd, "too_fast", {}, retry=True))
        else:
            self._in_flight += 1
            live.start(self._carry_out(live, message))

    async def _check(self, live: LiveLog, cmds: list[str]) -> None:
        missing = await live.missing(self._token_hash, cmds)
        if self._live is not None:
            self._tell(Checked(cmds, missing))

    def _preview(self, live: LiveLog, message: Preview) -> None:
        if not live.kind.is_long(live.state, message.command):
            self._tell(live.preview(self._token_hash, message))
        elif self._may_compute(live):
            self._in_flight += 1
            live.start(self._preview_aside(live, message))
        else:
            self._tell(Refused(message.id, "too_fast", {}, retry=True))

    async def _preview_aside(self, live: LiveLog, message: Preview) -> None:
        try:
            self._tell(await live.preview_aside(self._token_hash, message, self._budget))
        except Exception:
            log.exception("a preview failed")
            self._tell(Refused(message.id, "failed", {}, retry=False))
        finally:
            self._in_flight -= 1

    def _may_compute(self, live: LiveLog) -> bool:
        return self._in_flight < MOST_IN_FLIGHT and live.computing.take(0) and self._budget.may_compute()

    async def _carry_out(self, live: LiveLog, message: Do) -> None:
        try:
            answer = await live.do(self._token_hash, message.cmd, message.command, self._budget)
        except Exception:
            log.exception("a command failed")
            answer = Refused(message.cmd, "failed", {}, retry=False)
        finally:
            self._in_flight -= 1
        if self._live is None:
            return  # gone meanwhile: it will ask again with the same cmd
        self._tell(answer)
        token = live.kind.token_of(message.command)
        if isinstance(answer, Done) and token is not None:
            self._switch_token(live, hash_token(token))

    def _switch_token(self, live: LiveLog, token_hash: TokenHash) -> None:
        """From then on the client is who its own token says."""
        if live.kind.role_of(live.state, token_hash) is not None:
            self._token_hash = token_hash
            self.role_may_have_changed()

    def _tell(self, message: FromServer) -> None:
        if self._closing is None:
            self._reader.send(self._codec.encode(message))

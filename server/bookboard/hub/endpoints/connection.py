"""One WebSocket, from its hello to its end. `receive` is always drained."""

import asyncio
import contextlib
import random
from typing import Any

from bookboard.hub.endpoints.context import HubContext, Receive, Scope, Send
from bookboard.hub.endpoints.incoming import is_message
from bookboard.hub.endpoints.requests import Requests
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.rooms import BEAT_EVERY_S
from bookboard.hub.live.work import Gone
from bookboard.log.actors import Actor, TokenHash, hash_token
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import Codec, First, Malformed
from bookboard.protocol.messages import SCREENS, FromClientOf, Hello, LogRewound, Welcome
from bookboard.store.contract import StoreUnavailable

HELLO_WITHIN_S = 5.0
SILENT_AFTER_S = 30.0
REFUSED_AFTER_S = 0.3
REFUSED_AFTER_MANY_S = 5.0


class Connection(Requests):
    def __init__(self, context: HubContext, scope: Scope, receive: Receive, send: Send, *, codec: Codec) -> None:
        super().__init__(context, scope, receive, send, codec=codec)
        self._rewound: LogRewound | None = None
        self.screen = "none yet"

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

    async def _greet(self, hello: FromClientOf[Any]) -> bool:
        """Whether the client is welcome. All failures look alike and take as long. Raises Malformed."""
        if not isinstance(hello, Hello):
            raise Malformed("a connection begins with hello")
        if hello.token is None and not self._is_browser:
            # Before the code is looked up: the answer tells nothing of it.
            self.close_soon(Closing.TOKEN_OR_ORIGIN_NEEDED)
            return False
        self.screen = hello.screen if hello.screen in SCREENS else "other"
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
        if live is not None and actor is not None and self._closing is None:
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
            if live.screens.forecast:
                self._tell(live.forecast())

    def _catch_up(self, seen: int) -> None:
        """Messages to all were left out after that turn: the welcome says how the store is, the snapshot the rest."""
        if self._live is not None and self._closing is None:
            self._welcome(self._live)
            if (rewound := self._live.rewound_since(seen)) is not None:
                self._tell(rewound)
            self._reader.send(self._live.snapshot_payload(self._codec))

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

    # ── what the log and the hub say ──────────────────────────────────────────────────────────────────────────────────

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

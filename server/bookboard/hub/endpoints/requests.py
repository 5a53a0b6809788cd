"""What a client asks that was welcomed: each message is paid for, carried out and answered.

Nothing here is awaited: what takes time runs as a task of the log, and answers when it is done.
"""

import asyncio
import logging
from functools import partial
from typing import Any, assert_never

import msgspec

from bookboard.hub.endpoints.client import Client
from bookboard.hub.endpoints.context import HubContext, Message, Receive, Scope, Send
from bookboard.hub.endpoints.incoming import payload_of
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.put_back import put_back
from bookboard.hub.wire.throttle import Bucket
from bookboard.hub.wire.timer import OneShotTimer
from bookboard.log.actors import TokenHash, hash_token
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import Codec, Malformed
from bookboard.protocol.messages import (
    Check,
    Checked,
    Do,
    Done,
    FromClientOf,
    Hello,
    Pong,
    Preview,
    PutBack,
    Refused,
    Sync,
)
from bookboard.store.contract import StoreUnavailable

log = logging.getLogger(__name__)

MAX_IN_FLIGHT = 16
MESSAGES_PER_SECOND, MESSAGES_BURST = 10, 40
SYNC_COST = PUT_BACK_COST = 4
MAX_TOO_FAST = 200
_PONG = Pong()
_PONGS = frozenset((msgspec.json.encode(_PONG), msgspec.msgpack.encode(_PONG)))
"""What every screen says every few seconds need not be decoded."""


class Requests(Client):
    def __init__(self, context: HubContext, scope: Scope, receive: Receive, send: Send, *, codec: Codec) -> None:
        super().__init__(context, scope, receive, send, codec=codec)
        self._in_flight = 0
        self._too_fast = 0
        self._bucket = Bucket(MESSAGES_PER_SECOND, MESSAGES_BURST)
        self._late_sync = OneShotTimer()
        self._heard_at = asyncio.get_running_loop().time()

    def role_may_have_changed(self) -> None:
        """Look again who this is."""
        raise NotImplementedError

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

    def _decode(self, message: Message, messages: type[msgspec.Struct]) -> FromClientOf[Any]:
        """Raises Malformed."""
        payload = payload_of(message, self._codec)
        return _PONG if payload in _PONGS else self._codec.decode(payload, messages)

    def _handle(self, live: LiveLog, message: FromClientOf[Any]) -> None:
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
            case PutBack(cmd):
                if self._charge(cmd, PUT_BACK_COST):
                    live.start(self._put_back(live, cmd))
            case Hello():
                raise Malformed("hello comes once")
            case _ as unreachable:
                assert_never(unreachable)

    def _charge(self, cmd: str | None = None, cost: float = 1) -> bool:
        """Whether there is room in the bucket; if not, and if it has an id, the message is refused."""
        if self._closing is None and self._bucket.take(cost):
            return True
        self._too_fast += 1
        if self._too_fast > MAX_TOO_FAST:
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

    def _do(self, live: LiveLog, message: Do[Any]) -> None:
        if self._context.is_draining or self._context.rooms.status.store != "ok":
            self._tell(Refused(message.cmd, "unavailable", {}, retry=True))
        elif self._in_flight >= MAX_IN_FLIGHT or (
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

    async def _put_back(self, live: LiveLog, cmd: str) -> None:
        try:
            answer = await put_back(live, self._context.rooms.store, self._token_hash, cmd)
        except StoreUnavailable as error:
            self._context.rooms.store_failed(error)
            answer = Refused(cmd, "unavailable", {}, retry=True)
        if self._live is not None:
            self._tell(answer)

    def _preview(self, live: LiveLog, message: Preview[Any]) -> None:
        if not live.kind.is_long(live.state, message.command):
            self._tell(live.preview(self._token_hash, message))
        elif self._may_compute(live):
            self._in_flight += 1
            live.start(self._preview_aside(live, message))
        else:
            self._tell(Refused(message.id, "too_fast", {}, retry=True))

    async def _preview_aside(self, live: LiveLog, message: Preview[Any]) -> None:
        try:
            self._tell(await live.preview_aside(self._token_hash, message, self._budget))
        except Exception:
            log.exception("a preview failed at %s", live.code)
            self._tell(Refused(message.id, "failed", {}, retry=False))
        finally:
            self._in_flight -= 1

    def _may_compute(self, live: LiveLog) -> bool:
        return self._in_flight < MAX_IN_FLIGHT and live.computing.take(0) and self._budget.may_compute()

    async def _carry_out(self, live: LiveLog, message: Do[Any]) -> None:
        try:
            answer = await live.do(self._token_hash, message.cmd, message.command, self._budget)
        except Exception:
            log.exception("a command failed at %s", live.code)
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

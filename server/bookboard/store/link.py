"""Connections to one server: commands of a loop turn share a round trip, and none is ever sent twice.

A command that a caller no longer waits for is finished all the same: its reply is read off the connection by the lane
that sent it, so it can never reach anybody else. Callers only ever hold futures.
"""

import asyncio
import logging
import re
import socket
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import hiredis
from redis.asyncio.connection import AbstractConnection, Connection, UnixDomainSocketConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from bookboard.store.contract import StoreUnavailable, StoreUnusable
from bookboard.store.sentinel import SCHEME, Address, MasterConnection, split_url

Argument = bytes | str | int
Commands = Sequence[Sequence[Argument]]
Connect = Callable[[], AbstractConnection]
# What is sent, whose it is, how many replies come before the one that is wanted, and how many are wanted after it.
Pending = tuple[bytes, asyncio.Future[Any], int, int]

SCHEMES = {"redis", "rediss", "unix", SCHEME}
CONNECT_S = 2.0
READ_S = 5.0
LANES = 4
BATCH = 256
MAX_WAITING = 8192
IDLE_S, CHECK_S = 1.0, 0.5
"""What lies between may have dropped an idle connection without a word: it is tried before a hand is given to it."""
KEEP_ALIVE = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 10_000}

_PING = b"*1\r\n$4\r\nPING\r\n"
_ASKING = b"*1\r\n$6\r\nASKING\r\n"

_log = logging.getLogger(__name__)

# The first word of an error reply, and the word by which logs and status know it.
_REASONS = {
    "OOM": "full",
    "READONLY": "readonly",
    "MISCONF": "disk",
    "LOADING": "loading",
    "MASTERDOWN": "no-master",
    "NOREPLICAS": "no-replicas",
    "CLUSTERDOWN": "cluster-down",
    "MOVED": "moved",
    "ASK": "moved",
    "TRYAGAIN": "moved",
    "NOPERM": "denied",
    "NOAUTH": "denied",
    "WRONGPASS": "denied",
    "BUSY": "busy",
}

# Of a URL's options, those that must stay as the store needs them.
_OURS = {
    "protocol",
    "retry_on_timeout",
    "health_check_interval",
    "max_connections",
    "timeout",
    "decode_responses",
    "socket_timeout",
    "socket_connect_timeout",
}


def reason_of(error: BaseException) -> str:
    """A stable word for why the server did not do it: `unreachable`, `timeout`, `refused`, or one of the above."""
    match error:
        case RedisTimeoutError() | TimeoutError():
            return "timeout"
        case BusyLoadingError():
            return "loading"
        case AuthenticationError() | AuthorizationError():
            return "denied"
        case ResponseError():
            return _REASONS.get(error.status_code or str(error).split(" ", 1)[0], "refused")
        case _:
            return "unreachable"


def without_password(url: str) -> str:
    """The URL as it may be shown and logged, once `connector` has taken it: any part of another may be secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _check_readable(url: str) -> None:
    """Raises ValueError, without a word of the URL, unless it can be told where a password in it ends."""
    scheme, colon, rest = url.partition("://")
    if not colon or scheme not in SCHEMES:
        raise ValueError("it begins with redis://, rediss://, unix:// or redis+sentinel://")
    where, *others = re.split("[/?#]", rest.rpartition("?")[0] if scheme == "unix" else rest)
    if scheme != "unix" and ("#" in rest or any("@" in other for other in others) or "[" in where.rpartition("@")[0]):
        raise ValueError("in a user's name or password, each of / ? # [ ] @ is written as % and two digits, # as %23")
    if scheme != "unix" and where.rpartition("@")[2][:1] in {"", ":"}:
        raise ValueError("the host is missing")
    if any(sign.isspace() for sign in url):
        raise ValueError("there is a space in it")


def connector(url: str, at: Address | None = None) -> Connect:
    """Makes unconnected connections to `url`, which never retry anything; StoreUnusable if it is no Redis URL.

    With `at`, they go to that server, with the user and the options of the URL. They have no time limit of their own:
    whoever uses one sets it, once for a whole exchange.
    """
    watched = None
    plain = url
    try:
        _check_readable(url)
        if url.startswith(f"{SCHEME}:"):
            plain, watched = split_url(url)
    except ValueError as error:
        raise StoreUnusable(f"What --redis names is not a Redis URL: {error}; try redis://HOST:PORT.") from None
    try:
        options: dict[str, Any] = dict(parse_url(plain))
    except ValueError:
        # The library's own words would repeat what it stumbled over.
        raise StoreUnusable(
            "What --redis names is not a Redis URL: look at its port and database; try redis://HOST:PORT."
        ) from None
    kind = options.pop("connection_class", Connection)
    settings = {name: value for name, value in options.items() if name not in _OURS}
    if watched is not None:
        kind, settings["watched"] = MasterConnection, watched
    if at is not None:
        settings["host"], settings["port"] = at

    if kind is not UnixDomainSocketConnection:
        settings["socket_keepalive"] = True
        settings["socket_keepalive_options"] = {
            getattr(socket, name): value for name, value in KEEP_ALIVE.items() if hasattr(socket, name)
        }

    def connect() -> AbstractConnection:
        connection = kind(
            **settings,
            socket_timeout=None,
            socket_connect_timeout=CONNECT_S,
            protocol=2,
            driver_info=None,
            retry=Retry(NoBackoff(), 0),
        )
        return cast("AbstractConnection", connection)

    try:
        connect()
    except (TypeError, ValueError, RedisError):
        raise StoreUnusable("An option behind the ? in the URL of --redis is not known; leave it out.") from None
    return connect


class Link:
    """A few connections to one server, opened when they are first needed and again after they broke."""

    def __init__(self, connect: Connect, *, read_timeout_s: float = READ_S) -> None:
        self._read_timeout_s = read_timeout_s
        self._idle = [connect() for _ in range(LANES)]
        self._heard_at: dict[AbstractConnection, float] = {}
        self._waiting: deque[Pending] = deque()
        self._working: set[asyncio.Task[None]] = set()
        self._dispatch_due = False
        self._closed = False
        self._is_broken = False

    @property
    def links(self) -> "list[Link]":
        """One for each server that holds rooms."""
        return [self]

    async def call(self, *command: Argument, then: Commands = ()) -> Any:  # noqa: ANN401 - it depends on the command
        """The server's reply. Raises RedisError as the server or the connection gave it."""
        return await self.submit(command, then=then)

    def submit(self, command: Sequence[Argument], *, asking: bool = False, then: Commands = ()) -> asyncio.Future[Any]:
        """A future of the reply; the command is sent at the end of this turn of the loop, or with the next free lane.

        What is to follow on the same connection goes in `then`: the replies are a list of all, those of `then` may be
        errors. With `asking`, a cluster's server takes it though the slot is only on its way there. Raises
        StoreUnavailable when too much is waiting, ValueError for text that is no UTF-8.
        """
        if self._closed or len(self._waiting) >= MAX_WAITING:
            raise StoreUnavailable("closed" if self._closed else "busy")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        # Packed here, so that what cannot be fails its caller and not the batch.
        packed = b"".join([hiredis.pack_command(tuple(each)) for each in (command, *then)])  # type: ignore[arg-type]
        self._waiting.append((_ASKING + packed if asking else packed, future, int(asking), len(then)))
        if not self._dispatch_due:
            self._dispatch_due = True
            loop.call_soon(self._dispatch)
        return future

    async def close(self) -> None:
        """Finishes what was sent, then lets go of the connections."""
        self._closed = True
        while self._working or self._dispatch_due:
            await asyncio.sleep(0)
            await asyncio.gather(*self._working)
        for connection in self._idle:
            await connection.disconnect(nowait=True)

    def _dispatch(self) -> None:
        self._dispatch_due = False
        if self._waiting and self._idle:
            task = asyncio.get_running_loop().create_task(self._work(self._idle.pop()))
            self._working.add(task)
            task.add_done_callback(self._working.discard)

    async def _work(self, connection: AbstractConnection) -> None:
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
                # Nobody has seen this command leave: who gave up on it before that has not sent it.
                batch = [pending for pending in batch if not pending[1].done()]
                if batch:
                    await self._exchange(connection, batch)
        finally:
            self._idle.append(connection)

    async def _exchange(self, connection: AbstractConnection, batch: list[Pending]) -> None:
        """Sends a batch and settles its futures in order; when the connection breaks, those left fail with it."""
        answered, is_demoted = 0, False
        try:
            # Bytes or an end where no reply is owed: the server was restarted, or the last exchange broke off.
            if connection.is_connected and not await self._is_alive(connection):
                await connection.disconnect(nowait=True)
            if not connection.is_connected:
                await open_connection(connection)
            now = asyncio.get_running_loop().time
            async with asyncio.timeout(self._read_timeout_s) as limit:
                heard_at = self._heard_at[connection] = now()
                await connection.send_packed_command([command for command, *_ in batch])
                for _, future, before, after in batch:
                    replies = [await _reply(connection) for _ in range(before + 1 + after)][before:]
                    is_demoted = is_demoted or isinstance(replies[0], ReadOnlyError)
                    _settle(future, replies if after and not isinstance(replies[0], Exception) else replies[0])
                    answered += 1
                    if now() > heard_at:
                        # The limit is on silence: a long batch on a slow disk is no outage.
                        heard_at = self._heard_at[connection] = now()
                        limit.reschedule(heard_at + self._read_timeout_s)
        except Exception as error:  # noqa: BLE001 - the edge of a worker: whatever it was, every caller gets an answer
            self._tell(error)
            await connection.disconnect(nowait=True)
            broken = error if isinstance(error, RedisError | OSError) else RedisError(repr(error))
            for _, future, *_ in batch[answered:]:
                _settle(future, _uncoupled(broken))
            del broken
        else:
            self._tell(None)
            if is_demoted:
                # There may be another master by now.
                await connection.disconnect(nowait=True)

    async def _is_alive(self, connection: AbstractConnection) -> bool:
        """Whether a connection may be used again; one that has been idle answers first."""
        if await connection.can_read():
            return False
        if asyncio.get_running_loop().time() - self._heard_at.get(connection, 0) < IDLE_S:
            return True
        try:
            async with asyncio.timeout(CHECK_S):
                await connection.send_packed_command([_PING])
                await _reply(connection)
        except (RedisError, OSError):
            return False
        return True

    def _tell(self, error: Exception | None) -> None:
        """Logs the first failure and the first success after it: an outage is not a line for each try."""
        if error is not None and not self._is_broken:
            _log.warning("redis is away: %s", error or type(error).__name__)
        elif error is None and self._is_broken:
            _log.warning("redis is back")
        self._is_broken = error is not None


async def open_connection(connection: AbstractConnection) -> None:
    """Connects and logs in, within 2 s, once it is known where to."""
    if isinstance(connection, MasterConnection):
        await connection.find_master()
    async with asyncio.timeout(CONNECT_S):
        await connection.connect()  # type: ignore[no-untyped-call]


async def _reply(connection: AbstractConnection) -> object:
    """What the server answered to one command; what it objected is answered, too."""
    try:
        return await connection.read_response()
    except ResponseError as error:
        return _uncoupled(error)


def _uncoupled(error: Exception) -> Exception:
    """Without the way it took: frames in which it is held again, and the futures that are to hold it.

    An outage would leave such a circle for every command, and the garbage collector comes seldom to what lives long.
    """
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _settle(future: asyncio.Future[Any], reply: object) -> None:
    if future.done():
        return
    if isinstance(reply, Exception):
        future.set_exception(reply)
    else:
        future.set_result(reply)

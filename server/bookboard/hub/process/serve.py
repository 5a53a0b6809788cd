"""`bookboard serve`: the store, the listening socket and the server around a hub, from start to a clean end."""

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from typing import Any

import uvicorn
from msgspec.structs import replace

from bookboard.catalogue import KINDS
from bookboard.config import Config
from bookboard.hub.endpoints.app import make_app
from bookboard.hub.endpoints.context import HubContext
from bookboard.hub.live.aside import give_way_soon
from bookboard.hub.live.rooms import Rooms
from bookboard.hub.process.addresses import Address, addresses, follow, for_others, interfaces
from bookboard.hub.process.greeting import Operator, Terminal
from bookboard.hub.process.interface import is_there, with_kept_interface
from bookboard.hub.wire.http_protocol import HttpProtocol
from bookboard.hub.wire.websocket_protocol import WireProtocol
from bookboard.protocol.codecs import MAX_MESSAGE_BYTES
from bookboard.store.contract import StoreUnavailable, StoreUnusable
from bookboard.store.embedded import EmbeddedServer
from bookboard.store.redis_store import RedisStore

if sys.platform != "win32":
    import resource

    import uvloop

BACKLOG = 4096
SEND_BUFFER = 64 * 1024
RECEIVE_BUFFER = 32 * 1024
"""What is read of a connection at once; it may wait at the gate, and so may that of thousands."""
UNACKNOWLEDGED_MS = 20_000
FILES_WANTED = 65_536
FILES_RESERVED = 128
FILES_LEAST = 256
GRACE_S = 5
COUNT_S = 2.0

_log = logging.getLogger(__name__)


class CannotServe(Exception):  # noqa: N818
    """The text is one sentence for whoever started the server."""


def run(config: Config) -> int:
    """The exit status: 0 after a clean end, 2 if it could not start."""
    # What goes wrong at the start is said in one sentence, by whoever gives up.
    logging.basicConfig(level=logging.ERROR, format="%(asctime)s %(levelname)s %(name)s: %(message)s")

    async def work() -> None:
        check(config)
        with listen_on(config.host, config.port) as listening:
            await serve(config, listening, operator)

    operator = Terminal()
    status = run_to_the_end(work)
    if status == 0:
        operator.stopped()
    return status


def run_to_the_end(work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """The exit status of what serves; what kept it from starting is said in a sentence."""
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(work())
    except (CannotServe, StoreUnusable) as error:
        sys.stderr.write(f"bookboard: {error}\n")
        return 2
    except StoreUnavailable as error:
        sys.stderr.write(f"bookboard: The store is not responding correctly ({error.reason}); check the server.\n")
        return 2
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(
            f"bookboard: The system does not let it start ({where}{error.strerror or error}); mend that.\n"
        )
        return 2
    except KeyboardInterrupt:
        return 130  # during the start; later the first Ctrl-C ends it cleanly
    return 0


def check(config: Config) -> None:
    """Raises CannotServe where the machine cannot do what is asked."""
    files = raise_file_limit()
    if files < FILES_LEAST:
        raise CannotServe(
            f"Only {files} files may be open here, and every screen is one; raise that to {FILES_WANTED}"
            f" (ulimit -n {FILES_WANTED}, or LimitNOFILE= with systemd)."
        )
    if config.interface is not None and not is_there(config.interface):
        names = ", ".join(interfaces())
        raise CannotServe(
            f"There is no interface {config.interface!r} here; --interface takes one of {names}, or auto."
        )


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None
    return uvloop.new_event_loop


async def serve(config: Config, listening: socket.socket, operator: Operator) -> None:
    """Returns once a signal has ended it and everybody has been sent away."""
    config = replace(config, most_connections=min(config.most_connections, raise_file_limit() - FILES_RESERVED))
    async with opened_store(config) as store:
        rooms = Rooms(store, KINDS)
        await rooms.start()
        logging.getLogger().setLevel(logging.WARNING)
        # It warns of what strangers send; a line for each would let them fill the disk.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        config = with_kept_interface(config)
        port = listening.getsockname()[1]
        ways = addresses(config, port)
        context = HubContext(rooms, config, for_others(ways))
        server = HubServer(context, config)
        operator.up(config, ways, await number_of_tables(store))
        give_way_soon()
        gc.freeze()
        gc.set_threshold(100_000, 20, 50)  # what a command makes is gone before it is looked at

        def moved(ways: list[Address]) -> None:
            context.addresses = for_others(ways)
            operator.moved(config, ways)

        following = asyncio.create_task(follow(config, port, moved))
        try:
            with stop_signals(server), count_signal(context):
                await server.serve([listening])
        finally:
            following.cancel()
            await rooms.stop()


async def number_of_tables(store: RedisStore) -> int | None:
    """None where it is not to be had: not every user of a Redis may ask, and a large one takes too long."""
    with suppress(StoreUnavailable, TimeoutError):
        async with asyncio.timeout(COUNT_S):
            return len(await store.room_names())
    return None


@asynccontextmanager
async def opened_server(config: Config) -> AsyncIterator[str]:
    """The URL of the Redis that is used: the one that was named, or the embedded one, which is stopped in the end."""
    if config.redis is not None:
        yield config.redis
        return
    embedded = await EmbeddedServer.start(config.data)
    try:
        yield embedded.url
    finally:
        await embedded.stop()


@asynccontextmanager
async def opened_store(config: Config) -> AsyncIterator[RedisStore]:
    async with AsyncExitStack() as opened:
        url = await opened.enter_async_context(opened_server(config))
        store = await RedisStore.connect(url, wait_replicas=config.wait_replicas)
        opened.push_async_callback(store.close)
        yield store


class HubServer(uvicorn.Server):
    """uvicorn, which says bye before it closes."""

    def __init__(self, context: HubContext, config: Config) -> None:
        self._context = context
        self._draining: asyncio.Task[None] | None = None
        super().__init__(
            uvicorn.Config(
                make_app(context),
                http=HttpProtocol,
                ws=WireProtocol,
                ws_max_size=MAX_MESSAGE_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=None,  # beats are messages: a browser's script sees them, too
                limit_concurrency=config.most_connections + FILES_RESERVED // 2,
                backlog=BACKLOG,
                access_log=False,
                log_config=None,
                lifespan="off",
                server_header=False,
                proxy_headers=bool(config.trusted_proxies),
                forwarded_allow_ips=list(config.trusted_proxies),
                timeout_graceful_shutdown=GRACE_S,
            )
        )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ours do not raise again what they caught: an end that was asked for is a clean one."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        self._draining = asyncio.create_task(self._context.drain())
        await asyncio.wait([self._draining])
        await super().shutdown(sockets)

    def force_stop(self) -> None:
        """Leave out the goodbyes. May be called from a signal's handler."""
        self.force_exit = True
        if self._draining is not None:
            self._draining.get_loop().call_soon_threadsafe(self._draining.cancel)


@contextmanager
def stop_signals(server: HubServer) -> Iterator[None]:
    """The first signal ends the server cleanly, the second at once."""

    def stop(*_: object) -> None:
        if server.should_exit:
            server.force_stop()
        server.should_exit = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def count_signal(context: HubContext) -> Iterator[None]:
    """SIGUSR1 logs connection, room and task counts, to find leaks. Not over HTTP, where anybody may ask."""

    def count() -> None:
        counted = len(context.guests), context.rooms.count, len(asyncio.all_tasks())
        screens = Counter(guest.screen for guest in context.guests)
        _log.warning("%d connections, %d rooms, %d tasks; screens: %s", *counted, dict(sorted(screens.items())))

    if sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, count)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGUSR1)


def listen_on(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """The listening socket; connections inherit its options. `shared`: with other processes. Raises CannotServe."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        bind(listening, host, port)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise CannotServe(_why_not_listening(host, port, error)) from None
    except CannotServe:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def bind(to: socket.socket, host: str, port: int) -> None:
    """`::` takes IPv4 as well. Raises CannotServe."""
    try:
        if to.family == socket.AF_INET6:
            to.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(host != "::"))
        to.bind((host, port))
    except (OSError, OverflowError) as error:
        raise CannotServe(_why_not_listening(host, port, error)) from None


def _why_not_listening(host: str, port: int, error: OSError | OverflowError) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return f"Port {port} is in use; stop what uses it, or choose another with --port."
    if number in {errno.EACCES, errno.EPERM}:
        return f"Port {port} is not for this user; choose one from 1024 on with --port."
    if isinstance(error, OverflowError):
        return f"There is no port {port}; ports go from 1 to 65535."
    return f"{host} is no address of this machine; use --host 0.0.0.0 for all of them."


def raise_file_limit() -> int:
    """How many files this process may open. A connection is one, and out of files the loop spins."""
    if sys.platform == "win32":
        return FILES_WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]

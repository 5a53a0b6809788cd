"""`bookboard serve --workers N`: several hubs behind one port, each a process, and the one process that minds them.

Each hub has a listening socket of its own on the port (SO_REUSEPORT), so the kernel deals connections out evenly. They
know nothing of each other: what they share is Redis, as hubs on several machines do. The supervisor owns the embedded
server if there is one, starts a hub again that has ended, and hands a signal on. A hub whose supervisor is gone ends by
itself.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from bookboard.config import Config
from bookboard.hub.process.addresses import Address, addresses, follow
from bookboard.hub.process.greeting import Operator, Terminal
from bookboard.hub.process.interface import with_kept_interface
from bookboard.hub.process.serve import (
    CannotServe,
    bind,
    check,
    listen_on,
    number_of_tables,
    opened_server,
    opened_store,
    run_to_the_end,
    serve,
)

AGAIN_AFTER_S = 0.5
"""A hub that ends as soon as it starts must not keep the machine busy."""
READY = b"ready\n"

_log = logging.getLogger(__name__)


def run(config: Config) -> int:
    """The exit status, as of `bookboard serve`."""
    logging.basicConfig(level=logging.ERROR, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    operator = Terminal()
    status = run_to_the_end(lambda: supervise(config, operator))
    if status == 0:
        operator.stopped()
    return status


async def supervise(config: Config, operator: Operator) -> None:
    """Returns once a signal has ended all hubs. Raises CannotServe."""
    check(config)
    with reserved(config.host, config.port) as holding:
        async with opened_server(config) as url:
            config = replace(with_kept_interface(config), port=holding.getsockname()[1])

            async with opened_store(replace(config, redis=url)) as store:
                tables = await number_of_tables(store)

            async def up() -> None:
                operator.up(config, addresses(config, config.port), tables)
                await follow(config, config.port, partial(operator.moved, config))

            pool = WorkerPool(replace(config, redis=url), up)
            with contextlib.ExitStack() as handled:
                for number in (signal.SIGINT, signal.SIGTERM):
                    asyncio.get_running_loop().add_signal_handler(number, pool.end)
                    handled.callback(asyncio.get_running_loop().remove_signal_handler, number)
                # It is the hubs that count; unheeded, it would end them all.
                handled.callback(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, signal.SIG_IGN))
                await pool.work()


def reserved(host: str, port: int) -> socket.socket:
    """A socket that keeps the port for the hubs and takes no connection itself. Raises CannotServe."""
    if sys.platform != "linux":
        raise CannotServe("Several workers share a port on Linux only; leave out --workers.")
    with listen_on(host, port) as probe:  # alone: whoever listens there already is found out
        port = probe.getsockname()[1]
    holding = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of an earlier hub may still be closing
    holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bind(holding, host, port)
    return holding


class WorkerPool:
    """The hubs of one port."""

    def __init__(self, config: Config, up: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """`up` runs once the first hub is up, and as long as any is wanted."""
        self._config = config
        self._up = up
        self._orders = msgspec.json.encode(config, enc_hook=str) + b"\n"
        self._hubs: set[Process] = set()
        self._is_ending = False

    async def work(self) -> None:
        """Returns when all hubs have ended after `end`. Raises CannotServe if the first one does not start."""
        first = await self._start()
        if first is None and not self._is_ending:
            raise CannotServe("The first worker did not start.")
        kept = [asyncio.create_task(self._keep(first))]
        kept += [asyncio.create_task(self._keep(None)) for _ in range(1, self._config.workers)]
        logging.getLogger().setLevel(logging.WARNING)
        telling = asyncio.create_task(self._up())
        try:
            await asyncio.gather(*kept)
        finally:
            telling.cancel()

    def end(self) -> None:
        """Once: each hub sends its screens away and ends. Twice: at once."""
        self._is_ending = True
        for hub in list(self._hubs):
            with contextlib.suppress(ProcessLookupError):
                hub.send_signal(signal.SIGTERM)

    async def _keep(self, hub: Process | None) -> None:
        while hub is not None or not self._is_ending:
            if hub is None:
                hub = await self._start()
            if hub is not None:
                status = await hub.wait()
                self._hubs.discard(hub)
                hub = None
                if not self._is_ending:
                    _log.error("a worker has ended (%d); starting another", status)
            if not self._is_ending:
                await asyncio.sleep(AGAIN_AFTER_S)

    async def _start(self) -> Process | None:
        """A hub that is up, None if it ended instead. It has its own session, so Ctrl-C reaches only the supervisor."""
        hub = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bookboard.hub.process.workers", stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        assert hub.stdin is not None
        assert hub.stdout is not None
        self._hubs.add(hub)
        if self._is_ending:
            hub.terminate()
        hub.stdin.write(self._orders)  # and left open: a hub reads its end when the supervisor is gone
        if await hub.stdout.readline() == READY:
            return hub
        await hub.wait()
        self._hubs.discard(hub)
        return None


# ── in a hub's own process ───────────────────────────────────────────────────────────────────────────────────────


def main() -> int:
    logging.basicConfig(level=logging.ERROR, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    config = msgspec.json.decode(sys.stdin.buffer.readline(), type=Config, dec_hook=_as_named)
    return run_to_the_end(lambda: work(config))


def _as_named(kind: type[Any], text: object) -> object:
    return kind(text)


async def work(config: Config) -> None:
    """One hub, until a signal ends it or the supervisor is gone."""
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _end_without_minder)
    with listen_on(config.host, config.port, shared=True) as listening:
        await serve(config, listening, Minder())


def _end_without_minder() -> None:
    asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
    os.kill(os.getpid(), signal.SIGTERM)


class Minder(Operator):
    """Waits for one line on the pipe from each hub."""

    def up(self, config: Config, ways: Sequence[Address], tables: int | None) -> None:  # noqa: ARG002 - of no interest
        sys.stdout.buffer.write(READY)
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

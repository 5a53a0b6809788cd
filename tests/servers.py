"""Real servers for tests, on loopback only. Whatever is started here is stopped here, and nothing else is."""

import asyncio
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from inspect import isawaitable
from pathlib import Path

import pytest

REDIS = Path("/usr/bin/redis-server")
Env = Mapping[str, str]


BELOW_OUTGOING = range(10_240, 32_768)
"""Ports that the system gives to no outgoing connection: one of those could take a server's while it is down."""
_worker, _workers = (os.environ.get(f"PYTEST_XDIST_{name}", "") for name in ("WORKER", "WORKER_COUNT"))
_OURS = BELOW_OUTGOING[int(_worker.removeprefix("gw") or 0) :: int(_workers or 1)]
"""Tests that run side by side give no port to two servers, not even while neither of them listens yet."""
_given: set[int] = set()


def free_port() -> int:
    """A port that nobody listens on, and that no test of this run has been given before."""
    while True:
        port = secrets.choice(_OURS)  # not `random`: its seed is the same in tests that run side by side
        if port not in _given:
            with socket.socket() as probe, suppress(OSError):
                probe.bind(("127.0.0.1", port))
                _given.add(port)
                return port


async def until(holds: Callable[[], object], *, within_s: float = 30) -> None:
    """Returns once the condition, or what it awaits, is true; fails the test if it is not in time."""
    async with asyncio.timeout(within_s):
        while not (await held if isawaitable(held := holds()) else held):  # noqa: ASYNC110 - what is awaited happens in other processes too
            await asyncio.sleep(0.005)


class RedisServer:
    """A redis-server in a folder of its own; `start` again after `kill` finds the same data, if it was kept."""

    def __init__(
        self, folder: Path, *options: str, config: str | None = None, binary: Path = REDIS, env: Env | None = None
    ) -> None:
        self.port = free_port()
        self._env = {**os.environ, **(env or {})}
        self.url = f"redis://127.0.0.1:{self.port}"
        self._folder = folder
        # With a configuration file of that name in the folder, it is a Sentinel.
        self._command = [str(binary), config, "--sentinel"] if config else [str(binary), "--save", ""]
        self._command += ["--bind", "127.0.0.1", "--port", str(self.port), *options]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if not REDIS.exists():
            pytest.fail(f"{REDIS} is missing: install Debian's redis-server, which these tests run against")
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self._folder, env=self._env, stdout=log, stderr=log, start_new_session=True
            )
        give_up = time.monotonic() + 30
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                pytest.fail(f"redis-server did not start: {(self._folder / 'redis.log').read_text()[-2000:]}")
            time.sleep(0.01)

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """Ends it as a power cut would, stopped or not."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        return False


@contextmanager
def running_redis(folder: Path, *options: str, config: str | None = None) -> Iterator[RedisServer]:
    server = RedisServer(folder, *options, config=config)
    server.start()
    try:
        yield server
    finally:
        server.kill()


class Proxy:
    """Passes bytes on to a port of loopback; the connections of a moment can be made to go dark without an error."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.Task[None], asyncio.Event] = {}
        self.port = 0
        self.accepted = 0

    def darken(self) -> None:
        """What comes on the connections that are open now is swallowed; later ones work."""
        for dark in self._open.values():
            dark.set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        dark = self._open[task] = asyncio.Event()
        self.accepted += 1
        ends = [writer]
        try:
            upstream, downstream = await asyncio.open_connection("127.0.0.1", self.target)
            ends.append(downstream)
            await asyncio.gather(_pass_on(reader, downstream, dark), _pass_on(upstream, writer, dark))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            del self._open[task]
            for end in ends:
                end.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, dark: asyncio.Event) -> None:
    while chunk := await reader.read(65536):
        if not dark.is_set():
            writer.write(chunk)
            await writer.drain()
    if not dark.is_set():
        writer.close()


@asynccontextmanager
async def running_proxy(target: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(target)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.stop()

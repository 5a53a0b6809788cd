"""A hub as people start it, and a client that follows the protocol's rules and checks itself."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import msgpack  # type: ignore[import-untyped]
import pytest
from msgspec import Struct
from tests.addresses import addresses
from tests.following import lay
from tests.servers import Env, free_port
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

HOST_TOKEN = "host-token-host-token-host"
COUNTS = re.compile(rb"(\d+) connections, (\d+) rooms, (\d+) tasks; screens: [^\n]*\n")
SUBPROTOCOLS = ("bookboard.v1.json", "bookboard.v1.msgpack")


class Counts(Struct, frozen=True):
    connections: int
    rooms: int
    tasks: int


class HubProcess:
    """`bookboard serve` on loopback. `start` again after `kill` is the same hub on the same folder."""

    def __init__(self, folder: Path, *options: str, env: Env | None = None, module: str = "bookboard.cli") -> None:
        self.port = free_port()
        self._env = {**os.environ, **(env or {})}
        self.at = f"127.0.0.1:{self.port}"
        self.folder = folder
        self.log = folder / f"hub-{self.port}.log"
        self.has_own_store = not {"--redis", "--redis-file"} & set(options)
        self._options = options
        self._module = module
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", self._module, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--most-bytes-a-second", str(10**9)]  # clients of tests enter hands in no time
        where = ["--data", str(self.folder / "data")] if self.has_own_store else []
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*command, *where, *self._options], env=self._env, stdout=log, stderr=log)
        give_up = time.monotonic() + 60
        while self.get("/readyz")[0] != 200:
            if self.process.poll() is not None or time.monotonic() > give_up:
                pytest.fail(f"the hub did not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ends it as an operator does; its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def get(self, path: str, body: object = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers; status 0 if nobody answers. With a body it is a POST."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        host, _, port = self.at.rpartition(":")
        with closing(HTTPConnection(host, int(port), timeout=30, source_address=addresses.local)) as made:
            try:
                made.request("GET" if data is None else "POST", path, data, headers)
                answer = made.getresponse()
                return answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()}
            except (HTTPException, OSError):
                return 0, b"", {}

    def open_table(self, **settings: object) -> dict[str, str]:
        opening = {"name": "Table 4", "host_name": "Holly", "key": "spades", "settings": settings}
        status, body, _ = self.get("/api/tables", {**opening, "host_token": HOST_TOKEN})
        assert status == 201, body
        table: dict[str, str] = json.loads(body)
        return table


def counts_of(hub: HubProcess) -> Counts:
    """What the hub logs on SIGUSR1."""
    assert hub.process is not None
    logged = hub.log.stat().st_size
    hub.process.send_signal(signal.SIGUSR1)
    give_up = time.monotonic() + 30
    while time.monotonic() < give_up:
        found = COUNTS.search(hub.log.read_bytes()[logged:])
        if found is not None:
            return Counts(*map(int, found.groups()))
        time.sleep(0.01)
    pytest.fail("the hub did not count")


@contextmanager
def running_hub_process(folder: Path, *options: str) -> Iterator[HubProcess]:
    hub = HubProcess(folder, *options)
    try:
        hub.start()
        yield hub
    finally:
        if hub.process is not None and hub.process.poll() is None:
            hub.stop()


class Client:
    """Keeps `view` by the client's rules, and fails on an event that does not fit."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._binary = socket.subprotocol == "bookboard.v1.msgpack"
        self.heard: list[dict[str, Any]] = []
        self.view: dict[str, Any] | None = None
        self.at: dict[str, Any] | None = None
        self._name = uuid4().hex
        self._cmds = 0

    async def send(self, message: object) -> None:
        await self._socket.send(msgpack.packb(message) if self._binary else json.dumps(message))

    async def receive(self, *, within_s: float = 30) -> dict[str, Any]:
        async with asyncio.timeout(within_s):
            data = await self._socket.recv()
        assert isinstance(data, bytes) is self._binary
        message: dict[str, Any] = msgpack.unpackb(data) if isinstance(data, bytes) else json.loads(data)
        self.heard.append(message)
        self._follow(message)
        return message

    async def until(self, kind: str, **members: object) -> dict[str, Any]:
        """The next message of that type with these members; what comes before it is heard, too."""
        while not _fits(message := await self.receive(), kind, members):
            pass
        return message

    async def has_heard(self, kind: str, **members: object) -> None:
        """Returns once such a message was heard, be it before something else that was waited for."""
        if not any(_fits(message, kind, members) for message in self.heard):
            await self.until(kind, **members)

    async def reach(self, version: int) -> None:
        while self.at is None or self.at["version"] < version:
            await self.receive()

    async def do(self, kind: str, *, cmd: str | None = None, **members: object) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._cmds += 1
        cmd = cmd or f"{self._name}-{self._cmds}"
        await self.send({"type": "do", "cmd": cmd, "command": {"type": kind, **members}})
        while True:
            message = await self.receive()
            if message["type"] in {"done", "refused"} and message["cmd"] == cmd:
                return message

    async def ping(self) -> None:
        """Returns when the server has answered a WebSocket ping."""
        await (await self._socket.ping())

    async def closed(self) -> tuple[int, dict[str, Any] | None]:
        """Wait for the end: the close code, and the `bye` before it."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as error:
            bye = next((message for message in reversed(self.heard) if message["type"] == "bye"), None)
            return (error.rcvd.code if error.rcvd else 1006), bye

    def _follow(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot":
            self.view = message["state"]
            self.at = {name: message[name] for name in ("epoch", "version", "last")}
        elif message["type"] == "event":
            assert self.at is not None
            assert self.view is not None
            assert message["epoch"] == self.at["epoch"]
            if message["version"] <= self.at["version"]:
                return
            assert (message["version"], message["prev"]) == (self.at["version"] + 1, self.at["last"])
            self.view = lay(self.view, message["changes"])
            self.at = {"epoch": message["epoch"], "version": message["version"], "last": message["id"]}


def _fits(message: dict[str, Any], kind: str, members: dict[str, object]) -> bool:
    return message["type"] == kind and all(message.get(name) == value for name, value in members.items())


class Somewhere(Protocol):
    """A hub to connect to; `at` is its host and port."""

    at: str


@asynccontextmanager
async def joined(
    hub: Somewhere,
    code: str,
    token: str | None = None,
    *,
    subprotocol: str = SUBPROTOCOLS[0],
    origin: bool = True,
    back_from: Client | None = None,
    at: dict[str, Any] | None = None,
) -> AsyncIterator[Client]:
    """A client that has been welcomed, and is at the head unless it comes back from where another one was."""
    async with dialled(hub, subprotocol=subprotocol, origin=origin) as client:
        if back_from is not None:
            client.view, client.at = back_from.view, at or back_from.at
        await client.send({"type": "hello", "room": code, "token": token, "resume": client.at})
        await client.until("welcome")
        if back_from is None:
            await client.until("snapshot")
        yield client


@asynccontextmanager
async def dialled(
    hub: Somewhere, *, subprotocol: str = SUBPROTOCOLS[0], origin: bool | str = True, path: str = "/ws"
) -> AsyncIterator[Client]:
    named: Any = f"http://{hub.at}" if origin is True else origin or None
    async with connect(
        f"ws://{hub.at}{path}",
        subprotocols=[Subprotocol(subprotocol)],
        origin=named,
        compression=None,
        open_timeout=30,
        close_timeout=1,
        local_addr=addresses.local,
    ) as socket:
        yield Client(socket)

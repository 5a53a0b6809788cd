"""A piece of wire with faults in it: passes bytes on to a port of loopback, late, not at all, or to somewhere else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

Way = Literal["up", "down"]


class Flow:
    """One connection. `is_feed` once a client of Redis has subscribed on it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.upstream: asyncio.StreamWriter | None = None
        self.is_dark = False
        self.is_feed = False

    def cut(self) -> None:
        """Both ends get a reset, as from a router that was switched off and on."""
        for end in (self.writer, self.upstream):
            if end is not None:
                end.transport.abort()


class Wire:
    """`target` is the port for connections to come. What is held goes on when it is let go, unless its end is gone."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.at = ""
        self.delay_s = 0.0
        self.flows: dict[asyncio.Task[None], Flow] = {}
        self.accepted = 0
        self.held = b""
        self._open: dict[Way, asyncio.Event] = {"up": asyncio.Event(), "down": asyncio.Event()}
        self._server: asyncio.Server | None = None
        for gate in self._open.values():
            gate.set()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def hold(self, way: Way) -> None:
        self.held = b""
        self._open[way].clear()

    def let_go(self) -> None:
        for gate in self._open.values():
            gate.set()

    def darken(self, *, feeds_only: bool = False) -> int:
        """What comes on the connections that are open now is swallowed; later ones work. How many these are."""
        flows = [flow for flow in self.flows.values() if flow.is_feed or not feeds_only]
        for flow in flows:
            flow.is_dark = True
        return len(flows)

    def cut(self) -> None:
        for flow in list(self.flows.values()):
            flow.cut()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        flow = self.flows[task] = Flow(reader, writer)
        self.accepted += 1
        try:
            upstream, flow.upstream = await asyncio.open_connection("127.0.0.1", self.target)
            ends = [self._pass_on("up", flow, reader, flow.upstream), self._pass_on("down", flow, upstream, writer)]
            passing = [asyncio.ensure_future(end) for end in ends]
            try:
                await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for end in passing:
                    end.cancel()
                await asyncio.gather(*passing, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            del self.flows[task]
            flow.cut()

    async def _pass_on(self, way: Way, flow: Flow, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(65536):
                flow.is_feed = flow.is_feed or (way == "up" and b"SSUBSCRIBE" in chunk)
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                if not self._open[way].is_set():
                    self.held += chunk
                    await self._open[way].wait()
                if not flow.is_dark:
                    writer.write(chunk)
                    await writer.drain()
            if flow.is_dark:
                await asyncio.Event().wait()  # nobody ever hears of its end

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=4096)
        self.port = self._server.sockets[0].getsockname()[1]
        self.at = f"127.0.0.1:{self.port}"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self.flows):
            task.cancel()
        await asyncio.gather(*self.flows, return_exceptions=True)
        await self._server.wait_closed()


@asynccontextmanager
async def running_wire(target: int) -> AsyncIterator[Wire]:
    wire = Wire(target)
    await wire.start()
    try:
        yield wire
    finally:
        await wire.stop()

"""Several hubs behind one port: they share the tables, one that dies is replaced, all end together."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.hub.serving import HOST_TOKEN, HubProcess, joined, running_hub_process
from tests.servers import free_port, until

from bookboard.cli import main

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="several workers share a port on Linux only")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def hubs(supervisor: HubProcess) -> list[int]:
    assert supervisor.process is not None
    return [pid for pid in children(supervisor.process.pid) if b"bookboard.hub.process.workers" in command_of(pid)]


def listening(port: int) -> int:
    """How many sockets listen on the port."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "0A" for row in rows)


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_over(pid: int) -> bool:
    return command_of(pid) == b""


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[HubProcess]:
    with running_hub_process(tmp_path, "--workers", "2") as running:
        yield running
        assert "Traceback" not in running.log.read_text()


async def test_a_hand_is_seen_on_the_screens_of_every_hub_and_a_dead_hub_is_replaced(pool: HubProcess) -> None:
    await until(lambda: listening(pool.port) == 2)
    code = pool.open_table()["code"]
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(joined(pool, code, HOST_TOKEN)) for _ in range(12)]
        await clients[0].do("start_game", game=1)
        for client in clients:
            await client.reach(2)
    victim, other = hubs(pool)
    os.kill(victim, signal.SIGKILL)
    await until(lambda: victim not in hubs(pool) and listening(pool.port) == 2)
    assert other in hubs(pool)
    await until(lambda: pool.get("/readyz")[0] == 200)
    async with joined(pool, code, HOST_TOKEN) as back:
        await back.reach(2)


async def test_a_signal_ends_them_all_cleanly(pool: HubProcess) -> None:
    await until(lambda: listening(pool.port) == 2)
    all_of_them = hubs(pool)
    assert pool.stop() == 0
    assert all(is_over(pid) for pid in all_of_them)


async def test_hubs_whose_minder_was_killed_end_by_themselves(pool: HubProcess) -> None:
    await until(lambda: listening(pool.port) == 2)
    orphans = hubs(pool)
    pool.kill()
    await until(lambda: all(is_over(pid) for pid in orphans))
    pool.start()  # adopts the embedded server


async def test_workers_take_over_the_port_of_a_hub_that_has_just_stopped(tmp_path: Path) -> None:
    """Connections that the hub closed itself keep its port for a minute."""
    with running_hub_process(tmp_path) as alone:
        code = alone.open_table()["code"]
        async with joined(alone, code, HOST_TOKEN):
            assert alone.stop() == 0
    pool = HubProcess(tmp_path, "--workers", "2")
    pool.port, pool.at = alone.port, alone.at
    pool.start()
    try:
        await until(lambda: listening(pool.port) == 2)
    finally:
        assert pool.stop() == 0


def test_a_port_in_use_is_found_out_by_the_minder(served: HubProcess, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--workers", "2", "--host", "127.0.0.1", "--port", str(served.port)]) == 2
    assert f"Port {served.port} is in use" in capfd.readouterr().err


def test_why_a_worker_does_not_start_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    nowhere = f"redis://127.0.0.1:{free_port()}"
    assert main(["serve", "--workers", "2", "--host", "127.0.0.1", "--port", "0", "--redis", nowhere]) == 2
    assert "no Redis to be reached" in capfd.readouterr().err

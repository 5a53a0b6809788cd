"""Failure 15: the built-in store, its hub killed, itself killed, its folder asked for twice."""

import asyncio
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.faults.club import Club, Table, in_thread, is_past
from tests.hub.serving import HubProcess
from tests.servers import until

from bookboard.store.folder import running_server


def url_of(hub: HubProcess) -> str:
    running = running_server(hub.folder / "data")
    assert running is not None
    return f"unix://{running.socket}"


async def store_process(hub: HubProcess) -> int:
    """The number of the server's process, once it answers."""
    numbers: list[int] = []

    async def answers() -> bool:
        async with Redis.from_url(url_of(hub)) as raw:
            numbers.append(int((await raw.info("server"))["process_id"]))
        return True

    async def tries() -> bool:
        try:
            return await answers()
        except Exception:  # noqa: BLE001 - it is not there yet
            return False

    await until(tries, within_s=30)
    return numbers[-1]


def is_running(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


async def table_at(club: Club) -> tuple[HubProcess, Table]:
    hub = await club.hub()
    await club.look_behind(url_of(hub))
    table = await club.table(hub)
    await table.sit_down([hub])
    return hub, table


@pytest.mark.quick_fault
@pytest.mark.failure("15 the embedded server")
async def test_nothing_is_lost_however_hub_and_store_are_killed(club: Club) -> None:
    hub, table = await table_at(club)
    await table.play(3)
    for killed in ("hub", "store", "both"):
        playing = asyncio.create_task(table.play(4))
        await table.phones[0].until(partial(is_past, table, table.hand + 1))
        store = await store_process(hub)
        club.tally.fault()
        if killed != "hub":
            os.kill(store, signal.SIGKILL)
        if killed != "store":
            hub.kill()
            await in_thread(hub.start)
        await asyncio.wait_for(playing, 120)
    await table.check()
    store = await store_process(hub)
    await asyncio.gather(*(client.stop() for client in table.clients))
    assert await in_thread(hub.stop) == 0
    await until(lambda: not is_running(store), within_s=20)


@pytest.mark.quick_fault
@pytest.mark.failure("15 the embedded server")
async def test_a_second_start_on_the_same_folder_is_refused_with_a_sentence(club: Club) -> None:
    hub, table = await table_at(club)
    club.tally.fault()
    command = [sys.executable, "-m", "bookboard.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
    second = await in_thread(
        lambda: subprocess.run(
            [*command, "--data", str(hub.folder / "data")], capture_output=True, text=True, check=False, timeout=60
        )
    )
    assert second.returncode == 2
    assert "is in use by process" in second.stderr
    await table.play(2)
    await table.check()

"""Failure 8, mended by hand: the data is destroyed between a backup and its restoration, under a running night."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.club import Club, in_thread
from tests.faults.test_embedded import table_at
from tests.faults.test_rewinds import enter_again


def bookboard(*words: str) -> str:
    """What the command prints; the test fails if the command does."""
    command = [sys.executable, "-m", "bookboard.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.quick_fault
@pytest.mark.failure("8 backup and restore")
async def test_a_night_goes_on_from_a_backup(club: Club, tmp_path: Path) -> None:
    hub, table = await table_at(club)
    data, file = str(hub.folder / "data"), str(tmp_path / "night.bookboard")
    await table.play(5)
    assert "1 tables" in await in_thread(bookboard, "backup", "--data", data, file)
    await table.play(2)
    await table.check()
    club.tally.fault()
    assert await in_thread(hub.stop) == 0
    shutil.rmtree(hub.folder / "data" / "log")
    assert "1 tables" in await in_thread(bookboard, "restore", "--data", data, file)
    await in_thread(hub.start)
    # Screens come back from further than the backup goes: the epoch is new, so they adopt it whole.
    await asyncio.gather(
        *(client.until(lambda client: client.position and client.position.epoch == 2) for client in table.clients)
    )
    await enter_again(table, 6)
    await table.play(1)
    ledger = await table.check()
    assert len(ledger.room.state.game.hands) == 8


@pytest.mark.quick_fault
@pytest.mark.failure("8 backup and restore")
async def test_a_backup_is_restored_under_running_hubs(club: Club, tmp_path: Path) -> None:
    hub, table = await table_at(club)
    data, file = str(hub.folder / "data"), str(tmp_path / "night.bookboard")
    await table.play(3)
    await in_thread(bookboard, "backup", "--data", data, file)
    club.tally.fault()
    await club.store._call("FLUSHALL")  # noqa: SLF001 - the worst that can happen to it
    assert "1 tables" in await in_thread(bookboard, "restore", "--data", data, file)
    await table.play(2)
    assert (await table.check()).epoch == 2

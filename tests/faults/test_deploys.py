"""Failure 14: a hub is replaced while hands come in, also by one of another version."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.faults.club import Club, Table, in_thread
from tests.servers import RedisServer

import bookboard
from bookboard.web_root import web_root

RESTARTING = 3000


async def keep_playing(table: Table, ends: asyncio.Event) -> int:
    hands = 0
    while not ends.is_set():
        await table.play(1)
        hands += 1
    return hands


async def under_load(table: Table, deploy: Callable[[], Awaitable[None]]) -> None:
    """All of it happens while hands come in; some before, some after."""
    ends = asyncio.Event()
    playing = asyncio.create_task(keep_playing(table, ends))
    await table.phones[0].until(lambda _: table.hand > 4)
    await deploy()
    after = table.hand
    await table.phones[0].until(lambda _: table.hand > after + 4)
    ends.set()
    await playing


@pytest.mark.quick_fault
@pytest.mark.failure("14 deploy under load")
async def test_a_hub_that_is_replaced_loses_no_command(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs, phones=3, screens=4)

    async def deploy() -> None:
        for hub in hubs:
            club.tally.fault()
            assert await in_thread(hub.stop) == 0
            assert "Traceback" not in hub.log.read_text()
            await in_thread(hub.start)

    await under_load(table, deploy)
    await table.check()
    left = [client for client in table.clients if client.close_codes]
    assert any(RESTARTING in client.close_codes for client in left), "somebody was at one of the hubs"
    for client in left:
        # The goodbye came with a time to come back at, unless the end of the line overtook it.
        assert set(client.close_codes) <= {RESTARTING, 1006, 1012}
        byes = [message for _, message in client.heard if message["type"] == "bye" and message["reconnect_in"]]
        assert len(byes) >= client.close_codes.count(RESTARTING)


def a_newer_version(folder: Path) -> Path:
    """The package as it may be one day: a hand and a state have a member more."""
    package = folder / "newer" / "bookboard"
    shutil.copytree(Path(bookboard.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(web_root(), package / "web")
    for module, name in (("events", "HandScored(Event"), ("state", "RoomState(Struct")):
        path = package / "room" / f"{module}.py"
        head, start, body = path.read_text().partition(f"class {name}, frozen=True):\n")
        members, end, rest = body.partition("\n\n\n")
        path.write_text(f'{head}{start}{members}\n    mood: str = "calm"{end}{rest}')
    return package.parent


@pytest.mark.quick_fault
@pytest.mark.failure("14 deploy under load")
async def test_two_versions_of_the_hub_serve_one_table(
    club: Club, redis: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer one writes more into events and states than the older one knows."""
    newer = a_newer_version(tmp_path)
    old = await club.hub("--redis", redis.url)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(newer), os.environ.get("PYTHONPATH", "")]))
    new = await club.hub("--redis", redis.url)
    table = await club.table(new)
    await table.sit_down([old, new], phones=3, screens=4)
    for _ in range(6):
        await asyncio.gather(*(client.move_to(club.rng.randrange(2)) for client in table.clients))
        club.tally.fault()
        await table.play(3)
    await table.check()
    for hub in (old, new):
        assert "Traceback" not in hub.log.read_text()

"""Failure 18: a store that forgets. Screens stay up and say so, and all goes on once it is put back."""

import asyncio
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.faults.club import Club
from tests.hub.serving import HOST_TOKEN, joined
from tests.servers import RedisServer

from bookboard.store.backup import restore_backup, write_backup


@pytest.mark.quick_fault
@pytest.mark.failure("18 a store that forgets")
async def test_screens_of_a_table_that_the_store_has_lost_stay_up(
    club: Club, redis: RedisServer, tmp_path: Path
) -> None:
    (hub,) = await club.hubs_on(redis.url)
    table = await club.table(hub)
    await table.sit_down([hub])
    await table.play(3)
    await table.check()
    await write_backup(club.store, tmp_path / "backup")
    connections = [client.connections for client in table.clients]
    club.tally.fault()
    async with Redis.from_url(redis.url) as raw:
        await raw.flushall()
    entering = asyncio.create_task(table.play(1))
    for client in table.clients:
        await client.until(lambda client: client.status == "lost")
        assert client.view is not None
        assert len(client.view["hands"]) == 3
    await restore_backup(club.store, tmp_path / "backup")
    await entering
    await table.check()
    assert [client.connections for client in table.clients] == connections


@pytest.mark.quick_fault
@pytest.mark.failure("18 a store that forgets")
async def test_a_table_that_the_store_has_lost_is_put_back_by_its_host(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs[:1])
    table.screen(hubs[1:])
    await table.play(3)
    before = await table.check()
    club.tally.fault()
    async with Redis.from_url(redis.url) as raw:
        await raw.flushall()
    entering = asyncio.create_task(table.play(1))
    for phone in table.phones:
        await phone.until(lambda client: client.status == "lost")
    async with joined(hubs[0], table.code, HOST_TOKEN) as host, joined(hubs[1], table.code) as watcher:
        await watcher.send({"type": "put_back", "id": "mine"})
        await watcher.until("refused", cmd="mine", code="host_only")
        await host.send({"type": "put_back", "id": "back"})
        assert (await host.until("done", cmd="back"))["version"] == before.version
        await host.send({"type": "put_back", "id": "again"})
        await host.until("refused", cmd="again", code="not_lost")
        await entering
        await table.play(3)
        after = await table.check()
        for client in (host, watcher):
            await client.reach(after.version)
            assert client.view == after.view
    assert (after.epoch, after.log[0].version, len(after.room.sheet.hands)) == (2, before.version + 1, 7)
    assert all(client.status == "ok" for client in table.clients)

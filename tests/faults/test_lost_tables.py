"""Failure 18: a store that forgets. Screens stay up and say so, and all goes on once a backup is put back."""

import asyncio
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.faults.club import Club
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

"""A night of 500 hands in which any one process is killed at any moment, 200 times."""

import asyncio
import os
from functools import partial

import pytest
from tests.faults.club import Club, in_thread, is_past
from tests.hub.serving import HubProcess
from tests.servers import RedisServer

HANDS = int(os.environ.get("FAULT_HANDS") or 500)
KILLS = int(os.environ.get("FAULT_KILLS") or 200)


@pytest.mark.timeout(1500)
@pytest.mark.failure("1 any process, any moment")
async def test_every_acknowledged_hand_is_there_once(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs, phones=4, screens=4)
    playing = asyncio.create_task(table.play(HANDS - table.hand))
    for kill in range(KILLS):
        at_hand = (kill + 1) * HANDS // (KILLS + 1)
        await table.phones[0].until(partial(is_past, table, at_hand - 1), within_s=120)
        await asyncio.sleep(club.rng.uniform(0, 0.02))  # any moment is meant: there is nothing to wait for
        club.tally.fault()
        processes: list[HubProcess | RedisServer] = [*hubs, redis]
        victim = club.rng.choice(processes)
        victim.kill()
        await in_thread(victim.start)
    await asyncio.wait_for(playing, 120)
    ledger = await table.check()
    assert len(ledger.room.state.game.hands) == HANDS
    for hub in hubs:
        assert "Traceback" not in hub.log.read_text()

"""Failure 11: slots of a real Redis Cluster move and a master fails over during play; Sentinels promote a replica.

Replication is asynchronous: a hand that was acknowledged and had not reached the replica is gone, and named.
"""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from tests.faults.arrangements import running_cluster, running_sentinels
from tests.faults.club import Club, Table
from tests.servers import until
from tests.store.test_sentinel import says

from bookboard.store import keys
from bookboard.store.cluster import SLOTS

HANDS = 30


async def play_on(table: Table, until_hand: int) -> None:
    """As the people at the table do: whatever is named as gone is entered again."""
    while table.hand < until_hand:
        hand = table.next_hand()
        answer = await table.phones[table.hand % 2].do("enter_hand", **hand)
        if answer["type"] == "done":
            continue
        named = {n for client in table.clients for message in client.rewound for n in message["hands"]}
        assert named, (hand, answer)
        table.gone |= named
        ledger = await table.ledger()
        table.hand = len(ledger.room.state.game.hands)


async def check_but_for_the_named(table: Table) -> None:
    """Nothing is wrong, and nothing gone but what the hubs have named."""
    await table.settle()
    table.gone |= {hand for client in table.clients for message in client.rewound for hand in message["hands"]}
    await table.check()


@pytest.mark.failure("11 the cluster moves")
async def test_slots_move_and_a_master_fails_over(club: Club, tmp_path: Path) -> None:
    async with running_cluster(tmp_path / "cluster") as cluster:
        await club.look_behind(cluster.url)
        hubs = await club.hubs_on(cluster.servers[1].url, cluster.servers[2].url)
        tables = [await club.table(hubs[0]) for _ in range(4)]
        for table in tables:
            await table.sit_down(hubs)
        playing = [asyncio.create_task(play_on(table, HANDS)) for table in tables]
        for slot in {SLOTS[keys.partition(table.code)] for table in tables}:
            home = slot * 3 // 16384
            club.tally.fault()
            await cluster.move(slot, home, (home + 1) % 3)
        await asyncio.gather(*playing)
        for table in tables:
            await table.check()
        playing = [asyncio.create_task(play_on(table, 2 * HANDS)) for table in tables]
        await tables[0].phones[0].until(lambda _: tables[0].hand > HANDS + 3)
        club.tally.fault()
        cluster.servers[0].kill()
        await asyncio.wait_for(asyncio.gather(*playing), 150)
        for table in tables:
            await check_but_for_the_named(table)


@pytest.mark.parametrize("replicas", [0, 1], ids=["as it comes", "a replica waited for"])
@pytest.mark.failure("11 the cluster moves")
async def test_sentinels_promote_a_replica(club: Club, tmp_path: Path, replicas: int) -> None:
    async with running_sentinels(tmp_path / "night") as night:
        await club.look_behind(night.url)
        options = ("--redis", night.url, "--wait-replicas", str(replicas))
        hubs = list(await asyncio.gather(club.hub(*options), club.hub(*options)))
        table = await club.table(hubs[0])
        await table.sit_down(hubs)
        playing = asyncio.create_task(play_on(table, 2 * HANDS))
        await table.phones[0].until(lambda _: table.hand > HANDS)
        club.tally.fault()
        night.servers[0].kill()
        night.sentinels[0].kill()
        await until(partial(says, night.servers[1], "role:master", "INFO", "replication"), within_s=60)
        night.servers[0].start()  # the Sentinels make a replica of it
        await asyncio.wait_for(playing, 150)
        await check_but_for_the_named(table)
        assert not (replicas and club.tally.rewound)

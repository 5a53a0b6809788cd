"""Failure 8: time runs backwards. One resync, a notice, no reconnect loop, and the gone hands are entered again."""

import asyncio
import shutil
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.faults.arrangements import ALWAYS
from tests.faults.club import Club, Table
from tests.faults.wire import running_wire
from tests.servers import RedisServer, running_redis, until

FOLLOW = ("--repl-diskless-sync-delay", "0", "--repl-diskless-sync", "yes")


async def enter_again(table: Table, first: int) -> None:
    """What the phones do: the hands that were named as gone are entered again, as new commands."""
    table.gone |= set(range(first, table.hand + 1))
    table.hand = first - 1
    await table.play(len(table.gone))


async def everybody_is_told(table: Table, hands: list[int]) -> None:
    """Each client hears of the new epoch, and of the gone hands, once, on a connection that stays."""
    connections = [client.connections for client in table.clients]
    for client in table.clients:
        await client.until(lambda c: c.rewound, within_s=60)
        assert [message["hands"] for message in client.rewound] == [hands]
        assert client.rewound[0]["epoch"] == 2
    assert [client.connections for client in table.clients] == connections


@pytest.mark.quick_fault
@pytest.mark.failure("8 time runs backwards")
async def test_an_older_file_is_restored(club: Club, redis: RedisServer, tmp_path: Path) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs)
    await table.play(6)
    kept, live = tmp_path / "older", tmp_path / "redis" / "appendonlydir"
    shutil.copytree(live, kept)
    await table.play(2)
    await table.check()
    club.tally.fault()
    redis.kill()
    shutil.rmtree(live)
    shutil.copytree(kept, live)
    redis.start()
    await everybody_is_told(table, [7, 8])
    await enter_again(table, 7)
    ledger = await table.check()
    assert (ledger.epoch, len(ledger.room.state.game.hands)) == (2, 8)


@pytest.mark.quick_fault
@pytest.mark.failure("8 time runs backwards")
async def test_a_replica_that_is_behind_is_promoted(club: Club, redis: RedisServer, tmp_path: Path) -> None:
    with running_redis(tmp_path / "replica", *ALWAYS, *FOLLOW) as replica:
        async with running_wire(redis.port) as wire, Redis.from_url(replica.url) as raw:
            hubs = await club.hubs_on(wire.url, wire.url)
            table = await club.table(hubs[0])
            await table.sit_down(hubs)
            await raw.replicaof("127.0.0.1", str(redis.port))
            await table.play(6)

            async def has_all() -> bool:
                return int(await raw.xlen(await log_of(raw))) == (await table.ledger()).version

            await until(has_all, within_s=30)
            await raw.replicaof("NO", "ONE")
            await table.play(2)
            club.tally.fault()
            wire.target = replica.port
            redis.kill()
            wire.cut()
            await everybody_is_told(table, [7, 8])
            await club.look_behind(replica.url)
            await enter_again(table, 7)
            assert (await table.check()).epoch == 2


async def log_of(raw: "Redis") -> str:
    keys = [key.decode() async for key in raw.scan_iter("*:l")]
    return keys[0] if keys else "none"


@pytest.mark.quick_fault
@pytest.mark.failure("8 time runs backwards")
async def test_a_fork_has_passed_the_clients(club: Club, redis: RedisServer, tmp_path: Path) -> None:
    """All hubs are new: only the clients know better, and a player's word counts."""
    (hub,) = await club.hubs_on(redis.url)
    async with running_wire(hub.port) as wire:
        table = await club.table(hub)
        await table.sit_down([wire], phones=2, screens=2)
        await table.play(4)
        kept, live = tmp_path / "older", tmp_path / "redis" / "appendonlydir"
        shutil.copytree(live, kept)
        await table.play(2)
        await table.check()
        club.tally.fault()
        wire.cut()
        wire.target = 1
        hub.kill()
        redis.kill()
        shutil.rmtree(live)
        shutil.copytree(kept, live)
        redis.start()
        (new,) = await club.hubs_on(redis.url)
        # Somebody else goes on, past where the others were, before they are back.
        fork = table.phone([new], table.phones[0].token or "", codec=1)
        await fork.until(lambda _: fork.position is not None)
        table.gone |= {5, 6}
        table.hand = 4
        for _ in range(4):
            await fork.do("enter_hand", **{**table.next_hand(), "part": other_hand(table)})
        wire.target = new.port
        # The first of them that plays here begins a new epoch; everybody adopts it whole, and stays connected.
        await asyncio.gather(*(c.until(lambda c: c.position and c.position.epoch > 1) for c in table.clients))
        await table.play(2)
        ledger = await table.check()
        assert ledger.epoch > 1
        assert [client.connections for client in table.clients] == [2, 2, 1, 2, 2]


def other_hand(table: Table) -> dict[str, object]:
    part = table.deals.part(table.hand)
    books = part["books"]
    return {**part, "books": {"north_south": books["east_west"], "east_west": books["north_south"]}}

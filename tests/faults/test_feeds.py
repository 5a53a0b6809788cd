"""Failures 3, 4 and 9: a feed that loses messages, or goes dark without an error; a room in which nothing happens."""

import asyncio
from functools import partial

import pytest
from redis.asyncio import Redis
from tests.faults.club import Club, Table, is_past, readiness, slack
from tests.faults.wire import running_wire
from tests.servers import RedisServer


async def at_head_within(table: Table, limit_s: float) -> None:
    """Fails unless every client is at the head of the log in time; the time is that of the worst of them."""
    ledger = await table.ledger()
    started = asyncio.get_running_loop().time()
    await asyncio.gather(*(client.reach(ledger.epoch, ledger.version) for client in table.clients))
    took = asyncio.get_running_loop().time() - started
    table.club.tally.recovery_s = max(table.club.tally.recovery_s, took)
    assert took < limit_s * slack()


@pytest.mark.quick_fault
@pytest.mark.failure("3 gap in pub/sub")
async def test_after_a_killed_subscription_everybody_is_at_the_head(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs, phones=3, screens=4)
    async with Redis.from_url(redis.url) as raw:
        for _ in range(5):
            burst = asyncio.create_task(table.play(4))
            hand = table.hand
            await table.phones[0].until(partial(is_past, table, hand + 1))
            table.club.tally.faults += 1
            await raw.client_kill_filter(_type="pubsub")
            await burst
            await at_head_within(table, 2)
    await table.check()


@pytest.mark.quick_fault
@pytest.mark.failure("4 wedged subscription")
async def test_a_feed_that_goes_dark_turns_red_and_heals_itself(club: Club, redis: RedisServer) -> None:
    async with running_wire(redis.port) as wire:
        wedged, other = await club.hubs_on(wire.url, redis.url)
        table = await club.table(other)
        await table.sit_down([other], screens=0)
        for codec in (0, 1):
            await table.screen([wedged], codec=codec).until(lambda screen: screen.position)
        assert wire.darken(feeds_only=True) == 1
        club.tally.faults += 1
        await table.play(3)
        await readiness(wedged, 503, within_s=10 * slack())
        await at_head_within(table, 10)
        await readiness(wedged, 200, within_s=10 * slack())
        await table.play(1)
        await at_head_within(table, 2)
        assert all(screen.connections == 1 for screen in table.screens)
        await table.check()


@pytest.mark.quick_fault
@pytest.mark.failure("9 a quiet room")
async def test_who_comes_back_to_a_quiet_room_fetches_nothing(club: Club, redis: RedisServer) -> None:
    (hub,) = await club.hubs_on(redis.url)
    table = await club.table(hub)
    async with running_wire(hub.port) as wire, Redis.from_url(redis.url) as raw:
        await table.sit_down([wire], phones=1, screens=4)
        await table.play(3)
        await table.check()
        # A beat was heard and answered: nothing but that is on the wire of a quiet room.
        for screen in table.screens:
            screen.heard.clear()
        await asyncio.gather(*(screen.until(lambda screen: screen.heard) for screen in table.screens))
        snapshots = [screen.snapshots for screen in table.screens]
        ranges = await reads(raw)
        club.tally.fault()
        wire.cut()
        await asyncio.gather(*(c.until(lambda c: c.is_live and c.connections == 2) for c in table.clients[1:]))
        assert [screen.snapshots for screen in table.screens] == snapshots
        assert await reads(raw) == ranges
        await table.play(1)
        await table.check()


async def reads(raw: "Redis") -> int:
    """How often the log of a room was read so far."""
    stats = await raw.info("commandstats")
    return int(stats.get("cmdstat_xrange", {}).get("calls", 0))

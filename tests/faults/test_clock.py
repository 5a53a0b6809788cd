"""Failure 10: time runs out once, whoever is killed, and a hand is wholly before it or wholly after it."""

import asyncio
from functools import partial

import pytest
from tests.faults.club import Club, Table, slack
from tests.servers import RedisServer, until
from tests.store.rooms import insist

from bookboard.hub.live.planning import Head, Sender, plan
from bookboard.room.clock import due_at
from bookboard.room.events import ClockExtended, HandScored
from bookboard.store.contract import Committed
from bookboard.tables.kind import TABLE

LATE_MS = 1000


async def shorten(table: Table, left_ms: int) -> int:
    """Moves the deadline, which people count in minutes, to so many ms from now; the deadline."""
    ledger = await table.ledger()
    store = table.club.store
    now, due = await store.now(), due_at(ledger.room)
    assert due is not None
    head = Head(TABLE, table.code, ledger.epoch, ledger.version, ledger.room, ledger.version)
    extended = plan(head, [ClockExtended(more_ms=now + left_ms - due)], Sender("operator", f"{now}", ""), now)
    assert isinstance(await store.commit(extended), Committed)
    due = due_at((await table.ledger()).room)
    assert due is not None
    return due


async def timed_table(club: Club, redis: RedisServer, hubs: int) -> Table:
    started = await club.hubs_on(*[redis.url] * hubs)
    table = await club.table(started[0], time_limit_minutes=5)
    await table.sit_down(started, phones=4, screens=4)
    await table.play(2)
    return table


async def time_has_expired(table: Table) -> bool:
    return bool((await table.ledger()).expiries)


@pytest.mark.quick_fault
@pytest.mark.failure("10 the clock's end")
async def test_time_expires_once_though_the_hub_about_to_do_it_is_killed(club: Club, redis: RedisServer) -> None:
    table = await timed_table(club, redis, 4)
    # Only the doomed hub has watchers, so the others know of the deadline from the store alone.
    await asyncio.gather(*(client.move_to(0) for client in table.clients))
    due = await shorten(table, 3000)
    await until(partial(has_passed, table, due - 60), within_s=30)
    club.kill(club.hubs[0])
    await until(partial(time_has_expired, table), within_s=30)
    await table.play(1)
    ledger = await table.check()
    (expired,) = ledger.expiries
    club.tally.recovery_s = (expired.at - due) / 1000
    assert due <= expired.at <= due + LATE_MS * slack()


async def has_passed(table: Table, instant: int) -> bool:
    return await insist(table.club.store.now) >= instant


@pytest.mark.quick_fault
@pytest.mark.failure("10 the clock's end")
async def test_a_hand_that_races_the_deadline_is_wholly_before_or_after_it(club: Club, redis: RedisServer) -> None:
    table = await timed_table(club, redis, 2)
    due = await shorten(table, 2500)
    while not await time_has_expired(table):
        answer = await table.phones[table.hand % 4].do("enter_hand", **table.next_hand())
        if answer["type"] == "refused":
            break
    await until(partial(time_has_expired, table), within_s=30)
    ledger = await table.check()
    (expired,) = ledger.expiries
    for recorded in ledger.log:
        if isinstance(recorded.event, HandScored):
            assert (recorded.version < expired.version) is (recorded.at < due)


@pytest.mark.failure("10 the clock's end")
async def test_extending_the_time_defeats_the_older_deadline(club: Club, redis: RedisServer) -> None:
    table = await timed_table(club, redis, 4)
    due = await shorten(table, 4000)
    answer = await table.phones[0].do("extend_clock", game=1, minutes=1, revision=2**40)
    assert answer["type"] == "done"
    assert await club.store.now() < due, "the machine was too slow for this test"
    await until(partial(has_passed, table, due + LATE_MS), within_s=30)
    assert not await time_has_expired(table)
    later = await shorten(table, 1500)
    await until(partial(time_has_expired, table), within_s=30)
    (expired,) = (await table.check()).expiries
    assert later <= expired.at <= later + LATE_MS * slack()

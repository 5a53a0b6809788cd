"""Failures 1, 2 and 6: a commit that is broken off, a store that stalls in the middle of it."""

import asyncio
import signal
from pathlib import Path
from random import Random

import pytest
from tests.faults.club import Club
from tests.faults.wire import running_wire
from tests.servers import RedisServer, until

READ_TIMEOUT_S = 5


@pytest.mark.quick_fault
@pytest.mark.failure("1 killed mid-commit")
@pytest.mark.parametrize("moment", ["before the commit", "before the reply", "after the reply"])
async def test_a_hand_goes_in_once_whenever_its_hub_is_killed(club: Club, redis: RedisServer, moment: str) -> None:
    async with running_wire(redis.port) as wire:
        doomed, other = await club.hubs_on(wire.url, redis.url)
        table = await club.table(other)
        await table.sit_down([doomed, other])
        await table.play(2)
        phone = table.phones[0]
        await phone.move_to(0)
        version = (await table.ledger()).version
        if moment == "before the commit":
            wire.hold("up")
        elif moment == "before the reply":
            wire.hold("down")
        sent = phone.submit("enter_hand", **table.next_hand())
        if moment == "before the commit":
            await until(lambda: b"EVALSHA" in wire.held)
        elif moment == "before the reply":

            async def is_committed() -> bool:
                return (await table.ledger()).version > version

            await until(is_committed, within_s=30)
        else:
            await sent.answered
        club.kill(doomed)
        wire.cut()
        wire.let_go()
        answer = await asyncio.wait_for(sent.answered, 60)
        assert answer["version"] == version + 1
        assert answer["repeated"] is (moment == "before the reply")
        await table.play(2)
        await table.check()


@pytest.mark.quick_fault
@pytest.mark.failure("2 a library retries")
async def test_a_store_that_stalls_past_the_time_limit_has_the_hand_once(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs)
    await table.play(2)
    phone = table.phones[0]
    redis.signal(signal.SIGSTOP)
    club.tally.fault()
    sent = phone.submit("enter_hand", **table.next_hand())
    try:
        await phone.until(lambda _: sent.refusals > 0 and phone.status == "readonly", within_s=30)
        assert not phone.close_codes
    finally:
        redis.signal(signal.SIGCONT)
    await asyncio.wait_for(sent.answered, 30)
    await table.play(2)
    await table.check()


@pytest.mark.failure("6 Redis slow")
async def test_nobody_is_disconnected_while_the_store_is_paused(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs, phones=3, screens=4)
    await table.play(3)
    connections = [client.connections for client in table.clients]
    redis.signal(signal.SIGSTOP)
    club.tally.fault()
    hand = table.next_hand()
    sent = [phone.submit("enter_hand", **hand) for phone in table.phones]
    paused = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(45, paused.set_result, None)
    try:
        await asyncio.gather(*(client.until(lambda c: c.status == "readonly") for client in table.clients))
        await paused
    finally:
        redis.signal(signal.SIGCONT)
    answers = await asyncio.gather(*(asyncio.wait_for(each.answered, 60) for each in sent))
    assert [client.connections for client in table.clients] == connections
    assert sum(not answer["repeated"] for answer in answers) <= 1, "one entered it, the others were told so"
    await table.play(2)
    await table.check()


@pytest.mark.quick_fault
@pytest.mark.failure("1 killed mid-commit")
async def test_a_commit_that_was_torn_in_the_log_never_comes_back(
    club: Club, redis: RedisServer, tmp_path: Path
) -> None:
    hubs = await club.hubs_on(redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs)
    await table.play(3)
    for _ in range(3):
        await table.play(1)
        club.tally.fault()
        redis.kill()
        tear_the_next(tmp_path / "redis" / "appendonlydir", club.rng)
        redis.start()
        await table.play(1)
    await table.check()


def tear_the_next(folder: Path, rng: Random) -> None:
    """A part of one more commit, as a kill in the middle of its writing leaves it: it was never answered."""
    (log,) = folder.glob("*.incr.aof")
    written = log.read_bytes()
    commit = written[written.rindex(b"*1\r\n$5\r\nMULTI") :]
    log.write_bytes(written + commit[: rng.randrange(1, len(commit) - 1)])

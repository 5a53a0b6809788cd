"""Failure 13: a store that takes no writes. Hands are refused with a reason, boards stay, all recovers alone."""

import asyncio
import resource
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from redis.asyncio import Redis
from tests.faults.clients import Screen, Sent
from tests.faults.club import Club, Table
from tests.faults.test_embedded import store_process, table_at
from tests.servers import RedisServer, free_port

Work = Callable[[], Awaitable[object]]


async def refused_and_recovered(table: Table, break_it: Work, mend_it: Work) -> None:
    connections = [client.connections for client in table.clients]
    table.club.tally.fault()
    await break_it()
    hand = table.next_hand()
    sent = [phone.submit("enter_hand", **hand) for phone in table.phones]
    for phone, each in zip(table.phones, sent, strict=True):
        await phone.until(partial(was_refused, each))
        refusals = [message for _, message in phone.heard if message["type"] == "refused"]
        assert {(message["code"], message["retry"]) for message in refusals} == {("unavailable", True)}
    await asyncio.gather(*(client.until(lambda client: client.status == "readonly") for client in table.clients))
    assert all(client.view for client in table.clients)
    late = table.screen(table.phones[0].hubs)
    await late.until(lambda late: late.view)
    table.screens.remove(late)
    await late.stop()
    await mend_it()
    answers = await asyncio.gather(*(asyncio.wait_for(each.answered, 60) for each in sent))
    assert {answer["type"] for answer in answers} == {"done"}
    await asyncio.gather(*(client.until(lambda client: client.status == "ok") for client in table.clients))
    assert [client.connections for client in table.clients] == connections, "nobody was sent away"
    await table.play(1)


def was_refused(sent: Sent, _: Screen) -> bool:
    return sent.refusals > 0


@pytest.mark.quick_fault
@pytest.mark.failure("13 no writes")
async def test_a_store_without_memory_and_one_that_is_read_only(club: Club, redis: RedisServer) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    table = await club.table(hubs[0])
    await table.sit_down(hubs)
    for number, phone in enumerate(table.phones):
        await phone.move_to(number)  # a hub knows of it from the first hand that it is asked to take
    await table.play(2)
    async with Redis.from_url(redis.url) as raw:
        await refused_and_recovered(
            table, lambda: raw.config_set("maxmemory", "1"), lambda: raw.config_set("maxmemory", "0")
        )
        nowhere = str(free_port())
        await refused_and_recovered(
            table, lambda: raw.replicaof("127.0.0.1", nowhere), lambda: raw.replicaof("NO", "ONE")
        )
    await table.check()


@pytest.mark.quick_fault
@pytest.mark.failure("13 no writes")
async def test_a_disk_that_is_full_ends_the_built_in_store_which_starts_again(club: Club) -> None:
    """Under `appendfsync always` a server that cannot write its log exits; here it may write no more to any file."""
    hub, table = await table_at(club)
    await table.play(2)
    store = await store_process(hub)
    club.tally.fault()
    resource.prlimit(store, resource.RLIMIT_FSIZE, (1, 1))
    await table.play(2)
    assert await store_process(hub) != store
    await table.check()

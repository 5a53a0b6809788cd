"""The store loses a table in play: screens say so, and the host has it put back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect
from redis.asyncio import Redis
from tests.e2e.devices import LAPTOP, Devices
from tests.e2e.quick import quick_table
from tests.e2e.screens import Screen
from tests.hub.serving import HubProcess, running_hub_process
from tests.servers import RedisServer, running_redis

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with running_redis(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "always") as redis:
        yield redis


@pytest.fixture
def hub(tmp_path: Path, redis: RedisServer) -> Iterator[HubProcess]:
    with running_hub_process(tmp_path / "hub", "--redis", redis.url) as hub:
        yield hub


async def test_the_host_puts_back_a_table_that_the_server_has_lost(
    hub: HubProcess, redis: RedisServer, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", "east")
    north, east = table.phones.values()
    watch = Screen("watch", await devices.open("watch", table.at, LAPTOP))
    await north.tap_books("north_south", 8)
    await north.enter(1)
    await north.is_at("Bids", 2)
    async with Redis.from_url(redis.url) as raw:
        await raw.flushall()
    await east.is_at("Bids", 2)
    await east.bid("east", 4)
    for screen in (north, east, watch):
        await screen.says("The server has lost this table")
        assert await screen.shows({"north_south": 80, "east_west": 50})
    await expect(east.button("Put it back")).to_have_count(0)
    await north.tap("Put it back")
    await north.says("The table goes on from what is shown here: one scored hand.")
    await north.tap("Put the table back")
    for screen in (north, east, watch):
        await expect(screen.page.get_by_text("The server has lost this table")).to_have_count(0)
        assert await screen.shows({"north_south": 80, "east_west": 50})
    await north.is_at("Bids", 2)
    assert len(table.hands()) == 1

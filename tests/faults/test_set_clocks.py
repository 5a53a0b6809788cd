"""Failure 16: somebody sets the clock. Nothing is deleted, no game ends early or late, and it is said."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Literal

import pytest
from tests.faults.arrangements import ALWAYS
from tests.faults.club import Club, Table, in_thread, slack
from tests.faults.wall_clock import WallClock
from tests.hub.serving import HubProcess
from tests.servers import RedisServer, until

from bookboard.room.clock import due_at
from bookboard.store.embedded import server_binary

Where = Literal["hub", "store", "both"]

MINUTES = 90
HOUR, DAY, YEAR = 3600, 86_400, 365 * 86_400
STEPS = [1, -1, 30, -30, 2 * HOUR, -2 * HOUR, 8 * HOUR]
STEPS += [sign * step for step in (31 * DAY, 200 * DAY, 10 * YEAR) for sign in (1, -1)]
INEXACT_S = 9.0
"""A step of up to 2 s looks like a slow answer and counts; a pause begins when a hub last looked, up to 6 s ago."""


class Venue:
    """A store and a hub with clocks of their own, and a timed table. `began` is when its game did."""

    def __init__(self, club: Club, folder: Path) -> None:
        self.club = club
        self.hub_clock, self.store_clock = WallClock(folder / "hub-clock"), WallClock(folder / "store-clock")
        self.store = RedisServer(folder / "store", *ALWAYS, binary=server_binary(), env=self.store_clock.env)
        self.hub: HubProcess | None = None
        self.table: Table | None = None
        self.began = 0.0

    async def open(self) -> Table:
        self.store.start()
        await self.club.look_behind(self.store.url)
        self.hub = await self.club.hub("--redis", self.store.url, env=self.hub_clock.env)
        table = self.table = await self.club.table(self.hub, time_limit_minutes=MINUTES)
        self.began = monotonic()
        await table.sit_down([self.hub])
        await table.play(2)
        return table

    def set_clocks(self, where: Where, seconds: float) -> None:
        self.club.tally.fault()
        for clock in (self.hub_clock, self.store_clock):
            if where == "both" or clock is (self.hub_clock if where == "hub" else self.store_clock):
                clock.set_by(seconds)

    async def stop(self) -> None:
        """The night is over: the machine is switched off."""
        assert self.hub is not None
        await in_thread(self.hub.stop)
        self.store.kill()

    async def start(self) -> None:
        assert self.hub is not None
        self.store.start()
        await in_thread(self.hub.start)

    async def check(self, *, paused_s: float = 0) -> None:
        """All hands are there, the next one is taken, and the time limit is where people expect it."""
        assert self.table is not None
        await self.table.play(1)
        ledger = await self.table.check()
        assert not ledger.expiries
        due = due_at(ledger.room)
        assert due is not None
        left_s = (due - await self.club.store.now()) / 1000
        expected_s = MINUTES * 60 - (monotonic() - self.began) + paused_s
        assert abs(left_s - expected_s) < INEXACT_S * slack(), (left_s, expected_s)
        assert await self.club.store.forget_unused() == 0

    def was_said(self) -> bool:
        assert self.hub is not None
        return "clock was set" in self.hub.log.read_text()


@pytest.fixture
def venue(club: Club, tmp_path: Path) -> Iterator[Venue]:
    venue = Venue(club, tmp_path)
    yield venue
    venue.store.kill()


@pytest.mark.quick_fault
@pytest.mark.failure("16 the clock is set")
async def test_a_board_that_boots_in_the_past_keeps_its_hands_when_its_clock_is_put_right(venue: Venue) -> None:
    venue.set_clocks("both", -200 * DAY)
    table = await venue.open()
    venue.set_clocks("both", 200 * DAY)
    await until(venue.was_said)
    await venue.check()
    for seconds in (2 * HOUR, -2 * HOUR, -10 * YEAR, 10 * YEAR):
        venue.set_clocks("store", seconds)
        await venue.check()
    before = monotonic()
    await venue.stop()
    venue.set_clocks("both", 8 * HOUR)
    await venue.start()
    await venue.check(paused_s=monotonic() - before)
    for phone in table.phones:
        welcome = [message for _, message in phone.heard if message["type"] == "welcome"][-1]
        assert welcome["status"]["clock"]["seen"] is False


@pytest.mark.failure("16 the clock is set")
@pytest.mark.parametrize("where", ["hub", "store", "both"])
@pytest.mark.parametrize("seconds", STEPS)
async def test_a_clock_is_set_in_play(venue: Venue, where: Where, seconds: int) -> None:
    await venue.open()
    venue.set_clocks(where, seconds)
    await venue.check()
    if abs(seconds) > 2 and where != "hub":
        await until(venue.was_said)
    venue.set_clocks(where, -seconds)
    await venue.check()


@pytest.mark.failure("16 the clock is set")
@pytest.mark.parametrize("where", ["hub", "store", "both"])
@pytest.mark.parametrize("seconds", STEPS)
async def test_a_clock_is_set_over_a_pause(venue: Venue, where: Where, seconds: int) -> None:
    await venue.open()
    before = monotonic()
    await venue.stop()
    venue.set_clocks(where, seconds)
    await venue.start()
    if where == "hub" or -2 <= seconds <= 300:
        # Nobody can tell it from five minutes' pause, and such a pause counts.
        await venue.check(paused_s=0 if where == "hub" else -seconds)
    else:
        await venue.check(paused_s=monotonic() - before)


@pytest.mark.failure("16 the clock is set")
@pytest.mark.parametrize("seconds", STEPS)
async def test_a_clock_is_set_while_a_hub_is_killed_and_others_go_on(venue: Venue, seconds: int) -> None:
    table = await venue.open()
    second = await venue.club.hub("--redis", venue.store.url)
    for client in table.clients:
        client.hubs = [*client.hubs, second]
    assert venue.hub is not None
    venue.club.kill(venue.hub)
    venue.set_clocks("store", seconds)
    await in_thread(venue.hub.start)
    await venue.check()

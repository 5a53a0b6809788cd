"""A league night from the first tap to the second game, on real screens."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.e2e.clockwork import let_time_run_out
from tests.e2e.devices import LAPTOP, PROJECTOR, VENUE, Devices
from tests.e2e.night import (
    BLIND_BID_GAP,
    FINAL,
    HIGHLIGHTS,
    NIGHT,
    PLAYERS,
    SCORE_LIMIT,
    SIDES,
    TIME_LIMIT_MINUTES,
    Hand,
)
from tests.e2e.screens import Display, Home, Phone, Watch, all_say
from tests.e2e.table import Table
from tests.hub.serving import HubProcess, running_hub_process
from tests.servers import running_redis, until

from bookboard.store.folder import running_server

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


AT_HUB = {"north": 0, "east": 1, "south": 1, "west": 0, "display": 1, "watch": 0, "tablet": 1}
"""How the devices are spread where there are two hubs."""


@dataclass
class Venue:
    """The hubs of a night, the name browsers know them by, and where their store is."""

    hubs: list[HubProcess]
    name: str
    store: str

    def origin(self, device: str) -> str:
        """Where a device finds its hub."""
        return f"http://{self.name}:{self.hubs[AT_HUB[device] % len(self.hubs)].port}"


@pytest.fixture(params=["one hub", "two hubs"])
def venue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Venue]:
    """One hub with its own store, on an origin that browsers trust; two on one Redis, on an origin they do not."""
    with ExitStack() as stack:
        if request.param == "one hub":
            hub = stack.enter_context(running_hub_process(tmp_path / "hub"))
            running = running_server(hub.folder / "data")
            assert running is not None
            yield Venue([hub], "127.0.0.1", f"unix://{running.socket}")
        else:
            redis = stack.enter_context(
                running_redis(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "always")
            )
            hubs = [stack.enter_context(running_hub_process(tmp_path / "hub", "--redis", redis.url)) for _ in range(2)]
            yield Venue(hubs, VENUE, redis.url)


async def test_a_night_goes_on_whatever_happens(
    venue: Venue, devices: Devices, tmp_path: Path, shots: Path | None
) -> None:
    devices.album = shots
    table = await gather_around(venue, devices, tmp_path)
    tablet = await a_tablet(venue, devices, table)
    await table.phones["north"].start_game(1)
    await falls_asleep_over_hand_1(tablet, devices)
    for number, hand in enumerate(NIGHT, 1):
        await play(table, venue, devices, number, hand)
    await the_night_is_over(table)
    await devices.photograph("over")
    await play_again(table)
    await wakes_up_in_game_2(tablet, table)


# ── before the first deal ───────────────────────────────────────────────────────────────────────────────────────────


async def gather_around(venue: Venue, devices: Devices, folder: Path) -> Table:
    """Nora opens the table and sits down; the others come by the players' code; a display and a watcher join."""
    page = await devices.open("north", venue.origin("north"))
    assert await page.evaluate("isSecureContext") is (venue.name != VENUE)
    home = Home("home", page)
    code, _ = await home.open_table(
        host=PLAYERS["north"],
        table="Table 4",
        sides={"North–South": SIDES["north_south"], "East–West": SIDES["east_west"]},
        rules={
            "Score limit": SCORE_LIMIT,
            "Tie breaker": "Highest score, then fewer bags",
            "Time limit": TIME_LIMIT_MINUTES,
            "Blind bid gap": BLIND_BID_GAP,
        },
    )
    async with page.expect_request(lambda request: "/play#" in (request.post_data or "")) as drawn:
        await home.go_to_table()
    invitation = json.loads((await drawn.value).post_data or "")["text"]
    path = re.sub(r"^http://[^/]+", "", invitation)
    phones = {"north": Phone("north", page, SIDES, PLAYERS)}
    await phones["north"].sit_here("north")
    for seat in ("east", "south", "west"):
        phone = Phone(seat, await devices.open(seat, venue.origin(seat) + path), SIDES, PLAYERS)
        await phone.sit_down(PLAYERS[seat], seat)
        phones[seat] = phone
    is_still = len(venue.hubs) > 1
    shown = await devices.open("display", f"{venue.origin('display')}/t/{code}/display", PROJECTOR, is_still=is_still)
    watched = await devices.open("watch", f"{venue.origin('watch')}/t/{code}", LAPTOP)
    return Table(code, venue.hubs, phones, Display("display", shown), Watch("watch", watched), folder, path)


async def a_tablet(venue: Venue, devices: Devices, table: Table) -> Phone:
    """A fifth device that may enter hands, too."""
    tablet = Phone("tablet", await devices.open("tablet", venue.origin("tablet") + table.invitation), SIDES, PLAYERS)
    await tablet.lie_on_the_table("Tablet")
    return tablet


async def falls_asleep_over_hand_1(tablet: Phone, devices: Devices) -> None:
    """Its network goes; what is entered on it then waits."""
    devices.lines_may_fail = True
    await tablet.is_at("Books", 1)
    await tablet.page.context.set_offline(True)
    await tablet.tap_books("north_south", 9)
    await tablet.enter(1)


# ── a hand ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def play(table: Table, venue: Venue, devices: Devices, number: int, hand: Hand) -> None:
    await bids(table, number, hand)
    await table.agrees(number - 1)
    await devices.photograph(f"hand-{number:02}")
    if hand.time_runs_out:
        await let_time_run_out(venue.store, table.code, in_ms=1_500)
        await all_say(table.screens, "LAST HAND")
        await devices.photograph("last-hand")
        await table.agrees(number - 1)
    if hand.reneged is not None:
        await renege(table, hand)
        await table.agrees(number - 1)
    if hand.hub_dies:
        await enter_while_the_hub_is_dead(table, venue, devices, number, hand)
    else:
        await books(table, number, hand)
    scored = await table.agrees(number)
    assert len(scored["hands"]) == number
    if number > 1 and NIGHT[number - 2].mistaken_books is not None:
        await put_right(table, number - 1, NIGHT[number - 2])


async def bids(table: Table, number: int, hand: Hand) -> None:
    if not hand.bids:
        return
    if set(hand.bids) <= set(PLAYERS):
        await asyncio.gather(*(bid_own(table.phones[seat], number, seat, bid) for seat, bid in hand.bids.items()))
    else:
        scribe = table.phones[hand.scribe]
        await scribe.is_at("Bids", number)
        await scribe.bids_by("side")
        if hand.blind:
            await scribe.bid_blind(hand.blind)
        for side, bid in hand.bids.items():
            await scribe.bid(side, bid)
    await asyncio.gather(*(phone.is_at("Books", number) for phone in table.phones.values()))


async def bid_own(phone: Phone, number: int, seat: str, bid: int | str) -> None:
    await phone.is_at("Bids", number)
    await phone.bids_by("seat")
    await phone.bid(seat, bid)


async def renege(table: Table, hand: Hand) -> None:
    assert hand.reneged is not None
    seat = hand.reneged
    noticing = [table.phones[seat] for seat in hand.noticed_by]
    await asyncio.gather(*(phone.ask_who_reneged() for phone in noticing))
    with table.all_at_once():
        await asyncio.gather(*(phone.blame(seat) for phone in noticing))
        await asyncio.gather(*(phone.says("Sending: What you noted…") for phone in noticing))
    await asyncio.gather(*(phone.knows_renege(seat) for phone in table.phones.values()))


async def books(table: Table, number: int, hand: Hand) -> None:
    entering = [table.phones[seat] for seat in (hand.scribe, hand.rival) if seat]
    for phone in entering:
        await tap_books(phone, number, hand)
    if hand.rival is None:
        await entering[0].enter(number)
        await entering[0].has_entered(number)
        return
    with table.all_at_once():
        await asyncio.gather(*(phone.enter(number) for phone in entering))
        await asyncio.gather(*(phone.says(f"Sending hand {number}…") for phone in entering))
    # Neither is said for long.
    await asyncio.gather(
        until(partial(one_says, entering, "entered the same")), *(phone.has_entered(number) for phone in entering)
    )


async def one_says(phones: list[Phone], words: str) -> bool:
    """Just one of them."""
    return [await phone.page.get_by_text(words).count() for phone in phones].count(1) == 1


async def tap_books(phone: Phone, number: int, hand: Hand) -> None:
    await phone.is_at("Books", number)
    for seat, took in hand.nil_books.items():
        await phone.tap_nil_books(seat, took)
    await phone.tap_books("north_south", hand.books if hand.mistaken_books is None else hand.mistaken_books)
    await phone.is_ready_to_enter(number)


async def put_right(table: Table, number: int, hand: Hand) -> None:
    phone = table.phones[hand.scribe]
    before = (await table.at_hand(number + 1))["scores"]
    await phone.begin_to_correct(number)
    await phone.tap_books("north_south", hand.books)
    await phone.correct(number)
    await phone.says(f"Hand {number} is corrected.")

    async def is_corrected_everywhere() -> bool:
        return all([(await table.at_hand(number + 1, hub))["scores"] != before for hub in table.hubs])

    await until(is_corrected_everywhere)
    await table.agrees(number + 1)


async def enter_while_the_hub_is_dead(table: Table, venue: Venue, devices: Devices, number: int, hand: Hand) -> None:
    """Kill the scribe's hub; enter the hand there all the same; start the hub again."""
    phone = table.phones[hand.scribe]
    devices.lines_may_fail = True
    dead = next(hub for hub in venue.hubs if f":{hub.port}/" in phone.page.url)
    cut_off = [screen for screen in table.screens if f":{dead.port}/" in screen.page.url]
    dead.kill()
    await asyncio.gather(*(screen.lost_the_line() for screen in cut_off))
    await tap_books(phone, number, hand)
    await phone.enter(number)
    await phone.says(f"Hand {number}: sends when you reconnect")
    for living in (hub for hub in venue.hubs if hub is not dead):
        await table.agrees(number - 1, living)
    for undisturbed in (screen for screen in table.screens if screen not in cut_off):
        await undisturbed.is_back()
    dead.start()
    # What the phone says of its hand it does not say for long, and each screen comes back at a time of its own.
    await asyncio.gather(phone.has_entered(number), *(screen.is_back() for screen in cut_off))


# ── afterwards ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def the_night_is_over(table: Table) -> None:
    scored = await table.agrees(len(NIGHT))
    assert scored["scores"] == FINAL
    assert scored["outcome"] == {"winner": "north_south", "reason": "time_limit"}
    rules = {line["rule"] for hand in scored["hands"] for side in hand["sides"].values() for line in side["lines"]}
    assert rules >= HIGHLIGHTS
    record = json.loads(table.record(table.hubs[0]))
    assert record["time_expired_after"] == len(NIGHT) - 1
    assert [hand["reneges"] for hand in record["hands"] if hand.get("reneges")] == [["east"]]
    await all_say(table.screens, re.compile(f"{SIDES['north_south']} win"))
    shown = [[str(side["score"]) for side in hand["sides"].values()] for hand in scored["hands"]]
    assert await table.watch.sheet_scores() == shown


async def play_again(table: Table) -> None:
    """The same table, the same rules, a new game; the first one is kept as it was."""
    first = json.loads(table.record(table.hubs[0]))
    host = table.phones["north"]
    await host.tap("Start game 2")
    await table.show({"north_south": 0, "east_west": 0})
    await host.start_game(2)
    await table.agrees(0)
    kept = json.loads(table.record(table.hubs[0], game=1))
    assert kept == first


async def wakes_up_in_game_2(tablet: Phone, table: Table) -> None:
    """Its hand was of game 1: it comes back, and nothing is scored. What it enters now is of game 2."""
    await tablet.says("Hand 1: sends when you reconnect")
    await tablet.page.context.set_offline(False)
    await tablet.is_back()
    await tablet.says(re.compile("^Hand 1 did not go in.* Nora .*8–5.*9–4"))
    await expect(tablet.button("Enter hand 1")).to_have_count(0)
    await table.agrees(0)
    await tablet.tap("OK")
    await tap_books(tablet, 1, NIGHT[0])
    await tablet.enter(1)
    scored = await table.agrees(1)
    assert scored["scores"] == {"north_south": 80, "east_west": 50}

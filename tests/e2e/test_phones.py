"""What a phone at the table does for whoever holds it."""

import asyncio
import re

import pytest
from playwright.async_api import WebSocketRoute, expect
from tests.e2e.devices import LAPTOP, Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.quick import quick_table
from tests.e2e.screens import Phone
from tests.hub.serving import HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


class Line:
    """What a phone's sockets go through, once they are routed to it."""

    def __init__(self) -> None:
        self.is_cut = False
        self._open: list[WebSocketRoute] = []

    async def open(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            await socket.close()
            return
        socket.connect_to_server()
        self._open.append(socket)

    async def cut(self) -> None:
        self.is_cut = True
        for socket in self._open:
            await socket.close()


async def test_a_hand_taken_back_is_in_play_again_and_can_be_entered_anew(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east")
    north, east = table.phones.values()
    await north.tap_books("north_south", 8)
    await north.enter(1)
    await north.is_at("Bids", 2)
    await east.is_at("Bids", 2)
    await east.take_back(1)
    for phone in (north, east):
        await phone.is_at("Books", 1)
        assert await phone.shows({"north_south": 0, "east_west": 0})
    await east.is_ready_to_enter(1)
    await expect(east.button(re.compile("^Runners 8"))).to_be_visible()
    await east.tap_books("north_south", 7)
    await east.enter(1)
    for phone in (north, east):
        assert await phone.shows({"north_south": 70, "east_west": 60})
    assert [hand["books"] for hand in table.hands()] == [{"north_south": 7, "east_west": 6}]


async def test_what_was_typed_survives_a_reload(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", first_hand_bids_itself=False)
    north = table.phones["north"]
    await north.bids_by("side")
    await north.bid("north_south", 5)
    await north.bid("east_west", 6)
    await north.is_at("Books", 1)
    await north.tap_books("east_west", 7)
    await north.is_ready_to_enter(1)
    await north.page.reload()
    await north.is_ready_to_enter(1)
    await north.enter(1)
    assert await north.shows({"north_south": 51, "east_west": 61})


async def test_a_refusal_stands_beside_its_field_and_nothing_typed_is_lost(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east", first_hand_bids_itself=False)
    east = table.phones["east"]
    await east.bids_by("side")
    await east.bid("north_south", 6)
    await east.bid("east_west", 2)
    refusal = east.page.get_by_role("alert").filter(has_text="The lowest bid for a side is 4")
    await expect(refusal).to_be_visible()
    await expect(east.button(re.compile("^Keepers 2"))).to_be_visible()
    await expect(east.button(re.compile("^Runners 6"))).to_be_visible()
    await east.bid("east_west", 4)
    await expect(refusal).to_have_count(0)
    await east.is_at("Books", 1)


async def test_bids_changed_to_a_nil_and_its_partners_cover_reach_every_phone(
    hub: HubProcess, devices: Devices
) -> None:
    """The nil alone would leave the side under the minimum: it goes in with the partner's new bid."""
    table = await quick_table(hub, devices, "north", "east", "south", "west", first_hand_bids_itself=False)
    north, east, _, _ = table.phones.values()
    await north.bids_by("seat")
    for seat in ("west", "north", "east", "south"):
        await north.bid(seat, 3)
    await east.is_at("Books", 1)
    await north.tap("change")
    await north.bid("west", "nil")
    await expect(north.page.get_by_role("alert").filter(has_text="The lowest bid for a side is 4")).to_be_visible()
    await north.bid("east", 4)
    await east.says(re.compile("Keepers 4"))
    await east.tap_books("north_south", 8)
    await east.enter(1)
    assert await north.shows({"north_south": 62, "east_west": 91})


async def test_a_bid_that_cannot_be_made_is_refused_before_the_books(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east", "south", "west", first_hand_bids_itself=False)
    north, east, _, _ = table.phones.values()
    await north.bids_by("seat")
    for seat, bid in (("west", 1), ("north", 3), ("east", 2), ("south", 3)):
        await north.bid(seat, bid)
    await expect(north.page.get_by_role("alert").filter(has_text="The lowest bid for a side is 4")).to_be_visible()
    await north.is_at("Bids", 1)
    await east.is_at("Bids", 1)


async def test_two_phones_that_disagree_see_both_versions(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east")
    north, east = table.phones.values()
    await east.tap_books("north_south", 9)
    await north.tap_books("north_south", 8)
    await north.enter(1)
    await east.says(re.compile("^Nora entered hand 1 already.*8–5.*9–4"))
    await east.tap("Change to mine")
    await east.correct(1)
    for phone in (north, east):
        assert await phone.shows({"north_south": 90, "east_west": 40})
    assert len(table.hands()) == 1


async def test_two_tabs_of_a_phone_that_disagree_through_an_outage_and_a_reload_show_both_versions(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    line = Line()
    await north.page.context.route_web_socket("**", line.open)
    await north.page.reload()
    other = Phone("north", await north.page.context.new_page(), SIDES, PLAYERS)
    await other.page.goto(north.page.url)
    await north.tap_books("north_south", 6)
    await other.tap_books("north_south", 9)
    await line.cut()
    await north.enter(1)
    await other.enter(1)
    for tab in (north, other):
        await tab.page.reload()
    line.is_cut = False
    for tab in (north, other):
        await tab.says(re.compile("^Nora entered hand 1 already.*6–7.*9–4"))
    assert [hand["books"] for hand in table.hands()] == [{"north_south": 6, "east_west": 7}]


async def test_a_renege_that_came_in_while_asking_is_not_counted_twice(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "south")
    north, south = table.phones.values()
    await asyncio.gather(north.ask_who_reneged(), south.ask_who_reneged())
    await north.tap("East")
    await south.knows_renege("east")
    await south.tap("East")
    await south.tap_books("north_south", 6)
    await south.enter(1)
    await north.is_at("Bids", 2)
    assert [hand["reneges"] for hand in table.hands()] == [["east"]]


async def test_the_host_ends_a_game_and_starts_the_next(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east")
    north, east = table.phones.values()
    await north.tap_books("north_south", 8)
    await north.enter(1)
    await north.is_at("Bids", 2)
    await north.open_menu()
    await north.tap("End the game now")
    await north.tap("End the game")
    for phone in (north, east):
        await phone.says("Runners win")
    await north.tap("Start game 2")
    await expect(east.button("Nora starts the game")).to_be_disabled()
    await north.start_game(2)
    for phone in (north, east):
        await phone.is_at("Books", 1)
        assert await phone.shows({"north_south": 0, "east_west": 0})
    watch = await devices.open("watch", table.at, LAPTOP)
    await expect(watch.get_by_role("listitem").filter(has_text="Game 1")).to_contain_text("80 to 50")


async def test_the_recovery_phrase_makes_a_strange_phone_the_hosts(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east")
    found = Phone("found", await devices.open("found", f"{table.at}/play"), SIDES, PLAYERS)
    await found.says("You can watch this table")
    await found.page.get_by_label("Recovery phrase").fill("not these words at all my friend really")
    await found.tap("Become host here")
    await found.says("The table does not know this phrase")
    await found.page.get_by_label("Recovery phrase").fill(f" {table.recovery_phrase.upper()} ")
    await found.tap("Become host here")
    await found.is_at("Books", 1)
    await found.open_menu()
    await expect(found.button("End the game now")).to_be_visible()
    await found.page.reload()
    await found.is_at("Books", 1)


async def test_a_correction_says_beforehand_what_becomes_of_later_hands_and_of_the_winner(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", blind_bid_gap=50, score_limit=150)
    north = table.phones["north"]
    await north.tap_books("north_south", 9)
    await north.enter(1)
    await north.bids_by("side")
    await north.bid_blind("east_west")
    await north.bid("north_south", 4)
    await north.bid("east_west", 6)
    await north.tap_books("north_south", 6)
    await north.enter(2)
    await north.says("Keepers win")
    await north.begin_to_correct(1)
    await north.tap_books("north_south", 8)
    await north.says("Hand 2 keeps its blind bid, which these scores would not allow any more.")
    await north.says(re.compile("^Keepers win · reached the score limit"))
    await north.tap("Back")
    await north.begin_to_correct(2)
    await north.tap_books("north_south", 8)
    await north.says("The game is not over then: it goes on.")
    await north.correct(2)
    await north.is_at("Bids", 3)


async def test_a_seat_is_taken_over_by_a_second_tap_and_its_player_is_told_and_looks_on(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", "west")
    west = table.phones["west"]
    cat = Phone("cat", await devices.open("cat", f"{table.at}/play#{table.player_token}"), SIDES, PLAYERS)
    await cat.page.get_by_label("Your name").fill("Cat")
    await cat.tap(re.compile(rf"\bWest {PLAYERS['west']} sits here$"))
    await cat.tap("Take over West")
    await cat.says(re.compile(f"^{PLAYERS['west']} sits at West"))
    await cat.tap(f"Take West from {PLAYERS['west']}")
    await cat.is_at("Books", 1)
    await west.says(re.compile("^Cat took over West, which was yours"))
    await west.tap("OK")
    await expect(west.page.get_by_text("Cat took over West")).to_have_count(0)
    assert await west.shows({"north_south": 0, "east_west": 0})


async def test_bids_refused_here_stand_beside_the_hand_that_another_phone_entered(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", "east", first_hand_bids_itself=False)
    north, east = table.phones.values()
    for phone in (north, east):
        await phone.bids_by("side")
    await north.bid("north_south", 4)
    await north.bid("east_west", 6)
    await east.is_at("Books", 1)
    await north.tap("change")
    await north.bid("north_south", 3)
    await expect(north.page.get_by_role("alert").filter(has_text="The lowest bid for a side is 4")).to_be_visible()
    await east.tap_books("north_south", 6)
    await east.enter(1)
    await north.says(re.compile("entered hand 1 already: .* You have: .*"))


async def test_a_hand_entered_meanwhile_is_told_once(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", "east", first_hand_bids_itself=False)
    north, east = table.phones.values()
    devices.lines_may_fail = True
    for phone in (north, east):
        await phone.bids_by("side")
    await north.page.context.set_offline(True)
    await north.bid("north_south", 4)
    await north.bid("east_west", 6)
    await north.tap_books("north_south", 6)
    await north.enter(1)
    await east.bid("north_south", 5)
    await east.bid("east_west", 6)
    await east.tap_books("north_south", 7)
    await east.enter(1)
    await east.has_entered(1)
    await north.page.context.set_offline(False)
    await north.says(re.compile("entered hand 1 already: .* You have: .*"))
    await expect(north.page.get_by_text("did not go in")).to_have_count(0)
    await north.tap("Keep theirs")
    await north.is_at("Bids", 2)
    await expect(north.page.get_by_role("alert")).to_have_count(0)


async def test_a_hand_is_entered_from_a_keyboard(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", first_hand_bids_itself=False)
    north = table.phones["north"]
    await north.bids_by("side")
    keys = north.page.keyboard
    await expect(north.page.get_by_role("group", name=re.compile("^Bid of Runners"))).to_be_visible()
    await keys.press("4")
    await expect(north.page.get_by_role("group", name=re.compile("^Bid of Keepers"))).to_be_visible()
    await keys.press("6")
    await expect(north.page.get_by_role("heading", name="Hand 1: books")).to_be_focused()
    await expect(north.page.get_by_role("group", name="Books of Runners")).to_be_visible()
    await keys.press("9")
    await expect(north.button(re.compile("^Runners 9"))).to_be_visible()
    await north.tap("Sheet")
    await expect(north.page.get_by_role("heading", name="Score sheet")).to_be_focused()
    await keys.press("Escape")
    await north.is_ready_to_enter(1)
    await north.tap("Sheet")
    await north.page.go_back()
    await north.enter(1)
    await expect(north.page.get_by_role("status").first).to_have_text(
        "Hand 1 is in. Runners: −5, now −5. Keepers: −60, now −60."
    )
    assert await north.shows({"north_south": -5, "east_west": -60})

"""A form and a question are about the hand they were opened on, whatever others do to the table meanwhile."""

import json
import re

import pytest
from playwright.async_api import expect
from tests.e2e.devices import Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.quick import QuickTable
from tests.e2e.screens import Phone
from tests.hub.serving import HOST_TOKEN, HubProcess

from bookboard.rules.record import RECORD_FORMAT

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def four_hands(hub: HubProcess, devices: Devices) -> QuickTable:
    """North-south took 5, 6, 7 and 8 books."""
    hands = [
        {"bids": {"north_south": 5, "east_west": 5}, "books": {"north_south": books, "east_west": 13 - books}}
        for books in (5, 6, 7, 8)
    ]
    record = {
        "format": RECORD_FORMAT,
        "game": "spades",
        "settings": {"first_hand_bids_itself": False},
        "names": SIDES,
        "hands": hands,
    }
    opening = {"name": "Table 4", "host_name": "Nora", "host_token": HOST_TOKEN, "record": record}
    status, body, _ = hub.get("/api/tables/import", opening)
    assert status == 201, body
    table = QuickTable(json.loads(body), hub)
    for seat, token in (("north", HOST_TOKEN), ("east", table.player_token)):
        phone = Phone(seat, await devices.open(seat, f"{table.at}/play#{token}"), SIDES, PLAYERS)
        table.phones[seat] = phone
    await phone.page.get_by_label("Your name").fill("Ed")
    await phone.tap(re.compile(r"\bEast free$"))
    await phone.tap("Sit at East")
    for phone in table.phones.values():
        await phone.is_at("Bids", 5)
    return table


def books(table: QuickTable) -> list[int]:
    return [hand["books"]["north_south"] for hand in table.hands()]  # type: ignore[index]


async def take_out(phone: Phone, hand: int) -> None:
    await ask_to_take_out(phone, hand)
    await phone.tap(f"Remove hand {hand}")
    await phone.says(f"Hand {hand} is removed.")


async def ask_to_take_out(phone: Phone, hand: int) -> None:
    await phone.tap("Sheet")
    card = phone.button(re.compile(rf"^Hand {hand} "))
    await expect(card).to_be_visible()
    if not await phone.button("Remove…").is_visible():
        await card.click()
    await phone.tap("Remove…")
    await phone.says(f"Remove hand {hand}?")


async def correct_to(phone: Phone, hand: int, north_south: int) -> None:
    await phone.begin_to_correct(hand)
    await phone.tap_books("north_south", north_south)
    await phone.correct(hand)
    await phone.says(f"Hand {hand} is corrected.")


async def test_a_form_says_that_its_hand_was_corrected_by_somebody_else(hub: HubProcess, devices: Devices) -> None:
    table = await four_hands(hub, devices)
    north, east = table.phones.values()
    await east.begin_to_correct(3)
    await east.tap_books("north_south", 12)
    await correct_to(north, 3, 9)
    for _ in range(2):
        await east.says(re.compile("changed hand 3 since you opened it. It was .*7.*now it is .*9.*You have: .*12"))
        await expect(east.button("Correct hand 3")).to_be_disabled()
        await east.page.reload()
    assert books(table) == [5, 6, 9, 8]
    await east.tap("Change to mine")
    await east.correct(3)
    await east.says("Hand 3 is corrected.")
    assert books(table) == [5, 6, 12, 8]


async def test_a_form_keeps_its_hand_when_the_hands_before_it_are_taken_out(hub: HubProcess, devices: Devices) -> None:
    table = await four_hands(hub, devices)
    north, east = table.phones.values()
    await east.begin_to_correct(3)
    await east.tap_books("north_south", 12)
    await take_out(north, 1)
    await east.says("Correct hand 2")
    await east.page.reload()
    await east.correct(2)
    await east.says("Hand 2 is corrected.")
    assert books(table) == [6, 12, 8]


async def test_a_form_whose_hand_was_taken_out_goes_to_no_other(hub: HubProcess, devices: Devices) -> None:
    table = await four_hands(hub, devices)
    north, east = table.phones.values()
    await east.begin_to_correct(3)
    await east.tap_books("north_south", 12)
    await take_out(north, 3)
    await east.page.reload()
    await east.says(re.compile("removed hand 3 at .*You had: .*12"))
    await expect(east.button("Correct hand 3")).to_be_disabled()
    await east.tap("OK")
    await east.is_at("Bids", 4)
    assert books(table) == [5, 6, 8]


async def test_a_question_is_closed_when_its_hand_changes(hub: HubProcess, devices: Devices) -> None:
    table = await four_hands(hub, devices)
    north, east = table.phones.values()
    await ask_to_take_out(east, 3)
    await take_out(north, 1)
    await east.says("Remove hand 2?")
    await correct_to(north, 2, 9)
    await east.says(re.compile("changed hand 2 meanwhile: it was .*7.*now it is .*9"))
    await east.tap("OK")
    await ask_to_take_out(east, 2)
    await take_out(north, 2)
    await east.says(re.compile("removed hand 2 at"))
    await east.tap("OK")
    await east.tap("Undo")
    await east.says("Undo hand 2?")
    await north.take_back(2)
    await east.says("Hand 2 was taken back meanwhile. You changed nothing.")
    assert books(table) == [6]


async def test_what_an_earlier_page_kept_is_sent_to_no_hand(hub: HubProcess, devices: Devices) -> None:
    table = await four_hands(hub, devices)
    north, east = table.phones.values()
    await take_out(north, 1)
    entry = {"bids": {"north_south": 5, "east_west": 5}, "books": {"north_south": 13, "east_west": 0}}
    command = {"type": "correct_hand", "game": 1, "hand": 2, "revision": 10**6, "entry": entry}
    parcel = {"cmd": "old", "command": command, "state": "waiting", "wasSent": False, "at": 1, "after": []}
    await east.page.evaluate(
        "([key, parcel]) => localStorage.setItem(key, JSON.stringify(parcel))",
        [f"bookboard.pending.{table.code}.old", parcel],
    )
    await east.page.reload()
    await east.says(re.compile("was kept by an earlier version of this page"))
    await east.tap("OK")
    assert books(table) == [6, 7, 8]

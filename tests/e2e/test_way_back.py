"""Whoever closes the page comes back to the table: from the first page, by its code, from the page to watch."""

import re

import pytest
from playwright.async_api import expect
from tests.e2e.devices import Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.quick import quick_table
from tests.e2e.screens import Home, Phone
from tests.hub.serving import HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def test_the_recovery_phrase_stays_until_somebody_has_it(hub: HubProcess, devices: Devices) -> None:
    home = Home("home", await devices.open("home", f"http://{hub.at}/"))
    _, phrase = await home.open_table(host="Holly", table="Table 7")
    await home.page.reload()
    await home.says(phrase)
    await home.go_to_table()
    await home.says("Waiting for players")
    await home.page.goto(f"http://{hub.at}/")
    await expect(home.page.get_by_role("heading", name="Your tables")).to_be_visible()
    await expect(home.page.get_by_text(phrase)).to_have_count(0)


async def test_a_host_comes_back_from_the_first_page(hub: HubProcess, devices: Devices) -> None:
    home = Home("home", await devices.open("home", f"http://{hub.at}/"))
    code, _ = await home.open_table(host="Holly", table="Table 7")
    await home.go_to_table()
    await home.says("Waiting for players")
    for way in ("the list", "the code"):
        await home.page.goto(f"http://{hub.at}/")
        if way == "the list":
            await home.page.get_by_role("link", name=re.compile(f"Table 7 .*{code}")).click()
        else:
            await home.page.get_by_label("Table code").fill(code.lower())
            await home.tap("Join")
        await expect(home.button("Start game 1")).to_be_visible()


async def test_a_table_is_forgotten_only_after_a_question(hub: HubProcess, devices: Devices) -> None:
    home = Home("home", await devices.open("home", f"http://{hub.at}/"))
    code, _ = await home.open_table(host="Holly", table="Table 7")
    await home.go_to_table()
    await home.says("Waiting for players")
    await home.page.goto(f"http://{hub.at}/")
    await home.tap("Forget")
    await home.says(re.compile("^Then this device can enter nothing at Table 7"))
    await home.tap(f"Forget {code}")
    await expect(home.page.get_by_role("heading", name="Your tables")).to_have_count(0)
    await home.page.goto(f"http://{hub.at}/t/{code}/play")
    await home.says("You can watch this table")


async def test_whoever_only_watches_finds_the_way_to_the_hands(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    found = Phone("found", await devices.open("found", f"http://{hub.at}/"), SIDES, PLAYERS)
    await found.page.get_by_label("Table code").fill(table.code)
    await found.tap("Join")
    await found.page.get_by_role("link", name="Enter hands on this phone").click()
    await found.says(re.compile("^To enter hands, scan the players' QR code"))
    await found.recover(table.recovery_phrase)
    await found.is_at("Books", 1)

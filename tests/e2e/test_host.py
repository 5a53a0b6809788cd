"""What only the host's phone can do about people: invite anew, take somebody off, make the table private."""

import re

import pytest
from playwright.async_api import expect
from tests.e2e.devices import LAPTOP, PROJECTOR, Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.quick import quick_table
from tests.e2e.screens import Display, Phone, Screen, Watch
from tests.hub.serving import HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def test_a_recovered_host_invites_anew(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    found = Phone("found", await devices.open("found", f"{table.at}/play"), SIDES, PLAYERS)
    await found.recover(table.recovery_phrase)
    await found.open_menu()
    await found.tap("Invite players and watchers")
    await found.tap("Make a QR code for players")
    await expect(found.page.get_by_alt_text("QR code for players")).to_be_visible()
    invitation = await found.kept("invite")
    east = Phone("east", await devices.open("east", f"{table.at}/play#{invitation}"), SIDES, PLAYERS)
    await east.page.get_by_label("Your name").fill("Ed")
    await east.tap(re.compile(r"\bEast free$"))
    await east.tap("Sit at East")
    await east.is_at("Books", 1)
    late = Phone("late", await devices.open("late", f"{table.at}/play#{table.player_token}"), SIDES, PLAYERS)
    await late.says("You can watch this table")


async def test_somebody_taken_off_the_table_does_not_come_back_by_the_old_code(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", "east")
    north, east = table.phones.values()
    await north.open_menu()
    await north.tap("People at the table")
    await north.tap("Remove…")
    await north.says(re.compile("^Their phone can no longer enter anything"))
    await north.tap("Remove Ed")
    await north.says("Nobody else has joined the table yet.")
    await east.says("You can watch this table")
    await east.page.goto(f"{table.at}/play#{table.player_token}")
    await east.page.reload()
    await east.says("You can watch this table")


async def test_a_private_table_is_watched_by_its_link_only(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    stray = Watch("stray", await devices.open("stray", table.at, LAPTOP))
    assert await stray.shows({"north_south": 0})
    await north.make_private()
    await stray.says(f"Table {table.code} can no longer be watched here")
    link = f"#{await north.kept('watch')}"
    watch = Watch("watch", await devices.open("watch", f"{table.at}{link}", LAPTOP))
    display = Display("display", await devices.open("display", f"{table.at}/display{link}", PROJECTOR))
    rules = Screen("rules", await devices.open("rules", f"{table.at}/rules{link}"))
    for screen in (watch, display):
        assert await screen.shows({"north_south": 0})
        assert "#" not in screen.page.url
    await rules.says("Rules of Spades")
    await expect(display.page.get_by_alt_text("QR code to watch the scores")).to_be_visible()
    await north.tap("Make public")
    await north.tap("Make public")
    await expect(north.button("Make the table private")).to_be_visible()
    await stray.page.reload()
    assert await stray.shows({"north_south": 0})
    assert await watch.shows({"north_south": 0})


async def test_the_host_of_a_private_table_comes_back_by_the_phrase(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    await table.phones["north"].make_private()
    found = Phone("found", await devices.open("found", f"{table.at}/play"), SIDES, PLAYERS)
    await found.says(f"There is no table {table.code}")
    await found.recover("not these words at all my friend really")
    await found.says("The table does not know this phrase")
    await found.recover(table.recovery_phrase)
    await found.is_at("Books", 1)


async def test_the_phrase_is_known_however_it_is_typed(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    found = Phone("found", await devices.open("found", f"{table.at}/play"), SIDES, PLAYERS)
    field = found.page.get_by_label("Recovery phrase")
    await field.fill(" " + ",  ".join(table.recovery_phrase.replace("-", " ").split()).upper() + ". ")
    await field.press("Enter")
    await found.is_at("Books", 1)

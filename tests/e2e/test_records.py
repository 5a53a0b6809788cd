"""Games that leave a table as files, and come to another."""

import json
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.e2e.devices import LAPTOP, Devices
from tests.e2e.quick import quick_table
from tests.e2e.screens import Home
from tests.hub.serving import HOST_TOKEN, HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def take_away(page: Page, what: str, to: Path) -> Path:
    async with page.expect_download() as downloading:
        await page.get_by_text(what, exact=True).first.click()
    taken = await downloading.value
    await taken.save_as(to / taken.suggested_filename)
    return to / taken.suggested_filename


async def test_a_game_goes_to_another_table_as_a_sheet(hub: HubProcess, devices: Devices, tmp_path: Path) -> None:
    table = await quick_table(hub, devices, "north", score_limit=500)
    north = table.phones["north"]
    await north.tap_books("north_south", 8)
    await north.enter(1)
    await north.is_at("Bids", 2)
    sheet = await take_away(await devices.open("watch", table.at, LAPTOP), "Sheet (CSV)", tmp_path)
    assert sheet.name == f"{table.code}-1.csv"
    home = Home("home", await devices.open("home", f"http://{hub.at}/", LAPTOP))
    code = await home.open_table_from(str(sheet), host="Holly")
    came = json.loads(hub.get(f"/api/tables/{code}/record")[1])
    assert came["settings"] == {"score_limit": 500}
    assert [hand["books"] for hand in came["hands"]] == [{"north_south": 8, "east_west": 5}]


async def test_a_file_that_cannot_be_taken_in_says_why_beside_it(
    hub: HubProcess, devices: Devices, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": "spades", "hands": [{"books": {"north_south": 8, "east_west": 4}}]}))
    home = Home("home", await devices.open("home", f"http://{hub.at}/", LAPTOP))
    await home.choose_game_file(str(file), host="Holly")
    async with home.page.expect_console_message(lambda message: "422" in message.text):
        await home.tap("Open a table with this game")
    refusal = home.page.get_by_role("alert")
    await expect(refusal).to_have_text("Hand 1: A hand has 13 books, and these make 12. Count them again.")
    (complaint,) = devices.complaints
    assert "422" in complaint
    devices.complaints.clear()


async def test_a_private_tables_game_is_taken_away_by_its_people(
    hub: HubProcess, devices: Devices, tmp_path: Path
) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    await north.make_private()
    await north.tap("Back")
    await north.open_menu()
    await north.tap("Export games")
    record = json.loads((await take_away(north.page, "Record (JSON)", tmp_path)).read_text())
    assert record["game"] == "spades"
    assert hub.get(f"/api/tables/{table.code}/record")[0] == 404
    assert hub.get(f"/api/tables/{table.code}/record", Authorization=f"Bearer {HOST_TOKEN}")[0] == 200

"""Rules explained, rules kept under a name, and the rule behind a line."""

import asyncio
import json
import re

import pytest
from playwright.async_api import Route, expect
from tests.e2e.devices import LAPTOP, PHONE, PROJECTOR, Devices
from tests.e2e.quick import quick_table
from tests.e2e.screens import Home, Screen
from tests.hub.serving import HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

SMALL_PHONE = (360, 780)


def settings_of(hub: HubProcess, code: str) -> object:
    return json.loads(hub.get(f"/api/tables/{code}/record")[1])["settings"]


async def open_home(hub: HubProcess, devices: Devices, name: str = "home", query: str = "") -> Home:
    return Home(name, await devices.open(name, f"http://{hub.at}/{query}", LAPTOP))


async def test_a_tables_rules_stand_in_sentences_behind_the_fingerprint_of_every_screen(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", score_limit=500)
    watch = Screen("watch", await devices.open("watch", table.at, SMALL_PHONE))
    link = watch.page.get_by_role("link", name=re.compile("^rules "))
    fingerprint = (await link.inner_text()).split()[1]
    display = Screen("display", await devices.open("display", f"{table.at}/display", PROJECTOR))
    await display.says(re.compile(f"house rules {fingerprint}"))
    await table.phones["north"].says(f"rules {fingerprint}")
    await link.click()
    await watch.says("Rules of Spades")
    await watch.says(re.compile(f"^Rules code {fingerprint}\\."))
    await watch.says(re.compile(r"^The first side to reach 500 points wins\. .usually 300 points"))
    await expect(watch.page.get_by_alt_text("QR code of these rules")).to_be_visible()
    assert await watch.page.evaluate("document.documentElement.scrollWidth") <= SMALL_PHONE[0]


async def test_a_link_to_rules_leads_to_a_table_that_plays_by_them(hub: HubProcess, devices: Devices) -> None:
    rules = {"key": "spades", "settings": {"score_limit": 700, "nil": None}}
    code = json.loads(hub.get("/api/rules", rules)[1])["code"]
    page = Screen("page", await devices.open("page", f"http://{hub.at}/rules/spades?rules={code}"))
    await page.says(re.compile("^The first side to reach 700 points"))
    await page.page.get_by_role("link", name="Open a table by these rules").click()
    table, _ = await Home("home", page.page).open_table(host="Nora", table="Table 4")
    assert settings_of(hub, table) == rules["settings"]


async def test_no_table_opens_before_the_rules_of_its_link_are_there(hub: HubProcess, devices: Devices) -> None:
    rules = {"key": "spades", "settings": {"score_limit": 700}}
    code = json.loads(hub.get("/api/rules", rules)[1])["code"]
    home = await open_home(hub, devices)
    come = asyncio.Event()

    async def come_late(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await home.page.route("**/api/rules/**", come_late)
    await home.page.goto(f"http://{hub.at}/?game=spades&rules={code}")
    await home.page.get_by_label("Your name").fill("Nora")
    await expect(home.button("Getting the rules…")).to_be_disabled()
    come.set()
    table, _ = await home.open_table(host="Nora", table="Table 4")
    assert settings_of(hub, table) == rules["settings"]


async def test_rules_kept_under_a_name_are_there_again_and_go_to_others_as_a_file(
    hub: HubProcess, devices: Devices
) -> None:
    home = await open_home(hub, devices)
    await home.tap("One hour")
    await home.set_rule("Score limit", 500)
    await home.says("Not as in “One hour”:")
    await home.says(re.compile(r"Score limit: 500 points\s+\(there 300 points\)"))
    await home.keep_rules("League night")
    async with home.page.expect_download() as downloading:
        await home.tap("Save as a file")
    saved = await downloading.value
    assert saved.suggested_filename == "league-night.json"
    await home.page.reload()
    await home.tap("League night")
    await expect(home.button("League night")).to_have_attribute("aria-pressed", "true")
    code, _ = await home.open_table(host="Nora", table="Table 4")
    other = await open_home(hub, devices, "other")
    await other.open_rules(str(await saved.path()))
    await expect(other.page.get_by_text("Score limit 500 points · Time limit 60 min")).to_be_visible()
    other_code, _ = await other.open_table(host="Ed", table="Table 5")
    assert settings_of(hub, code) == settings_of(hub, other_code) == {"score_limit": 500, "time_limit_minutes": 60}


async def test_every_line_of_a_hand_opens_into_the_tables_own_rule(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north", first_hand_bids_itself=False, bag_penalty=3)
    north = table.phones["north"]
    await north.bids_by("side")
    await north.bid("north_south", 5)
    await north.bid("east_west", 4)
    await north.tap_books("north_south", 8)
    await north.enter(1)
    await north.is_at("Bids", 2)
    await north.tap("Sheet")
    await north.tap(re.compile("^Hand 1 "))
    watch = Screen("watch", await devices.open("watch", table.at, PHONE))
    await watch.tap(re.compile("^Hand 1 "))
    for screen in (north, watch):
        await screen.page.get_by_text("3 bags: penalty").click()
        await screen.says("Bag penalty: every 3 bags cost 30 points. Bags past that count toward the next.")


async def test_a_number_out_of_range_is_refused_beside_its_setting(hub: HubProcess, devices: Devices) -> None:
    home = await open_home(hub, devices)
    await home.page.get_by_label("Your name").fill("Nora")
    await home.set_rule("Score limit", 50)
    limit = home.page.get_by_role("group", name="Score limit", exact=True)
    await expect(limit.get_by_role("alert")).to_contain_text("Score limit is a number from 100 to 5,000.")
    await expect(home.button("First check the rules: Score limit")).to_be_disabled()
    field = limit.get_by_label("Score limit, another number")
    await expect(field).to_have_value("50")
    await field.fill("")
    await field.blur()
    await expect(limit.get_by_role("alert")).to_have_count(0)
    await home.tap("Open the table")
    await home.says(re.compile("Table .* is open"))


async def test_a_score_below_zero_is_typed_without_its_sign(hub: HubProcess, devices: Devices) -> None:
    home = await open_home(hub, devices)
    code, _ = await home.open_table(
        host="Nora", table="Table 4", rules={"Score limit": 1500, "Lowest allowed score": 300}
    )
    assert settings_of(hub, code) == {"score_limit": 1500, "lowest_allowed_score": -300}

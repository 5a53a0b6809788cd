"""What the pages that only show tell those who watch, also when something is not as it should be."""

import re

import pytest
from playwright.async_api import expect
from tests.e2e.devices import LAPTOP, PHONE, PROJECTOR, VENUE, Devices
from tests.e2e.quick import quick_table
from tests.e2e.screens import Display, Home, Screen, Watch
from tests.hub.serving import HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

NOTE_SCORES = """() => {
    window.seen = [];
    const place = document.querySelector('[data-score=north_south]');
    new MutationObserver(() => window.seen.push(place.textContent)).observe(
        place, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.parametrize("page", ["", "/play", "/display"])
async def test_a_code_that_no_table_has_says_so(page: str, hub: HubProcess, devices: Devices) -> None:
    screen = Screen("stray", await devices.open("stray", f"http://{hub.at}/t/QQQQQQQ{page}"))
    await screen.says("There is no table QQQQQQQ")
    await screen.page.get_by_role("link", name="Home").click()
    await expect(screen.page.get_by_role("heading", name="Open a table")).to_be_visible()
    await expect(screen.page.get_by_label("Table code")).to_have_value("QQQQQQQ")


async def test_a_code_is_found_however_it_is_typed(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    home = Home("home", await devices.open("home", f"http://{hub.at}/"))
    typed = f" {table.code[:3].lower()}-{table.code[3:].lower()} "
    await home.page.get_by_label("Table code").fill(typed)
    await home.tap("Join")
    await home.says(re.compile("Table 4"))
    assert home.page.url == table.at


async def test_a_display_without_its_hub_says_so_and_keeps_the_picture(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    await north.tap_books("north_south", 8)
    await north.enter(1)
    display = Display("display", await devices.open("display", f"{table.at}/display", PROJECTOR))
    assert await display.shows({"north_south": 80, "east_west": 50})
    devices.lines_may_fail = True
    hub.kill()
    await display.lost_the_line()
    assert await display.scores() == {"north_south": 80, "east_west": 50}
    hub.start()
    await display.is_back()
    await north.take_back(1)
    assert await display.shows({"north_south": 0, "east_west": 0})


@pytest.mark.parametrize("is_still", [True, False], ids=["still", "moving"])
async def test_a_landed_hand_counts_up_unless_motion_is_unwanted(
    is_still: bool,  # noqa: FBT001 - the case
    hub: HubProcess,
    devices: Devices,
) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    page = await devices.open("display", f"{table.at}/display", PROJECTOR, is_still=is_still)
    display = Display("display", page)
    assert await display.shows({"north_south": 0})
    await page.clock.install()  # it gives the page each of its frames, however late a busy machine is
    await page.evaluate(NOTE_SCORES)
    await north.tap_books("north_south", 8)
    await north.enter(1)
    assert await display.shows({"north_south": 80, "east_west": 50})
    seen = await page.evaluate("window.seen")
    assert (seen == ["80"]) is is_still


async def test_a_row_of_the_sheet_opens_into_its_reasons(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    await north.tap_books("north_south", 8)
    await north.enter(1)
    for size in (LAPTOP, PHONE):
        watch = Watch("watch", await devices.open(f"watch-{size[0]}", table.at, size))
        await watch.page.get_by_role("button", name=re.compile(r"^(Hand )?1 ▸")).click()
        await watch.says("first hand: 8 books at 10 each")
        width = await watch.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0]


async def test_scores_lie_over_a_film_and_the_sheet_is_printed_to_be_signed(hub: HubProcess, devices: Devices) -> None:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    await north.tap_books("north_south", 8)
    await north.enter(1)
    overlay = Display("overlay", await devices.open("overlay", f"{table.at}/overlay", PROJECTOR))
    assert await overlay.shows({"north_south": 80, "east_west": 50})
    assert await overlay.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    sheet = Screen("sheet", await devices.open("sheet", f"{table.at}/sheet", LAPTOP))
    await sheet.says("Runners 80 – Keepers 50")
    await sheet.says(re.compile("^Host"))


async def test_a_page_that_breaks_the_content_policy_is_noticed(hub: HubProcess, devices: Devices) -> None:
    page = await devices.open("home", f"http://{VENUE}:{hub.port}/")
    async with page.expect_console_message(lambda message: message.type == "error"):
        await page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: '1'}))")
    assert "Content Security Policy" in devices.complaints.pop()

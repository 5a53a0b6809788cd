"""Browsers that keep nothing, players whose names programs know, screens with a notch."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import expect
from tests.e2e.devices import LAPTOP, PROJECTOR, Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.quick import quick_table
from tests.e2e.screens import Home, Phone, Screen
from tests.hub.serving import HOST_TOKEN, HubProcess, joined

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

STORAGES = {
    "forbidden": "Object.defineProperty(window, NAME, { get() { throw new DOMException('no', 'SecurityError'); } });",
    "absent": "Object.defineProperty(window, NAME, { value: null });",
    "full": "window[NAME].constructor.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };",
}
BOTH = ["localStorage", "sessionStorage"]
ODD_NAMES = ["constructor", "__proto__", "valueOf", "north_south", "north"]


def without(how: str, storages: list[str]) -> str:
    return "\n".join(STORAGES[how].replace("NAME", f"'{name}'") for name in storages)


@pytest.mark.parametrize("how", STORAGES)
async def test_a_browser_that_keeps_nothing_plays_and_says_what_it_loses(
    how: str, hub: HubProcess, devices: Devices
) -> None:
    page = await devices.open("home", "about:blank")
    await page.context.add_init_script(without(how, BOTH))
    await page.goto(f"http://{hub.at}/")
    home = Home("home", page)
    await home.says(re.compile("^This browser keeps nothing: a reload loses what is typed"))
    code, _ = await home.open_table(host="Nora", table="Table 4")
    await home.go_to_table()
    host = Phone("host", page, SIDES, PLAYERS)
    for _ in ("at first", "after a reload"):
        await host.says(re.compile("^This browser keeps nothing"))
        await host.button("OK").click()
        await expect(host.button("Start game 1")).to_be_enabled()
        await page.reload()
    assert f"/t/{code}/play#" in page.url


async def test_a_browser_that_keeps_things_for_the_tab_knows_its_table_in_it(hub: HubProcess, devices: Devices) -> None:
    page = await devices.open("home", "about:blank")
    await page.context.add_init_script(without("forbidden", BOTH[:1]))
    await page.goto(f"http://{hub.at}/")
    home = Home("home", page)
    await home.says(re.compile("when this tab is closed"))
    await home.open_table(host="Nora", table="Table 4")
    await home.go_to_table()
    await page.reload()
    await expect(home.button("Start game 1")).to_be_enabled()
    assert "#" not in page.url


async def test_players_called_what_javascript_knows_have_their_names_and_scores(
    hub: HubProcess, devices: Devices
) -> None:
    cards = dict(zip(ODD_NAMES, [27, 10, 8, 5, 2], strict=True))
    record: dict[str, Any] = {"game": "pack", "settings": {}, "players": ODD_NAMES, "hands": []}
    record["hands"] = [{"dealer": "valueOf", "declarer": "constructor", "cards": cards}]
    opening = {"name": "Table 4", "host_name": "Nora", "host_token": HOST_TOKEN, "record": record}
    status, body, _ = hub.get("/api/tables/import", opening)
    assert status == 201, body
    at = f"http://{hub.at}/t/{json.loads(body)['code']}"
    for name, path in (
        ("watch", ""),
        ("display", "/display"),
        ("overlay", "/overlay"),
        ("phone", f"/play#{HOST_TOKEN}"),
    ):
        screen = Screen(name, await devices.open(name, f"{at}{path}", PROJECTOR))
        for player in ODD_NAMES:
            await expect(screen.page.get_by_text(player, exact=True).first).to_be_visible()
            await expect(screen.page.locator(f"[data-score='{player}']")).to_have_text(re.compile(r"^\d+$"))
        text = await screen.page.locator("body").inner_text()
        assert not re.search(r"\[object|function|North–South", text), text
    sheet = Screen("sheet", await devices.open("sheet", f"{at}/sheet", LAPTOP))
    await sheet.says("constructor")


async def test_a_player_called_like_a_side_keeps_that_name_over_the_books_of_a_nil(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", first_hand_bids_itself=False)
    async with joined(hub, table.code, HOST_TOKEN) as host:
        await host.do("claim_seat", seat="north", name="east_west", token=None)
    north = table.phones["north"]
    await north.says("east_west")
    await north.bids_by("seat")
    for place, bid in enumerate(("4", "Nil", "4", "4")):
        await north.page.locator("button.target").nth(place).click()
        await north.tap(bid)
    await north.is_at("Books", 1)
    await north.tap(re.compile("^North's nil"))
    await expect(north.page.get_by_label("Books east_west took on the nil bid").first).to_be_visible()


async def test_nothing_stands_under_a_notch_and_no_keyboard_corrects_a_phrase(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north")
    for name, path in (("phone", "/play"), ("watch", ""), ("display", "/display"), ("home", "/../..")):
        page = await devices.open(name, f"{table.at}{path}", (844, 390))
        await Screen(name, page).says(re.compile("Table 4|Bookboard"))
        session = await page.context.new_cdp_session(page)
        insets = {"left": 47, "leftMax": 47, "right": 47, "rightMax": 47, "bottom": 21, "bottomMax": 21}
        await session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        padded = ".screen" if name == "display" else "body"
        await page.wait_for_function(f"getComputedStyle(document.querySelector('{padded}')).paddingLeft === '47px'")
        outside = await page.evaluate(
            """() => {
                const texts = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT);
                const found = [];
                while (texts.nextNode()) {
                    const range = document.createRange();
                    range.selectNodeContents(texts.currentNode);
                    const { left, right, width } = range.getBoundingClientRect();
                    const isHidden = texts.currentNode.parentElement.closest('.visually-hidden, .controls');
                    if (texts.currentNode.data.trim() && width && !isHidden && (left < 47 || right > innerWidth - 47))
                        found.push(texts.currentNode.data);
                }
                return found;
            }"""
        )
        assert outside == [], name
    for page, label in ((devices.pages["phone"], "Recovery phrase"), (devices.pages["home"], "Table code")):
        field = page.get_by_label(label)
        for attribute, value in (("autocorrect", "off"), ("spellcheck", "false")):
            await expect(field).to_have_attribute(attribute, value)


WAKE_LOCK = """
window.asked = 0;
window.locks = [];
Object.defineProperty(navigator, 'wakeLock', { value: { async request() {
    window.asked += 1;
    const lock = { release() { this.onrelease(); } };
    window.locks.push(lock);
    return lock;
} } });"""


async def test_a_screen_that_the_system_let_go_dark_is_asked_to_stay_on_again(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north")
    for name, path in (("display", "/display"), ("phone", "/play")):
        page = await devices.open(name, "about:blank")
        await page.context.add_init_script(WAKE_LOCK)
        await page.goto(f"{table.at}{path}")
        await page.wait_for_function("window.locks.length === 1 && Boolean(window.locks[0].onrelease)")
        await page.evaluate("window.locks[0].release()")
        await page.wait_for_function("window.asked === 2")

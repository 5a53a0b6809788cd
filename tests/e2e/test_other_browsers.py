"""The oldest promised Chromium and a current WebKit show what a new Chromium does; an older one says it is too old.

`make other-browsers` brings them and runs this.
"""

import json
import os
from pathlib import Path

import pytest
from playwright.async_api import async_playwright
from tests.e2e.devices import CHROMIUM
from tests.e2e.webkit import running_webkit
from tests.hub.serving import HOST_TOKEN, HubProcess

FOLDER = os.environ.get("BOOKBOARD_OTHER_BROWSERS")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(FOLDER is None, reason="`make other-browsers` runs these"),
]

PROMISED, TOO_OLD = "103", "92"
GAME = {"game": "spades", "settings": {}, "hands": [{"books": {"north_south": 8, "east_west": 5}}]}
SAYS = "(text) => document.body.innerText.includes(text)"
"""Without a graphics card the old ones draw no frames, and lack what Playwright looks with."""
LOOK = """() => ({
    figures: [...document.querySelectorAll('.figure')].map((each) => parseFloat(getComputedStyle(each).fontSize)),
    ground: [...document.querySelectorAll('.overlay > *')].map((each) => getComputedStyle(each).backgroundColor),
})"""


def table_of(hub: HubProcess) -> str:
    opening = {"name": "Table 4", "host_name": "Nora", "host_token": HOST_TOKEN, "record": GAME}
    status, body, _ = hub.get("/api/tables/import", opening)
    assert status == 201, body
    return f"http://{hub.at}/t/{json.loads(body)['code']}"


def browser(version: str) -> str:
    return str(Path(FOLDER or "") / version)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("path", ["/display", "/overlay", "", "/play"])
async def test_the_oldest_promised_browser_shows_what_a_new_one_does(path: str, hub: HubProcess) -> None:
    at = table_of(hub)
    seen = []
    errors: list[str] = []
    async with async_playwright() as playwright:
        for program in (CHROMIUM, browser(PROMISED)):
            old = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
            page = await old.new_page(viewport={"width": 1920, "height": 1080})
            page.on("pageerror", lambda error: errors.append(str(error)))
            await page.goto(at + path)
            await page.wait_for_function(SAYS, arg="Recovery phrase" if path == "/play" else "80", polling=200)
            seen.append(await page.evaluate(LOOK))
            await old.close()
    assert not errors
    new, old_one = seen
    assert old_one["figures"] == pytest.approx(new["figures"], rel=0.05)
    assert "rgba(0, 0, 0, 0)" not in old_one["ground"]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("path", ["/display", ""])
async def test_an_older_browser_says_that_it_is_too_old(path: str, hub: HubProcess) -> None:
    at = table_of(hub)
    async with async_playwright() as playwright:
        old = await playwright.chromium.launch(executable_path=browser(TOO_OLD), args=["--no-sandbox", "--disable-gpu"])
        page = await old.new_page()
        await page.add_init_script("delete Array.prototype.at")  # the one before had none
        await page.goto(at + path)
        await page.wait_for_function(SAYS, arg="This browser is too old for Bookboard", polling=200)
        await old.close()


@pytest.mark.timeout(300)
async def test_webkit_shows_what_chromium_does(hub: HubProcess) -> None:
    at = table_of(hub)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM)
        page = await chromium.new_page(viewport={"width": 1920, "height": 1080})
        with running_webkit() as webkit:
            webkit.has_room(1920, 1080)
            for path in ("/display", "/overlay", "", "/play", "/sheet", "/rules"):
                await page.goto(at + path)
                text = {"/play": "Recovery phrase", "/rules": "Rules of Spades"}.get(path, "80")
                await page.wait_for_function(SAYS, arg=text, polling=200)
                webkit.open(at + path)
                webkit.says(text)
                seen, new = webkit.run(LOOK), await page.evaluate(LOOK)
                assert seen["figures"] == pytest.approx(new["figures"], rel=0.05), path
                assert len(seen["ground"]) == len(new["ground"])
                assert "rgba(0, 0, 0, 0)" not in seen["ground"], path
                assert webkit.run("() => document.documentElement.scrollWidth") <= 1920, path
        await chromium.close()


@pytest.mark.timeout(300)
async def test_a_game_is_opened_and_played_in_webkit(hub: HubProcess) -> None:
    with running_webkit() as phone:
        phone.has_room(500, 840)
        phone.open(f"http://{hub.at}/")
        phone.says("Score limit")
        phone.type("Your name", "Nora")
        phone.tap("Open the table")
        phone.says("is open")
        phone.run("() => document.querySelector('a[href*=\"/play\"]').click()")
        phone.tap("Start game 1")
        phone.says("Hand 1: books")
        phone.tap("8")
        phone.tap("Enter hand 1")
        phone.says("Hand 2: bids")
        phone.open(phone.run("() => location.href.split('/play')[0]") + "/display")
        phone.waits_for("() => document.querySelector('[data-score=north_south]')?.textContent === '80'")

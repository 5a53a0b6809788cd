"""A request that fails, before or after a page stands: a sentence and a way on, and the page comes by itself.

`make test` tries one request of each kind; `make outages` every request of every page with every failure.
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, expect
from tests.e2e.devices import LAPTOP, PHONE, PROJECTOR, Devices, Size
from tests.e2e.outages import FAILURES, Outage
from tests.e2e.quick import QuickTable, quick_table
from tests.hub.serving import HOST_TOKEN, HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

AT_ONCE = 6
SENTENCES = re.compile(
    "Getting the (page|table|rules)|cannot be loaded just now|Asking again|No answer yet|does not answer yet"
)
RAW_KEY = re.compile(r"\b(ui|lines|games|rules|refusals)\.[a-z_]+\.")


@dataclass
class PageToOpen:
    path: str
    stands: str
    """What it says once it stands."""
    size: Size = LAPTOP


PAGES = {
    "home": PageToOpen("/", "Score limit"),
    "play": PageToOpen("/t/CODE/play#TOKEN", "Hand 2", PHONE),
    "watch": PageToOpen("/t/CODE", "Runners"),
    "display": PageToOpen("/t/CODE/display", "Runners", PROJECTOR),
    "overlay": PageToOpen("/t/CODE/overlay", "Runners", PROJECTOR),
    "sheet": PageToOpen("/t/CODE/sheet", "Runners"),
    "rules": PageToOpen("/t/CODE/rules", "Rules of Spades"),
    "rules_of_a_link": PageToOpen("/rules/spades?rules=RULES", "Rules of Spades"),
}
REQUESTS = {
    "home": ["/js/boot.js", "/js/home/main.js", "/vendor/lit-html/lit-html.js", "/css/base.css", "/api/games"],
    "play": ["/js/core/outbox.js", "/i18n/en.json", "/css/play.css"],
    "display": ["/js/games/spades-outlook.js", "/css/tokens.css", "/i18n/en.json", "/api/qr"],
    "rules_of_a_link": ["/api/rules/spades", "/api/qr", "/api/here"],
}
"""One request of each kind."""
WITH_EVERY_REQUEST = os.environ.get("BOOKBOARD_OUTAGES") == "all"


async def table_with_a_hand(hub: HubProcess, devices: Devices) -> QuickTable:
    table = await quick_table(hub, devices, "north")
    north = table.phones["north"]
    await north.tap_books("north_south", 8)
    await north.enter(1)
    assert await north.shows({"north_south": 80, "east_west": 50})
    return table


@asynccontextmanager
async def a_page(chromium: Browser, size: Size) -> AsyncIterator[Page]:
    width, height = size
    context = await chromium.new_context(viewport={"width": width, "height": height})
    try:
        yield await context.new_page()
    finally:
        await context.close()


def address_of(hub: HubProcess, table: QuickTable, page: PageToOpen) -> str:
    told = json.loads(hub.get("/api/rules", {"key": "spades", "settings": {}})[1])
    path = page.path.replace("CODE", table.code).replace("TOKEN", HOST_TOKEN).replace("RULES", told["code"])
    return f"http://{hub.at}{path}"


async def requests_of(chromium: Browser, address: str, page: PageToOpen) -> list[str]:
    """The paths of everything but the page itself."""
    seen: set[str] = set()
    async with a_page(chromium, page.size) as opened:
        opened.on("request", lambda request: seen.add(urlsplit(request.url).path))
        await opened.goto(address)
        await expect(opened.get_by_text(re.compile(page.stands)).first).to_be_visible()
        await opened.wait_for_load_state("networkidle")
    return sorted(path for path in seen - {urlsplit(address).path} if path.startswith("/"))


async def survives(chromium: Browser, address: str, page: PageToOpen, outage: Outage) -> None:
    """As long as the request fails the page says something; once it is answered the page stands."""
    async with a_page(chromium, page.size) as opened:
        await outage.over(opened)
        await opened.goto(address, wait_until="commit")
        said = opened.locator("body")
        stands = opened.get_by_text(re.compile(page.stands)).first
        await expect(said).to_contain_text(re.compile(f"{SENTENCES.pattern}|{page.stands}"), use_inner_text=True)
        for _ in range(100):
            if outage.failed:
                break
            await asyncio.sleep(0.1)
        await asyncio.sleep(1)  # what it says while the request is failing
        text = await said.inner_text()
        assert SENTENCES.search(text) or re.search(page.stands, text), f"{outage.path}: {text!r}"
        assert not RAW_KEY.search(text), text
        outage.is_on = False
        try:
            await expect(stands).to_be_visible(timeout=60_000)
        except AssertionError:
            pytest.fail(f"{address} with {outage.path}: {await said.inner_text()!r}")


async def all_survive(chromium: Browser, cases: list[tuple[str, PageToOpen, Outage]]) -> None:
    room = asyncio.Semaphore(AT_ONCE)

    async def one(address: str, page: PageToOpen, outage: Outage) -> str | None:
        async with room:
            try:
                await survives(chromium, address, page, outage)
            except (AssertionError, pytest.fail.Exception) as error:
                return f"{address} {outage.path} {outage.how}: {error}"
        return None

    told = await asyncio.gather(*(one(*case) for case in cases))
    assert not [each for each in told if each]


@pytest.mark.parametrize("name", PAGES if WITH_EVERY_REQUEST else REQUESTS)
@pytest.mark.timeout(3600)
async def test_every_failed_request_of_a_page(name: str, hub: HubProcess, chromium: Browser, devices: Devices) -> None:
    page = PAGES[name]
    table = await table_with_a_hand(hub, devices)
    address = address_of(hub, table, page)
    asked = await requests_of(chromium, address, page)
    assert set(REQUESTS.get(name, [])) <= set(asked), "the page no longer asks for these"
    if WITH_EVERY_REQUEST:
        outages = [Outage(path, how) for path in asked for how in FAILURES]
    else:
        quick = [how for how in FAILURES if how != "held"]
        outages = [Outage(path, quick[at % len(quick)]) for at, path in enumerate(REQUESTS[name])]
    await all_survive(chromium, [(address, page, outage) for outage in outages])

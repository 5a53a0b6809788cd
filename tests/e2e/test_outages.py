"""A request that fails, before or after a page stands: a sentence and a way on, never blank, never raw keys.

`make test` tries one request of each kind; `make outages` every request of every page with every failure.
"""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Error, Page, expect
from tests.e2e.devices import LAPTOP, PHONE, PROJECTOR, Devices, Size
from tests.e2e.outages import FAILURES, Outage
from tests.e2e.quick import QuickTable, quick_table
from tests.hub.serving import HOST_TOKEN, HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

AT_ONCE = 4
HELD_AT_ONCE = 8
"""They only wait."""
WHILE_BUSY_MS = 120_000
SENTENCES = re.compile(
    "Getting the (page|table|rules)|Only a part of this page|cannot be loaded just now|Asking again|No answer yet"
    "|does not answer yet"
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
WHOLE = """() => [...document.styleSheets].every((sheet) => {
    try {
        return [...sheet.cssRules].at(-1)?.selectorText === '#end-of-sheet';
    } catch {
        return false;
    }
})"""
PICTURES = "() => [...document.images].every((each) => each.complete && each.naturalWidth > 0)"


@dataclass
class Later:
    """Something that is asked for when the page stands, by taps on these buttons."""

    page: str
    asks: str
    taps: tuple[str, ...]
    says: str
    """While it does not come."""
    ends: str
    """Where it is to be seen in the end."""
    again: bool = False
    """Somebody has to tap once more."""


NO_LINE = "There is no connection to the scoreboard just now"
LATER = {
    "invitation": Later(
        "play",
        "/api/qr",
        ("^Table$", "^Invite players"),
        "The code has not come yet",
        "img[alt='QR code to watch the scores']",
    ),
    "rules_of_the_table": Later(
        "play", "/api/rules", ("^Table$", "^Rules explained"), "No answer yet", "text=How it goes"
    ),
    "reasons": Later(
        "watch", "/api/rules", (r"^(Hand )?1 ▸",), "first hand: 8 books", "text=first hand: 8 books at 10 each"
    ),
    "new_table": Later("home", "/api/tables", ("^Open the table$",), NO_LINE, "text=is open", again=True),
}
REQUESTS = {
    "home": ["/js/boot.js", "/js/home/main.js", "/vendor/lit-html/lit-html.js", "/css/base.css", "/api/games"],
    "play": ["/css/play.css", "/i18n/en.json", "/js/core/outbox.js", "/css/base.css"],
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
    """The paths of everything the page asks for until it stands."""
    seen: set[str] = set()
    async with a_page(chromium, page.size) as opened:
        opened.on("request", lambda request: seen.add(urlsplit(request.url).path))
        await opened.goto(address)
        await expect(opened.get_by_text(re.compile(page.stands)).first).to_be_visible()
        await opened.wait_for_load_state("networkidle")
    return sorted(path for path in seen - {urlsplit(address).path} if path.startswith("/"))


async def says_something(opened: Page, stands: str) -> None:
    text = await opened.locator("body").inner_text()
    assert SENTENCES.search(text) or re.search(stands, text), repr(text)
    assert not RAW_KEY.search(text), repr(text)


async def is_whole(opened: Page) -> None:
    """All its style sheets are there, to their last rule."""
    await opened.wait_for_function(WHOLE, timeout=WHILE_BUSY_MS)


async def survives(address: str, page: PageToOpen, opened: Page, outage: Outage) -> None:
    """As long as the request fails the page says something; once it is answered the page stands."""
    await outage.over(opened)
    await opened.goto(address, wait_until="commit")
    said = opened.locator("body")
    await expect(said).to_contain_text(
        re.compile(f"{SENTENCES.pattern}|{page.stands}"), use_inner_text=True, timeout=WHILE_BUSY_MS
    )
    async with asyncio.timeout(WHILE_BUSY_MS / 1000):
        await outage.failed.wait()
    await asyncio.sleep(1)  # what it says while the request is failing
    await says_something(opened, page.stands)
    outage.is_on = False
    await expect(opened.get_by_text(re.compile(page.stands)).first).to_be_visible(timeout=WHILE_BUSY_MS)
    await is_whole(opened)


async def survives_later(address: str, later: Later, opened: Page, outage: Outage) -> None:
    """The page stands; what is asked for by a tap fails, and comes once it is answered."""
    page = PAGES[later.page]
    await opened.goto(address)
    stands = opened.get_by_text(re.compile(page.stands)).first
    await expect(stands).to_be_visible()
    await outage.over(opened)
    if later.page == "home":
        await opened.get_by_label("Your name").first.fill("Nora")
    for tap in later.taps:
        await opened.get_by_role("button", name=re.compile(tap)).first.click()
    async with asyncio.timeout(WHILE_BUSY_MS / 1000):
        await outage.failed.wait()
    if outage.how != "held":
        await expect(opened.get_by_text(re.compile(later.says)).first).to_be_visible()
    await says_something(opened, f"{page.stands}|{later.says}|{later.taps[-1]}")
    outage.is_on = False
    came = opened.locator(later.ends).first
    if later.again:
        await expect(opened.get_by_text(re.compile(later.says)).first).to_be_visible(timeout=WHILE_BUSY_MS)
        await opened.get_by_role("button", name=re.compile(later.taps[-1])).first.click()
    await expect(came).to_be_visible(timeout=WHILE_BUSY_MS)
    await opened.wait_for_function(PICTURES, timeout=WHILE_BUSY_MS)


Case = tuple[Outage, Callable[[Page, Outage], Awaitable[None]]]


async def all_survive(chromium: Browser, size: Size, cases: list[Case]) -> None:
    """Each failure is printed as it happens."""
    busy, idle = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(HELD_AT_ONCE)

    async def one(outage: Outage, act: Callable[[Page, Outage], Awaitable[None]]) -> str | None:
        async with idle if outage.how == "held" else busy, a_page(chromium, size) as opened:
            try:
                await act(opened, outage)
            except (AssertionError, Error, TimeoutError) as error:
                text = await opened.locator("body").inner_text()
                told = f"{outage.path} {outage.how}: {error!r}\nIt says {text!r}"
                print(f"FAILS {told}", file=sys.stderr, flush=True)
                return told
        return None

    told = await asyncio.gather(*(one(*case) for case in cases))
    assert not [each for each in told if each]


@pytest.mark.parametrize("name", PAGES if WITH_EVERY_REQUEST else REQUESTS)
@pytest.mark.timeout(1800)
async def test_every_failed_request_of_a_page(name: str, hub: HubProcess, chromium: Browser, devices: Devices) -> None:
    page = PAGES[name]
    table = await table_with_a_hand(hub, devices)
    address = address_of(hub, table, page)
    asked = await requests_of(chromium, address, page)
    assert set(REQUESTS.get(name, [])) <= set(asked), "the page no longer asks for these"
    if WITH_EVERY_REQUEST:
        outages = [Outage(path, how) for path in asked for how in FAILURES]
        outages.append(Outage(urlsplit(address).path, "half"))
    else:
        quick = [how for how in FAILURES if how != "held"]
        outages = [Outage(path, quick[at % len(quick)]) for at, path in enumerate(REQUESTS[name])]
    await all_survive(chromium, page.size, [(outage, partial(survives, address, page)) for outage in outages])


@pytest.mark.parametrize("name", LATER if WITH_EVERY_REQUEST else ["invitation"])
@pytest.mark.timeout(1800)
async def test_what_a_tap_asks_for_fails_and_comes_later(
    name: str, hub: HubProcess, chromium: Browser, devices: Devices
) -> None:
    later = LATER[name]
    table = await table_with_a_hand(hub, devices)
    address = address_of(hub, table, PAGES[later.page])
    outages = [Outage(later.asks, how) for how in (FAILURES if WITH_EVERY_REQUEST else ["half"])]
    act = partial(survives_later, address, later)
    await all_survive(chromium, PAGES[later.page].size, [(outage, act) for outage in outages])

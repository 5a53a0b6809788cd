"""Names of any script and length: they swap no numbers round them, and push nothing off any page."""

import json
from typing import Any

import pytest
from playwright.async_api import expect
from tests.e2e.devices import LAPTOP, PHONE, PROJECTOR, Devices, Size
from tests.e2e.screens import Screen
from tests.hub.serving import HOST_TOKEN, HubProcess, joined

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

SMALL_PHONE: Size = (360, 740)
ON_ITS_SIDE: Size = (844, 390)
PAPER: Size = (718, 1000)
"""A4 between its margins."""
RIGHT_TO_LEFT = {"north_south": "فريق النجوم 7", "east_west": "הצוות (1)"}
LONG = {"north_south": "W" * 40, "east_west": "M" * 40}
HANDS: list[dict[str, Any]] = [
    {"books": {"north_south": 8, "east_west": 5}},
    {
        "bids": {"north": 5, "south": "nil", "east_west": 6},
        "books": {"north_south": 6, "east_west": 7},
        "nil_books": {"south": 1},
    },
]
PLACES: list[tuple[str, str, Size]] = [
    *(("watch", "", (width, 800)) for width in (390, 836, 868, 900, 1280)),
    *(("display", "/display", size) for size in (PHONE, ON_ITS_SIDE, (1280, 720), PROJECTOR)),
    *(("overlay", "/overlay", size) for size in ((1280, 720), PROJECTOR)),
    ("sheet", "/sheet", PAPER),
    ("sheet", "/sheet", PHONE),
    *(("phone", f"/play#{HOST_TOKEN}", size) for size in (SMALL_PHONE, ON_ITS_SIDE, LAPTOP)),
]

OUT_OF_ORDER = """(names) => {
    const quoted = names.map((name) => name.replace(/[()]/g, '\\\\$&')).join('|');
    const token = new RegExp(`${quoted}|[+\\u2212]?\\\\d+`, 'g');
    const block = (element) => {
        while (getComputedStyle(element).display.startsWith('inline')) element = element.parentElement;
        return element;
    };
    const texts = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT);
    const found = [];
    let before = null;
    while (texts.nextNode()) {
        for (const match of texts.currentNode.data.matchAll(token)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, match.index);
            range.setEnd(texts.currentNode, match.index + match[0].length);
            const rects = range.getClientRects();
            if (rects.length === 0) continue;
            const { left, right, top, height } = range.getBoundingClientRect();
            const now = { text: match[0], block: block(texts.currentNode.parentElement), left, right, top, height };
            const isBeside = before?.block === now.block && Math.abs(before.top - top) < height / 2;
            if (isBeside && before.right > left + 1) found.push(`${before.text} ${now.text}: ${now.block.textContent}`);
            before = now;
        }
    }
    return found;
}"""
"""Names and numbers of one line that are not seen in the order in which they are written."""

CUT = """() => {
    const texts = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT);
    const found = [];
    const isShortened = (element) => {
        if (element.closest('.visually-hidden')) return true;
        for (; element; element = element.parentElement) {
            const { textOverflow, webkitLineClamp, overflowX } = getComputedStyle(element);
            if (overflowX !== 'visible' && (textOverflow === 'ellipsis' || webkitLineClamp !== 'none')) return true;
        }
        return false;
    };
    while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        const { left, right, width } = range.getBoundingClientRect();
        const place = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !width || isShortened(place)) continue;
        if (left < -1 || right > innerWidth + 1) found.push(texts.currentNode.data.trim());
    }
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [...found, `${scrollWidth} px wide`] : found;
}"""
"""Texts that reach beyond the page and are not shortened, and how wide it is if that is too wide."""


async def table_of(hub: HubProcess, sides: dict[str, str]) -> str:
    north, west = sides.values()
    seats = {"north": north, "east": "Ed", "south": "Sue", "west": west}
    record = {"game": "spades", "settings": {}, "names": seats, "hands": HANDS}
    opening = {"name": north, "host_name": west, "host_token": HOST_TOKEN, "record": record}
    status, body, _ = hub.get("/api/tables/import", opening)
    assert status == 201, body
    code = json.loads(body)["code"]
    async with joined(hub, code, HOST_TOKEN) as host:
        await host.do("name_sides", names=sides)
    return f"http://{hub.at}/t/{code}"


async def look_at_all(
    hub: HubProcess, devices: Devices, sides: dict[str, str], look: str, argument: object = None
) -> list[str]:
    """What is wrong on any page of a table with these names, in any of its sizes."""
    at = await table_of(hub, sides)
    wrong = []
    for name, path, (width, height) in PLACES:
        if name not in devices.pages:
            await devices.open(name, at + path, (width, height))
        page = devices.pages[name]
        await page.set_viewport_size({"width": width, "height": height})
        if path == "/sheet":
            await page.emulate_media(media="print" if (width, height) == PAPER else "screen")
        await expect(page.locator("[data-score], .sheet, .signatures").first).to_be_attached()
        for panel in ("", "Sheet", "Table") if name == "phone" else ("",):
            if panel:
                await Screen(name, page).tap(panel)
            wrong += [f"{name} {panel} {width}: {each}" for each in await page.evaluate(look, argument)]
            if panel:
                await Screen(name, page).tap("Back")
    return wrong


async def test_names_read_from_right_to_left_swap_nothing(hub: HubProcess, devices: Devices) -> None:
    assert await look_at_all(hub, devices, RIGHT_TO_LEFT, OUT_OF_ORDER, list(RIGHT_TO_LEFT.values())) == []


async def test_long_names_without_a_space_push_nothing_off_a_page(hub: HubProcess, devices: Devices) -> None:
    assert await look_at_all(hub, devices, LONG, CUT) == []

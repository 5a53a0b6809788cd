"""Page translation puts `<font>` in the place of text, and pages go on showing what is true."""

import re

import pytest
from playwright.async_api import expect
from tests.e2e.devices import PROJECTOR, Devices
from tests.e2e.quick import quick_table
from tests.e2e.screens import Phone, Screen
from tests.hub.serving import HubProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

TRANSLATE = """(isPolite) => {
    const wrap = () => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (texts.nextNode()) found.push(texts.currentNode);
        for (const text of found) {
            const place = text.parentElement;
            if (!text.data.trim() || place.closest('font, script, style')) continue;
            if (isPolite && place.closest('[translate=no]')) continue;
            const outer = document.createElement('font');
            const inner = document.createElement('font');
            inner.append('«' + text.data + '»');
            outer.append(inner);
            text.replaceWith(outer);
        }
    };
    wrap();
    new MutationObserver(wrap).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""As translators do it: at once, and whenever something new appears. The polite ones leave alone what asks for it."""


async def enter(phone: Phone, hand: int, books: int, *bids: int) -> None:
    if bids:
        await phone.bids_by("side")
        await phone.bid("north_south", bids[0])
        await phone.bid("east_west", bids[1])
    await phone.tap_books("north_south", books)
    await phone.enter(hand)


@pytest.mark.parametrize("is_polite", [True, False], ids=["polite", "rude"])
async def test_no_translated_page_keeps_old_scores(
    is_polite: bool,  # noqa: FBT001 - the case
    hub: HubProcess,
    devices: Devices,
) -> None:
    table = await quick_table(hub, devices, "north")
    screens = [
        Screen(name, await devices.open(name, f"{table.at}{path}", PROJECTOR))
        for name, path in (("watch", ""), ("display", "/display"), ("overlay", "/overlay"), ("sheet", "/sheet"))
    ]
    other = Screen("phone", await devices.open("phone", f"{table.at}/play"))
    for screen in [*screens, other]:
        await screen.says("Runners" if screen is not other else "You can watch this table")
        await screen.page.evaluate(TRANSLATE, is_polite)
    north = table.phones["north"]
    await enter(north, 1, 8)
    await enter(north, 2, 9, 5, 6)
    for screen in screens[:3]:
        for side, score in (("north_south", "134"), ("east_west", "−10")):
            await expect(screen.page.locator(f"[data-score={side}]")).to_have_text(re.compile(f"^«?{score}»?$"))
    await expect(screens[3].page.get_by_role("row")).to_have_count(4)


async def test_a_translated_phone_enters_hands_and_keeps_the_field_being_typed_in(
    hub: HubProcess, devices: Devices
) -> None:
    table = await quick_table(hub, devices, "north", "east")
    east = table.phones["east"]
    await east.page.evaluate(TRANSLATE, True)
    await east.page.get_by_role("button", name="Table").click()
    await east.page.get_by_role("button", name="Names").click()
    field = east.page.get_by_role("textbox").first
    await field.focus()
    await east.page.keyboard.type("Owls")
    north = table.phones["north"]
    await enter(north, 1, 8)
    await expect(east.page.locator("[data-score=north_south]")).to_have_text(["80"])
    await expect(field).to_be_focused()
    await east.page.keyboard.type(" of Ohio")
    assert "Owls of Ohio" in await field.input_value()

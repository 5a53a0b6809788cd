"""Devices with a browser each: every one keeps its own storage, and whatever its console complains of is collected."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright
from tests.e2e.screens import PATIENCE_MS

CHROMIUM = "/usr/bin/chromium"
VENUE = "venue.test"
"""Another name for this machine, which browsers do not take for a secure origin."""

Size = tuple[int, int]
PHONE: Size = (390, 844)
LAPTOP: Size = (1280, 800)
PROJECTOR: Size = (1920, 1080)
PICTURE: Size = (1280, 720)
"""A projector's screen, small enough for a document."""

_OUTAGE = re.compile(
    r"WebSocket connection to .* failed"
    r"|net::ERR_(CONNECTION_\w+|CONTENT_LENGTH_MISMATCH|EMPTY_RESPONSE|INTERNET_DISCONNECTED)"
)


class Devices:
    """`complaints` are errors on consoles, uncaught exceptions and broken content policies of all pages."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.pages: dict[str, Page] = {}
        self.complaints: list[str] = []
        self.album: Path | None = None
        """Where pictures of good moments go, if they are wanted."""
        self.lines_may_fail = False
        """From now on a browser may complain that it cannot connect."""

    async def open(self, name: str, url: str, size: Size = PHONE, *, is_still: bool = False) -> Page:
        """`is_still`: its person asked the device for reduced motion."""
        context = await self._context(size, is_still=is_still)
        page = await context.new_page()
        page.on("console", lambda message: self._heard(name, message))
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error}"))
        self.pages[name] = page
        await page.goto(url)
        return page

    async def _context(self, size: Size, *, is_still: bool) -> BrowserContext:
        width, height = size
        context = await self._browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce" if is_still else "no-preference",
            has_touch=size == PHONE,
        )
        context.set_default_timeout(PATIENCE_MS)
        return context

    def _heard(self, name: str, message: ConsoleMessage) -> None:
        is_outage = self.lines_may_fail and _OUTAGE.search(message.text)
        if message.type in {"error", "warning"} and not is_outage:
            self.complaints.append(f"{name}: {message.type}: {message.text}")

    async def put_away(self) -> None:
        for page in self.pages.values():
            await page.context.close()

    async def photograph(self, moment: str) -> None:
        """All screens, if there is an album; a display in small, too."""
        for name, page in self.pages.items():
            if self.album is None or page.is_closed():
                continue
            await page.screenshot(path=self.album / f"{moment}-{name}.png")
            if name == "display":
                await self._photograph_small(page, self.album / f"{moment}-small.png")

    async def _photograph_small(self, page: Page, path: Path) -> None:
        before = page.viewport_size
        assert before is not None
        await page.set_viewport_size({"width": PICTURE[0], "height": PICTURE[1]})
        await page.screenshot(path=path)
        await page.set_viewport_size(before)


@asynccontextmanager
async def running_chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=[f"--host-resolver-rules=MAP {VENUE} 127.0.0.1"]
        )
        try:
            yield browser
        finally:
            await browser.close()

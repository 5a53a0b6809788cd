"""Requests that go wrong on their way, as they do in venues: cut, held up, answered by somebody else or by half."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable

from playwright.async_api import Error, Page, Route

Failure = Callable[[Route], Awaitable[None]]
HELD_S = 30.0


async def reset(route: Route) -> None:
    await route.abort("connectionreset")


async def portal(route: Route) -> None:
    await route.fulfill(status=200, content_type="text/html", body="<!doctype html><title>Sign in to the Wi-Fi</title>")


async def unavailable(route: Route) -> None:
    await route.fulfill(status=503, content_type="text/html", body="<h1>503 Service Unavailable</h1>")


async def half(route: Route) -> None:
    """It claims to be all there is."""
    answer = await route.fetch()
    body = await answer.body()
    await route.fulfill(status=answer.status, headers=answer.headers, body=body[: len(body) // 2])


async def held(route: Route) -> None:
    await asyncio.sleep(HELD_S)
    await route.continue_()


FAILURES: dict[str, Failure] = {f.__name__: f for f in (reset, portal, unavailable, half, held)}


class Outage:
    """Requests to `path` fail while `is_on`; `failed` is set by the first."""

    def __init__(self, path: str, how: str) -> None:
        self.path = path
        self.how = how
        self.is_on = True
        self.failed = asyncio.Event()

    async def over(self, page: Page) -> None:
        # A pattern is looked at in the driver; a function would bring every request here.
        await page.context.route(re.compile(rf"^http://[^/]+{re.escape(self.path)}(\?|$)"), self._answer)

    async def _answer(self, route: Route) -> None:
        with contextlib.suppress(Error):  # the page may have given up
            if self.is_on:
                self.failed.set()
                await FAILURES[self.how](route)
            else:
                await route.continue_()

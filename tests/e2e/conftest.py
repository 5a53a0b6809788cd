import os
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.e2e.devices import Devices, running_chromium
from tests.hub.serving import HubProcess, running_hub_process

ARTIFACTS = Path(__file__).parents[1] / "artifacts"
"""Where pictures of all screens go when a test fails."""

_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_failed] = report.failed
    return report


@pytest.fixture
def shots() -> Path | None:
    """Where to put pictures of good moments; None if nobody asked for them."""
    folder = os.environ.get("BOOKBOARD_SHOTS")
    return _made(Path(folder)) if folder else None


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with running_chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def devices(chromium: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Devices]:
    """A test passes only if no page had anything to complain of."""
    devices = Devices(chromium)
    yield devices
    if request.node.stash.get(_failed, False):
        devices.album = _made(ARTIFACTS)
        await devices.photograph(request.node.name)
    await devices.put_away()
    assert not devices.complaints


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub with its embedded store, for all tests of a module: each opens a table of its own."""
    with running_hub_process(tmp_path_factory.mktemp("hub")) as hub:
        yield hub

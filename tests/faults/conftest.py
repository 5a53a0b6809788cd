"""Each fault test fills a row; the rows are printed together at the end. `SEED=N` repeats a run.

`make test` takes the tests marked `quick_fault` only, `make faults` all of them.
"""

import os
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
from tests.faults.arrangements import KeptRedis
from tests.faults.club import Club, running_club
from tests.faults.tally import Tally, table
from tests.servers import RedisServer

ROW = "fault"
SEED = int(os.environ.get("SEED") or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("FAULTS") != "all":
        here = Path(__file__).parent
        items[:] = [item for item in items if here not in item.path.parents or item.get_closest_marker("quick_fault")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kept in terminalreporter.stats.values() for report in kept]
    ended = [report for report in reports if getattr(report, "when", "") == "teardown"]
    rows = [value for report in ended for name, value in report.user_properties if name == ROW]
    if rows:
        terminalreporter.section(f"faults, SEED={SEED}")
        for line in table(rows):
            terminalreporter.write_line(line)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    return Random(SEED * 2**32 + zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Iterator[Tally]:
    """The row of this test, named after its mark `failure`. At the end nothing may be lost, doubled or wrong."""
    mark = request.node.get_closest_marker("failure")
    tally = Tally(mark.args[0])
    yield tally
    request.node.user_properties.append((ROW, tally.row()))
    assert (tally.lost, tally.doubled, tally.wrong) == (0, 0, 0)


@pytest.fixture
async def club(tmp_path: Path, rng: Random, tally: Tally) -> AsyncIterator[Club]:
    async with running_club(tmp_path, rng, tally) as club:
        yield club


@pytest.fixture
async def redis(tmp_path: Path, club: Club) -> AsyncIterator[RedisServer]:
    """A Redis that keeps what it answered, with the club looking behind it."""
    async with AsyncExitStack() as opened:
        server = KeptRedis(tmp_path / "redis")
        opened.callback(server.kill)
        server.start()
        await club.look_behind(server.url)
        yield server

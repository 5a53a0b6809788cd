"""A hub for strangers. Whatever they do, it goes on, and its log names no exception."""

import os
import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from tests.hub.serving import HubProcess, running_hub_process

# `make fuzz` looks longer.
EXAMPLES = int(os.environ.get("BOOKBOARD_FUZZ", "60"))
settings.register_profile(
    "security", max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
fuzzed = settings.get_profile("security")


COMPLAINT = re.compile(r"Traceback|^\d{4}-\S+ \S+ (ERROR|WARNING) ")
OF_THE_STORE = re.compile(r"WARNING bookboard\.(store\.|hub\.live\.rooms: the store is)")
ATTACK = "attack"
COLUMNS = ["strangers", "median of a hand", "p99 of a hand", "hub", "what they did"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kept in terminalreporter.stats.values() for report in kept]
    ended = [report for report in reports if getattr(report, "when", "") == "teardown"]
    rows = [value for report in ended for name, value in report.user_properties if name == ATTACK]
    if rows:
        terminalreporter.section("quiet → under attack")
        widths = [max(len(line[column]) for line in (COLUMNS, *rows)) for column in range(len(COLUMNS))]
        for line in (COLUMNS, *rows):
            terminalreporter.write_line("  ".join(map(str.ljust, line, widths)).rstrip())


def complaints_of(hub: HubProcess) -> list[str]:
    """What the log says of strangers. That a store was not heard for seconds, on a busy machine, is not about them."""
    lines = hub.log.read_text().splitlines()
    return [line for line in lines if COMPLAINT.search(line) and not OF_THE_STORE.search(line)]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub_process(tmp_path_factory.mktemp("hub")) as running:
        yield running
        assert running.get("/readyz")[0] == 200
        assert not complaints_of(running), running.log.read_text()


@pytest.fixture
def code(hub: HubProcess) -> str:
    return hub.open_table()["code"]

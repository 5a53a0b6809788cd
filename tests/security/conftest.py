"""A hub for strangers. Whatever they do, it goes on, and its log names no exception."""

import os
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


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub_process(tmp_path_factory.mktemp("hub")) as running:
        yield running
        assert running.get("/readyz")[0] == 200
        log = running.log.read_text()
        assert "Traceback" not in log, log
        assert "ERROR" not in log, log
        assert "WARNING" not in log, log


@pytest.fixture
def code(hub: HubProcess) -> str:
    return hub.open_table()["code"]

import os
from pathlib import Path

import pytest
from tests.e2e.conftest import chromium, devices, pytest_runtest_makereport

__all__ = ["chromium", "devices", "pytest_runtest_makereport"]

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They need proxies, which `make proxies` installs."""
    for item in items:
        if HERE in item.path.parents and "PROXIES" not in os.environ:
            item.add_marker(pytest.mark.skip(reason="`make proxies` runs it"))

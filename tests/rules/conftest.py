"""A row whose name begins with a reading, `S7: …`, cites it: `pytest.mark.rule("S7")` for it."""

import re

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    named = re.search(r"\[(?:\w+: )?([STBP]\d+): ", item.name)
    if named:
        item.add_marker(pytest.mark.rule(named[1]))

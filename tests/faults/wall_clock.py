"""A wall clock that can be set while programs run by it (libfaketime); their monotonic clocks go on as they are."""

import os
from pathlib import Path

import pytest

LIBRARY = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


class WallClock:
    """`env` makes a program live by it. It starts out right."""

    def __init__(self, file: Path) -> None:
        if not LIBRARY:
            pytest.fail("libfaketime is missing: install Debian's libfaketime, which sets the clock in these tests")
        self._file = file
        self.ahead_s = 0.0
        self.set_by(0)
        self.env = {
            "LD_PRELOAD": str(LIBRARY[0]),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set_by(self, seconds: float) -> None:
        """Forward, or backward if it is negative."""
        self.ahead_s += seconds
        unfinished = self._file.with_suffix(f".{os.getpid()}")
        unfinished.write_text(f"{self.ahead_s:+.3f}\n", encoding="ascii")
        unfinished.replace(self._file)

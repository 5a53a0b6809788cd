"""The address that a test's clients come from: its own, so that no test spends what another may ask of a hub."""

import ipaddress
import itertools
import os
import sys
from collections.abc import Iterator

_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_LOOPBACK = int(ipaddress.IPv4Address("127.0.0.1"))


class Addresses:
    """Addresses of the loopback network, of which Linux lets anybody use all."""

    def __init__(self) -> None:
        self._given: Iterator[int] = itertools.count(256 + _WORKER, 256)
        self.ours = "127.0.0.1"

    def move_on(self) -> None:
        """From now on clients come from an address that no test has come from before."""
        if sys.platform == "linux":
            self.ours = str(ipaddress.IPv4Address(_LOOPBACK + next(self._given)))

    @property
    def local(self) -> tuple[str, int]:
        """What a client's socket is bound to."""
        return self.ours, 0


addresses = Addresses()

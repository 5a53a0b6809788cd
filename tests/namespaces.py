"""Networks of a test's own: a namespace has its own interfaces, addresses and routes, and reaches nothing outside."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

_numbers = count()


class Network:
    """One machine in its own network."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ip(self, words: str) -> None:
        """`ip` in this network, such as `link add lan0 type bridge`."""
        _run("ip", "-n", self.name, *words.split())

    def run(self, *command: str) -> list[str]:
        """The command as it has to be started to run there."""
        return ["ip", "netns", "exec", self.name, *command]

    def cable(self, interface: str, to: "Network", far: str) -> None:
        """An interface here, one there, and a cable between them."""
        self.ip(f"link add {interface} type veth peer name {far} netns {to.name}")
        self.ip(f"link set {interface} up")
        to.ip(f"link set {far} up")


@contextmanager
def networks(*names: str) -> Iterator[list[Network]]:
    made: list[Network] = []
    try:
        for name in names:
            network = Network(f"bb-{os.getpid()}-{next(_numbers)}-{name}")
            try:
                _run("ip", "netns", "add", network.name)
            except (OSError, subprocess.CalledProcessError) as error:
                why = error.stderr.strip() if isinstance(error, subprocess.CalledProcessError) else error
                pytest.skip(f"no network namespaces can be made here: {why}")
            made.append(network)
            network.ip("link set lo up")
        yield made
    finally:
        for network in made:
            _run("ip", "netns", "del", network.name)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)

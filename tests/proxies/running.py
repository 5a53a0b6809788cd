"""Proxies in front of hubs, on loopback."""

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest


def status_of(port: int, path: str, **headers: str) -> int:
    """Status of a GET; 0 if nobody answers."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as made, suppress(OSError, HTTPException):
        made.request("GET", path, headers=headers)
        return made.getresponse().status
    return 0


@contextmanager
def running(command: list[str], folder: Path, port: int, env: Mapping[str, str] | None = None) -> Iterator[None]:
    """Until the end of the block; it is there once it answers on its port."""
    log = folder / "proxy.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out)
    try:
        give_up = time.monotonic() + 60
        while status_of(port, "/readyz") == 0:
            if process.poll() is not None or time.monotonic() > give_up:
                pytest.fail(f"{command[0]} did not start: {log.read_text()[-2000:]}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(30)

"""Caddy with the configuration that is shipped, in front of two hubs: one can go, and no request fails."""

import os
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hub.serving import HubProcess, running_hub_process
from tests.proxies.running import running, status_of
from tests.servers import free_port, running_redis

CADDY = "/usr/bin/caddy"
CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
ASKED_AFTER = 60


def asking(port: int, path: str, has_ended: threading.Event, statuses: Counter[int]) -> threading.Thread:
    def ask() -> None:
        left = ASKED_AFTER
        while left:
            statuses[status_of(port, path)] += 1
            left -= has_ended.is_set()

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


@pytest.mark.parametrize("end", [HubProcess.stop, HubProcess.kill], ids=["stopped", "killed"])
def test_requests_go_on_while_a_hub_ends(tmp_path: Path, end: Callable[[HubProcess], object]) -> None:
    port, admin = free_port(), free_port()
    with (
        running_redis(tmp_path) as redis,
        running_hub_process(tmp_path / "a", "--redis", redis.url) as one,
        running_hub_process(tmp_path / "b", "--redis", redis.url) as other,
    ):
        env = {
            "HOME": str(tmp_path),
            "PATH": os.environ["PATH"],
            "CADDY_ADMIN": f"127.0.0.1:{admin}",
            "BOOKBOARD_HOST": f"http://127.0.0.1:{port}",
            "BOOKBOARD_HUBS": f"{one.at} {other.at}",
        }
        command = [CADDY, "run", "--adapter", "caddyfile", "--config", str(CADDYFILE)]
        with running(command, tmp_path, port, env):
            has_ended, statuses = threading.Event(), Counter[int]()
            # The API takes 50 calls a second from one address; pages cost nothing.
            threads = [asking(port, path, has_ended, statuses) for path in ("/", "/i18n/en.json", "/readyz")]
            end(one)
            has_ended.set()
            for thread in threads:
                thread.join()
            assert set(statuses) == {200}, statuses

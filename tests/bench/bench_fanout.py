"""One room with many screens, and many rooms: how close to the ceiling the hub sends.

    python tests/bench/bench_fanout.py [ROUNDS [SCENARIO ...]]

The ceiling is a C program that sends a ready frame of the same size with one send() a subscriber (ceiling.c). Printed
are ratios of deliveries per second of the server's CPU, taken in the same round. `fan-out`: events published inside the
hub. `whole way`: commands over sockets, each decided, committed, heard back and sent; Redis's own CPU is not in it.
`burst of 8`: eight events in one turn of the loop, against one send() for each frame. It fails on no time.
"""

import asyncio
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
from redis import Redis as SyncRedis
from redis.asyncio import Redis

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.evening import mean_bytes  # noqa: E402
from tests.bench.rig import (  # noqa: E402
    BUILD,
    CEILING,
    LOAD_CORE,
    PRODUCT,
    WINDOW_MS,
    Loaded,
    Place,
    Ratio,
    Window,
    against,
    build,
    cpu_s,
    in_turns,
    loaded,
    python,
    quartiles,
    read,
    write,
)
from tests.servers import free_port, running_redis  # noqa: E402

from bookboard.hub.live.ids import new_room_code  # noqa: E402

SCENARIOS = {
    "1 x 100": (1, 100),
    "1 x 1000": (1, 1000),
    "1 x 4000": (1, 4000),
    "200 x 8": (200, 8),
    "2000 x 8": (2000, 8),
}


ROUNDS = {"1 x 1000": 25, "1 x 4000": 25}
"""The fewer events a window holds, the more windows; more of small ones would be more than a table's log takes."""


def scenario(folder: Path, rooms: int, clients: int, rounds: int) -> dict[str, Any]:
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(folder))
        asyncio.run(pin_redis(redis.url))
        hub = product(stack, folder, redis.url, rooms, clients)
        ceiling = the_ceiling(stack, folder, rooms, clients)
        beside = StoreBeside(redis.url)
        windows = in_turns(
            rounds,
            {
                "ceiling": lambda: ceiling.order(f"run {WINDOW_MS} 1"),
                "fan-out": lambda: hub.order(f"run {WINDOW_MS} 1"),
                "burst of 8": lambda: hub.order(f"run {WINDOW_MS} 8"),
                "whole way": lambda: beside.watch(lambda: hub.order(f"command {WINDOW_MS}")),
            },
        )
    return {"ways": summary(windows), "store": beside.a_command(), "beyond_us": beyond_fan_out(windows)}


class StoreBeside:
    """What the store spends on the commands of the windows it is watched in."""

    def __init__(self, url: str) -> None:
        self._client = SyncRedis.from_url(url)
        self._pid = int(self._info()["process_id"])
        self._each: list[dict[str, float]] = []
        self._kept = self._commands = 0

    def _info(self) -> dict[str, Any]:
        found: Any = self._client.info()
        return dict(found)

    def watch(self, measure: Callable[[], Window]) -> Window:
        before, cpu_before = self._info(), cpu_s(self._pid)
        window = measure()
        cpu_after, after = cpu_s(self._pid), self._info()
        names = {"bytes_in": "total_net_input_bytes", "bytes_out": "total_net_output_bytes"}
        spent = {name: (after[field] - before[field]) / window.publishes for name, field in names.items()}
        self._each.append({"us": 1e6 * (cpu_after - cpu_before) / window.publishes} | spent)
        self._kept += after["used_memory"] - before["used_memory"]
        self._commands += window.publishes
        return window

    def a_command(self) -> dict[str, float]:
        """Of CPU and of traffic with the hub the medians (the first window only warms up), of memory the mean."""
        medians = {name: statistics.median(each[name] for each in self._each[1:]) for name in self._each[0]}
        return medians | {"kept": self._kept / self._commands}


def beyond_fan_out(windows: dict[str, list[Window]]) -> Ratio:
    """What a command costs beside sending its event, in microseconds: the difference within each round."""
    rounds = zip(windows["whole way"], windows["fan-out"], strict=True)
    return quartiles([1e6 * (one.cpu_s / one.publishes - other.cpu_s / other.publishes) for one, other in rounds])


def product(stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int, *options: str) -> Loaded:
    names = folder / "tables"
    names.write_text("\n".join(new_room_code() for _ in range(rooms)))
    place = Place(free_port(), free_port(), names, clients)
    return loaded(stack, python("hub_under_load.py", place.port, place.control, redis, names, *options), PRODUCT, place)


def the_ceiling(stack: ExitStack, folder: Path, rooms: int, clients: int) -> Loaded:
    names = folder / "numbers"
    names.write_text("\n".join(map(str, range(rooms))))
    place = Place(free_port(), free_port(), names, clients)
    arguments = map(str, (place.port, place.control, mean_bytes()))
    return loaded(stack, [BUILD / "ceiling", *arguments], CEILING, place)


async def pin_redis(url: str) -> None:
    """It shares the load's core: the hub has its own."""
    async with Redis.from_url(url) as client:
        pid = (await client.info("server"))["process_id"]
    os.sched_setaffinity(pid, {LOAD_CORE})


def summary(windows: dict[str, list[Window]]) -> dict[str, Any]:
    ceiling = windows["ceiling"]
    return {
        name: {
            "ratio": msgspec.to_builtins(against(ceiling, those)),
            "us_a_delivery": msgspec.to_builtins(quartiles([1e6 / one.rate for one in those])),
            "us_a_publish": msgspec.to_builtins(quartiles([1e6 * one.cpu_s / one.publishes for one in those])),
            "p50_us": msgspec.to_builtins(quartiles([one.p50_us for one in those])),
            "p99_us": msgspec.to_builtins(quartiles([one.p99_us for one in those])),
            "wire_bytes": statistics.median(one.wire_bytes / one.frames for one in those),
        }
        for name, those in windows.items()
    }


def table(name: str, figures: dict[str, Any]) -> str:
    lines = [f"{name:12} {'ratio':>6} {'quartiles':>13} {'us each':>8} {'a publish':>13} {'p50 ms':>8} {'p99 ms':>8}"]
    for way, one in figures.items():
        ratio = one["ratio"]
        lines.append(
            f"  {way:10} {ratio['median']:6.2f} {ratio['low']:6.2f}-{ratio['high']:<6.2f}"
            f" {one['us_a_delivery']['median']:8.2f} {one['us_a_publish']['median']:13.1f}"
            f" {one['p50_us']['median'] / 1000:8.2f} {one['p99_us']['median'] / 1000:8.2f}"
        )
    return "\n".join(lines)


def main() -> None:
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else None
    wanted = sys.argv[2:] or list(SCENARIOS)
    build()
    found = {}
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as folder:
            found[name] = scenario(Path(folder), *SCENARIOS[name], asked or ROUNDS.get(name, 11))
        print(table(name, found[name]["ways"]))
        store = found[name]["store"]
        print(f"  redis, a command: {store['us']:.1f} us of CPU, {store['kept']:.0f} bytes kept,", end=" ")
        print(f"{store['bytes_in']:.0f} bytes in, {store['bytes_out']:.0f} out", flush=True)
    write("fanout", found if len(found) == len(SCENARIOS) else read("fanout") | found)


if __name__ == "__main__":
    main()

"""One room with many screens, and many rooms: how close to the ceiling the hub sends.

    python tests/bench/bench_fanout.py [ROUNDS [SCENARIO ...]]

The ceiling is a C program that sends a ready frame of the same size with one send() a subscriber (ceiling.c). Printed
are ratios of deliveries per second of the server's CPU, taken in the same round. `fan-out`: events published inside the
hub. `whole way`: commands over sockets, each decided, committed, heard back and sent; Redis's own CPU is not in it.
`burst of 8`: eight events in one turn of the loop, against one send() for each frame. It fails on no time.
"""

import asyncio
import json
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
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
    Window,
    against,
    build,
    in_turns,
    loaded,
    python,
    quartiles,
)
from tests.servers import free_port, running_redis  # noqa: E402

from bookboard.hub.chance import new_room_code  # noqa: E402

SCENARIOS = {
    "1 x 100": (1, 100),
    "1 x 1000": (1, 1000),
    "1 x 4000": (1, 4000),
    "200 x 8": (200, 8),
    "2000 x 8": (2000, 8),
}


def scenario(folder: Path, rooms: int, clients: int, rounds: int) -> dict[str, Any]:
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(folder))
        asyncio.run(pin_redis(redis.url))
        hub = product(stack, folder, redis.url, rooms, clients)
        ceiling = the_ceiling(stack, folder, rooms, clients)
        windows = in_turns(
            rounds,
            {
                "ceiling": lambda: ceiling.order(f"run {WINDOW_MS} 1"),
                "fan-out": lambda: hub.order(f"run {WINDOW_MS} 1"),
                "burst of 8": lambda: hub.order(f"run {WINDOW_MS} 8"),
                "whole way": lambda: hub.order(f"command {WINDOW_MS}"),
            },
        )
    return summary(windows)


def product(stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int) -> Loaded:
    names = folder / "tables"
    names.write_text("\n".join(new_room_code() for _ in range(rooms)))
    place = Place(free_port(), free_port(), names, clients)
    return loaded(stack, python("hub_under_load.py", place.port, place.control, redis, names), PRODUCT, place)


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
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    wanted = sys.argv[2:] or list(SCENARIOS)
    build()
    found = {}
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as folder:
            found[name] = scenario(Path(folder), *SCENARIOS[name], rounds)
        print(table(name, found[name]), flush=True)
        (BUILD / "fanout.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

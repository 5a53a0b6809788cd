"""What an idle connection and a quiet room hold of a hub's memory, and what a crowd that comes back costs it.

    python tests/bench/bench_memory.py

Memory is what the process itself holds (RssAnon), after and before. The crowd: 2,000 subscribers of a room, whose hub
was killed, are welcomed by a new one; printed are the new hub's CPU for that, and the scripts it ran in the store: the
table is opened, asked for and read, each once. It fails on nothing.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.rig import (  # noqa: E402
    BUILD,
    PRODUCT,
    SERVER_CORE,
    Loaded,
    Place,
    answer,
    build,
    connect,
    cpu_s,
    memory_kb,
    python,
    start,
    stop,
)
from tests.servers import free_port, running_redis  # noqa: E402

from bookboard.hub.chance import new_room_code  # noqa: E402

CROWD = 2000


def hub_on(
    stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int
) -> tuple["subprocess.Popen[str]", Place]:
    names = folder / f"tables-{rooms}"
    if not names.exists():
        names.write_text("\n".join(new_room_code() for _ in range(rooms)))
    place = Place(free_port(), free_port(), names, clients)
    server = start(python("hub_under_load.py", place.port, place.control, redis, names), SERVER_CORE)
    stack.callback(stop, server)
    answer(server)
    return server, place


def held_kb(folder: Path, redis: str, rooms: int, clients: int) -> float:
    """What a hub holds more once the subscribers are up."""
    with ExitStack() as stack:
        server, place = hub_on(stack, folder, redis, rooms, clients)
        before = memory_kb(server.pid)
        stack.callback(stop, connect(PRODUCT, place))
        return memory_kb(server.pid) - before


def crowd(folder: Path, redis: str) -> dict[str, Any]:
    with ExitStack() as stack:
        server, place = hub_on(stack, folder, redis, 1, CROWD)
        load = connect(PRODUCT, place)
        server.kill()
        server.wait()
        stop(load)
        reads = asyncio.run(script_calls(redis))
        server, place = hub_on(stack, folder, redis, 1, CROWD)
        before = cpu_s(server.pid)
        stack.callback(stop, connect(PRODUCT, place))
        spent = cpu_s(server.pid) - before
        return {"clients": CROWD, "cpu_s": spent, "scripts_run": asyncio.run(script_calls(redis)) - reads}


def pong_us(folder: Path, redis: str) -> float:
    """What the answer to a beat costs a hub: every screen gives it, every few seconds."""
    with ExitStack() as stack:
        server, place = hub_on(stack, folder, redis, 1, 1000)
        load = connect(PRODUCT, place)
        stack.callback(stop, load)
        loaded = Loaded(load, server)
        return statistics.median(1e6 * loaded.order("pong").cpu_s / 1000 for _ in range(9))


async def script_calls(url: str) -> int:
    async with Redis.from_url(url) as client:
        stats = await client.info("commandstats")
        return int(stats.get("cmdstat_evalsha", {}).get("calls", 0))


def main() -> None:
    build()
    with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as name, running_redis(Path(name)) as redis:
        folder = Path(name)
        one_room = {count: held_kb(folder, redis.url, 1, count) for count in (100, 4000)}
        connection = (one_room[4000] - one_room[100]) / 3900
        many = {rooms: held_kb(folder, redis.url, rooms, 1) / rooms for rooms in (2000, 10000)}
        unwatched = held_kb(folder, redis.url, 2000, 0)
        found: dict[str, Any] = {
            "connection_kb": connection,
            "quiet_room_kb": {str(rooms): kb - connection for rooms, kb in many.items()},
            "unwatched_rooms_kb": unwatched,
            "pong_us": pong_us(folder, redis.url),
            "crowd": crowd(folder, redis.url),
        }
    print(f"an idle connection       {connection:6.1f} kB")
    for rooms, kb in many.items():
        print(f"a quiet room of {rooms:6}   {kb - connection:6.1f} kB, besides its one connection")
    print(f"2,000 tables unwatched   {unwatched:6.0f} kB in all")
    print(f"the answer to a beat     {found['pong_us']:6.0f} us of CPU")
    told = found["crowd"]
    print(f"{CROWD} come back          {told['cpu_s']:6.2f} s of CPU, {told['scripts_run']} scripts run in the store")
    (BUILD / "memory.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

"""What an idle connection and a quiet room hold of a hub's memory, and what a crowd that comes back costs it.

    python tests/bench/bench_memory.py

Memory is what the process itself holds (RssAnon), after and before. The crowd: 2,000 screens of 40 tables whose hub was
killed are welcomed by another one. Printed are that hub's CPU, and the scripts it ran in the store for each of the
tables: is it there, and what is in it, however many ask. Then again while some other tables play there, each as fast as
it can: printed is what these wait, from a command to the last screen, beside what they wait when it is quiet. It fails
on nothing.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
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

CROWD_TABLES, CROWD_SCREENS = 40, 50
OTHERS, OTHERS_SCREENS = 4, 8
PLAY = "command 1000"
ROUNDS = 5


def tables(folder: Path, count: int) -> Path:
    """A file of that many names, of tables that are not there yet."""
    names = folder / f"tables-{count}-{new_room_code()}"
    names.write_text("\n".join(new_room_code() for _ in range(count)))
    return names


def hub_on(stack: ExitStack, redis: str, names: Path, clients: int = 0) -> tuple["subprocess.Popen[str]", Place]:
    place = Place(free_port(), free_port(), names, clients)
    server = start(python("hub_under_load.py", place.port, place.control, redis, names), SERVER_CORE)
    stack.callback(stop, server)
    answer(server)
    return server, place


def held_kb(folder: Path, redis: str, rooms: int, clients: int) -> float:
    """What a hub holds more once the subscribers are up."""
    with ExitStack() as stack:
        server, place = hub_on(stack, redis, tables(folder, rooms), clients)
        before = memory_kb(server.pid)
        stack.callback(stop, connect(PRODUCT, place))
        return memory_kb(server.pid) - before


class Crowd(Struct):
    """The hub's CPU for a client that comes back, and how long other tables' screens wait, as 99th percentile."""

    cpu_us: float
    scripts_a_table: float
    quiet_ms: float
    meanwhile_ms: float


def crowd(folder: Path, redis: str) -> Crowd:
    theirs, others = tables(folder, CROWD_TABLES), tables(folder, OTHERS)
    with ExitStack() as stack:
        killed, _ = hub_on(stack, redis, theirs)
        killed.kill()
        server, place = hub_on(stack, redis, others, OTHERS_SCREENS)
        at_other = Place(place.port, 0, theirs, CROWD_SCREENS)
        reads, before = asyncio.run(script_calls(redis)), cpu_s(server.pid)
        load = connect(PRODUCT, at_other)
        spent = cpu_s(server.pid) - before
        reads = asyncio.run(script_calls(redis)) - reads
        stop(load)
        playing = Loaded(connect(PRODUCT, place), server)
        stack.callback(stop, playing.load)
        quiet = playing.order(PLAY)
        with ThreadPoolExecutor(1) as aside:
            waiting = aside.submit(playing.order, PLAY)
            stack.callback(stop, connect(PRODUCT, at_other))
            meanwhile = waiting.result()
    each = 1e6 * spent / (CROWD_TABLES * CROWD_SCREENS)
    return Crowd(each, reads / CROWD_TABLES, quiet.p99_us / 1000, meanwhile.p99_us / 1000)


def pong_us(folder: Path, redis: str) -> float:
    """What the answer to a beat costs a hub: every screen gives it, every few seconds."""
    with ExitStack() as stack:
        server, place = hub_on(stack, redis, tables(folder, 1), 1000)
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
            "crowd": [structs.asdict(crowd(folder, redis.url)) for _ in range(ROUNDS)],
        }
    print(f"an idle connection       {connection:6.1f} kB")
    for rooms, kb in many.items():
        print(f"a quiet room of {rooms:6}   {kb - connection:6.1f} kB, besides its one connection")
    print(f"2,000 tables unwatched   {unwatched:6.0f} kB in all")
    print(f"the answer to a beat     {found['pong_us']:6.0f} us of CPU")
    told = {name: statistics.median(one[name] for one in found["crowd"]) for name in found["crowd"][0]}
    clients = CROWD_TABLES * CROWD_SCREENS
    print(f"{clients} come back          {told['cpu_us'] * clients / 1e6:6.2f} s of CPU, {told['cpu_us']:.0f} us each")
    print(f"  scripts run a table    {told['scripts_a_table']:6.1f}")
    print(f"  others' p99 meanwhile  {told['meanwhile_ms']:6.1f} ms, {told['quiet_ms']:.1f} ms when it is quiet")
    (BUILD / "memory.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

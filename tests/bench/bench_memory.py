"""What an idle connection and a quiet room hold of a hub's memory, and what a crowd that comes back costs everybody.

    python tests/bench/bench_memory.py

Memory is what the process itself holds (RssAnon), after and before. The crowd: 2,000 screens of 40 tables whose hub was
killed are welcomed by another one; printed are that hub's CPU for it, and the scripts it ran in the store for each
table: is it there, and what is in it, however many ask. The storm: as many come to one table of a hub that 20 others
play on, each twenty hands a second; printed is what these wait meanwhile, and before. All of it shares two cores. It
fails on nothing.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.hub_under_load import open_tables  # noqa: E402
from tests.bench.rig import (  # noqa: E402
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
    write,
)
from tests.servers import free_port, running_redis  # noqa: E402

from bookboard.hub.live.ids import new_room_code  # noqa: E402
from bookboard.store.redis_store import RedisStore  # noqa: E402

CROWD, CROWD_TABLES = 2000, 40
OTHERS = 20
PLAY = "trace command 4000 50"
IDLE_S = 6.0


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


def crowd(folder: Path, redis: str) -> dict[str, float]:
    with ExitStack() as stack:
        killed, theirs = hub_on(stack, folder, redis, CROWD_TABLES, CROWD // CROWD_TABLES)
        killed.kill()
        server, place = hub_on(stack, folder, redis, 1, 0)
        reads, before = asyncio.run(script_calls(redis)), cpu_s(server.pid)
        stack.callback(stop, connect(PRODUCT, Place(place.port, 0, theirs.rooms, theirs.clients)))
        spent = cpu_s(server.pid) - before
        reads = asyncio.run(script_calls(redis)) - reads
        return {"clients": CROWD, "cpu_s": spent, "scripts_a_table": reads / CROWD_TABLES}


def pong_us(folder: Path, redis: str) -> float:
    """What the answer to a beat costs a hub: every screen gives it, every few seconds."""
    with ExitStack() as stack:
        server, place = hub_on(stack, folder, redis, 1, 1000)
        load = connect(PRODUCT, place)
        stack.callback(stop, load)
        loaded = Loaded(load, server)
        return statistics.median(1e6 * loaded.order("pong").cpu_s / 1000 for _ in range(9))


def storm(folder: Path, redis: str) -> dict[str, Any]:
    """Milliseconds from a command to the last of its table's eight screens, before and while the crowd comes."""
    with ExitStack() as stack:
        server, crowded = hub_on(stack, folder, redis, 1, CROWD)
        others = folder / "others"
        others.write_text("\n".join(new_room_code() for _ in range(OTHERS)))
        asyncio.run(open_all(redis, others.read_text().split()))
        load = connect(PRODUCT, Place(crowded.port, 0, others, 8))
        stack.callback(stop, load)
        playing = Loaded(load, server)
        before = [playing.order(PLAY) for _ in range(3)][1:]
        playing.say(PLAY)
        began = time.monotonic()
        stack.callback(stop, connect(PRODUCT, crowded))
        took_s = time.monotonic() - began
        meanwhile = playing.window(answer(load), 0)
    quiet = waits_ms([span for window in before for span in window.spans])
    stormy = waits_ms([span for span in meanwhile.spans if span[0] / 1e9 < began + took_s])
    return {"clients": CROWD, "took_s": took_s, "others": OTHERS, "before_ms": quiet, "meanwhile_ms": stormy}


def waits_ms(spans: list[tuple[int, int]]) -> dict[str, float]:
    waits = sorted((done - asked) / 1e6 for asked, done in spans)
    return {"p50": waits[len(waits) // 2], "p99": waits[len(waits) * 99 // 100], "longest": waits[-1]}


async def open_all(redis: str, codes: list[str]) -> None:
    store = await RedisStore.connect(redis)
    await open_tables(store, codes)
    await store.close()


def idle_cores(folder: Path, redis: str) -> dict[str, float]:
    """What a hub that nobody uses takes of its core and of Redis's: it looks whose time is up, and how the store is."""
    with ExitStack() as stack:
        server, _ = hub_on(stack, folder, redis, 1, 0)
        store = asyncio.run(store_info(redis, "server", "process_id"))
        time.sleep(1)
        before, began = (cpu_s(server.pid), cpu_s(store)), time.monotonic()
        time.sleep(IDLE_S)
        seconds = time.monotonic() - began
        return {"hub": (cpu_s(server.pid) - before[0]) / seconds, "redis": (cpu_s(store) - before[1]) / seconds}


async def store_info(url: str, section: str, name: str) -> int:
    async with Redis.from_url(url) as client:
        return int((await client.info(section))[name])


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
        many = {2000: held_kb(folder, redis.url, 2000, 1) / 2000}
        before = asyncio.run(store_info(redis.url, "memory", "used_memory"))
        many[10000] = held_kb(folder, redis.url, 10000, 1) / 10000
        stored = (asyncio.run(store_info(redis.url, "memory", "used_memory")) - before) / 10000 / 1000
        unwatched = held_kb(folder, redis.url, 2000, 0)
        found: dict[str, Any] = {
            "connection_kb": connection,
            "quiet_room_kb": {str(rooms): kb - connection for rooms, kb in many.items()},
            "unwatched_rooms_kb": unwatched,
            "stored_table_kb": stored,
            "pong_us": pong_us(folder, redis.url),
            "idle_cores": idle_cores(folder, redis.url),
            "crowd": crowd(folder, redis.url),
            "storm": storm(folder, redis.url),
        }
    print(f"an idle connection       {connection:6.1f} kB")
    for rooms, kb in many.items():
        print(f"a quiet room of {rooms:6}   {kb - connection:6.1f} kB, besides its one connection")
    print(f"a table in Redis         {stored:6.1f} kB")
    print(f"2,000 tables unwatched   {unwatched:6.0f} kB in all")
    print(f"the answer to a beat     {found['pong_us']:6.0f} us of CPU")
    told = found["crowd"]
    print(f"{CROWD} come back          {told['cpu_s']:6.2f} s of CPU, {told['scripts_a_table']:.1f} scripts a table")
    played = found["storm"]
    for when in ("before", "meanwhile"):
        waits = played[f"{when}_ms"]
        print(f"{OTHERS} other tables, {when:10} p50 {waits['p50']:7.1f} ms, p99 {waits['p99']:7.1f}", end=" ")
        print(f"ms, the longest {waits['longest']:.1f} ms")
    print(f"the crowd was there after  {played['took_s']:6.2f} s")
    idle = found["idle_cores"]
    print(f"a hub nobody uses          {idle['hub']:.2%} of its core, {idle['redis']:.2%} of Redis's")
    write("memory", found)


if __name__ == "__main__":
    main()

"""`make soak`: two hundred tables through a league night of compressed time, with faults at random.

One hub lives through all of it: its memory, files, tasks and rooms tell whether anything is leaked. The other one and
the store are killed, stalled and cut off. SEED, SOAK_MINUTES (30), SOAK_TABLES (200) and SOAK_PACE (1; 10 is ten times
as fast) come from the environment. Before the minutes count, all that may fill is filled: a hub keeps the last 64
events of a table and the hands of its game, and has the clients of the other one while that is down.
"""

import asyncio
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import asdict
from redis.asyncio import Redis
from tests.faults.arrangements import KeptRedis
from tests.faults.club import Club, Table, in_thread, running_club
from tests.faults.tally import Tally, table
from tests.faults.test_crowds import memory_kb
from tests.hub.serving import HubProcess, counts_of
from tests.servers import RedisServer, until

from bookboard.hub.live.screens import KEPT_EVENTS

SEED = int(os.environ.get("SEED") or time.time_ns() % 2**31)
MINUTES = float(os.environ.get("SOAK_MINUTES") or 30)
TABLES = int(os.environ.get("SOAK_TABLES") or 200)
HANDS_A_GAME = 40
PACE = float(os.environ.get("SOAK_PACE") or 1)
PAUSE_S = 2.0 / PACE, 6.0 / PACE
SHORTEST_PAUSE_S = 0.1
"""A connection may say ten things a second."""
FAULT_EVERY_S = 5.0, 15.0
SAMPLE_EVERY_S = 5.0
MAX_GROWTH = 0.005
"""Of the memory, in a minute. The slope is that of the second half."""
BACK_WITHIN_S = 60
"""A room is kept for half a minute after its last watcher left."""
LONGEST_EXCEPTION = 4000
MORE_FILES = 4
"""The lanes to the store are opened when they are first needed."""

Fault = Callable[[Club, RedisServer, HubProcess], Awaitable[None]]


class Sample(Struct, frozen=True):
    minute: float
    memory_kb: int


class Stand(Struct, frozen=True):
    """What the hub has, and the store's keys."""

    memory_kb: int
    files: int
    connections: int
    rooms: int
    tasks: int
    keys: int


# ── the night ────────────────────────────────────────────────────────────────────────────────────────────────────


async def play_night(table: Table, until_s: float) -> None:
    """Hand after hand, game after game, at the pace of people in a hurry."""
    loop, rng = asyncio.get_running_loop(), Random(table.club.rng.random())
    while loop.time() < until_s:
        await asyncio.sleep(rng.uniform(*PAUSE_S))  # people, not a condition
        await play_on(table)


async def play_on(table: Table) -> None:
    """The next hand; after the last one the next game."""
    if table.hand < HANDS_A_GAME:
        await table.play(1)
        return
    for command in ("end_game", "next_game", "start_game"):
        extra = {"hand": table.hand + 1} if command == "end_game" else {}
        table.game += command == "start_game"
        answer = await table.phones[0].do(command, game=table.game, **extra)
        assert answer["type"] == "done", answer
    table.hand = 0


async def warm_up(club: Club, redis: RedisServer, doomed: HubProcess) -> None:
    """Everything kept of a table is, tables are anywhere in their games, and all clients have been at the first hub."""

    async def play_fast(table: Table, hands: int) -> None:
        await table.screens[0].move_to(0)
        for _ in range(hands):
            await asyncio.sleep(SHORTEST_PAUSE_S)
            await play_on(table)

    await asyncio.gather(*(play_fast(t, KEPT_EVENTS + club.rng.randrange(HANDS_A_GAME)) for t in club.tables))
    club.tally.fault()
    await kill_hub(club, redis, doomed)
    await asyncio.gather(*(client.until(lambda client: client.is_live) for client in club.clients))


async def kill_hub(_: Club, __: RedisServer, doomed: HubProcess) -> None:
    doomed.kill()
    await in_thread(doomed.start)


async def replace_hub(_: Club, __: RedisServer, doomed: HubProcess) -> None:
    assert await in_thread(doomed.stop) == 0
    await in_thread(doomed.start)


async def kill_store(_: Club, redis: RedisServer, __: HubProcess) -> None:
    redis.kill()
    await in_thread(redis.start)


async def stall_store(club: Club, redis: RedisServer, __: HubProcess) -> None:
    redis.signal(signal.SIGSTOP)
    await asyncio.sleep(club.rng.uniform(0.1, 8))
    redis.signal(signal.SIGCONT)


async def cut_feeds(_: Club, redis: RedisServer, __: HubProcess) -> None:
    async with Redis.from_url(redis.url) as raw:
        await raw.client_kill_filter(_type="pubsub")


async def hang_up(club: Club, _: RedisServer, __: HubProcess) -> None:
    for client in club.rng.sample(club.clients, len(club.clients) // 10):
        client.drop()


FAULTS: list[Fault] = [kill_hub, replace_hub, kill_store, stall_store, cut_feeds, hang_up]


async def break_things(club: Club, redis: RedisServer, doomed: HubProcess, until_s: float) -> None:
    while asyncio.get_running_loop().time() < until_s:
        await asyncio.sleep(club.rng.uniform(*FAULT_EVERY_S))
        fault = club.rng.choice(FAULTS)
        club.tally.fault()
        await fault(club, redis, doomed)


# ── what may not grow ────────────────────────────────────────────────────────────────────────────────────────────


async def stand_of(hub: HubProcess, redis: RedisServer) -> Stand:
    assert hub.process is not None
    counts = await in_thread(counts_of, hub)
    files = await in_thread(os.listdir, f"/proc/{hub.process.pid}/fd")
    async with Redis.from_url(redis.url) as raw:
        keys = await raw.dbsize()
    return Stand(memory_kb(hub), len(files), counts.connections, counts.rooms, counts.tasks, keys)


def has_come_back(now: Stand, empty: Stand) -> bool:
    files_left = now.files > empty.files + MORE_FILES
    return not (files_left or now.connections or now.rooms or now.tasks > empty.tasks)


async def come_back(hub: HubProcess, redis: RedisServer, empty: Stand) -> Stand:
    """What the hub has once it has let go of everything, or when it should have."""
    stands = [empty]

    async def is_back() -> bool:
        stands.append(await stand_of(hub, redis))
        return has_come_back(stands[-1], empty)

    with suppress(TimeoutError):
        await until(is_back, within_s=BACK_WITHIN_S)
    return stands[-1]


def slope_kb(samples: list[Sample]) -> float:
    """Growth of the memory a minute: least squares over the second half."""
    half = samples[len(samples) // 2 :]
    minute = sum(each.minute for each in half) / len(half)
    memory = sum(each.memory_kb for each in half) / len(half)
    spread = sum((each.minute - minute) ** 2 for each in half)
    return sum((each.minute - minute) * (each.memory_kb - memory) for each in half) / spread if spread else 0.0


async def watch(hub: HubProcess, samples: list[Sample]) -> None:
    started = asyncio.get_running_loop().time()
    while True:
        samples.append(Sample((asyncio.get_running_loop().time() - started) / 60, memory_kb(hub)))
        await asyncio.sleep(SAMPLE_EVERY_S)


async def stray_keys(redis: RedisServer, tables: list[Table]) -> list[str]:
    """Keys that belong to no table, due list or finished game of this night."""
    codes = {table.code for table in tables}
    async with Redis.from_url(redis.url, decode_responses=True) as raw:
        names = [name.split(":") async for name in raw.scan_iter("*", count=1000)]
    return [":".join(name) for name in names if not (name[1] in {"due", "writable"} or name[2] in codes)]


# ── all of it ────────────────────────────────────────────────────────────────────────────────────────────────────


async def soak(club: Club, redis: RedisServer) -> list[str]:
    """What is wrong at the end; nothing, if all is well."""
    steady, doomed = await club.hubs_on(redis.url, redis.url)
    empty = await stand_of(steady, redis)
    tables = [await club.table((steady, doomed)[number % 2]) for number in range(TABLES)]
    for number in range(0, TABLES, 10):
        await asyncio.gather(*(t.sit_down([steady, doomed], phones=1, screens=1) for t in tables[number : number + 10]))
    await warm_up(club, redis, doomed)
    print(f"everything is filled after {club.tally.acknowledged} commands; the minutes count", flush=True)
    samples: list[Sample] = []
    watching = asyncio.create_task(watch(steady, samples))
    until_s = asyncio.get_running_loop().time() + MINUTES * 60
    await asyncio.gather(break_things(club, redis, doomed, until_s), *(play_night(t, until_s) for t in tables))
    watching.cancel()
    for each in tables:
        await each.check()
    strays = await stray_keys(redis, tables)
    full = await stand_of(steady, redis)
    await asyncio.gather(*(client.stop() for client in club.clients))
    left = await come_back(steady, redis, empty)
    slope = slope_kb(samples)
    for when, stand in {"before anybody came": empty, "at the end": full, "after everybody left": left}.items():
        print(f"{when + ':':22}" + ", ".join(f"{many} {what}" for what, many in asdict(stand).items()))
    print(f"memory_kb: {slope:+.0f} a minute over the second half ({slope / samples[-1].memory_kb:+.2%})")
    print(f"keys that belong to nobody: {len(strays)}")
    lost = club.tally.lost + club.tally.doubled + club.tally.wrong
    found = {
        "something was lost, doubled or wrong": lost > 0,
        "memory grows": slope > MAX_GROWTH * samples[-1].memory_kb,
        "connections, rooms, tasks or files are left": not has_come_back(left, empty),
        "keys are left": bool(strays),
        "the hub logged an exception": any("Traceback" in hub.log.read_text() for hub in (steady, doomed)),
    }
    return [wrong for wrong, is_so in found.items() if is_so]


def print_exceptions(folder: Path) -> None:
    """From the hubs' logs, which are about to be gone."""
    for log in sorted(folder.rglob("hub-*.log")):
        _, begin, exception = log.read_text().partition("Traceback")
        if begin:
            print(f"{log.name}: {begin}{exception[:LONGEST_EXCEPTION]}")


async def main() -> int:
    """The exit status."""
    logging.basicConfig(level=logging.ERROR)
    tally = Tally("0 soak")
    print(f"{TABLES} tables for {MINUTES:g} minutes, SEED={SEED}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        redis = KeptRedis(Path(folder) / "redis")
        redis.start()
        try:
            async with running_club(Path(folder), Random(SEED), tally) as club:
                await club.look_behind(redis.url)
                found = await soak(club, redis)
        finally:
            redis.kill()
            print_exceptions(Path(folder))
    print("\n".join([*table([tally.row()]), *found]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

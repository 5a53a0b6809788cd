"""`make soak`: two hundred tables through a league night of compressed time, with faults at random.

One hub lives through all of it: its memory and files tell whether anything is leaked. The other one and the store are
killed, stalled and cut off. SEED, SOAK_MINUTES (30), SOAK_TABLES (200) and SOAK_PACE (1; 10 is ten times as fast) come
from the environment. A table keeps its last 64 events, so memory grows until each has had as many.
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
from redis.asyncio import Redis
from tests.faults.arrangements import KeptRedis
from tests.faults.club import Club, Table, in_thread, running_club
from tests.faults.tally import Tally, table
from tests.faults.test_crowds import memory_kb
from tests.hub.serving import HubProcess
from tests.servers import RedisServer, until

SEED = int(os.environ.get("SEED") or time.time_ns() % 2**31)
MINUTES = float(os.environ.get("SOAK_MINUTES") or 30)
TABLES = int(os.environ.get("SOAK_TABLES") or 200)
HANDS_A_GAME = 40
PACE = float(os.environ.get("SOAK_PACE") or 1)
PAUSE_S = 2.0 / PACE, 6.0 / PACE
FAULT_EVERY_S = 5.0, 15.0
SAMPLE_EVERY_S = 5.0
MOST_GROWTH = 0.005
"""Of the memory, in a minute. Caches that fill at first are not counted: the slope is that of the second half."""

Fault = Callable[[Club, RedisServer, HubProcess], Awaitable[None]]


class Sample(Struct, frozen=True):
    minute: float
    memory_kb: int
    files: int


# ── the night ────────────────────────────────────────────────────────────────────────────────────────────────────


async def play_night(table: Table, until_s: float) -> None:
    """Hand after hand, game after game, at the pace of people in a hurry."""
    loop, rng, host = asyncio.get_running_loop(), Random(table.club.rng.random()), table.phones[0]
    while loop.time() < until_s:
        await asyncio.sleep(rng.uniform(*PAUSE_S))  # people, not a condition
        if table.hand < HANDS_A_GAME:
            await table.play(1)
            continue
        for command in ("end_game", "next_game", "start_game"):
            extra = {"hand": table.hand + 1} if command == "end_game" else {}
            table.game += command == "start_game"
            answer = await host.do(command, game=table.game, **extra)
            assert answer["type"] == "done", answer
        table.hand = 0


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


def sample(hub: HubProcess, minute: float) -> Sample:
    assert hub.process is not None
    return Sample(minute, memory_kb(hub), len(list(Path(f"/proc/{hub.process.pid}/fd").iterdir())))


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
        samples.append(sample(hub, (asyncio.get_running_loop().time() - started) / 60))
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
    empty = sample(steady, 0)
    tables = [await club.table((steady, doomed)[number % 2]) for number in range(TABLES)]
    for number in range(0, TABLES, 10):
        await asyncio.gather(*(t.sit_down([steady, doomed], phones=1, screens=1) for t in tables[number : number + 10]))
    samples: list[Sample] = []
    watching = asyncio.create_task(watch(steady, samples))
    until_s = asyncio.get_running_loop().time() + MINUTES * 60
    await asyncio.gather(break_things(club, redis, doomed, until_s), *(play_night(t, until_s) for t in tables))
    watching.cancel()
    for each in tables:
        await each.check()
    strays = await stray_keys(redis, tables)
    await asyncio.gather(*(client.stop() for client in club.clients))
    slope = slope_kb(samples)
    last = samples[-1]
    print(f"memory of the hub: {last.memory_kb} kB at the end, {slope:+.0f} kB a minute over the second half")
    print(f"files of the hub: {empty.files} before anybody came, {last.files} with {len(club.clients)} clients")
    with suppress(TimeoutError):
        await until(lambda: sample(steady, 0).files <= empty.files + 4, within_s=60)
    left = sample(steady, 0).files
    print(f"files of the hub: {left} after everybody left; keys that belong to nobody: {len(strays)}")
    lost = club.tally.lost + club.tally.doubled + club.tally.wrong
    found = {
        "something was lost, doubled or wrong": lost > 0,
        "memory grows": slope > MOST_GROWTH * last.memory_kb,
        "sockets are left open": left > empty.files + 4,
        "keys are left": bool(strays),
        "the hub logged an exception": any("Traceback" in hub.log.read_text() for hub in (steady, doomed)),
    }
    return [wrong for wrong, is_so in found.items() if is_so]


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
    print("\n".join([*table([tally.row()]), *found]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

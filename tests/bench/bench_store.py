"""Commits a second: alone and by many tables at once, on the embedded server with each fsync, and on Redis without and
with a replica that is waited for.

    python tests/bench/bench_store.py [ROUNDS]

The servers are up together and their windows take turns in a random order, so that what else the machine does falls on
all alike. Printed are the median over the rounds and the quartiles, and what each costs against another in the same
round; and how many commits a second of Redis's own core is good for, and what each hub that hears them takes of it.
Nothing ever fails on a time.
"""

import asyncio
import random
import statistics
import sys
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter

from redis.asyncio import Redis

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.rig import cpu_s, quartiles, require, write  # noqa: E402
from tests.servers import REDIS, running_redis  # noqa: E402
from tests.store.rooms import insist  # noqa: E402

from bookboard.store import keys  # noqa: E402
from bookboard.store.contract import Commit, Committed, NewEntry, Snapshot  # noqa: E402
from bookboard.store.embedded import EmbeddedServer  # noqa: E402
from bookboard.store.redis_store import RedisStore  # noqa: E402

WINDOW_S = 0.5
COUNTS = (1, 16, 200)
WAITING = "redis, 1 replica"
HEARERS = 32
HEARD = f"redis, {HEARERS} hubs hear it"
CPU_OF = ("redis", HEARD)
BODY = b"h" * 200
STATE = b"s" * 2000


class Table:
    """A room that commits one hand after another."""

    def __init__(self, store: RedisStore, room: str) -> None:
        self._store = store
        self._room = room
        self._version = 0

    async def commit_once(self) -> None:
        version = self._version
        commit = Commit(
            room=self._room,
            epoch=1,
            version=version,
            actor="west",
            cmd=str(version),
            answer=b"done",
            entries=(NewEntry(f"{self._room}-{version}", BODY),),
            snapshot=Snapshot(version, STATE) if version % 16 == 0 else None,
        )
        answer = await (self._store.create if version == 0 else self._store.commit)(commit)
        assert isinstance(answer, Committed), answer
        self._version += 1


async def commits_a_second(tables: list[Table]) -> float:
    count = 0
    started = perf_counter()
    ends = started + WINDOW_S

    async def play(table: Table) -> None:
        nonlocal count
        while perf_counter() < ends:
            await table.commit_once()
            count += 1

    await asyncio.gather(*(play(table) for table in tables))
    return count / (perf_counter() - started)


class Deaf(asyncio.Protocol):
    """Hears a room's feed and lets it go: what is measured is Redis."""

    def __init__(self, rooms: list[str]) -> None:
        self._rooms = rooms

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        for room in self._rooms:
            transport.write(f'SSUBSCRIBE "{keys.room_keys(room).feed}"\r\n'.encode())


async def main(rounds: int) -> None:
    figures: dict[tuple[str, int], list[float]] = defaultdict(list)
    cpu_us: dict[str, list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bookboard-bench-")))
        redis = stack.enter_context(running_redis(folder / "redis"))
        follow = ("--replicaof", f"127.0.0.1 {redis.port}", "--repl-diskless-sync-delay", "0")
        stack.enter_context(running_redis(folder / "replica", *follow))
        urls = {"redis": redis.url, WAITING: redis.url, HEARD: redis.url}
        for fsync in ("always", "everysec"):
            server = await EmbeddedServer.start(folder / fsync, fsync=fsync)
            stack.push_async_callback(server.stop)
            urls[f"embedded, {fsync}"] = server.url
        async with Redis.from_url(redis.url) as client:
            pid = int((await client.info("server"))["process_id"])
        contenders = {}
        for name, url in urls.items():
            store = await RedisStore.connect(url, wait_replicas=int(name == WAITING))
            stack.push_async_callback(store.close)
            await insist(store.check_writable)
            for count in COUNTS[-1:] if name == HEARD else COUNTS:
                contenders[name, count] = [Table(store, f"{name}-{count}-{number}") for number in range(count)]
            if name == HEARD:
                rooms = [f"{name}-{COUNTS[-1]}-{number}" for number in range(COUNTS[-1])]
                for _ in range(HEARERS):
                    await asyncio.get_running_loop().create_connection(lambda: Deaf(rooms), "127.0.0.1", redis.port)  # noqa: B023
        for _ in range(rounds):
            for (name, count), tables in random.sample(list(contenders.items()), k=len(contenders)):
                before, started = cpu_s(pid), perf_counter()
                rate = await commits_a_second(tables)
                figures[name, count].append(rate)
                if count == COUNTS[-1] and name in CPU_OF:
                    commits = rate * (perf_counter() - started)
                    cpu_us[name].append(1e6 * (cpu_s(pid) - before) / commits)
    print(f"{'server':20} {'tables':>6} {'commits/s':>10} {'quartiles':>17} {'ms each':>8}")
    for (name, count), rates in sorted(figures.items()):
        low, median, high = statistics.quantiles(rates, n=4)
        print(f"{name:20} {count:6} {median:10,.0f} {low:8,.0f}-{high:<8,.0f} {count / median * 1000:8.2f}")
    for dear, cheap in (("embedded, always", "embedded, everysec"), (WAITING, "redis")):
        for count in COUNTS:
            ratios = [b / a for a, b in zip(figures[dear, count], figures[cheap, count], strict=True)]
            low, median, high = statistics.quantiles(ratios, n=4)
            print(f"{dear} takes {median:.2f} ({low:.2f}-{high:.2f}) times as long as {cheap}, {count} tables")
    alone, heard = (quartiles(cpu_us[name]) for name in CPU_OF)
    listener = (heard.median - alone.median) / HEARERS
    print(f"a commit takes Redis {alone} us of its core: {1e6 / alone.median:,.0f} a second at most")
    print(f"{HEARERS} hubs that hear it make that {heard} us: {listener:.1f} us for each")
    found = {f"{name}, {count} tables": quartiles(each) for (name, count), each in figures.items()}
    write("store", {"commits_a_second": found, "us_a_commit": alone, "us_a_hearer": listener})


if __name__ == "__main__":
    require(str(REDIS))
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 7))

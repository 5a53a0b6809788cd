"""Commits a second: alone and by many tables at once, on the embedded server with each fsync, and on Redis without and
with a replica that is waited for.

    python tests/bench/bench_store.py [ROUNDS]

The servers are up together and their windows take turns in a random order, so that what else the machine does falls on
all alike. Printed are the median over the rounds and the quartiles, and what each costs against another in the same
round; nothing ever fails on a time.
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

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.servers import running_redis  # noqa: E402
from tests.store.rooms import insist  # noqa: E402

from bookboard.store.contract import Commit, Committed, NewEntry, Snapshot  # noqa: E402
from bookboard.store.embedded import EmbeddedServer  # noqa: E402
from bookboard.store.redis_store import RedisStore  # noqa: E402

WINDOW_S = 0.5
COUNTS = (1, 16, 200)
WAITING = "redis, 1 replica"
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


async def main(rounds: int) -> None:
    figures: dict[tuple[str, int], list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bookboard-bench-")))
        redis = stack.enter_context(running_redis(folder / "redis"))
        follow = ("--replicaof", f"127.0.0.1 {redis.port}", "--repl-diskless-sync-delay", "0")
        stack.enter_context(running_redis(folder / "replica", *follow))
        urls = {"redis": redis.url, WAITING: redis.url}
        for fsync in ("always", "everysec"):
            server = await EmbeddedServer.start(folder / fsync, fsync=fsync)
            stack.push_async_callback(server.stop)
            urls[f"embedded, {fsync}"] = server.url
        contenders = {}
        for name, url in urls.items():
            store = await RedisStore.connect(url, wait_replicas=int(name == WAITING))
            stack.push_async_callback(store.close)
            await insist(store.prove)
            for count in COUNTS:
                contenders[name, count] = [Table(store, f"{name}-{count}-{number}") for number in range(count)]
        for _ in range(rounds):
            for key, tables in random.sample(list(contenders.items()), k=len(contenders)):
                figures[key].append(await commits_a_second(tables))
    print(f"{'server':20} {'tables':>6} {'commits/s':>10} {'quartiles':>17} {'ms each':>8}")
    for (name, count), rates in sorted(figures.items()):
        low, median, high = statistics.quantiles(rates, n=4)
        print(f"{name:20} {count:6} {median:10,.0f} {low:8,.0f}-{high:<8,.0f} {count / median * 1000:8.2f}")
    for dear, cheap in (("embedded, always", "embedded, everysec"), (WAITING, "redis")):
        for count in COUNTS:
            ratios = [b / a for a, b in zip(figures[dear, count], figures[cheap, count], strict=True)]
            low, median, high = statistics.quantiles(ratios, n=4)
            print(f"{dear} takes {median:.2f} ({low:.2f}-{high:.2f}) times as long as {cheap}, {count} tables")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 7))

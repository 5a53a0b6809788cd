"""One hub and two: what a delivery costs when the screens of a table are spread, and when they are not.

    python tests/bench/bench_hubs.py [ROUNDS]

The same commands and as many screens, in windows that take turns: on one hub, on two that share a port, on two of which
each has all the screens of half the tables; each on one Redis and on a cluster of three masters. Printed are the ratios
of deliveries per second of CPU, all hubs' together. Two hubs that both have a table's screens both hear and work out
each event; what that costs is measured by a hub that only follows the commands given on another. It fails on no time.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.bench_fanout import pin_redis  # noqa: E402
from tests.bench.rig import (  # noqa: E402
    PRODUCT,
    SERVER_CORE,
    WINDOW_MS,
    Beside,
    Loaded,
    Place,
    Ratio,
    against,
    answer,
    build,
    connect,
    in_turns,
    python,
    quartiles,
    start,
    stop,
    write,
)
from tests.servers import free_port, running_redis, until  # noqa: E402
from tests.store.test_cluster import LAST_SLOT, Cluster  # noqa: E402

from bookboard.hub.live.ids import new_room_code  # noqa: E402

SETTLED_S = 0.1
SCENARIOS = {"1 x 1000": (1, 1000), "1 x 4000": (1, 4000), "200 x 8": (200, 8)}
ON_A_CLUSTER = ("1 x 1000", "200 x 8")
FOLLOWED = {"1 x 100": (1, 100), "200 x 8": (200, 8)}
MASTERS = 3


def names_of(folder: Path, name: str, rooms: int) -> Path:
    names = folder / name
    names.write_text("\n".join(new_room_code() for _ in range(rooms)))
    return names


def started(stack: ExitStack, redis: str, names: Path, port: int, *options: str) -> tuple[int, "subprocess.Popen[str]"]:
    """A hub that is up, and its control port."""
    control = free_port()
    server = start(python("hub_under_load.py", port, control, redis, names, *options), SERVER_CORE)
    stack.callback(stop, server)
    answer(server)
    return control, server


def one_hub(stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int) -> Loaded:
    names = names_of(folder, "tables-of-one", rooms)
    return with_load(stack, redis, names, clients)


def with_load(stack: ExitStack, redis: str, names: Path, clients: int) -> Loaded:
    port = free_port()
    control, server = started(stack, redis, names, port)
    load = connect(PRODUCT, Place(port, control, names, clients))
    stack.callback(stop, load)
    return Loaded(load, server)


def two_hubs(stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int) -> Loaded:
    """The kernel deals each table's screens out to both."""
    names, port = names_of(folder, "tables-of-two", rooms), free_port()
    hubs = [started(stack, redis, names, port, "shared") for _ in range(2)]
    load = connect(PRODUCT, Place(port, hubs[0][0], names, clients))
    stack.callback(stop, load)
    return Loaded(load, *(server for _, server in hubs))


def two_apart(stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int) -> Loaded:
    """Each table's screens are on one of them."""
    halves = [names_of(folder, f"tables-of-half-{number}", rooms // 2) for number in range(2)]
    return Beside(*(with_load(stack, redis, names, clients) for names in halves))


def compared(redis: str, folder: Path, rooms: int, clients: int, rounds: int) -> dict[str, Any]:
    with ExitStack() as stack:
        hubs = {
            "one": one_hub(stack, folder, redis, rooms, clients),
            "two": two_hubs(stack, folder, redis, rooms, clients),
        }
        if rooms > 1:
            hubs["apart"] = two_apart(stack, folder, redis, rooms, clients)
        windows = in_turns(rounds, {name: partial(one.order, f"command {WINDOW_MS}") for name, one in hubs.items()})
    return {
        "ratio": {name: against(windows["one"], those) for name, those in windows.items() if name != "one"},
        "us_a_command": {
            name: quartiles([1e6 * each.cpu_s / each.publishes for each in those]) for name, those in windows.items()
        },
    }


def followed(redis: str, folder: Path, rooms: int, clients: int, rounds: int) -> Ratio:
    """Microseconds a command takes a hub that is not given it, beside what sending its event costs there."""
    with ExitStack() as stack:
        names = names_of(folder, "tables-followed", rooms)
        asked = with_load(stack, redis, names, clients)
        follower = with_load(stack, redis, names, clients)
        costs = []
        for _ in range(rounds + 1):
            sent = follower.order(f"run {WINDOW_MS} 1")
            before = follower.cpu_s()
            window = asked.order(f"command {WINDOW_MS}")
            time.sleep(SETTLED_S)  # what is behind still hears
            heard = (follower.cpu_s() - before) / window.publishes
            costs.append(1e6 * (heard - sent.cpu_s / sent.publishes))
    return quartiles(costs[1:])


class Masters(Cluster):
    """A Redis Cluster without replicas: what is measured is the hub's way to several servers."""

    async def build(self) -> None:
        bounds = [LAST_SLOT * number // MASTERS for number in range(MASTERS)] + [LAST_SLOT + 1]
        for number in range(MASTERS):
            await self.ask(number, "CLUSTER", "ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            await self.ask(number, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for server, bus in zip(self.servers[1:], self.buses[1:], strict=True):
            await self.ask(0, "CLUSTER", "MEET", "127.0.0.1", server.port, bus)
        for number in range(MASTERS):
            await until(partial(self.says, number, f"cluster_known_nodes:{MASTERS}", "CLUSTER", "INFO"), within_s=60)
            await until(partial(self.says, number, "cluster_state:ok", "CLUSTER", "INFO"), within_s=60)


@contextmanager
def running_masters(folder: Path) -> Iterator[str]:
    with ExitStack() as stack:
        buses = [free_port() for _ in range(MASTERS)]
        servers = [
            stack.enter_context(
                running_redis(folder / f"node{number}", "--cluster-enabled", "yes", "--cluster-port", str(bus))
            )
            for number, bus in enumerate(buses)
        ]
        asyncio.run(Masters(servers, buses).build())
        for server in servers:
            asyncio.run(pin_redis(server.url))
        yield servers[0].url


@contextmanager
def running_one(folder: Path) -> Iterator[str]:
    with running_redis(folder) as redis:
        asyncio.run(pin_redis(redis.url))
        yield redis.url


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    build()
    found: dict[str, Any] = {"one": {}, "cluster": {}, "follow_us": {}}
    stores = {"one": (running_one, tuple(SCENARIOS)), "cluster": (running_masters, ON_A_CLUSTER)}
    for kind, (running, wanted) in stores.items():
        for name in wanted:
            with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as folder, running(Path(folder)) as redis:
                told = found[kind][name] = compared(redis, Path(folder), *SCENARIOS[name], rounds)
            label = f"{name}{', on a cluster' if kind == 'cluster' else ''}"
            for way, ratio in told["ratio"].items():
                costs = told["us_a_command"]
                print(f"{label:22} {way:5} to one {ratio!s:>18}; a command", end=" ")
                print(f"{costs['one'].median:.0f} us, {costs[way].median:.0f} us", flush=True)
    for name, (rooms, clients) in FOLLOWED.items():
        with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as folder, running_one(Path(folder)) as redis:
            found["follow_us"][name] = followed(redis, Path(folder), rooms, clients, rounds)
        print(f"{name:22} followed, beside sending: {found['follow_us'][name]} us", flush=True)
    write("hubs", found)


if __name__ == "__main__":
    main()

"""From a command on one phone to every other screen of its table: a real hub, real sockets, loopback.

    python tests/bench/bench_live.py [COMMANDS]

50 clients of one table, half of them in each codec, in this one process: what it takes to read 50 messages here is in
the figures. So a ping's round trip on the same sockets, in the same rounds, stands beside them. Nothing ever fails on a
time.
"""

import asyncio
import gc
import statistics
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.hub.serving import HOST_TOKEN, SUBPROTOCOLS, Client, HubProcess, joined, running_hub_process  # noqa: E402

CLIENTS = 50
WARM_UP = 20
BOOKS = {"books": {"north_south": 8, "east_west": 5}}


async def measure(hub: HubProcess, commands: int) -> dict[str, list[float]]:
    """Milliseconds by what was measured, a value a command (each screen has one of its own)."""
    code = hub.open_table()["code"]
    times: dict[str, list[float]] = {name: [] for name in ("ping", "answer", "each screen", "last screen")}
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(joined(hub, code, HOST_TOKEN, subprotocol=SUBPROTOCOLS[number % 2]))
            for number in range(CLIENTS)
        ]
        await clients[0].do("start_game", game=1)
        await asyncio.gather(*(client.reach(2) for client in clients))
        for number in range(WARM_UP + commands):
            took = await one_command(clients, number)
            if number >= WARM_UP:
                for name, values in took.items():
                    times[name] += values
    return times


async def one_command(clients: list[Client], number: int) -> dict[str, list[float]]:
    """Enter a hand, or take it back; the senders take turns."""
    sender = clients[number % CLIENTS]
    pinged = perf_counter()
    await sender.ping()
    started = perf_counter()
    version = 3 + number

    async def answered() -> float:
        command: dict[str, Any] = {"game": 1, "hand": 1, "revision": version}
        if number % 2:
            answer = await sender.do("take_back_hand", **command)
        else:
            answer = await sender.do("enter_hand", **command, part=BOOKS)
        assert answer["type"] == "done", answer
        return perf_counter()

    async def seen(screen: Client) -> float:
        await screen.reach(version)
        return perf_counter()

    others = [client for client in clients if client is not sender]
    answer, *screens = await asyncio.gather(answered(), *(seen(screen) for screen in others))
    await sender.reach(version)
    spans = [1000 * (at - started) for at in screens]
    return {
        "ping": [1000 * (started - pinged)],
        "answer": [1000 * (answer - started)],
        "each screen": spans,
        "last screen": [max(spans)],
    }


def table(times: dict[str, list[float]]) -> str:
    floor = statistics.median(times["ping"])
    lines = [f"{'':12} {'p50 ms':>8} {'p99 ms':>8} {'p50, pings':>12}"]
    for name, values in times.items():
        cuts = statistics.quantiles(values, n=100)
        lines.append(f"{name:12} {cuts[49]:8.2f} {cuts[98]:8.2f} {cuts[49] / floor:12.1f}")
    return "\n".join(lines)


def main() -> None:
    commands = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    gc.disable()  # a collection here stops all fifty clients at once, and would be taken for the hub's
    with tempfile.TemporaryDirectory() as folder, running_hub_process(Path(folder)) as hub:
        print(f"{commands} commands, {CLIENTS} clients, embedded store with appendfsync always")
        print(table(asyncio.run(measure(hub, commands))))


if __name__ == "__main__":
    main()

"""One hub and two: what a delivery costs when the screens of a table are spread.

    python tests/bench/bench_hubs.py [ROUNDS]

The same commands, the same number of screens, once on one hub and once on two that share a port, in windows that take
turns. Printed is the ratio of deliveries per second of CPU, both hubs' together: two hubs hear and work out each event
twice, and send it once to each screen. It fails on no time.
"""

import asyncio
import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.bench_fanout import pin_redis, product  # noqa: E402
from tests.bench.rig import (  # noqa: E402
    BUILD,
    PRODUCT,
    SERVER_CORE,
    WINDOW_MS,
    Loaded,
    Place,
    against,
    answer,
    build,
    connect,
    in_turns,
    python,
    quartiles,
    start,
    stop,
)
from tests.servers import free_port, running_redis  # noqa: E402

from bookboard.hub.chance import new_room_code  # noqa: E402

SCENARIOS = {"1 x 1000": (1, 1000), "1 x 4000": (1, 4000), "200 x 8": (200, 8)}


def two_hubs(stack: ExitStack, folder: Path, redis: str, rooms: int, clients: int) -> Loaded:
    names = folder / "tables-of-two"
    names.write_text("\n".join(new_room_code() for _ in range(rooms)))
    place = Place(free_port(), free_port(), names, clients)
    servers = []
    for control in (place.control, free_port()):
        servers.append(start(python("hub_under_load.py", place.port, control, redis, names, "shared"), SERVER_CORE))
        stack.callback(stop, servers[-1])
        answer(servers[-1])
    load = connect(PRODUCT, place)
    stack.callback(stop, load)
    return Loaded(load, *servers)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    build()
    found = {}
    for name, (rooms, clients) in SCENARIOS.items():
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bookboard-bench-")))
            redis = stack.enter_context(running_redis(folder))
            asyncio.run(pin_redis(redis.url))
            one = product(stack, folder, redis.url, rooms, clients)
            two = two_hubs(stack, folder, redis.url, rooms, clients)
            order = f"command {WINDOW_MS}"
            windows = in_turns(rounds, {"one": lambda: one.order(order), "two": lambda: two.order(order)})  # noqa: B023
        ratio = against(windows["one"], windows["two"])
        costs = {who: quartiles([1e6 * each.cpu_s / each.publishes for each in windows[who]]) for who in windows}
        found[name] = {"ratio": ratio, "us_a_command": costs}
        print(f"{name:10} two hubs to one {ratio!s:>18}; a command {costs['one']} us, {costs['two']} us", flush=True)
    (BUILD / "hubs.json").write_text(json.dumps(msgspec.to_builtins(found), indent=1))


if __name__ == "__main__":
    main()

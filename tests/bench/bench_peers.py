"""The hub beside what else people build such a thing on: one room, a thousand screens, an event for each trigger.

    python tests/bench/bench_peers.py [ROUNDS]

Each as its documentation has it, compression off, all up at once in windows that take turns (rig.py). What is missing
is brought into build/bench/peers: Python packages into an environment of their own, the others by npm; a peer that
cannot be brought is left out. It fails on no time.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.bench_fanout import pin_redis, product, the_ceiling  # noqa: E402
from tests.bench.evening import typical_event  # noqa: E402
from tests.bench.rig import BUILD, WINDOW_MS, Loaded, Place, Way, Window, against, build, in_turns, loaded, write  # noqa: E402
from tests.servers import free_port, running_redis  # noqa: E402

SCREENS = 1000
PEERS = BUILD / "peers"
HERE = Path(__file__).with_name("peers")
MAX_S = 150
PACKAGES = ("python-socketio>=5,<6", "channels>=4,<5", "django>=5,<6", "uvicorn>=0.54,<0.55", "websockets", "uvloop")
MODULES = ("socket.io@4", "ws@8", "bufferutil@4", "bun@1")

PLAIN = Way(hello="room", ready='{"type":"snapshot"', counted='{"type":"event"')
SOCKET_IO = Way(hello="40", ready="40", counted='42["event"', path="/socket.io/?EIO=4&transport=websocket")
PYTHON, NODE, BUN = PEERS / "venv" / "bin" / "python", Path("node"), PEERS / "node_modules" / ".bin" / "bun"
SERVERS: dict[str, tuple[Path, str, Way]] = {
    "Bun publish": (BUN, "bun_server.cjs", PLAIN),
    "ws (Node)": (NODE, "ws_node.cjs", PLAIN),
    "socket.io (Node)": (NODE, "socketio_node.cjs", SOCKET_IO),
    "python-socketio": (PYTHON, "socketio_python.py", SOCKET_IO),
    "Django Channels": (PYTHON, "channels_python.py", PLAIN),
}


def bring() -> None:
    """Once; a later run finds them there."""
    stamp = PEERS / ".brought"
    if stamp.exists():
        return
    PEERS.mkdir(parents=True, exist_ok=True)
    pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "--quiet", *PACKAGES]
    npm: list[str | Path] = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", PEERS, *MODULES]
    done = [brought([sys.executable, "-m", "venv", PEERS / "venv"]) and brought(pip), brought(npm)]
    if all(done):
        stamp.touch()


def brought(command: list[str | Path]) -> bool:
    """Whether it went well; what did not is said in a line, and tried again the next time."""
    try:
        return subprocess.run(command, check=False, timeout=MAX_S).returncode == 0
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]} does not bring the peers: {error}")
        return False


def peer(stack: ExitStack, folder: Path, name: str) -> Loaded:
    program, script, way = SERVERS[name]
    event = folder / "event.json"
    event.write_bytes(msgspec.json.encode(typical_event()))
    names = folder / "one"
    names.write_text("0")
    place = Place(free_port(), free_port(), names, SCREENS)
    command: list[str | Path] = [program, HERE / script, str(place.port), str(place.control), str(event)]
    return loaded(stack, command, way, place)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    build()
    bring()
    os.environ["NODE_PATH"] = str(PEERS / "node_modules")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bookboard-bench-")))
        redis = stack.enter_context(running_redis(folder))
        asyncio.run(pin_redis(redis.url))
        servers = {
            "ceiling": the_ceiling(stack, folder, 1, SCREENS),
            "Bookboard": product(stack, folder, redis.url, 1, SCREENS),
        }
        for name in SERVERS:
            try:
                servers[name] = peer(stack, folder, name)
            except (OSError, RuntimeError) as error:
                print(f"{name} is left out: {error}")
        order = f"run {WINDOW_MS} 1"
        orders: dict[str, Callable[[], Window]] = {name: partial(one.order, order) for name, one in servers.items()}
        windows = in_turns(rounds, orders)
    found = {name: against(windows["ceiling"], those) for name, those in windows.items()}
    ours = {name: against(those, windows["Bookboard"]) for name, those in windows.items()}
    print(f"{'':18} {'to the ceiling':>18} {'Bookboard to it':>20}")
    for name, ratio in found.items():
        print(f"{name:18} {ratio!s:>18} {ours[name]!s:>20}")
    told = {name: {"ratio": ratio, "bookboard_to_it": ours[name]} for name, ratio in found.items()}
    write("peers", told)


if __name__ == "__main__":
    main()

"""Servers under load, side by side: built, pinned, measured in windows that take turns.

The servers of a scenario are up at once, on one core; what loads them runs on the other. In each round every server
gets one window, in a random order. What counts is deliveries per second of the server's own CPU, divided by the
ceiling's of the same round: what else the machine does falls on all alike.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.evening import HOST_TOKEN, commands  # noqa: E402
from tests.servers import REDIS  # noqa: E402

BUILD = ROOT / "build" / "bench"
WINDOW_MS = 300
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = CORES[0], CORES[-1]
LEFT_OUT = 77
"""The exit status of a bench that needs a tool which is not here."""


def require(*tools: str) -> None:
    """Ends a bench in a line when it cannot run here."""
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"left out: {tool} is missing")
            raise SystemExit(LEFT_OUT)


def build() -> None:
    """The C programs, by the compiler that is there."""
    require("cc", "taskset", str(REDIS))
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in ("ceiling", "load"):
        source = Path(__file__).with_name(f"{name}.c")
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", BUILD / name, source], check=True)


def start(command: Iterable[str | Path], core: int, **options: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        ["taskset", "-c", str(core), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options
    )


def stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def answer(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """The next line of JSON that a process prints."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args!r} ended with {process.wait()}")
    told: dict[str, Any] = json.loads(line)
    return told


def cpu_s(pid: int) -> float:
    """What all threads of a process have run, by the scheduler's own count, in seconds."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e9


def memory_kb(pid: int) -> int:
    """What a process holds of memory itself."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    raise RuntimeError("no RssAnon")


class Way(Struct):
    """How the load speaks to a server: see the head of load.c."""

    hello: str
    ready: str
    counted: str
    path: str = "/ws"
    subprotocol: str = ""
    commands: Path | None = None


PRODUCT = Way(
    hello=f'{{"type":"hello","room":"%s","token":"{HOST_TOKEN}"}}',
    ready='{"type":"snapshot"',
    counted='{"type":"event"',
    subprotocol="bookboard.v1.json",
    commands=BUILD / "commands",
)
CEILING = Way(hello='{"room":"%s"}', ready='{"type":"snapshot"', counted='{"type":"event"')


class Window(Struct):
    """What was measured in one. Times are from the trigger to the last subscriber, in microseconds."""

    frames: int
    publishes: int
    cpu_s: float
    seconds: float
    p50_us: float
    p99_us: float
    wire_bytes: int = 0
    """What all subscribers together read."""
    spans: list[tuple[int, int]] = []
    """Trigger and last frame, in ns of the monotonic clock: only of an order that begins with `trace`."""

    @property
    def rate(self) -> float:
        """Deliveries per second of the server's CPU."""
        return self.frames / self.cpu_s


class Loaded:
    """A server, of one or more processes, and the load that is connected to it."""

    def __init__(self, load: "subprocess.Popen[str]", *servers: "subprocess.Popen[str]") -> None:
        self.load = load
        self.servers = servers

    def cpu_s(self) -> float:
        return sum(cpu_s(server.pid) for server in self.servers)

    def order(self, text: str) -> Window:
        before = self.cpu_s()
        self.say(text)
        told = answer(self.load)
        return self.window(told, self.cpu_s() - before)

    def say(self, text: str) -> None:
        assert self.load.stdin is not None
        self.load.stdin.write(f"{text}\n")
        self.load.stdin.flush()

    def window(self, told: dict[str, Any], spent: float) -> Window:
        figures = {name: told[name] for name in ("frames", "publishes", "seconds", "p50_us", "p99_us", "spans")}
        return Window(cpu_s=spent, wire_bytes=told["bytes"], **figures)


class Beside(Loaded):
    """Servers that have a load each, which run at the same time: as one. The times are those of the first."""

    def __init__(self, *several: Loaded) -> None:
        super().__init__(several[0].load, *(server for one in several for server in one.servers))
        self._several = several

    def order(self, text: str) -> Window:
        before = self.cpu_s()
        for one in self._several:
            one.say(text)
        answers = [answer(one.load) for one in self._several]
        summed = {name: sum(told[name] for told in answers) for name in ("frames", "publishes", "bytes")}
        return self.window(answers[0] | summed, self.cpu_s() - before)


class Place(Struct):
    """Where a server is, the file that names its rooms, and how many subscribers each has."""

    port: int
    control: int
    rooms: Path
    clients: int


def connect(way: Way, place: Place) -> "subprocess.Popen[str]":
    """The load, once all its subscribers are up."""
    arguments = [str(place.port), str(place.control), str(place.rooms), str(place.clients)]
    arguments += [way.path, way.subprotocol, way.hello, way.ready, way.counted]
    if way.commands is not None:
        way.commands.write_text("\n".join(commands()))
        arguments.append(str(way.commands))
    load = start([BUILD / "load", *arguments], LOAD_CORE)
    answer(load)
    return load


def loaded(stack: ExitStack, command: Iterable[str | Path], way: Way, place: Place) -> Loaded:
    """A server, started and with its subscribers."""
    server = start(command, SERVER_CORE)
    stack.callback(stop, server)
    answer(server)
    load = connect(way, place)
    stack.callback(stop, load)
    return Loaded(load, server)


def python(name: str, *arguments: object) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name(name)), *map(str, arguments)]


class Ratio(Struct):
    """Median and quartiles."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f}-{self.high:.2f})"


def quartiles(values: list[float]) -> Ratio:
    if len(values) == 1:
        return Ratio(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4)
    return Ratio(median, low, high)


def in_turns(rounds: int, ways: dict[str, Callable[[], Window]]) -> dict[str, list[Window]]:
    """A window of each a round, in a random order; the first round only warms up."""
    windows: dict[str, list[Window]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, measure in random.sample(list(ways.items()), k=len(ways)):
            window = measure()
            if number:
                windows[name].append(window)
    return windows


def against(ceiling: list[Window], others: list[Window]) -> Ratio:
    return quartiles([one.rate / most.rate for one, most in zip(others, ceiling, strict=True)])


def write(name: str, found: object) -> None:
    """What a bench has found, where the charts, the tables and the model read it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / f"{name}.json").write_text(json.dumps(msgspec.to_builtins(found), indent=1))


def read(name: str) -> dict[str, Any]:
    """What it found the last time. Raises FileNotFoundError."""
    found: dict[str, Any] = json.loads((BUILD / f"{name}.json").read_text())
    return found

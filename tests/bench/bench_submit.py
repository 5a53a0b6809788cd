"""Submit to glass: from a phone's frame to the last of 1,000 clients' frames, and what each part of the way takes.

    python tests/bench/bench_submit.py [ROUNDS]

Wall-clock, one command at a time, beside the ceiling's way from a trigger to its last client. The marks in between are
made by functions wrapped around the hub's (stopwatch.py), so this hub is compared with nothing but the ceiling, and
costs some microseconds a command more. Parts are means over the commands around the median, and over the slowest
fiftieth: so they add up. It fails on no time.
"""

import asyncio
import json
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.bench_fanout import pin_redis, product, the_ceiling  # noqa: E402
from tests.bench.rig import WINDOW_MS, Window, build, in_turns, write  # noqa: E402
from tests.bench.stopwatch import PARTS, ways  # noqa: E402
from tests.servers import running_redis  # noqa: E402

SCREENS = 1000
SHOWN = {"p50": (0.45, 0.55), "p99": (0.98, 1.0)}


def measured(rounds: int) -> tuple[dict[str, list[Window]], list[tuple[str, int]]]:
    with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as name:
        folder = Path(name)
        marks = folder / "marks"
        with ExitStack() as stack:
            redis = stack.enter_context(running_redis(folder))
            asyncio.run(pin_redis(redis.url))
            hub = product(stack, folder, redis.url, 1, SCREENS, f"stopwatch={marks}")
            ceiling = the_ceiling(stack, folder, 1, SCREENS)
            windows = in_turns(
                rounds,
                {
                    "ceiling": lambda: ceiling.order(f"trace run {WINDOW_MS} 1"),
                    "Bookboard": lambda: hub.order(f"trace command {WINDOW_MS}"),
                },
            )
        return windows, [(mark, at) for mark, at in json.loads(marks.read_text())]  # written at the hub's end


def cut(values: list[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def of_band(found: list[dict[str, float]], low: float, high: float) -> dict[str, float]:
    """The means of those commands that took about as long as that share of all."""
    found = sorted(found, key=lambda way: way["all"])
    some = found[int(low * len(found)) : max(int(high * len(found)), int(low * len(found)) + 1)]
    return {part: statistics.fmean(way[part] for way in some) for part in PARTS}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    build()
    windows, marks = measured(rounds)
    spans = [span for window in windows["Bookboard"] for span in window.spans]
    floor = [(done - asked) / 1000 for window in windows["ceiling"] for asked, done in window.spans]
    found = ways(sorted(spans), marks)
    whole = [way["all"] for way in found]
    told: dict[str, Any] = {"commands": len(found)}
    for name, (low, high) in SHOWN.items():
        share = 0.5 if name == "p50" else 0.99
        told[name] = {
            "ceiling_us": cut(floor, share),
            "whole_us": cut(whole, share),
            "ratio": cut(whole, share) / cut(floor, share),
            "parts": of_band(found, low, high),
        }
    print(f"{len(found)} commands, {SCREENS} screens; microseconds")
    print(f"{'':14} {'p50':>9} {'p99':>9}")
    for part in PARTS:
        print(f"  {part:12} {told['p50']['parts'][part]:9.0f} {told['p99']['parts'][part]:9.0f}")
    for label, figure in (("all of it", "whole_us"), ("ceiling", "ceiling_us")):
        print(f"{label:14} {told['p50'][figure]:9.0f} {told['p99'][figure]:9.0f}")
    print(f"{'ratio':14} {told['p50']['ratio']:9.2f} {told['p99']['ratio']:9.2f}")
    write("submit", told)


if __name__ == "__main__":
    main()

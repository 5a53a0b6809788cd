"""Where a hub's CPU goes while commands come, by a sampler in the hub (sampler.py).

    python tests/bench/bench_profile.py [SECONDS]

One room with a thousand screens, and 200 rooms with eight. Printed are shares of the hub's CPU, and of each the part
that the kernel took. The sampled hub is compared with nothing. It fails on no time.
"""

import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.bench_fanout import pin_redis, product  # noqa: E402
from tests.bench.rig import build, write  # noqa: E402
from tests.bench.sampler import STACK, Profile, beside, profile  # noqa: E402
from tests.servers import running_redis  # noqa: E402

SCENARIOS = {"1 x 1000": (1, 1000), "200 x 8": (200, 8)}
WARM_UP_MS = 500
MAX_HUBS, ENOUGH = 6, 400


def sampled(rooms: int, clients: int, seconds: float) -> Profile:
    """Several hubs in turn, where one does not last: what was written before its end counts."""
    texts = ["", ""]
    for _ in range(MAX_HUBS):
        with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as folder:
            found = one_hub(Path(folder), rooms, clients, seconds)
        texts = [before + more for before, more in zip(texts, found, strict=True)]
        if texts[0].count(STACK) >= ENOUGH:
            break
    return profile(*texts)


def one_hub(folder: Path, rooms: int, clients: int, seconds: float) -> list[str]:
    """What its sampler wrote under load; a stack read at a bad moment may crash the interpreter."""
    samples = folder / "samples"
    files, before = (samples, beside(samples)), [0, 0]
    try:
        with ExitStack() as stack:
            redis = stack.enter_context(running_redis(folder))
            asyncio.run(pin_redis(redis.url))
            hub = product(stack, folder, redis.url, rooms, clients, f"samples={samples}")
            hub.order(f"command {WARM_UP_MS}")
            before = [path.stat().st_size for path in files]
            hub.order(f"command {round(1000 * seconds)}")
            after = [path.stat().st_size for path in files]
    except (RuntimeError, OSError):
        if not all(before):
            return ["", ""]
        after = [path.stat().st_size for path in files]
    return [path.read_bytes()[size:end].decode() for path, size, end in zip(files, before, after, strict=True)]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    build()
    found = {}
    for name, (rooms, clients) in SCENARIOS.items():
        found[name] = sampled(rooms, clients, seconds)
        print(f"{name}, {found[name].samples} samples   {'all':>6} {'kernel':>7}")
        for phase, share in found[name].phases.items():
            print(f"  {phase:28} {share:6.1%} {found[name].kernel[phase]:7.1%}")
    write("profile", found)


if __name__ == "__main__":
    main()

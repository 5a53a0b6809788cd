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
from tests.bench.sampler import Profile, beside, profile  # noqa: E402
from tests.servers import running_redis  # noqa: E402

SCENARIOS = {"1 x 1000": (1, 1000), "200 x 8": (200, 8)}
WARM_UP_MS = 500


def sampled(folder: Path, rooms: int, clients: int, seconds: float) -> Profile:
    samples = folder / "samples"
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(folder))
        asyncio.run(pin_redis(redis.url))
        hub = product(stack, folder, redis.url, rooms, clients, f"samples={samples}")
        hub.order(f"command {WARM_UP_MS}")
        before = [path.stat().st_size for path in (samples, beside(samples))]
        hub.order(f"command {round(1000 * seconds)}")
        texts = [path.read_bytes() for path in (samples, beside(samples))]
    return profile(*(text[size:].decode() for text, size in zip(texts, before, strict=True)))


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    build()
    found = {}
    for name, (rooms, clients) in SCENARIOS.items():
        with tempfile.TemporaryDirectory(prefix="bookboard-bench-") as folder:
            found[name] = sampled(Path(folder), rooms, clients, seconds)
        print(f"{name}, {found[name].samples} samples   {'all':>6} {'kernel':>7}")
        for phase, share in found[name].phases.items():
            print(f"  {phase:28} {share:6.1%} {found[name].kernel[phase]:7.1%}")
    write("profile", found)


if __name__ == "__main__":
    main()

"""All benches one after the other, then the model, the tables and the charts: what `make bench` does.

    python tests/bench/run.py [NAME ...]

One that ends badly, or is not done after some minutes, is named and the others go on. The end is bad only if something
other than a missing tool was wrong; a time is never wrong.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
LEFT_OUT = 77
MAX_S, GRACE_S = 300, 30
LAST = ("scaling.py", "tables.py", "charts.py")


def programs(wanted: list[str]) -> list[Path]:
    benches = sorted(HERE.glob("bench_*.py"))
    if wanted:
        benches = [path for path in benches if path.stem.removeprefix("bench_") in wanted]
    return [*benches, *(HERE / name for name in LAST)]


def outcome(program: Path) -> str:
    """`done`, `left out`, or how it failed."""
    process = subprocess.Popen([sys.executable, str(program)])
    try:
        status = process.wait(MAX_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)  # so that it ends what it has started
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return f"was not done after {MAX_S} s"
    return {0: "done", LEFT_OUT: "left out"}.get(status, f"failed ({status})")


def main() -> int:
    began = time.monotonic()
    told = []
    for program in programs(sys.argv[1:]):
        print(f"── {program.name}", flush=True)
        started = time.monotonic()
        told.append((program.name, outcome(program), time.monotonic() - started))
    print("── how it went")
    for name, how, seconds in told:
        print(f"{name:20} {seconds:6.0f} s  {how}")
    print(f"{'all':20} {time.monotonic() - began:6.0f} s")
    return int(any(how not in {"done", "left out"} for _, how, _ in told))


if __name__ == "__main__":
    sys.exit(main())

"""Plants each fault of `faults.py` in a copy of the package and lets the tests that cite the broken rule find it.

`make mutants` runs it. The exit status is 1 when a fault goes unnoticed, or no longer fits the code.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.coverage_table import ROOT, Rule, collect
from tests.mutation.faults import FAULTS, Fault

RULES = Path("server", "bookboard", "rules")
AT_ONCE = os.cpu_count() or 1


def copy_of_the_package(folder: Path) -> Path:
    """A checkout with nothing but the package and the texts, without compiled modules that could be older."""
    shutil.copytree(ROOT / "server", folder / "server", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "web" / "i18n", folder / "web" / "i18n")
    return folder


def run_tests(copy: Path, tests: list[str]) -> int:
    """The exit status of pytest over these tests with the package in `copy`."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "server"), "PYTHONDONTWRITEBYTECODE": "1"}
    plugins = ["-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", "-x", "-qqq", *plugins, *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).returncode


def verdict(fault: Fault, copy: Path, cited: dict[Rule, list[str]]) -> str:
    """What is wrong with a fault; "" where a test that cites its rule fails."""
    path = copy / RULES / fault.file
    source = path.read_text(encoding="utf-8")
    if source.count(fault.old) != 1:
        return f"stands {source.count(fault.old)} times in the code"
    if not cited.get(fault.breaks):
        return "no test cites its rule"
    path.write_text(source.replace(fault.old, fault.new), encoding="utf-8")
    try:
        status = run_tests(copy, cited[fault.breaks])
    finally:
        path.write_text(source, encoding="utf-8")
    match status:
        case 0:
            return "no test that cites its rule fails"
        case 1:
            return ""
        case _:
            return f"pytest ended with {status}"


def main() -> int:
    """The exit status."""
    cited = collect()
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(AT_ONCE):
            copies.put(copy_of_the_package(Path(folder, str(number))))

        def judge(fault: Fault) -> str:
            copy = copies.get()
            try:
                return verdict(fault, copy, cited)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            verdicts = list(pool.map(judge, FAULTS))
    found = [(fault, said) for fault, said in zip(FAULTS, verdicts, strict=True) if said]
    for fault, said in found:
        print(f"{fault.file}: {fault.old!r} → {fault.new!r} ({fault.breaks}): {said}")
    print(
        f"{len(FAULTS) - len(found)} of {len(FAULTS)} planted faults were found by a test that cites the broken rule."
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

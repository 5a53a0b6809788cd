"""What a fault test did and what came of it: one row of the table at the end of the run."""

import asyncio
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, to_builtins

COLUMNS = {
    "failure": "failure",
    "faults": "faults",
    "sent": "sent",
    "acknowledged": "ack'd",
    "lost": "lost",
    "doubled": "doubled",
    "rewound": "rewound",
    "wrong": "wrong screens",
    "recovery_s": "worst recovery",
}


class Tally(Struct):
    """`sent` counts commands, however often each was sent; `wrong` screens that showed what no replay shows."""

    failure: str
    faults: int = 0
    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    rewound: int = 0
    wrong: int = 0
    recovery_s: float = 0.0
    faulted_at: float | None = None

    def fault(self) -> None:
        """A fault begins; what is acknowledged next ends it, as far as people notice."""
        self.faults += 1
        if self.faulted_at is None:
            self.faulted_at = asyncio.get_running_loop().time()

    def recovered(self) -> None:
        if self.faulted_at is not None:
            self.recovery_s = max(self.recovery_s, asyncio.get_running_loop().time() - self.faulted_at)
            self.faulted_at = None

    def row(self) -> dict[str, Any]:
        return {name: value for name, value in to_builtins(self).items() if name in COLUMNS}


def table(rows: Iterable[dict[str, Any]]) -> list[str]:
    """The lines of the table, one a failure, by its number; figures to the right."""
    together: dict[str, dict[str, Any]] = {}
    for row in rows:
        before = together.get(row["failure"])
        together[row["failure"]] = {name: _joined(before[name], row[name]) for name in COLUMNS} if before else row
    ordered = sorted(together.values(), key=lambda row: (int(row["failure"].split()[0]), row["failure"]))
    lines = [list(COLUMNS.values()), *([_shown(row[name]) for name in COLUMNS] for row in ordered)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return ["  ".join(map(_aligned, line, widths, range(len(COLUMNS)))) for line in lines]


def _joined(one: Any, other: Any) -> Any:
    return one if isinstance(one, str) else max(one, other) if isinstance(one, float) else one + other


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column else cell.ljust(width)


def _shown(value: object) -> str:
    return f"{value:.2f} s" if isinstance(value, float) else str(value)

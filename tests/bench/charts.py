"""Draws docs/performance-*.svg from what the benches last wrote into build/bench.

    python tests/bench/charts.py

Bars with their quartiles, on one scale from 0; plain SVG that shows in a browser, on paper and in both colour schemes.
"""

import json
import sys
from html import escape
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.rig import BUILD  # noqa: E402

DOCS = ROOT / "docs"
WIDTH, LABELS, ROW, TOP = 760, 210, 26, 54
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.title{font-weight:600}.bar{fill:#7a8ca3}.ours{fill:#1f6f54}"
    ".whisker{stroke:#222;stroke-width:1.5}.grid{stroke:#ccc}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.whisker{stroke:#ddd}.grid{stroke:#444}}"
)


class Bar(Struct):
    name: str
    median: float
    low: float
    high: float
    is_ours: bool = True


def chart(title: str, bars: list[Bar], *, digits: int = 2) -> str:
    most = max(bar.high for bar in bars) * 1.02
    scale = (WIDTH - LABELS - 90) / most
    height = TOP + ROW * len(bars) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<text class="title" x="0" y="18">{escape(title)}</text>',
        f'<line class="grid" x1="{LABELS}" y1="{TOP - 14}" x2="{LABELS}" y2="{height - 8}"/>',
    ]
    for number, bar in enumerate(bars):
        y = TOP + number * ROW
        middle = y - 4
        kind = "bar ours" if bar.is_ours else "bar"
        ends = LABELS + bar.low * scale, LABELS + bar.high * scale
        parts += [
            f'<text x="{LABELS - 10}" y="{y}" text-anchor="end">{escape(bar.name)}</text>',
            f'<rect class="{kind}" x="{LABELS}" y="{y - 13}" width="{bar.median * scale:.1f}" height="17"/>',
            f'<line class="whisker" x1="{ends[0]:.1f}" y1="{middle}" x2="{ends[1]:.1f}" y2="{middle}"/>',
            f'<text x="{ends[1] + 8:.1f}" y="{y}">{bar.median:.{digits}f}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def bar(name: str, ratio: dict[str, float], *, is_ours: bool = True) -> Bar:
    return Bar(name, ratio["median"], ratio["low"], ratio["high"], is_ours)


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((BUILD / f"{name}.json").read_text())
    return found


def main() -> None:
    fanout, peers, parts = read("fanout"), read("peers"), read("parts")
    drawn = {
        "fanout": chart(
            "Deliveries per second of CPU, as a share of the ceiling's",
            [
                bar(f"{name}, {way}", figures[way]["ratio"])
                for name, figures in fanout.items()
                for way in ("fan-out", "whole way")
            ],
        ),
        "peers": chart(
            "One room, 1,000 screens: share of the ceiling",
            [bar(name, one["ratio"], is_ours=name == "Bookboard") for name, one in peers.items()],
        ),
        "parts": chart(
            "A command's parts, in microseconds of CPU",
            [Bar(name, micros, micros, micros) for name, micros in parts.items()],
            digits=0,
        ),
    }
    for name, picture in drawn.items():
        (DOCS / f"performance-{name}.svg").write_text(picture)


if __name__ == "__main__":
    main()

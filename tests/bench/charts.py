"""Draws docs/performance-*.svg from what the benches last wrote into build/bench.

    python tests/bench/charts.py

Bars with their quartiles, on one scale from 0; plain SVG that shows in a browser, on paper and in both colour schemes.
"""

import sys
from html import escape
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.rig import read  # noqa: E402

DOCS = ROOT / "docs"
WIDTH, LABELS, ROW, TOP = 760, 240, 26, 54
LEAST_SHARE = 0.005
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.title{font-weight:600}.bar{fill:#7a8ca3}.ours{fill:#1f6f54}"
    ".pale{fill:#8fc4ae}.whisker{stroke:#222;stroke-width:1.5}.grid{stroke:#ccc}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.whisker{stroke:#ddd}.grid{stroke:#444}}"
)


class Bar(Struct):
    name: str
    median: float
    low: float
    high: float
    is_ours: bool = True
    part: float = 0
    """Of the bar, drawn paler."""


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
            f'<rect class="pale" x="{LABELS}" y="{y - 13}" width="{bar.part * scale:.1f}" height="17"/>'
            * bool(bar.part),
            f'<line class="whisker" x1="{ends[0]:.1f}" y1="{middle}" x2="{ends[1]:.1f}" y2="{middle}"/>',
            f'<text x="{ends[1] + 8:.1f}" y="{y}">{bar.median:.{digits}f}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def bar(name: str, ratio: dict[str, float], *, is_ours: bool = True) -> Bar:
    return Bar(name, ratio["median"], ratio["low"], ratio["high"], is_ours)


def fanout() -> str:
    bars = [
        bar(f"{name}, {way}", figures["ways"][way]["ratio"])
        for name, figures in read("fanout").items()
        for way in ("fan-out", "whole way")
    ]
    return chart("Deliveries per second of CPU, as a share of the ceiling's", bars)


def peers() -> str:
    bars = [bar(name, one["ratio"], is_ours=name == "Bookboard") for name, one in read("peers").items()]
    return chart("One room, 1,000 screens: share of the ceiling", bars)


def parts() -> str:
    bars = [Bar(name, micros, micros, micros) for name, micros in read("parts").items()]
    return chart("A command's parts, in microseconds of CPU", bars, digits=0)


def submit() -> str:
    """Each part at the median, its whisker to the part at the 99th percentile."""
    told = read("submit")
    bars = []
    for part, micros in told["p50"]["parts"].items():
        ends = sorted((micros, told["p99"]["parts"][part]))
        bars.append(Bar(part, micros / 1000, ends[0] / 1000, ends[1] / 1000))
    for name, figure, is_ours in (("all of it", "whole_us", True), ("ceiling", "ceiling_us", False)):
        median = told["p50"][figure] / 1000
        bars.append(Bar(name, median, median, told["p99"][figure] / 1000, is_ours))
    return chart("From a phone's frame to the last of 1,000 screens: ms, median and 99th percentile", bars)


def profile() -> str:
    """The kernel's part is in the lighter colour."""
    bars = []
    for name, told in read("profile").items():
        for phase, share in told["phases"].items():
            if share >= LEAST_SHARE:
                inside = told["kernel"][phase]
                bars.append(Bar(f"{name}, {phase}", share, share, share, part=inside))
    return chart("Where a hub's CPU goes (pale: in the kernel)", bars)


DRAWN = {"fanout": fanout, "peers": peers, "parts": parts, "submit": submit, "profile": profile}


def main() -> None:
    for name, draw in DRAWN.items():
        try:
            (DOCS / f"performance-{name}.svg").write_text(draw())
        except (FileNotFoundError, KeyError) as error:
            print(f"the chart of {name} is left as it is: {error!r} is missing")


if __name__ == "__main__":
    main()

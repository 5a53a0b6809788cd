"""Writes the tables of docs/performance.md and docs/scaling.md anew, from what the benches last found (build/bench).

    python tests/bench/tables.py

A table stands between `<!-- bench: NAME -->` and `<!-- end -->`; what is around them is written by hand, and keeps to
what a run does not change. A table whose bench has not been run stays as it is.
"""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.rig import read  # noqa: E402

DOCS = ROOT / "docs"
MARKED = re.compile(r"(?<=<!-- bench: )([\w-]+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
Rows = list[Sequence[str]]


def table(head: Sequence[str], rows: Rows) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def ratio(told: dict[str, float]) -> str:
    return f"{told['median']:.2f} ({told['low']:.2f}–{told['high']:.2f})"


def sized(name: str) -> str:
    """`1 x 1000` as it is written."""
    rooms, _, screens = name.partition(" x ")
    return f"{int(rooms):,} × {int(screens):,}"


def fanout() -> str:
    ways = ("fan-out", "whole way", "burst of 8")
    rows: Rows = [
        [sized(name), *(ratio(told["ways"][way]["ratio"]) for way in ways)] for name, told in read("fanout").items()
    ]
    return table(["rooms × screens", *ways], rows)


def peers() -> str:
    rows: Rows = [[name, ratio(one["ratio"]), ratio(one["bookboard_to_it"])] for name, one in read("peers").items()]
    return table(["one room, 1,000 screens", "share of the ceiling", "Bookboard to it"], rows)


def times() -> str:
    rows: Rows = []
    for name, told in read("fanout").items():
        ceiling = told["ways"]["ceiling"]
        row = [sized(name)]
        for way in ("fan-out", "whole way"):
            ours = told["ways"][way]
            row += [f"{ours[cut]['median'] / ceiling[cut]['median']:.1f}" for cut in ("p50_us", "p99_us")]
        rows.append(row)
    return table(["rooms × screens", "fan-out, p50", "p99", "whole way, p50", "p99"], rows)


def submit() -> str:
    told = read("submit")
    cuts = ("p50", "p99")

    def ms(micros: float) -> str:
        return f"{micros / 1000:.2f}"

    rows: Rows = [[part, *(ms(told[cut]["parts"][part]) for cut in cuts)] for part in told["p50"]["parts"]]
    rows.append(["all of it", *(ms(told[cut]["whole_us"]) for cut in cuts)])
    rows.append(["ceiling", *(ms(told[cut]["ceiling_us"]) for cut in cuts)])
    rows.append(["all of it to the ceiling", *(f"{told[cut]['ratio']:.2f}" for cut in cuts)])
    return table(["ms", *cuts], rows)


PART_NAMES = {
    "decode": "decode the message",
    "role": "who is it",
    "decide": "decide",
    "plan": "plan the commit",
    "pack": "pack it for Redis",
    "feed": "read the feed",
    "evolve": "apply the event",
    "changes": "what changes on screens",
    "encode": "encode and frame",
    "look": "look ahead, once the hand is left alone",
}


def parts() -> str:
    told = read("parts")
    whole = sum(told.values())
    rows: Rows = [[PART_NAMES[name], f"{100 * micros / whole:.0f} %"] for name, micros in told.items()]
    return table(["part", "share"], rows)


def profile() -> str:
    told = read("profile")
    names = list(told)
    rows: Rows = []
    for phase in told[names[0]]["phases"]:
        row = [phase]
        for name in names:
            share, inside = told[name]["phases"][phase], told[name]["kernel"][phase]
            row.append(f"{100 * share:.0f} % ({100 * inside:.0f} %)")
        rows.append(row)
    return table(["of a hub's CPU (of it in the kernel)", *map(sized, names)], rows)


def memory() -> str:
    told = read("memory")
    rooms, crowd = told["quiet_room_kb"], told["crowd"]
    rows: Rows = [
        ["an idle connection, all that a hub keeps of it", f"{told['connection_kb']:.1f} kB"],
        [
            "a quiet room somebody watches, its cached snapshot included, its connection not: of 2,000, of 10,000",
            f"{rooms['2000']:.1f} kB, {rooms['10000']:.1f} kB",
        ],
        ["2,000 tables that nobody watches, together", f"{told['unwatched_rooms_kb']:.0f} kB"],
        ["a table with its first game begun, in Redis", f"{told['stored_table_kb']:.1f} kB"],
        ["the answer to a beat", f"{told['pong_us']:.0f} µs of CPU"],
        [
            f"{crowd['clients']:,} screens of 40 tables of a killed hub, back on another one",
            f"{crowd['cpu_s']:.2f} s of its CPU; {crowd['scripts_a_table']:.1f} scripts a table run in the store",
        ],
    ]
    return table(["", ""], rows)


def storm() -> str:
    told = read("memory")["storm"]
    rows: Rows = [
        [label, *(f"{told[when][cut]:.1f}" for cut in ("p50", "p99", "longest"))]
        for label, when in (("before", "before_ms"), ("while they come", "meanwhile_ms"))
    ]
    head = f"{told['others']} other tables, ms from a command to its last screen"
    return table([head, "p50", "p99", "longest"], rows)


def hubs() -> str:
    told = read("hubs")
    rows: Rows = []
    for kind, where in (("one", "one Redis"), ("cluster", "a cluster of three masters")):
        for name, each in told[kind].items():
            apart = each["ratio"].get("apart")
            rows.append([sized(name), where, ratio(each["ratio"]["two"]), ratio(apart) if apart else ""])
    return table(["rooms × screens", "on", "screens on both", "each room's screens on one"], rows)


def store() -> str:
    rows: Rows = []
    for name, told in read("store")["commits_a_second"].items():
        where, _, count = name.rpartition(", ")
        rate = f"{told['median']:,.0f} ({told['low']:,.0f}–{told['high']:,.0f})"
        rows.append([where, count.removesuffix(" tables"), rate])
    return table(["store", "tables at once", "commits a second"], rows)


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}" if value < 1 else f"{value:.1f}"


def needs() -> str:
    told = read("scaling")
    rows: Rows = []
    for case, it in zip(told["cases"], told["needs"], strict=True):
        rows.append(
            [
                case["name"],
                f"{case['tables']:,}",
                f"{it['hubs']:,}",
                figure(it["hub_cores"]),
                figure(it["hub_gb"]),
                f"{it['shards']:,}",
                figure(it["redis_cores"]),
                figure(it["redis_gb"]),
                figure(it["out"]),
                figure(it["into"]),
                figure(it["redis_traffic"]),
                f"{it['dollars_an_hour']:,.2f}",
            ]
        )
    head = ["", "tables", "hubs", "their cores", "GB", "Redis shards", "their cores", "GB"]
    return table([*head, "Mbit/s out", "in", "with Redis", "$ an hour"], rows)


def walls() -> str:
    """To two figures: the model says no more."""
    found = read("scaling")["walls"]
    rows: Rows = [[f"{float(format(one['tables'], '.2g')):,.0f}", one["what"], one["moved_by"]] for one in found]
    return table(["tables", "what is used up", "what moves it"], rows)


def costs() -> str:
    told = read("scaling")["costs"]
    few, many = told["delivery"]
    rows: Rows = [
        ["decide: a command alone; with those of 200 tables", f"{told['alone']:.0f} µs; {told['busy']:.0f} µs"],
        ["follow: on each further hub, likewise", f"{told['follow_alone']:.0f} µs; {told['follow_busy']:.0f} µs"],
        ["look ahead, once a hand, on each hub", f"{told['look']:.0f} µs"],
        ["encode: on each hub", f"{told['publish']:.0f} µs"],
        ["deliver: to one of 100 connections; of 4,000", f"{few:.1f} µs; {many:.1f} µs"],
        ["answer: what a screen says to a beat", f"{told['pong']:.0f} µs"],
        ["a hub that nobody uses: of its core; of Redis's", f"{told['idle_hub']:.2%}; {told['idle_redis']:.2%}"],
        ["a connection; a watched table, on each hub", f"{told['connection_kb']:.1f} kB; {told['room_kb']:.1f} kB"],
        ["Redis: a commit; for each hub that hears it", f"{told['redis']:.0f} µs; {told['redis_hearer']:.1f} µs"],
        ["Redis keeps: of a table; of a command", f"{told['kept_table_kb']:.1f} kB; {told['kept']:.0f} bytes"],
        ["a command's way to Redis; from it", f"{told['to_redis']:.0f} bytes; {told['from_redis']:.0f} bytes"],
    ]
    return table(["", ""], rows)


def checks() -> str:
    rows: Rows = []
    for check in read("scaling")["checks"]:
        digits = 0 if check["measured"] >= 10 else 2
        off = round(100 * (check["predicted"] / check["measured"] - 1))
        told = [f"{check[name]:,.{digits}f} {check['unit']}".strip() for name in ("predicted", "measured")]
        rows.append([check["what"].replace(" x ", " × "), *told, f"{off:+} %".replace("-", "−")])
    return table(["", "predicted", "measured", "off by"], rows)


TABLES: dict[str, Callable[[], str]] = {
    each.__name__: each
    for each in (
        fanout, peers, times, submit, parts, profile, memory, storm, hubs, store, needs, walls, costs, checks,
    )
}  # fmt: skip


def filled(text: str) -> str:
    """The document with every table that there are figures for."""

    def anew(found: re.Match[str]) -> str:
        name: Any = found[1]
        try:
            return f"{name}{found[2]}\n{TABLES[name]()}\n"
        except (FileNotFoundError, KeyError) as error:
            print(f"the table of {name} is left as it is: {error!r}")
            return found[0]

    return MARKED.sub(anew, text)


def main() -> None:
    for name in ("performance.md", "scaling.md"):
        document = DOCS / name
        document.write_text(filled(document.read_text()))


if __name__ == "__main__":
    main()

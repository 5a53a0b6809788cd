"""How many hubs a league takes, from what was measured: the model of docs/scaling.md.

    python tests/bench/scaling.py [TABLES SCREENS HANDS_AN_HOUR]

A hub's CPU goes to three things: deciding a command (once, on the hub that has it), following an event (on every hub
where somebody watches the table), and sending it (once a screen). With the costs of fanout.json (build/bench), a second
of CPU is shared out; no hub is loaded beyond HEADROOM of a core. Memory follows from memory.json.
"""

import json
import sys
from math import ceil
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.rig import BUILD  # noqa: E402

from bookboard.config import Config  # noqa: E402

HEADROOM = 0.5
COMMANDS_A_HAND = 4
"""Two bids, the books, and now and then a correction or a look ahead."""
BEAT_EVERY_S = 5
BASE_MB = 60
"""A hub that nobody uses."""


class Costs(Struct, frozen=True):
    """In microseconds of a hub's CPU, and in kB."""

    command: float
    """Decode, decide, commit, answer: all that is done once."""
    follow: float
    """Hear, apply, work out the changes, encode: on every hub with a watcher."""
    delivery: float
    pong: float
    """The answer to a beat."""
    connection_kb: float
    room_kb: float


class Need(Struct, frozen=True):
    cores: float
    hubs: int
    memory_mb: float


def measured() -> Costs:
    """From the last run of the benches. Of what a command costs beyond its deliveries, a part is once for each hub."""
    many = json.loads((BUILD / "fanout.json").read_text())["200 x 8"]
    one = json.loads((BUILD / "fanout.json").read_text())["1 x 4000"]
    parts = json.loads((BUILD / "parts.json").read_text())
    memory = json.loads((BUILD / "memory.json").read_text())
    delivery = one["fan-out"]["us_a_delivery"]["median"]
    beyond = max(many["whole way"]["us_a_publish"]["median"] - 8 * delivery, 0)
    share = sum(parts[name] for name in ("feed", "evolve", "changes", "encode")) / sum(parts.values())
    rooms = memory["quiet_room_kb"]
    held = memory["connection_kb"], max(rooms.values())
    return Costs(beyond * (1 - share), beyond * share, delivery, memory["pong_us"], *held)


def need(costs: Costs, *, tables: int, screens: int, hands_an_hour: float, hubs: int | None = None) -> Need:
    """For `tables` with so many screens each. A table's screens are spread over all hubs."""
    commands = tables * hands_an_hour / 3600 * COMMANDS_A_HAND
    count = hubs or ceil(tables * screens / Config().most_connections)
    while True:
        watched_on = min(count, screens)
        micros = commands * (costs.command + watched_on * costs.follow + screens * costs.delivery)
        micros += tables * screens / BEAT_EVERY_S * (costs.delivery + costs.pong)
        cores = micros / 1e6
        if hubs is not None or cores <= count * HEADROOM or count > 1000:
            break
        count = max(count + 1, ceil(cores / HEADROOM))
    kb = tables * screens * costs.connection_kb + tables * watched_on * costs.room_kb
    return Need(cores, count, kb / 1000 + count * BASE_MB)


def main() -> None:
    costs = measured()
    print(f"a command {costs.command:.0f} us, following it {costs.follow:.0f} us, a delivery {costs.delivery:.1f} us")
    print(f"a beat's answer {costs.pong:.0f} us")
    print(f"a connection {costs.connection_kb:.1f} kB, a watched table {costs.room_kb:.1f} kB on each hub")
    cases = [(20, 8, 12.0), (200, 8, 12.0), (200, 40, 12.0), (2000, 8, 12.0), (10_000, 8, 12.0), (1, 10_000, 12.0)]
    if len(sys.argv) == 4:
        cases = [(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))]
    print(f"{'tables':>8} {'screens each':>13} {'hands an hour':>14} {'cores':>7} {'hubs':>5} {'memory MB':>10}")
    for tables, screens, hands in cases:
        it = need(costs, tables=tables, screens=screens, hands_an_hour=hands)
        print(f"{tables:8,} {screens:13,} {hands:14.0f} {it.cores:7.3f} {it.hubs:5} {it.memory_mb:10,.0f}")


if __name__ == "__main__":
    main()

"""What a league, a city and a world of tables need, from what was measured: the model of docs/scaling.md.

    python tests/bench/scaling.py [TABLES SCREENS HANDS_AN_HOUR]

First it looks at itself: what it says of cases that it was not fitted to, beside what the benches measured of them
(build/bench). Then the need of each case, and which resource ends first as tables grow. It fails on no difference.
"""

import sys
from math import ceil, log
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.evening import (  # noqa: E402
    HANDS,
    beat_bytes,
    command_bytes,
    commands,
    feed_bytes,
    mean_bytes,
    outlook_bytes,
    snapshot_bytes,
)
from tests.bench.rig import LEFT_OUT, read, write  # noqa: E402

from bookboard.config import Config  # noqa: E402
from bookboard.hub.live.screens import LOOK_AHEAD_AFTER_S  # noqa: E402
from bookboard.store.keys import PARTITIONS  # noqa: E402
from bookboard.store.link import LANES  # noqa: E402

# ── what is assumed ──────────────────────────────────────────────────────────────────────────────────────────────────

SCREENS = 8
HANDS_AN_HOUR = 12
COMMANDS_A_HAND = 4
"""Two bids, the books, and now and then a correction or a look ahead."""
PEAK = 2
"""Rounds begin together: at the busiest, so many times the mean comes."""
HEADROOM = 0.5
"""Of a core: a crowd that comes back after a hub was lost finds one that has time for it."""
BEAT_EVERY_S = 5
ARRIVALS_AN_HOUR = 2
"""A screen comes, is locked, comes back."""
NIGHT_HOURS, NIGHTS_KEPT = 3, 4
"""A table's log stays for 30 days after its last hand: a night a week."""
HEADERS = 66
"""Of Ethernet, IP and TCP with its time stamps, around a frame; an acknowledgement is as long."""
BASE_MB = 60
"""A hub that nobody uses."""
SHARD_GB = 12
MAX_CLIENTS = 10_000
"""Redis's own limit, unless `maxclients` says otherwise."""
GIGABIT = 1000
DOLLARS_A_CORE_HOUR = 0.04
DOLLARS_A_GB_HOUR = 0.005
DOLLARS_A_GB_OUT = 0.05


class Costs(Struct, frozen=True):
    """Microseconds of CPU, kB and bytes, as measured."""

    alone: float
    """Decode, decide, commit, answer, apply: a command that comes by itself."""
    busy: float
    """The same where those of many tables come at once: they share turns of the loop and trips to Redis."""
    follow_alone: float
    """Hear, apply, work out the changes: on a hub that watches a table and was not given the command."""
    follow_busy: float
    look: float
    """Ahead, once a hand, on every hub with a watcher: where it is left alone."""
    publish: float
    """Encode and frame, on every hub with a watcher."""
    delivery: tuple[float, float]
    """To one of 100 connections, and of 4,000: the more there are, the less of them lies in the caches."""
    pong: float
    idle_hub: float
    """Cores that a hub takes if nobody uses it."""
    idle_redis: float
    connection_kb: float
    room_kb: float
    redis: float
    """A commit, of Redis's CPU."""
    redis_hearer: float
    to_redis: float
    """Bytes a command."""
    from_redis: float
    """Bytes a command, if one hub hears it."""
    kept: float
    """Bytes a command that Redis keeps."""
    kept_table_kb: float
    """What it keeps of a table with its first game begun."""

    def deliver(self, connections: float) -> float:
        few, many = self.delivery
        return few + (many - few) * max(log(connections / 100) / log(40), 0)


def measured() -> Costs:
    """From three cases of the fan-out, and what the other benches say of one part each."""
    fanout, hubs, store, memory = read("fanout"), read("hubs"), read("store"), read("memory")
    look = read("parts")["look"] * len(commands()) / HANDS
    sent = {name: each["ways"]["fan-out"]["us_a_publish"]["median"] for name, each in fanout.items()}
    publish, delivery = 0.0, (0.0, 0.0)
    for _ in range(5):  # each is a little in the other
        delivery = (sent["1 x 100"] - publish) / 100, (sent["1 x 4000"] - publish) / 4000
        between = delivery[0] + (delivery[1] - delivery[0]) * log(16) / log(40)
        publish = max(sent["200 x 8"] - 8 * between, 0)
    followed = {name: one["median"] for name, one in hubs["follow_us"].items()}
    kept = fanout["200 x 8"]["store"]
    return Costs(
        alone=fanout["1 x 100"]["beyond_us"]["median"],
        busy=fanout["200 x 8"]["beyond_us"]["median"],
        follow_alone=max(followed["1 x 100"], 0),
        follow_busy=max(followed["200 x 8"], 0),
        look=look,
        publish=publish,
        delivery=delivery,
        pong=memory["pong_us"],
        idle_hub=memory["idle_cores"]["hub"],
        idle_redis=memory["idle_cores"]["redis"],
        connection_kb=memory["connection_kb"],
        room_kb=memory["quiet_room_kb"]["2000"],
        redis=store["us_a_commit"]["median"],
        redis_hearer=max(store["us_a_hearer"], 0),
        to_redis=kept["bytes_in"],
        from_redis=kept["bytes_out"],
        kept=fanout["1 x 100"]["store"]["kept"],  # the longest log: a short one hides in what Redis reserved for it
        kept_table_kb=memory["stored_table_kb"],
    )


def command_us(costs: Costs, rooms: int, screens: int, hubs: int = 1) -> float:
    """Of a command under the bench's load, all hubs together, if each has some of every room's screens.

    They share a core there, and its caches: what a delivery costs goes by all their connections.
    """
    beyond, follow = (costs.alone, costs.follow_alone) if rooms == 1 else (costs.busy, costs.follow_busy)
    deliveries = screens * costs.deliver(rooms * screens)
    command = beyond + costs.publish + deliveries + (hubs - 1) * (follow + costs.publish)
    if rooms * command / 1e6 > LOOK_AHEAD_AFTER_S:  # so many rooms take turns that each is left alone
        command += (hubs * (costs.look + costs.publish) + deliveries) * HANDS / len(commands())
    return command


# ── does it hold? ────────────────────────────────────────────────────────────────────────────────────────────────────


class Check(Struct):
    what: str
    unit: str
    predicted: float
    measured: float

    @property
    def off(self) -> float:
        return self.predicted / self.measured - 1


def checks(costs: Costs) -> list[Check]:
    """Of figures that the model was not fitted to."""
    fanout, hubs, memory = read("fanout"), read("hubs"), read("memory")
    found = []
    for name, rooms, screens in (("1 x 1000", 1, 1000), ("1 x 4000", 1, 4000), ("2000 x 8", 2000, 8)):
        told = fanout[name]["ways"]["whole way"]["us_a_publish"]["median"]
        found.append(Check(f"a command, {name}", "µs", command_us(costs, rooms, screens), told))
    for kind, where in (("one", ""), ("cluster", ", on a cluster")):
        for name, told in hubs[kind].items():
            rooms, screens = map(int, name.split(" x "))
            for way, ratio in told["ratio"].items():
                label = f"two hubs to one, {name}{'' if way == 'two' else ', a table on one hub'}{where}"
                two = command_us(costs, rooms, screens, 2) if way == "two" else command_us(costs, rooms, screens)
                found.append(Check(label, "", command_us(costs, rooms, screens) / two, ratio["median"]))
    told = fanout["200 x 8"]["store"]["us"]
    found.append(Check("Redis, a command, 200 x 8", "µs", costs.redis + costs.redis_hearer, told))
    wire = fanout["200 x 8"]["ways"]["whole way"]["wire_bytes"]
    found.append(Check("an event, at each screen", "bytes", framed(mean_bytes()), wire))
    room = memory["quiet_room_kb"]["10000"] + costs.connection_kb
    found.append(Check("10,000 tables with a screen each", "MB", (costs.room_kb + costs.connection_kb) * 10, room * 10))
    return found


def framed(payload: int) -> int:
    return payload + (2 if payload < 126 else 4)


# ── what it takes ────────────────────────────────────────────────────────────────────────────────────────────────────


class Case(Struct, frozen=True):
    name: str
    tables: int
    screens: int = SCREENS
    hands_an_hour: float = HANDS_AN_HOUR
    is_together: bool = False
    """A table's screens are all on one hub."""

    @property
    def commands(self) -> float:
        """A second, on average."""
        return self.tables * self.hands_an_hour * COMMANDS_A_HAND / 3600

    @property
    def everybody(self) -> int:
        return self.tables * self.screens


class Need(Struct):
    """At the busiest; traffic in Mbit/s."""

    hubs: int
    hub_cores: float
    hub_gb: float
    shards: int
    redis_cores: float
    redis_gb: float
    out: float
    into: float
    redis_traffic: float
    dollars_an_hour: float


def watching_hubs(case: Case, hubs: int) -> float:
    """How many of them have some of a table's screens, if these are dealt out at random."""
    return 1 if case.is_together else hubs * (1 - (1 - 1 / hubs) ** case.screens)


def hub_cores(costs: Costs, case: Case, hubs: int) -> float:
    watching = watching_hubs(case, hubs)
    deliver = costs.deliver(min(max(case.everybody / hubs, 100), Config().most_connections))
    command = costs.alone + watching * costs.publish + (watching - 1) * costs.follow_alone + case.screens * deliver
    command += (watching * (costs.look + costs.publish) + case.screens * deliver) / COMMANDS_A_HAND
    beats = case.tables / BEAT_EVERY_S * (watching * costs.publish + case.screens * (deliver + costs.pong))
    return (PEAK * case.commands * command + beats) / 1e6 + hubs * costs.idle_hub


def redis_cores(costs: Costs, case: Case, hubs: int) -> float:
    commit = costs.redis + watching_hubs(case, hubs) * costs.redis_hearer
    return PEAK * case.commands * commit / 1e6 + hubs * costs.idle_redis


def kept_gb(costs: Costs, case: Case) -> float:
    nights = case.commands * 3600 * NIGHT_HOURS * costs.kept + case.tables * costs.kept_table_kb * 1000
    return NIGHTS_KEPT * nights / 1e9


def out_bytes(case: Case, peak: float) -> float:
    """A second, to all screens."""
    event = framed(mean_bytes()) + HEADERS + (framed(outlook_bytes()) + HEADERS) / COMMANDS_A_HAND
    beat = framed(beat_bytes()) + HEADERS
    arrivals = case.everybody * ARRIVALS_AN_HOUR / 3600 * snapshot_bytes()
    return peak * case.commands * case.screens * event + case.everybody / BEAT_EVERY_S * beat + arrivals


def in_bytes(case: Case) -> float:
    acknowledged = PEAK * case.commands * case.screens * HEADERS
    said = PEAK * case.commands * (command_bytes() + HEADERS)
    return said + acknowledged + case.everybody / BEAT_EVERY_S * (20 + HEADERS)


def redis_bytes(costs: Costs, case: Case, hubs: int) -> float:
    others = watching_hubs(case, hubs) - 1
    return PEAK * case.commands * (costs.to_redis + costs.from_redis + others * feed_bytes())


def need(costs: Costs, case: Case) -> Need:
    hubs = ceil(case.everybody / Config().most_connections)
    while (cores := hub_cores(costs, case, hubs)) > hubs * HEADROOM:
        hubs = max(hubs + 1, ceil(cores / HEADROOM))
    redis, kept = redis_cores(costs, case, hubs), kept_gb(costs, case)
    shards = max(ceil(redis / HEADROOM), ceil(kept / SHARD_GB))
    watched_kb = case.everybody * costs.connection_kb + case.tables * watching_hubs(case, hubs) * costs.room_kb
    memory = watched_kb / 1e6 + hubs * BASE_MB / 1000
    dollars = (hubs + 2 * shards) * DOLLARS_A_CORE_HOUR + (memory + 2 * kept) * DOLLARS_A_GB_HOUR
    dollars += out_bytes(case, 1) * 3600 / 1e9 * DOLLARS_A_GB_OUT
    mbit = 8 / 1e6
    return Need(
        hubs=hubs,
        hub_cores=cores,
        hub_gb=memory,
        shards=shards,
        redis_cores=redis,
        redis_gb=kept,
        out=out_bytes(case, PEAK) * mbit,
        into=in_bytes(case) * mbit,
        redis_traffic=redis_bytes(costs, case, hubs) * mbit,
        dollars_an_hour=dollars,
    )


# ── which wall comes first ───────────────────────────────────────────────────────────────────────────────────────────


class Wall(Struct):
    tables: int
    what: str
    moved_by: str


def walls(costs: Costs) -> list[Wall]:
    """Nearest first."""
    spread, together = Case("", 1), Case("", 1, is_together=True)

    def most(holds: Any) -> int:
        low, high = 1, 1 << 34
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if holds(middle) else (low, middle - 1)
        return low

    def case(one: Case, tables: int) -> Case:
        return Case("", tables, one.screens, one.hands_an_hour, one.is_together)

    def cores_of_redis(one: Case, tables: int) -> float:
        it = case(one, tables)
        return redis_cores(costs, it, need(costs, it).hubs)

    found = [
        Wall(Config().most_connections // SCREENS, "one hub's connections", "more hubs: `--workers`, then machines"),
        Wall(
            most(lambda n: hub_cores(costs, case(spread, n), 1) <= HEADROOM), "one hub's core, half used", "more hubs"
        ),
        Wall(
            most(lambda n: out_bytes(case(spread, n), PEAK) * 8 / 1e6 <= GIGABIT),
            "a gigabit out of one machine",
            "hubs on several machines",
        ),
        Wall(
            most(lambda n: kept_gb(costs, case(spread, n)) <= SHARD_GB),
            f"one Redis's memory, {SHARD_GB} GB",
            "more memory, or a Redis Cluster",
        ),
        Wall(
            most(lambda n: cores_of_redis(spread, n) <= HEADROOM),
            "one Redis's core, half used",
            "a Redis Cluster",
        ),
        Wall(
            MAX_CLIENTS // (LANES + 1) * Config().most_connections // SCREENS,
            f"{MAX_CLIENTS:,} connections of each Redis: {LANES + 1} a hub",
            "`maxclients`, or fewer and larger hubs",
        ),
        Wall(
            most(lambda n: kept_gb(costs, case(spread, n)) <= SHARD_GB * PARTITIONS),
            f"the memory of {PARTITIONS} shards, {SHARD_GB} GB each",
            "more memory in each",
        ),
        Wall(
            most(lambda n: cores_of_redis(together, n) <= HEADROOM * PARTITIONS),
            f"the cores of {PARTITIONS} shards: there are no more partitions",
            "several worlds, each with its own Redis",
        ),
    ]
    return sorted(found, key=lambda wall: wall.tables)


def shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"


def main() -> None:
    try:
        costs = measured()
        held = checks(costs)
    except (FileNotFoundError, KeyError) as error:
        print(f"left out: nothing was measured on this machine yet ({error}). Run `make bench`, then this again.")
        raise SystemExit(LEFT_OUT) from None
    if len(sys.argv) == 4:
        given = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
        cases = [Case("given", *given), Case("given, together", *given, is_together=True)]
    else:
        cases = [Case("league", 10), Case("city", 1000), Case("world", 1_000_000)]
        cases.append(Case("world, a table's screens on one hub", 1_000_000, is_together=True))
    for name in Costs.__struct_fields__:
        value = getattr(costs, name)
        print(f"  {name:14}", " ".join(f"{one:.4g}" for one in (value if isinstance(value, tuple) else (value,))))
    for check in held:
        told = f"{shown(check.predicted):>8} predicted {shown(check.measured):>8} {check.unit:5}"
        print(f"{check.what:58} {told} {check.off:+.0%}")
    needs = [need(costs, case) for case in cases]
    for case, it in zip(cases, needs, strict=True):
        print(f"{case.tables:9,} tables x {case.screens} ({case.name}): {it.hubs:,} hubs with", end=" ")
        print(f"{it.hub_cores:.2f} cores and {it.hub_gb:.2f} GB;")
        print(f"    {it.shards} Redis shards with {it.redis_cores:.3f} cores and {it.redis_gb:.2f} GB;", end=" ")
        print(f"Mbit/s: {it.out:,.1f} out, {it.into:,.1f} in, {it.redis_traffic:,.1f} with Redis;", end=" ")
        print(f"{it.dollars_an_hour:,.2f} dollars an hour")
    found = walls(costs)
    for wall in found:
        print(f"{wall.tables:13,} tables  {wall.what}: {wall.moved_by}")
    if len(sys.argv) == 1:
        write("scaling", {"costs": costs, "checks": held, "cases": cases, "needs": needs, "walls": found})


if __name__ == "__main__":
    main()

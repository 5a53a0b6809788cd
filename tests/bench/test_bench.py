"""What the benches say of the hub from outside still fits it, and the pages name tables that are made."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("the benches run on Linux", allow_module_level=True)

from tests.bench import sampler, scaling, stopwatch, tables

from bookboard.hub.endpoints.connection import Connection
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.wire import fanout
from bookboard.hub.wire.fanout import Audience
from bookboard.store.redis_store import RedisStore

ROOT = Path(__file__).parents[2]
COSTS = scaling.Costs(
    alone=600,
    busy=300,
    follow_alone=400,
    follow_busy=200,
    look=150,
    publish=15,
    delivery=(5, 8),
    pong=25,
    idle_hub=0.005,
    idle_redis=0.002,
    connection_kb=17,
    room_kb=10,
    redis=60,
    redis_hearer=3,
    to_redis=500,
    from_redis=320,
    kept=300,
    kept_table_kb=8,
)


def stack(*frames: str) -> str:
    return "\n".join(f'  File "/somewhere/{path}", line 1 in {function}' for path, function in map(str.split, frames))


def test_what_the_stopwatch_wraps_is_there() -> None:
    for owner, name in ((Connection, "_decode"), (RedisStore, "commit"), (LiveLog, "_advance"), (Audience, "_flush")):
        assert callable(getattr(owner, name))
    assert callable(vars(fanout)["message_frame"])
    assert hasattr(Audience(lambda: None), "_pending")


def test_every_function_that_marks_a_phase_is_there() -> None:
    sources = {path.name: path.read_text() for path in (ROOT / "server" / "bookboard").rglob("*.py")}
    for _, marks in sampler.PHASES:
        for name, _, function in (mark.partition(" ") for mark in marks):
            if function:
                assert f"def {function}(" in sources[name], (name, function)
    assert sampler.ENCODING in sources["fanout.py"]


@pytest.mark.parametrize(
    ("frames", "phase"),
    [
        (("views.py changes_between", "replies.py event_message", "following.py _advance"), "what changes on screens"),
        (("evolve.py evolve", "planning.py plan", "committing.py _commit"), "plan the commit"),
        (("evolve.py evolve", "following.py _advance", "feed.py _hear"), "apply the event"),
        (("fanout.py _flush", "runners.py run"), "send to the screens"),
        (("runners.py run",), sampler.LOOP),
    ],
)
def test_a_stack_belongs_to_the_phase_that_matters(frames: tuple[str, ...], phase: str) -> None:
    assert sampler.phase_of(stack(*frames)) == phase


def test_parts_of_a_way_add_up_to_all_of_it() -> None:
    marks = [(mark, 1000 * (number + 1)) for number, mark in enumerate(stopwatch.MARKS)]
    (way,) = stopwatch.ways([(0, 9000), (10_000, 20_000)], marks)
    assert way.pop("all") == pytest.approx(sum(way.values()))
    assert set(way) == set(stopwatch.PARTS)


def test_every_table_of_the_documents_is_made_and_every_table_is_in_one() -> None:
    pages = "".join((ROOT / "docs" / name).read_text() for name in ("performance.md", "scaling.md"))
    assert sorted(found[1] for found in tables.MARKED.finditer(pages)) == sorted(tables.TABLES)


def not_measured() -> str:
    raise FileNotFoundError


def test_a_table_is_written_between_its_marks_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tables.TABLES, "costs", lambda: "| new |\n")
    monkeypatch.setitem(tables.TABLES, "walls", not_measured)
    text = "a\n<!-- bench: costs -->\nold\n<!-- end -->\nb\n<!-- bench: walls -->\nkept\n<!-- end -->\n"
    once = tables.filled(text)
    assert once == text.replace("old\n", "\n| new |\n\n")
    assert tables.filled(once) == once


def test_more_tables_never_need_less() -> None:
    needs = [scaling.need(COSTS, scaling.Case("", 10**power)) for power in range(7)]
    for less, more in pairwise(needs):
        assert (less.hubs, less.shards, less.hub_cores) <= (more.hubs, more.shards, more.hub_cores)


def test_screens_that_stay_together_cost_no_more() -> None:
    apart, together = (
        scaling.need(COSTS, scaling.Case("", 1_000_000, is_together=is_together)) for is_together in (False, True)
    )
    assert together.hub_cores < apart.hub_cores
    assert together.redis_traffic < apart.redis_traffic
    assert scaling.Case("", 1).everybody == scaling.SCREENS


def test_the_nearest_wall_comes_first() -> None:
    found = [wall.tables for wall in scaling.walls(COSTS)]
    assert found == sorted(found)

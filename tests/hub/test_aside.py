"""What takes long is worked out beside the loop, and paid for by the time it took."""

import asyncio
import dataclasses
import threading
import time

import pytest
from tests.hub.conftest import HOST, Hub, open_in
from tests.hub.memory_store import MemoryStore
from tests.servers import until

from bookboard.hub.live.aside import Aside
from bookboard.hub.wire.throttle import Bucket, PerAddress, computing
from bookboard.log.actors import Actor, hash_token
from bookboard.protocol.messages import Preview, PreviewResult
from bookboard.room.commands import AnyCommand, CorrectHand, EnterHand, NameTable, StartGame
from bookboard.room.decide import Decision, decide
from bookboard.room.state import Room
from bookboard.rules.model import Entry

WON: Entry = {"books": {"north_south": 8, "east_west": 5}}
BIDS: Entry = {"bids": {"north_south": 4, "east_west": 4}}
CORRECTED = CorrectHand(1, 1, 2**40, {"books": {"north_south": 7, "east_west": 6}})


@pytest.fixture
async def long_game(hub: Hub, store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """As few hands as a game may have whose correction takes long."""
    monkeypatch.setattr("bookboard.room.corrections.HANDS_A_MESSAGE", 1)
    await open_in(store)
    await hub.done(StartGame(1))
    await hub.done(EnterHand(1, 1, 2**40, WON))
    for hand in (2, 3):
        await hub.done(EnterHand(1, hand, 2**40, {**BIDS, **WON}))
    return hub


async def test_a_room_goes_on_while_a_long_correction_is_decided_which_is_then_decided_again(
    long_game: Hub, other_hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, began, may_go_on, decided_at = await long_game.live(), threading.Event(), threading.Event(), list[int]()

    def slowly(room: Room, command: AnyCommand, actor: Actor, now: int) -> Decision:
        if isinstance(command, CorrectHand):
            decided_at.append(room.state.version)
            began.set()
            assert may_go_on.wait(30)
        return decide(room, command, actor, now)

    monkeypatch.setattr(live, "kind", dataclasses.replace(live.kind, decide=slowly))
    correcting = asyncio.create_task(long_game.done(CORRECTED))
    await until(began.is_set)
    version = live.version
    await other_hub.done(NameTable("Table 5"))
    await until(lambda: live.version == version + 1)
    may_go_on.set()
    await correcting
    assert decided_at == [version, version + 1]
    assert live.state.state.name == "Table 5"
    assert live.state.state.game.hands[0].entry == CORRECTED.entry


async def test_who_looks_at_a_long_correction_pays_for_the_time_it_took(long_game: Hub) -> None:
    live, spent = await long_game.live(), list[float]()

    class Spent:
        def may_keep(self, _: int) -> bool:
            return True

        def may_compute(self) -> bool:
            return True

        def computed(self, seconds: float) -> None:
            spent.append(seconds)

    shown = await live.preview_aside(hash_token(HOST), Preview("p", CORRECTED), Spent())
    assert isinstance(shown, PreviewResult)
    assert [hand.number for hand in shown.changed] == [1], "the others get the points they had"
    assert len(spent) == 1
    assert spent[0] > 0


async def test_one_piece_is_worked_out_at_a_time() -> None:
    aside, running, most = Aside(), list[int](), list[int]()

    def step() -> None:
        running.append(1)
        most.append(len(running))
        time.sleep(0.001)
        running.pop()

    await asyncio.gather(*(aside.work(step) for _ in range(20)))
    assert max(most) == 1


def test_what_was_worked_out_is_paid_off_before_anything_more() -> None:
    now = 0.0
    bucket = Bucket(0.1, 0.5, lambda: now)
    bucket.owe(0.7)
    assert not bucket.take(0)
    now = 3.0
    assert bucket.take(0)
    each = PerAddress(lambda: Bucket(0.1, 0.5, lambda: now), Bucket(1, 10, lambda: now))
    each.owe("192.0.2.1", 1)
    assert not each.take("192.0.2.1", 0)
    assert each.take("192.0.2.2", 0)


def test_all_addresses_together_get_a_part_of_a_processor() -> None:
    budget = computing()
    for number in range(100):
        budget.owe(f"192.0.2.{number}", 0.05)
    assert not budget.take("198.51.100.1", 0)

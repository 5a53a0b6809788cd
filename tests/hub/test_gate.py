"""Who is known goes first, of strangers one portion is handled a turn, and who has gone leaves nothing to collect."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import cast

import pytest
from tests.hub.conftest import CODE, HOST, INVITED, open_in
from tests.hub.memory_store import MemoryStore
from tests.hub.serving import dialled, joined
from tests.hub.test_socket import LocalHub, served_by
from tests.servers import until

from bookboard.config import Config
from bookboard.hub.clock import StoreClock
from bookboard.hub.desk import Desk
from bookboard.hub.gate import PORTION, Gate, InLine
from bookboard.hub.rooms import Rooms
from bookboard.hub.serve import HubServer
from bookboard.hub.socket import Connection
from bookboard.hub.wsproto import WireProtocol


async def turns(many: int) -> None:
    for _ in range(many):
        await asyncio.sleep(0)


async def test_who_finds_nobody_in_line_waits_for_nothing() -> None:
    gate, taken = Gate(), list[int]()
    gate.enter(lambda: taken.append(1))
    assert taken == [1]
    await turns(3)
    gate.enter(lambda: taken.append(2))
    assert taken == [1, 2]


async def test_of_a_crowd_one_is_let_in_a_turn() -> None:
    gate, taken = Gate(), list[int]()
    for number in range(50):
        gate.enter(lambda number=number: taken.append(number))  # type: ignore[misc]
    seen = []
    for _ in range(60):
        seen.append(len(taken))
        await asyncio.sleep(0)
    assert taken == [*range(50)]
    assert all(after - before <= 1 for before, after in pairwise(seen))


class Transport:
    """Of a connection: whether it is read."""

    is_read = True
    is_closed = False

    def pause_reading(self) -> None:
        self.is_read = False

    def is_closing(self) -> bool:
        return self.is_closed


class Sender(InLine):
    def __init__(self, gate: Gate, heard: list[tuple[str, int]], name: str) -> None:
        self.gate = gate
        self.transport = cast("asyncio.Transport", Transport())
        self.heard = heard
        self.name = name

    def handle(self, portion: bytes) -> None:
        self.heard.append((self.name, len(portion)))

    def read_on(self) -> None:
        self.of_transport.is_read = True

    @property
    def of_transport(self) -> Transport:
        return cast("Transport", self.transport)


async def test_who_sends_a_lot_waits_behind_the_others_with_each_portion() -> None:
    gate, heard = Gate(), list[tuple[str, int]]()
    much, little = Sender(gate, heard, "much"), Sender(gate, heard, "little")
    much.queue_up(bytes(3 * PORTION + 1))
    little.queue_up(bytes(10))
    assert [sender.of_transport.is_read for sender in (much, little)] == [False, False]
    await turns(10)
    assert heard == [("much", PORTION), ("much", PORTION), ("little", 10), ("much", PORTION), ("much", 1)]
    assert [sender.of_transport.is_read for sender in (much, little)] == [True, True]


async def test_what_waits_of_who_has_gone_is_forgotten() -> None:
    gate, heard = Gate(), list[tuple[str, int]]()
    gone = Sender(gate, heard, "gone")
    gone.queue_up(bytes(5 * PORTION))
    gone.of_transport.is_closed = True
    await turns(10)
    assert heard == [("gone", PORTION)]
    assert not gone.is_waiting


# ── with real sockets ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def local(store: MemoryStore) -> AsyncIterator[LocalHub]:
    await open_in(store)
    rooms = Rooms(store, StoreClock(lambda: store.time))
    await rooms.start()
    desk = Desk(rooms, Config(), [])
    async with served_by(HubServer(desk, Config()), 0) as at:
        yield LocalHub(desk, int(at.partition(":")[2]))
    await rooms.stop()


def wires(local: LocalHub) -> list[WireProtocol]:
    return [cast("Connection", guest)._wire for guest in local.desk.guests]  # type: ignore[misc] # noqa: SLF001


@pytest.mark.parametrize(("token", "is_known"), [(HOST, True), (INVITED, False), (None, False)])
async def test_a_persons_token_makes_known(local: LocalHub, token: str | None, *, is_known: bool) -> None:
    async with joined(local, CODE, token):
        assert [wire.is_known for wire in wires(local)] == [is_known]


async def test_who_claims_a_seat_is_known_from_then_on(local: LocalHub) -> None:
    async with joined(local, CODE, INVITED) as guest:
        (wire,) = wires(local)
        assert not wire.is_known
        await guest.do("claim_seat", seat="west", name="Wes", token="w" * 22)
        assert wire.is_known


async def test_a_member_does_not_wait_for_strangers(local: LocalHub) -> None:
    """A line that never ends: the member's command is answered, the stranger's hello is not."""
    async with joined(local, CODE, HOST) as host, dialled(local) as stranger:
        (wire, _) = wires(local)
        for _ in range(100_000):
            wire.gate.enter(lambda: None)
        await stranger.send({"type": "hello", "room": CODE})
        assert (await host.do("start_game", game=1))["type"] == "done"
        assert wire.gate._line  # noqa: SLF001
        assert not stranger.heard
        await stranger.until("welcome")


@pytest.mark.parametrize("token", [HOST, None, "nobodys-token-nobodys-token"])
async def test_who_has_gone_leaves_no_circle(local: LocalHub, token: str | None) -> None:
    gc.collect()
    gc.disable()
    try:
        async with dialled(local) as client:
            gone = [weakref.ref(wire) for wire in wires(local)]
            await client.send({"type": "hello", "room": CODE, "token": token})
            await (client.closed() if token and token != HOST else client.until("welcome"))
        assert len(gone) == 1
        await until(lambda: gone[0]() is None)
    finally:
        gc.enable()

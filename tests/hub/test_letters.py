"""Letters between two counters: each taken exactly once and in order, whatever becomes of hubs and store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
from tests.hub.conftest import settle
from tests.hub.counters import COUNTER, Counter, Opened, Pass, write_event
from tests.hub.memory_store import MemoryStore

from bookboard.catalogue import KINDS
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.kind import Foreseen
from bookboard.hub.live.letters import Postman
from bookboard.hub.live.planning import opening_commit
from bookboard.hub.live.rooms import Rooms
from bookboard.log.actors import hash_token
from bookboard.protocol.messages import Done
from bookboard.store.contract import Commit, CommitAnswer, Letter, StoreUnavailable

KEEPER = hash_token("keeper-token-keeper-token")
ONE, OTHER = "100", "200"


class ShakyStore(MemoryStore):
    """Any call may fail, before it was carried out or after, and takes a while in which others go on."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self.rng = rng
        self.is_shaky = False

    async def _shake(self) -> None:
        for _ in range(self.rng.randrange(4) if self.is_shaky else 0):
            await asyncio.sleep(0)
        if self.is_shaky and self.rng.random() < 0.1:
            raise StoreUnavailable("timeout")

    async def commit(self, commit: Commit) -> CommitAnswer:
        await self._shake()
        answer = await super().commit(commit)
        await self._shake()
        return answer

    async def letters(self, room: str) -> list[Letter]:
        await self._shake()
        found = await super().letters(room)
        await self._shake()
        return found

    async def is_waiting(self, room: str, letter: Letter) -> bool:
        await self._shake()
        found = await super().is_waiting(room, letter)
        await self._shake()
        return found

    async def strike(self, room: str, letter: Letter, refused: str | None) -> None:
        await self._shake()
        await super().strike(room, letter, refused)
        await self._shake()


async def opened(store: MemoryStore) -> MemoryStore:
    for code in (ONE, OTHER):
        event = write_event("keeper", Opened(KEEPER, "adder", 3_600_000))
        await store.create(opening_commit(code, "keeper", [event], Foreseen()))
    return store


@asynccontextmanager
async def hub_on(store: MemoryStore) -> AsyncIterator[Rooms]:
    rooms = Rooms(store, (*KINDS, COUNTER), StoreClock(lambda: store.time))
    await rooms.start()
    yield rooms
    await rooms.stop()


async def give(rooms: Rooms, code: str, command: Pass, cmd: str) -> None:
    live = await rooms.enter(code)
    assert live is not None
    for _ in range(200):
        if isinstance(await live.do(KEEPER, cmd, command), Done):
            break
    else:
        pytest.fail("a command is never done")
    rooms.leave(code)


async def counter(rooms: Rooms, code: str) -> Counter:
    live = await rooms.enter(code)
    assert live is not None
    await live.catch_up()
    rooms.leave(code)
    state: Counter = live.state
    return state


@pytest.fixture
async def store() -> MemoryStore:
    return await opened(MemoryStore())


async def test_a_letter_is_carried_out_in_the_name_of_the_log_that_sent_it(store: MemoryStore) -> None:
    async with hub_on(store) as hub:
        await give(hub, ONE, Pass(OTHER, 7), "cmd")
        await Postman(hub).sweep()
        assert (await counter(hub, OTHER)).taken == {ONE: (7,)}
        assert await store.senders() == []


async def test_a_letter_leads_to_letters(store: MemoryStore) -> None:
    async with hub_on(store) as hub:
        await give(hub, ONE, Pass(OTHER, 7, times=3), "cmd")
        while await store.senders():
            await Postman(hub).sweep()
        assert (await counter(hub, OTHER)).taken == {ONE: (7, 7)}
        assert (await counter(hub, ONE)).taken == {OTHER: (7, 7)}


async def test_a_letter_that_is_refused_for_good_is_kept_and_holds_nothing_up(store: MemoryStore) -> None:
    async with hub_on(store) as hub:
        for number, to in enumerate((OTHER, "999", OTHER)):
            await give(hub, ONE, Pass(to, number - 1), f"cmd{number}")
        await Postman(hub).sweep()
        assert (await counter(hub, OTHER)).taken == {ONE: (1,)}
        kept = [(refused.letter.to, refused.code) for refused in await store.refused_letters(ONE)]
        assert kept == [(OTHER, "bad_score"), ("999", "not_found")]


async def test_a_letter_to_a_kind_that_this_hub_does_not_know_is_left_to_others(store: MemoryStore) -> None:
    async with hub_on(store) as hub:
        await give(hub, ONE, Pass("of a newer kind", 1), "cmd1")
        await give(hub, ONE, Pass(OTHER, 2), "cmd2")
        await Postman(hub).sweep()
        assert [letter.to for letter in await store.letters(ONE)] == ["of a newer kind"]


async def test_a_hub_that_comes_too_late_takes_nothing(store: MemoryStore) -> None:
    async with hub_on(store) as hub, hub_on(store) as late:
        await give(hub, ONE, Pass(OTHER, 1), "cmd1")
        (letter,) = await store.letters(ONE)
        await store.strike(ONE, letter, "conflict")
        await give(hub, ONE, Pass(OTHER, 2), "cmd2")
        await Postman(hub).sweep()
        assert await Postman(late)._deliver(ONE, letter) is not None  # noqa: SLF001 - as if it had read it before
        assert (await counter(late, OTHER)).taken == {ONE: (2,)}


@pytest.mark.parametrize("seed", range(10))
async def test_every_letter_is_taken_once_and_in_order_whatever_fails(seed: int) -> None:
    rng = Random(seed)
    store = ShakyStore(rng)
    await opened(store)
    most = 25
    async with hub_on(store) as one, hub_on(store) as other:
        store.is_shaky = True

        async def write(code: str, to: str) -> None:
            for number in range(1, most + 1):
                await give(rng.choice((one, other)), code, Pass(to, number), f"cmd{number}")
                await asyncio.sleep(0)

        async def carry() -> None:
            """A hub whose sweeps are killed at any moment."""
            while not written.done() or await store.senders():
                sweeping = asyncio.create_task(Postman(rng.choice((one, other))).sweep())
                for _ in range(rng.randrange(200)):
                    await asyncio.sleep(0)
                sweeping.cancel()
                with suppress(asyncio.CancelledError):
                    await sweeping

        written = asyncio.gather(write(ONE, OTHER), write(OTHER, ONE))
        await asyncio.gather(written, carry(), carry())
        store.is_shaky = False
        await settle()
        everything = tuple(range(1, most + 1))
        assert (await counter(one, OTHER)).taken == {ONE: everything}
        assert (await counter(one, ONE)).taken == {OTHER: everything}
        assert await store.refused_letters(ONE) == []

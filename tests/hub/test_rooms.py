"""Taking rooms up and letting them go; the store lost and found; time expiring where nobody watches."""

import asyncio
import gc
import weakref

import pytest
from msgspec import MsgspecError, structs
from tests.hub.conftest import CODE, Hub, open_in, settle
from tests.hub.memory_store import MemoryStore
from tests.servers import until

from bookboard.hub.live import rooms as rooms_module
from bookboard.protocol.messages import FromServer, Status
from bookboard.room.commands import ClaimSeat, StartGame
from bookboard.store.contract import StoreUnavailable


@pytest.fixture(autouse=True)
async def table(store: MemoryStore) -> None:
    await open_in(store, {"time_limit_minutes": 60})


async def test_a_room_is_read_once_however_many_come_at_once(hub: Hub, store: MemoryStore) -> None:
    entered = await asyncio.gather(*(hub.rooms.enter(CODE) for _ in range(50)))
    assert len({id(live) for live in entered}) == 1
    assert store.loads == [(CODE, None)]


async def test_what_is_committed_between_listening_and_reading_is_not_missed(
    hub: Hub, other_hub: Hub, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = store.load

    async def slow_load(room: str, *, after: int | None = None) -> object:
        loaded = await load(room, after=after)
        monkeypatch.undo()
        await other_hub.done(StartGame(1))
        return loaded

    await other_hub.live()
    monkeypatch.setattr(store, "load", slow_load)
    live = await hub.live()
    assert live.version == 2


@pytest.mark.parametrize("code", ["AAAAAAA", "", "k7f4mpq", "K7F4MPQ0", "💥", "a" * 16])
async def test_there_is_no_such_room(hub: Hub, code: str) -> None:
    assert await hub.rooms.enter(code) is None


async def test_a_room_is_let_go_a_while_after_its_last_watcher_left(
    hub: Hub, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "LET_GO_AFTER_S", 0.01)
    await hub.live()
    await hub.live()
    hub.rooms.leave(CODE)
    await asyncio.sleep(0.03)
    assert store.feeds[0].rooms == {CODE}
    hub.rooms.leave(CODE)
    await until(lambda: store.feeds[0].rooms == set())


async def test_a_room_that_was_let_go_leaves_no_circle(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "LET_GO_AFTER_S", 0)
    gc.collect()
    gc.disable()
    try:
        await hub.done(StartGame(1))
        gone = weakref.ref(await hub.live())
        hub.rooms.leave(CODE)
        await until(lambda: gone() is None)
    finally:
        gc.enable()


async def test_who_comes_back_in_time_finds_the_room_as_it_was(hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    hub.rooms.leave(CODE)
    assert await hub.live() is live
    assert len(store.loads) == 1


async def test_an_unreachable_store_is_no_unknown_room(hub: Hub, store: MemoryStore) -> None:
    store.down = "timeout"
    with pytest.raises(StoreUnavailable):
        await hub.rooms.enter(CODE)
    store.down = None
    await hub.live()


async def test_a_room_that_cannot_be_read_stands_in_nobodys_way(hub: Hub, store: MemoryStore) -> None:
    stored = store.rooms[CODE]
    readable, stored.entries = stored.entries, [structs.replace(stored.entries[0], body=b"from the future")]
    for _ in range(2):
        with pytest.raises(MsgspecError):
            await hub.rooms.enter(CODE)
    stored.entries = readable
    assert (await hub.live()).version == 1


async def test_after_a_gap_every_room_is_looked_at(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    feed = store.feeds[0]
    feed.is_deaf = True
    await other_hub.done(StartGame(1))
    feed.on_gap()
    await settle()
    assert live.version == 2


async def test_everybody_hears_when_the_store_is_lost_and_found(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    told: list[FromServer] = []
    live.audience.publish = told.append  # type: ignore[method-assign,assignment]
    store.feeds[0].is_deaf = True
    await other_hub.done(ClaimSeat("west", "Wes"))
    store.down = "disk"
    await hub.do(StartGame(1))
    await hub.do(StartGame(1))
    store.down = None
    await hub.rooms.probe()
    await settle()
    assert [message.store for message in told if isinstance(message, Status)] == ["readonly", "ok"]
    assert live.version == 2, "what was missed meanwhile is there"


async def test_time_expires_in_a_room_that_nobody_watches(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    await other_hub.done(StartGame(1))
    store.time += 60 * 60_000 + rooms_module.SWEEP_BEHIND_MS
    await hub.rooms.sweep()
    live = await hub.live()
    assert live.state.state.game.clock.expired_after == 0
    assert store.rooms[CODE].deadline is None


async def test_a_hub_that_nobody_writes_at_notices_a_store_that_takes_no_writes(
    hub: Hub, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse() -> None:
        raise StoreUnavailable("readonly")

    monkeypatch.setattr(store, "check_writable", refuse)
    for _ in range(rooms_module.PROBES_A_PROOF):
        await hub.rooms.probe()
    assert hub.rooms.status.store == "readonly"

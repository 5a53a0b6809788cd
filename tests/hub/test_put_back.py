"""A table that the store has lost is put back by its host, with what a hub still shows of it."""

import asyncio

import pytest
from tests.hub.conftest import CODE, HOST, INVITED, PHRASE, Hub, open_in, settle
from tests.hub.memory_store import MemoryStore
from tests.room.table import played

from bookboard.hub.live.put_back import put_back
from bookboard.log.actors import hash_token
from bookboard.protocol.messages import Done, Refused, Resume, Rewound
from bookboard.room.commands import ClaimSeat, EnterHand, StartGame
from bookboard.room.views import view_of
from bookboard.rules.model import Json
from bookboard.store.contract import StoreUnavailable

TIMED: dict[str, Json] = {"first_hand_bids_itself": False, "time_limit_minutes": 60}
PLAYER = "player-token-player-token-1"
FAR = 2**40


@pytest.fixture
async def hub(hub: Hub, store: MemoryStore) -> Hub:
    """A hub that shows a table with one hand in."""
    await open_in(store, TIMED)
    await hub.live()
    await hub.done(StartGame(1))
    await hub.done(ClaimSeat("west", "Wes", PLAYER), token=INVITED)
    await hub.done(EnterHand(1, 1, FAR, played((5, 6), 6)))
    return hub


async def asked(hub: Hub, token: str | None = HOST, cmd: str = "back") -> Done | Refused:
    live = await hub.live()
    return await put_back(live, hub.store, None if token is None else hash_token(token), cmd)


async def lose(hub: Hub, store: MemoryStore) -> None:
    del store.rooms[CODE]
    live = await hub.live()
    await live.start(live.catch_up())
    assert live.screens.is_lost


async def test_the_host_has_the_table_put_back_and_play_goes_on(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    before, version, deadline = live.state, live.version, store.rooms[CODE].deadline
    shown = await other_hub.live()
    await lose(hub, store)
    assert await asked(hub) == Done("back", version)
    assert not live.screens.is_lost
    await settle()
    assert view_of(live.state) == view_of(before) == view_of(shown.state)
    assert (live.epoch, live.version, store.rooms[CODE].deadline) == (2, version + 1, deadline)
    await hub.done(EnterHand(1, 2, FAR, played((5, 6), 8)))
    await settle()
    assert (shown.epoch, shown.last, shown.state) == (live.epoch, live.last, live.state)
    assert len(shown.state.sheet.hands) == 2


@pytest.mark.parametrize("token", [None, INVITED, PLAYER, "a-token-that-nobody-has-given"])
async def test_nobody_but_the_host_has_a_table_put_back(hub: Hub, store: MemoryStore, token: str | None) -> None:
    await lose(hub, store)
    assert await asked(hub, token) == Refused("back", "host_only", {}, retry=False)
    assert CODE not in store.rooms


async def test_whoever_has_the_recovery_phrase_is_the_host(hub: Hub, store: MemoryStore) -> None:
    await lose(hub, store)
    assert isinstance(await asked(hub, PHRASE), Done)


async def test_a_table_that_is_there_is_left_as_it_is(hub: Hub, store: MemoryStore) -> None:
    before = store.rooms[CODE].entries[:]
    assert await asked(hub) == Refused("back", "not_lost", {}, retry=False)
    assert (store.rooms[CODE].epoch, store.rooms[CODE].entries) == (1, before)


async def test_of_two_hubs_that_are_asked_at_once_one_puts_it_back(
    hub: Hub, other_hub: Hub, store: MemoryStore
) -> None:
    await other_hub.live()
    await lose(hub, store)
    answers = await asyncio.gather(asked(hub, HOST, "one"), asked(other_hub, PHRASE, "two"))
    assert sorted(type(answer).__name__ for answer in answers) == ["Done", "Refused"]
    await settle()
    assert (await hub.live()).last == (await other_hub.live()).last == store.rooms[CODE].last
    assert len(store.rooms[CODE].entries) == 1


async def test_who_asks_again_gets_the_first_answer(hub: Hub, store: MemoryStore) -> None:
    await lose(hub, store)
    first = await asked(hub)
    assert isinstance(first, Done)
    assert await asked(hub) == Done("back", first.version, repeated=True)


async def test_a_hub_that_knew_of_more_names_the_hand_that_is_gone(
    hub: Hub, other_hub: Hub, store: MemoryStore
) -> None:
    ahead = await other_hub.live()
    store.feeds[0].is_deaf = True
    await other_hub.done(EnterHand(1, 2, FAR, played((5, 6), 8)))
    live = await hub.live()
    assert len(live.state.sheet.hands) == 1
    del store.rooms[CODE]
    assert isinstance(await asked(hub), Done)
    await settle()
    assert ahead.rewound == Rewound(2, 1, [2])
    assert ahead.state == live.state


async def test_a_screen_that_saw_the_last_of_the_lost_log_is_at_home_in_the_new_one(
    hub: Hub, store: MemoryStore
) -> None:
    live = await hub.live()
    at = Resume(live.epoch, live.version, live.last)
    await lose(hub, store)
    await asked(hub)
    assert await live.reconcile(at, may_raise=True) == Rewound(2, 1, [])
    gone = Resume(1, at.version, "another")
    assert await live.reconcile(gone, may_raise=True) == Rewound(2, 1, [], complete=False)


async def test_a_store_that_is_away_puts_nothing_back(hub: Hub, store: MemoryStore) -> None:
    await lose(hub, store)
    store.down = "unreachable"
    with pytest.raises(StoreUnavailable):
        await asked(hub)

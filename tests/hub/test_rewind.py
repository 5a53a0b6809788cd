"""A store that went back: noticed by whoever is ahead of it, told once, adopted whole."""

import shutil
from pathlib import Path

import pytest
from tests.hub.conftest import CODE, Hub, open_in, settle
from tests.hub.memory_store import MemoryStore
from tests.hub.serving import HOST_TOKEN, HubProcess, joined, running_hub_process
from tests.hub.test_live import books, heard_by

from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.rewind import CLAIMS_BURST, FARTHEST_EPOCH, KEPT_IDS, Trail
from bookboard.protocol.messages import Refused, Resume, Rewound, SnapshotMessage, Status
from bookboard.room.commands import ClaimSeat, EndGame, EnterHand, NextGame, StartGame
from bookboard.rules.model import Json
from bookboard.store.contract import Entry, FeedMessage, Loaded, Snapshot, StoreUnavailable
from bookboard.tables.serialization import encode_state


@pytest.fixture
async def live(hub: Hub, store: MemoryStore) -> LiveLog:
    """A game with three hands, versions 3 to 5."""
    await open_in(store)
    await hub.done(StartGame(1))
    for hand in (1, 2, 3):
        await hub.done(entered(hand))
    return await hub.live()


def entered(hand: int, north_south: int = 8) -> EnterHand:
    if hand == 1:
        return books(north_south)
    books_taken: Json = {"north_south": north_south, "east_west": 13 - north_south}
    return EnterHand(1, hand, 99, {"bids": {"north_south": 5, "east_west": 5}, "books": books_taken})


def go_back(store: MemoryStore, version: int) -> None:
    room = store.rooms[CODE]
    room.answers = {key: room.answers[key] for key in list(room.answers)[:version]}
    del room.entries[version:]


# ── the hub is ahead ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_store_that_is_behind_gets_a_new_epoch_and_the_gone_hands_are_named(
    hub: Hub, live: LiveLog, store: MemoryStore
) -> None:
    heard = heard_by(live)
    go_back(store, 3)
    await live.catch_up()
    assert (live.epoch, live.version, store.rooms[CODE].epoch) == (2, 3, 2)
    assert [message for message in heard if isinstance(message, Rewound)] == [Rewound(2, 1, [2, 3])]
    await hub.done(entered(2))
    assert len(live.state.state.game.hands) == 2


async def test_a_command_that_finds_the_store_behind_is_decided_anew(
    hub: Hub, live: LiveLog, store: MemoryStore
) -> None:
    go_back(store, 4)
    assert (await hub.done(ClaimSeat("west", "Wes"))).version == 5
    assert live.epoch == 2


async def test_who_was_told_of_a_rewind_is_not_told_again(live: LiveLog, store: MemoryStore) -> None:
    go_back(store, 3)
    await live.catch_up()
    await settle()
    told = live.audience.turns
    assert (live.rewound_since(told - 1), live.rewound_since(told)) == (live.rewound, None)
    assert await live.reconcile(Resume(2, live.version, live.last), may_raise=True) is None


async def test_a_fork_that_has_passed_this_hub_is_seen_by_its_ids(
    other_hub: Hub, live: LiveLog, store: MemoryStore
) -> None:
    store.feeds[0].is_deaf = True
    go_back(store, 4)
    for command in (ClaimSeat("west", "Wes"), entered(3, 7), entered(4)):
        await other_hub.done(command)
    await live.catch_up()
    assert (live.epoch, live.version) == (2, 7)
    assert live.rewound == Rewound(2, 1, [3])


async def test_all_hubs_go_on_in_one_new_epoch(other_hub: Hub, live: LiveLog, store: MemoryStore) -> None:
    other = await other_hub.live()
    go_back(store, 3)
    store.feeds[0].on_gap()
    store.feeds[1].on_gap()
    await settle()
    assert live.epoch == other.epoch == store.rooms[CODE].epoch == 2
    assert other.rewound == Rewound(2, 1, [2, 3])


async def test_a_store_that_forgot_the_new_epoch_gets_a_larger_one(live: LiveLog, store: MemoryStore) -> None:
    go_back(store, 4)
    await live.catch_up()
    store.rooms[CODE].epoch = 1
    await live.catch_up()
    assert live.epoch == store.rooms[CODE].epoch == 3


async def test_servers_of_two_pasts_that_answer_in_turn_are_not_believed(live: LiveLog) -> None:
    live.epoch = 2
    with pytest.raises(StoreUnavailable, match="rewound"):
        await live.reload()


async def test_hands_of_a_game_that_was_lost_whole_are_all_named(hub: Hub, live: LiveLog, store: MemoryStore) -> None:
    await hub.done(EndGame(1, 4))
    await hub.done(NextGame(1))
    await hub.done(StartGame(2))
    await hub.done(EnterHand(2, 1, 99, {"books": {"north_south": 8, "east_west": 5}}))
    go_back(store, 5)
    await live.catch_up()
    assert live.rewound == Rewound(2, 2, [1])


async def test_a_game_that_is_over_in_the_fork_names_none(other_hub: Hub, live: LiveLog, store: MemoryStore) -> None:
    store.feeds[0].is_deaf = True
    go_back(store, 4)
    await other_hub.done(EndGame(1, 3))
    await other_hub.done(NextGame(1))
    await live.catch_up()
    assert live.rewound == Rewound(2, 1, [])


async def test_an_old_hub_of_before_the_new_epoch_changes_nothing(live: LiveLog, store: MemoryStore) -> None:
    go_back(store, 4)
    await live.catch_up()
    heard = heard_by(live)
    room = store.rooms[CODE]
    store.publish(FeedMessage(CODE, 1, tuple(room.entries)))
    await live.finish()
    assert not [message for message in heard if isinstance(message, Rewound | SnapshotMessage)]


# ── a screen is ahead ────────────────────────────────────────────────────────────────────────────────────────────

AHEAD = [Resume(1, 6, "gone"), Resume(1, 5, "gone"), Resume(1, 4, "gone"), Resume(2, 3, "gone")]


@pytest.mark.parametrize("resume", AHEAD, ids=str)
async def test_a_player_who_was_ahead_begins_a_new_epoch(live: LiveLog, resume: Resume) -> None:
    await live.reconcile(resume, may_raise=True)
    assert live.epoch == resume.epoch + 1
    assert live.rewound == Rewound(live.epoch, 1, [])


@pytest.mark.parametrize("resume", AHEAD, ids=str)
async def test_a_spectator_moves_no_epoch(live: LiveLog, resume: Resume) -> None:
    await live.reconcile(resume, may_raise=False)
    assert (live.epoch, live.rewound) == (1, None)


async def test_a_hub_that_was_behind_catches_up_with_a_screen(
    other_hub: Hub, live: LiveLog, store: MemoryStore
) -> None:
    store.feeds[0].is_deaf = True
    await other_hub.done(entered(4))
    await live.reconcile(Resume(1, 6, store.rooms[CODE].last), may_raise=True)
    assert (live.epoch, live.version) == (1, 6)


@pytest.mark.parametrize("resume", [Resume(0, 9, "x"), Resume(2 + FARTHEST_EPOCH, 1, "x"), Resume(1, 0, "")], ids=str)
async def test_a_screen_that_is_behind_or_makes_things_up_costs_nothing(
    live: LiveLog, store: MemoryStore, resume: Resume
) -> None:
    loads = len(store.loads)
    await live.reconcile(resume, may_raise=True)
    assert (live.epoch, len(store.loads)) == (1, loads)


@pytest.mark.parametrize("version", [1, 2, 5])
async def test_a_screen_of_another_past_is_told_though_the_hub_has_just_started(
    live: LiveLog, store: MemoryStore, version: int
) -> None:
    live.adopt(Loaded(1, 5, live.last, Snapshot(5, encode_state(live.state.state)), ()))
    assert await live.reconcile(Resume(1, version, "other"), may_raise=False) == Rewound(1, 1, [], complete=False)
    assert await live.reconcile(Resume(1, version, store.rooms[CODE].entries[version - 1].id), may_raise=True) is None


async def test_one_after_another_players_claims_of_a_rewind_are_believed_no_more(live: LiveLog) -> None:
    for _ in range(10):
        told = await live.reconcile(Resume(live.epoch, 99, "made up"), may_raise=True)
        assert isinstance(told, Rewound)
        assert not told.complete
    assert live.epoch == 1 + CLAIMS_BURST


def test_a_trail_is_bounded() -> None:
    trail = Trail()
    trail.restart(Entry(version, f"e{version}", "", 0, b"") for version in range(1, KEPT_IDS + 10))
    assert trail.contradicts(KEPT_IDS + 9, "other")
    assert not trail.contradicts(KEPT_IDS + 9, f"e{KEPT_IDS + 9}")
    assert not trail.contradicts(1, "other"), "nobody knows any more"


# ── a table that the store has lost ──────────────────────────────────────────────────────────────────────────────


async def test_a_lost_table_stays_up_says_so_and_goes_on_when_it_is_put_back(
    hub: Hub, live: LiveLog, store: MemoryStore
) -> None:
    heard = heard_by(live)
    kept = store.rooms.pop(CODE)
    refused = await hub.do(entered(4))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.retry) == ("unavailable", True)
    assert len(live.state.state.game.hands) == 3
    assert await live.reconcile(Resume(1, 5, live.last), may_raise=True) is None
    live.screens.tell_status(Status("ok", 0))
    kept.epoch = 2
    store.rooms[CODE] = kept
    store.publish(FeedMessage(CODE, 2, ()))
    await live.finish()
    assert [message.store for message in heard if isinstance(message, Status)] == ["lost", "ok"]
    await hub.done(entered(4))


# ── on the wire ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_comes_back_from_a_lost_past_is_told(tmp_path: Path) -> None:
    with running_hub_process(tmp_path) as hub:
        code = hub.open_table()["code"]
        async with joined(hub, code, HOST_TOKEN) as host, joined(hub, code) as screen:
            await host.do("start_game", game=1)
            assert host.at is not None
            ahead = {**host.at, "version": 7, "last": "gone"}
            await assert_only_players_are_believed(hub, code, ahead)
            told = {"type": "rewound", "epoch": 2, "game": 1, "hands": [], "complete": True}
            assert await screen.until("rewound") == told
            assert (await screen.until("snapshot"))["epoch"] == 2


async def assert_only_players_are_believed(hub: HubProcess, code: str, ahead: dict[str, object]) -> None:
    async with joined(hub, code) as fresh, joined(hub, code, back_from=fresh, at=ahead) as forger:
        assert (await forger.until("rewound"))["complete"] is False
        assert (await forger.until("snapshot"))["epoch"] == 1
    async with joined(hub, code, HOST_TOKEN, back_from=fresh, at=ahead) as back:
        told = await back.until("rewound")
        assert (told["epoch"], told["complete"]) == (2, False)
        assert (await back.until("snapshot"))["epoch"] == 2


async def test_a_phone_asks_which_of_its_hands_hubs_and_store_have_lost(tmp_path: Path) -> None:
    """The hub restarts with an older folder and knows of no rewind: its log does not hold the cmd."""
    with running_hub_process(tmp_path / "hub") as hub:
        code = hub.open_table(first_hand_bids_itself=False)["code"]
        async with joined(hub, code, HOST_TOKEN) as host:
            await host.do("start_game", cmd="kept", game=1)
        hub.stop()
        shutil.copytree(tmp_path / "hub", tmp_path / "older")
        hub.start()
        async with joined(hub, code, HOST_TOKEN) as host:
            bids = {"north_south": 5, "east_west": 5}
            part = {"bids": bids, "books": {"north_south": 8, "east_west": 5}}
            assert (await host.do("enter_hand", cmd="gone", game=1, hand=1, revision=2, part=part))["type"] == "done"
            await host.send({"type": "check", "cmds": ["kept", "gone"]})
            assert await host.until("checked") == {"type": "checked", "cmds": ["kept", "gone"], "missing": []}
        hub.stop()
        shutil.rmtree(tmp_path / "hub")
        shutil.copytree(tmp_path / "older", tmp_path / "hub")
        hub.start()
        async with joined(hub, code, HOST_TOKEN) as host, joined(hub, code) as watcher:
            for client, missing in ((host, ["gone"]), (watcher, [])):
                await client.send({"type": "check", "cmds": ["kept", "gone"]})
                assert (await client.until("checked"))["missing"] == missing

"""A live room against a store that does what tests ask of it."""

import asyncio

import msgspec
import pytest
from tests.hub.conftest import CODE, HOST, INVITED, Hub, open_in, settle
from tests.hub.memory_store import MemoryStore
from tests.servers import until

from bookboard.hub.live import screens as screens_module
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.planning import OPENING
from bookboard.hub.live.rooms import PROBES_A_PROOF
from bookboard.log.actors import hash_token, person_of
from bookboard.protocol.messages import (
    Done,
    EventMessage,
    Forecast,
    Id,
    Preview,
    PreviewResult,
    Refused,
    ServerMessage,
    Status,
)
from bookboard.room.commands import (
    ClaimSeat,
    EndGame,
    EnterHand,
    ExtendClock,
    HandOver,
    NameTable,
    NextGame,
    NoteHand,
    PauseClock,
    ResumeClock,
    StartGame,
)
from bookboard.rules.forecast import Prospect
from bookboard.store.contract import FeedMessage, Head, Repeated, StoreUnavailable
from bookboard.tables.kind import TABLE

MINUTE = 60_000
PHONE = "phone-token-phone-token-phone"


def books(north_south: int, hand: int = 1, revision: int = 99) -> EnterHand:
    return EnterHand(1, hand, revision, {"books": {"north_south": north_south, "east_west": 13 - north_south}})


def heard_by(live: LiveLog) -> list[ServerMessage]:
    """What the room's audience is told from now on."""
    heard: list[ServerMessage] = []
    publish = live.audience.publish

    def listen(message: ServerMessage) -> None:
        heard.append(message)
        publish(message)

    live.audience.publish = listen  # type: ignore[method-assign]
    return heard


@pytest.fixture(autouse=True)
async def table(store: MemoryStore) -> None:
    await open_in(store)


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_accepted_command_is_in_the_log_and_told_once(hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    heard = heard_by(live)
    assert await hub.done(StartGame(1)) == Done("cmd-1-StartGame", 2)
    await settle()
    events = [message for message in heard if isinstance(message, EventMessage)]
    assert [(event.version, event.kind, event.prev) for event in events] == [
        (2, "game_started", store.rooms[CODE].entries[0].id)
    ]
    assert len(store.rooms[CODE].entries) == 2


async def test_the_same_cmd_gets_its_first_answer_again(hub: Hub, store: MemoryStore) -> None:
    await hub.done(StartGame(1))
    assert (await hub.done(books(8), "hand")).version == 3
    assert await hub.done(books(8), "hand") == Done("hand", 3, repeated=True)
    assert len(store.rooms[CODE].entries) == 3


async def test_the_same_cmd_gets_its_first_answer_also_when_it_would_be_refused_now(hub: Hub) -> None:
    await hub.done(StartGame(1))
    await hub.done(books(8), "hand")
    await hub.done(EndGame(1, 2))
    assert await hub.done(books(8), "hand") == Done("hand", 3, repeated=True)


async def test_no_cmd_of_the_hosts_is_taken_for_the_opening(hub: Hub) -> None:
    assert await hub.done(StartGame(1), "open") == Done("open", 2)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(OPENING, Id)


async def test_a_table_is_opened_once(store: MemoryStore) -> None:
    assert isinstance(await store.create(store.commits[0]), Repeated)


async def test_what_somebody_did_already_is_answered_with_who_and_when(hub: Hub, store: MemoryStore) -> None:
    await hub.done(StartGame(1))
    await hub.done(books(8))
    store.time += 1000
    again = await hub.done(books(8, revision=2), "another")
    assert again == Done("another", 3, repeated=True, by=person_of(hash_token(HOST)), at=store.time - 1000)


async def test_a_conflict_brings_the_hand_as_it_is_recorded(hub: Hub) -> None:
    await hub.done(StartGame(1))
    await hub.done(books(8))
    refused = await hub.do(books(7, revision=2))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.retry) == ("conflict", False)
    assert refused.current is not None
    assert refused.current.scored is not None
    assert refused.current.scored.entry["books"] == {"north_south": 8, "east_west": 5}


async def test_a_command_decided_on_an_old_head_is_decided_again(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    await hub.live()
    await other_hub.live()
    store.feeds[0].is_deaf = True
    await other_hub.done(StartGame(1))
    assert (await hub.done(books(8))).version == 3


async def test_a_refusal_is_given_only_at_the_head(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    store.feeds[0].is_deaf = True
    await other_hub.done(StartGame(1))
    assert live.version == 1, "it would say not_started"
    assert (await hub.done(books(8))).version == 3


async def test_a_refusal_counts_at_the_head_it_was_decided_on_though_the_feed_goes_on_meanwhile(
    hub: Hub, other_hub: Hub, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hub.done(StartGame(1))
    live = await hub.live()
    store.feeds[0].is_deaf = True
    await other_hub.done(books(8))
    head = store.head

    async def head_after_the_feed(room: str, actor: str, cmd: str) -> Head | None:
        live.apply(tuple(store.rooms[CODE].entries[live.version :]))
        return await head(room, actor, cmd)

    monkeypatch.setattr(store, "head", head_after_the_feed)
    await hub.done(EnterHand(1, 2, 99, {"bids": {"north_south": 5, "east_west": 5}, "books": books(8).part["books"]}))


async def test_a_lost_answer_is_unavailable_and_found_again(hub: Hub, store: MemoryStore) -> None:
    store.loses_answers = True
    refused = await hub.do(StartGame(1), "start")
    assert refused == Refused("start", "unavailable", {}, retry=True)
    store.loses_answers = False
    assert await hub.done(StartGame(1), "start") == Done("start", 2, repeated=True)
    assert len(store.rooms[CODE].entries) == 2


async def test_a_command_outlives_whoever_waits_for_it(hub: Hub) -> None:
    live = await hub.live()
    answers: list[Done | Refused] = []

    async def carry_out() -> None:
        answers.append(await live.do(hash_token(HOST), "start", StartGame(1)))

    live.start(carry_out())
    hub.rooms.leave(CODE)
    await live.finish()
    assert answers == [Done("start", 2)]


async def test_spectators_only_watch(hub: Hub) -> None:
    assert await hub.do(StartGame(1), "x", token=None) == Refused("x", "read_only", {}, retry=False)


async def test_a_token_that_is_good_for_nothing_is_told_nothing(hub: Hub) -> None:
    assert await hub.do(StartGame(1), "x", token="wrong") == Refused("x", "not_found", {}, retry=False)


async def test_who_claims_a_seat_may_repeat_it_with_the_invitation(hub: Hub) -> None:
    claim = ClaimSeat("west", "Wes", PHONE)
    assert (await hub.done(claim, "claim", token=INVITED)).version == 2
    assert await hub.done(claim, "claim", token=INVITED) == Done("claim", 2, repeated=True)
    assert await hub.done(claim, "claim", token=PHONE) == Done("claim", 2, repeated=True)
    live = await hub.live()
    assert live.screens.recent[-1].by == person_of(hash_token(PHONE))


async def test_the_role_is_looked_up_on_every_command(hub: Hub) -> None:
    await hub.done(ClaimSeat("west", "Wes", PHONE), token=INVITED)
    assert isinstance(await hub.do(StartGame(1), token=PHONE), Refused)
    await hub.done(HandOver(person_of(hash_token(PHONE))))
    assert isinstance(await hub.do(StartGame(1), token=HOST), Refused)
    assert isinstance(await hub.do(StartGame(1), token=PHONE), Done)


async def test_a_preview_commits_nothing(hub: Hub, store: MemoryStore) -> None:
    await hub.done(StartGame(1))
    live = await hub.live()
    shown = live.preview(hash_token(HOST), Preview("p", books(8)))
    assert isinstance(shown, PreviewResult)
    assert shown.hand is not None
    assert shown.scores["north_south"] == shown.hand.sides["north_south"].score
    assert len(store.rooms[CODE].entries) == 2
    assert live.preview(None, Preview("p", books(8))) == Refused("p", "read_only", {}, retry=False)


# ── the head ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_every_hub_follows(hub: Hub, other_hub: Hub) -> None:
    live, far = await hub.live(), await other_hub.live()
    await hub.done(StartGame(1))
    await other_hub.done(books(8))
    assert (live.version, live.last, live.state) == (far.version, far.last, far.state)


async def test_a_gap_in_the_feed_is_filled_from_the_store(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    heard = heard_by(live)
    store.feeds[0].is_deaf = True
    await other_hub.done(StartGame(1))
    store.feeds[0].is_deaf = False
    await other_hub.done(books(8))
    await live.finish()
    assert [message.version for message in heard if isinstance(message, EventMessage)] == [2, 3]


async def test_a_repeated_or_late_feed_message_changes_nothing(hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    await hub.done(StartGame(1))
    heard = heard_by(live)
    store.publish(FeedMessage(CODE, 1, tuple(store.rooms[CODE].entries)))
    await live.finish()
    assert heard == []


async def test_a_new_epoch_is_adopted_whole(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    await hub.done(StartGame(1))
    stored = store.rooms[CODE]
    stored.entries = stored.entries[:1]
    stored.epoch = 2
    await other_hub.done(ClaimSeat("west", "Wes"))
    await live.finish()
    assert (live.epoch, live.version) == (2, 2)
    assert live.state.state.game.started is None


async def test_a_fork_at_the_same_version_is_seen_by_its_id(hub: Hub, other_hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    await hub.done(StartGame(1))
    store.rooms[CODE].entries.pop()
    await other_hub.done(ClaimSeat("west", "Wes"))
    await live.finish()
    assert live.last == store.rooms[CODE].last
    assert live.state.state.game.started is None


async def test_a_snapshot_is_stored_when_the_last_one_is_eight_versions_behind(hub: Hub, store: MemoryStore) -> None:
    for turn in range(12):
        await hub.done(ClaimSeat(("west", "east")[turn % 2], "Wes"))
    snapshots = [commit.snapshot.version for commit in store.commits if commit.snapshot]
    assert snapshots == [8]
    live = await hub.live()
    fresh = LiveLog(TABLE, CODE, store=store, clock=hub.rooms.clock, on_failure=lambda _: None, beside=hub.rooms.aside)
    await fresh.reload()
    assert fresh.state == live.state
    fresh.stop()


# ── resuming ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_is_at_the_head_misses_nothing(hub: Hub) -> None:
    live = await hub.live()
    assert live.missed_since(live.epoch, live.version, live.last) == []


async def test_a_short_gap_is_filled_with_events(hub: Hub) -> None:
    live = await hub.live()
    at = live.epoch, live.version, live.last
    await hub.done(StartGame(1))
    await hub.done(books(8))
    missed = live.missed_since(*at)
    assert missed is not None
    assert [event.version for event in missed] == [2, 3]


@pytest.mark.parametrize("at", [(1, 1, "other"), (2, 1, "x"), (1, 9, "x"), (1, 2, "other")])
async def test_everything_else_needs_a_snapshot(hub: Hub, at: tuple[int, int, str]) -> None:
    live = await hub.live()
    await hub.done(StartGame(1))
    assert live.missed_since(*at) is None


# ── looking ahead ────────────────────────────────────────────────────────────────────────────────────────────────


def bids(north_south: int, revision: int = 99) -> NoteHand:
    return NoteHand(1, 1, revision, {"bids": {"north_south": north_south, "east_west": 5}})


@pytest.fixture
async def bidding(hub: Hub, store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> LiveLog:
    """A game with bids from its first hand on, and no patience."""
    monkeypatch.setattr(screens_module, "LOOK_AHEAD_AFTER_S", 0.02)
    del store.rooms[CODE]
    await open_in(store, {"first_hand_bids_itself": False})
    await hub.done(StartGame(1))
    return await hub.live()


async def test_what_a_hand_holds_is_told_once_it_is_left_alone(
    bidding: LiveLog, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = heard_by(bidding)
    monkeypatch.setattr(screens_module, "LOOK_AHEAD_AFTER_S", 3600)
    await hub.done(bids(6))
    assert not [message for message in heard if isinstance(message, Forecast)]
    monkeypatch.setattr(screens_module, "LOOK_AHEAD_AFTER_S", 0)
    await hub.done(bids(7))
    await until(lambda: bidding.screens.forecast)
    [told] = [message for message in heard if isinstance(message, Forecast)]
    assert (told.version, told.outlook["north_south"]) == (bidding.version, [Prospect("bag_penalty", 12, 13)])
    assert bidding.snapshot().outlook == told.outlook


async def test_what_a_hand_held_is_forgotten_with_the_next_tap(bidding: LiveLog, hub: Hub) -> None:
    await hub.done(bids(6))
    await until(lambda: bidding.screens.forecast)
    await hub.done(EnterHand(1, 1, 99, {"books": {"north_south": 7, "east_west": 6}}))
    assert bidding.screens.forecast == bidding.snapshot().outlook == {}
    await asyncio.sleep(0.06)
    assert bidding.screens.forecast == {}


async def test_what_a_hand_holds_stays_while_only_people_come_and_go(bidding: LiveLog, hub: Hub) -> None:
    await hub.done(bids(6))
    await until(lambda: bidding.screens.forecast)
    await hub.done(NameTable("Table 9"))
    assert bidding.forecast() == Forecast(bidding.epoch, bidding.version, bidding.screens.forecast)
    assert bidding.screens.forecast


# ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def timed(hub: Hub, store: MemoryStore) -> LiveLog:
    """A game of 60 minutes that has started."""
    del store.rooms[CODE]
    await open_in(store, {"time_limit_minutes": 60})
    await hub.done(StartGame(1))
    return await hub.live()


async def test_the_limit_runs_from_the_commit_that_starts_the_game(timed: LiveLog, store: MemoryStore) -> None:
    assert store.rooms[CODE].deadline == store.time + 60 * MINUTE == timed.state.state.game.clock.deadline


async def test_a_hand_that_comes_at_the_deadline_finds_the_time_expired(
    timed: LiveLog, hub: Hub, store: MemoryStore
) -> None:
    store.time += 60 * MINUTE
    await hub.done(books(8))
    assert [event.kind for event in timed.screens.recent][-2:] == ["time_expired", "hand_scored"]
    assert store.rooms[CODE].deadline is None


async def test_only_the_stores_clock_says_that_time_is_up(timed: LiveLog, hub: Hub, store: MemoryStore) -> None:
    hub.rooms.clock.advance_to(store.time + 61 * MINUTE)
    await hub.done(books(8))
    assert [event.kind for event in timed.screens.recent] == ["game_started", "hand_scored"]


async def test_two_hubs_let_time_expire_once(timed: LiveLog, other_hub: Hub, store: MemoryStore) -> None:
    far = await other_hub.live()
    store.time += 60 * MINUTE
    await asyncio.gather(timed.time_out(), far.time_out(), timed.time_out())
    assert [event.kind for event in timed.screens.recent] == ["game_started", "time_expired"]


async def test_time_that_was_extended_expires_again(timed: LiveLog, hub: Hub, store: MemoryStore) -> None:
    store.time += 60 * MINUTE
    await timed.time_out()
    await hub.done(ExtendClock(1, 10, timed.version))
    store.time += 10 * MINUTE
    await timed.time_out()
    kinds = [event.kind for event in timed.screens.recent]
    assert kinds == ["game_started", "time_expired", "clock_extended", "time_expired"]


async def test_a_timer_that_fires_early_does_nothing(timed: LiveLog, store: MemoryStore) -> None:
    store.time += 60 * MINUTE - 1
    await timed.time_out()
    assert timed.version == 2


async def test_pause_resume_and_extend_move_the_deadline(timed: LiveLog, hub: Hub, store: MemoryStore) -> None:
    store.time += 10 * MINUTE
    await hub.done(PauseClock(1))
    assert store.rooms[CODE].deadline is None
    store.time += 30 * MINUTE
    await hub.done(ResumeClock(1))
    assert store.rooms[CODE].deadline == store.time + 50 * MINUTE
    await hub.done(ExtendClock(1, 5, timed.version))
    assert store.rooms[CODE].deadline == store.time + 55 * MINUTE
    store.time += 55 * MINUTE
    await timed.time_out()
    await hub.done(ExtendClock(1, 5, timed.version))
    assert store.rooms[CODE].deadline == store.time + 5 * MINUTE == timed.state.state.game.clock.deadline


async def test_the_end_of_the_game_takes_the_deadline_away(timed: LiveLog, hub: Hub, store: MemoryStore) -> None:
    await hub.done(EndGame(1, 1))
    assert store.rooms[CODE].deadline is None
    assert timed.state.outcome is not None


async def test_a_finished_game_is_archived_and_again_when_the_next_one_starts(hub: Hub, store: MemoryStore) -> None:
    await hub.done(StartGame(1))
    await hub.done(books(8))
    assert store.archive == {}
    await hub.done(EndGame(1, 2))
    assert b'"ended_by_host":true' in store.archive[CODE, 1]
    del store.archive[CODE, 1]
    await hub.done(NextGame(1))
    assert b'"ended_by_host":true' in store.archive[CODE, 1]
    assert (CODE, 2) not in store.archive


# ── an expired room ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_hand_for_a_table_that_the_store_has_lost_is_to_be_sent_again(hub: Hub, store: MemoryStore) -> None:
    await hub.live()
    del store.rooms[CODE]
    assert await hub.do(StartGame(1), "x") == Refused("x", "unavailable", {}, retry=True)


async def test_a_lost_table_that_is_there_again_is_found_though_nobody_says_so(hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    heard = heard_by(live)
    stored = store.rooms.pop(CODE)
    await hub.do(StartGame(1), "x")
    store.rooms[CODE] = stored
    for _ in range(PROBES_A_PROOF):
        await hub.rooms.probe()
    await live.finish()
    assert [message.store for message in heard if isinstance(message, Status)] == ["lost", "ok"]
    await hub.done(StartGame(1), "x")


async def test_work_that_meets_no_store_is_told_to_the_hub(hub: Hub, store: MemoryStore) -> None:
    live = await hub.live()
    store.down = "unreachable"
    await live.start(live.catch_up())
    assert hub.rooms.status.store == "readonly"
    with pytest.raises(StoreUnavailable):
        await hub.rooms.enter("AAAAAAA")

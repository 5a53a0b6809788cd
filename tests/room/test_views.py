import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from tests.following import lay
from tests.room.table import HOST_TOKEN, INVITED_TOKEN, RECOVERY, Table, played, sides

from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room.evolve import evolve, room_of
from bookboard.room.preview import preview
from bookboard.room.record import export
from bookboard.room.state import Room, RoomState
from bookboard.room.views import changes_between, current_of, fingerprint, hand_of, view_of
from bookboard.rules.record import score_record


def shown(room: Room) -> dict[str, Any]:
    """As a screen gets it with a snapshot."""
    view: dict[str, Any] = sent(view_of(room))
    return view


def sent(of: object) -> Any:
    return json.loads(msgspec.json.encode(of))


@pytest.fixture
def night(timed: Table) -> Table:
    """A log with every event in it."""
    wes = timed.join("Wes", "west")
    timed.do(c.NameSides({"east_west": "The Reneges"}), wes)
    timed.do(c.NameTable("Table 9"))
    timed.do(c.InvitePlayers("another-invitation-0123456789"))
    timed.do(c.SetPrivacy(private=True))
    timed.do(c.RemovePerson(timed.join("Kim", None, invited="another-invitation-0123456789").person or ""))
    timed.do(c.SetRules(1, "spades", {"first_hand_bids_itself": False, "time_limit_minutes": 90}))
    timed.do(timed.note(bids={"west": 4}), wes)
    timed.do(timed.note(bids={"west": 4, "east": "nil", "north_south": 5}), wes)
    timed.do(timed.enter(books=sides(7, 6), nil_books={"east": 1}), wes)
    timed.play((5, 6), 6)
    timed.play((5, 6), 7)
    timed.do(timed.correct(2, **played((5, 6), 8)))
    timed.do(timed.take_back())
    timed.play((5, 6), 9)
    timed.do(timed.remove(3))
    timed.do(c.PauseClock(1))
    timed.do(c.ResumeClock(1))
    timed.do(c.ExtendClock(1, 5, timed.version))
    timed.pass_time(200)
    timed.do(c.EndGame(1, timed.id_of(), timed.version))
    timed.do(c.ReopenGame(1))
    timed.play((5, 6), 7)
    timed.do(c.NextGame(1))
    timed.do(c.LeaveSeat("west"), wes)
    timed.do(c.HandOver(wes.person or ""))
    return timed


def test_a_screen_that_applies_each_events_changes_shows_what_the_server_shows(night: Table) -> None:
    room = evolve(None, night.log[0])
    view = shown(room)
    for recorded in night.log[1:]:
        after = evolve(room, recorded)
        view = lay(view, sent(changes_between(room, after)))
        assert view == shown(after), recorded.event
        room = after
    assert room == night.room


HANDS = st.tuples(st.integers(4, 7), st.integers(4, 6), st.integers(0, 13))


@given(
    rules=st.sampled_from([{}, {"bag_penalty": 3}, {"first_hand_bids_itself": True}]),
    hands=st.lists(HANDS, min_size=1, max_size=12),
    acts=st.lists(st.tuples(st.sampled_from(["correct", "remove", "take back", "play"]), st.integers(0, 11), HANDS)),
)
@settings(max_examples=150, deadline=None)
def test_no_correction_or_removal_leaves_a_screen_behind(
    rules: dict[str, Any], hands: list[tuple[int, int, int]], acts: list[tuple[str, int, tuple[int, int, int]]]
) -> None:
    table = Table({"first_hand_bids_itself": False, "score_limit": 5000, **rules}).start()
    view, seen = shown(table.room), table.room
    for act, at, (north_south, east_west, books) in [*(("play", 0, hand) for hand in hands), *acts]:
        entry = played((north_south, east_west), books)
        number = at % len(table.room.state.game.hands) + 1 if act != "play" and table.hand > 1 else None
        if number is None:
            command: c.AnyCommand = table.enter(None, **entry)
        elif act == "correct":
            command = table.correct(number, **entry)
        else:
            command = table.remove(number) if act == "remove" else table.take_back()
        decided = table.decide(command)
        if isinstance(decided, list):
            table.record(decided, "someone")
        view = lay(view, sent(changes_between(seen, table.room)))
        seen = table.room
        assert view == shown(table.room)


def test_later_hands_whose_totals_alone_shift_are_sent_as_their_totals() -> None:
    table = Table({"first_hand_bids_itself": False}).start()
    for number in range(480):
        table.play((7, 7), 7 - number % 2)
    before = table.room
    table.do(table.correct(1, **played((4, 7), 6)))
    corrected = table.room
    table.do(table.remove(1))
    for old, new in [(before, corrected), (corrected, table.room)]:
        changes = changes_between(old, new)
        assert len(msgspec.json.encode(changes)) < 15_000
        assert len(msgspec.json.encode(view_of(new).hands)) > 200_000
        assert lay(shown(old), sent(changes)) == shown(new)


def test_a_hand_whose_lines_change_is_sent_with_them(table: Table) -> None:
    for _ in range(4):
        table.play((5, 6), 7)
    before = table.room
    table.do(table.correct(1, **played((7, 6), 7)))
    changes = changes_between(before, table.room)
    assert changes.hands is not UNSET
    assert changes.hands.shifted is not UNSET
    assert [hand.number for hand in changes.hands.hands] == [1, 3, 4], "the bag penalty falls a hand later"
    assert changes.hands.shifted.ids == [2]


def test_a_stored_room_is_the_same_room(night: Table) -> None:
    for room in _rooms(night):
        stored = msgspec.msgpack.encode(room.state)
        assert room_of(msgspec.msgpack.decode(stored, type=RoomState)) == room


def test_events_survive_being_stored(night: Table) -> None:
    for recorded in night.log:
        stored = msgspec.msgpack.encode(recorded)
        assert msgspec.msgpack.decode(stored, type=type(recorded)) == recorded


def _rooms(table: Table) -> list[Room]:
    room, rooms = None, []
    for recorded in table.log:
        room = evolve(room, recorded)
        rooms.append(room)
    return rooms


def test_no_view_holds_a_token_or_its_hash(night: Table) -> None:
    for room in _rooms(night):
        shown = msgspec.json.encode(view_of(room)).decode()
        for secret in (HOST_TOKEN, INVITED_TOKEN, RECOVERY, *room.state.grants):
            assert secret not in shown


def test_a_new_hand_is_all_that_is_sent_of_the_hands(table: Table) -> None:
    table.play((5, 6), 6)
    before = table.room
    table.play((5, 6), 6)
    changes = changes_between(before, table.room)
    assert changes.hands is not UNSET
    assert changes.hands.keep == 1
    assert [hand.number for hand in changes.hands.hands] == [2]
    assert changes.people is changes.rules is changes.table is UNSET


def test_the_view_says_where_the_clock_stands(timed: Table) -> None:
    def shown() -> tuple[bool, bool]:
        clock = view_of(timed.room).clock
        return clock.last_hand, clock.extra

    assert shown() == (False, False)
    timed.pass_time(60)
    assert shown() == (True, False)
    timed.play((6, 5), 8)
    assert shown() == (False, False)


def test_extra_hands_are_said_to_be_extra() -> None:
    timed = Table({"first_hand_bids_itself": False, "time_limit_minutes": 60, "one_point_bags": False}).start()
    timed.pass_time(60)
    timed.play((5, 5), 7)
    clock = view_of(timed.room).clock
    assert (clock.last_hand, clock.extra) == (False, True)


def test_every_hand_event_names_its_hand(night: Table) -> None:
    room = evolve(None, night.log[0])
    named = {}
    for recorded in night.log[1:]:
        if (hand := hand_of(recorded.event, room)) is not None:
            named[type(recorded.event).__name__] = hand
            assert hand == (getattr(recorded.event, "id", None), getattr(recorded.event, "hand", None))
        room = evolve(room, recorded)
    assert named == {
        "HandNoted": (1, 1),
        "HandScored": (4, 3),
        "HandCorrected": (2, 2),
        "HandTakenBack": (3, 3),
        "HandRemoved": (3, 3),
    }


def test_the_fingerprint_is_the_rules() -> None:
    assert fingerprint("spades", {"nil": 50, "boston": True}) == fingerprint("spades", {"boston": True, "nil": 50})
    assert fingerprint("spades", {"nil": 50}) != fingerprint("spades", {"nil": 100})
    assert view_of(Table({"score_limit": 300}).room).rules.fingerprint == view_of(Table().room).rules.fingerprint


def test_a_conflict_can_show_the_hand_as_it_is(table: Table) -> None:
    table.play((6, 5), 8)
    table.do(table.note(bids={"west": 4}))
    scored, in_play = current_of(table.room, 1), current_of(table.room, 2)
    assert scored is not None
    assert scored.scored is not None
    assert scored.scored.entry == played((6, 5), 8)
    assert in_play is not None
    assert in_play.in_play == {"bids": {"west": 4}}
    assert current_of(table.room, 7) is None


# ── previews and the record ──────────────────────────────────────────────────────────────────────────────────────


def test_a_preview_is_what_the_hand_will_score(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    command = table.enter(books=sides(8, 5))
    seen = preview(table.room, command, table.host, table.now)
    assert not isinstance(seen, Refusal)
    assert seen.scores == sides(62, 50)
    table.do(command)
    after = view_of(table.room)
    assert seen.hand == after.hands[0]


def test_a_preview_of_a_hand_that_is_in_already_shows_it(table: Table) -> None:
    table.play((6, 5), 8)
    seen = preview(table.room, table.correct(1, **played((6, 5), 8)), table.host, table.now)
    assert not isinstance(seen, Refusal)
    assert seen.hand == view_of(table.room).hands[0]


def test_a_preview_is_refused_as_the_command_would_be(table: Table) -> None:
    refused = preview(table.room, table.enter(books=sides(8, 5)), table.host, table.now)
    assert isinstance(refused, Refusal)
    assert refused.code == "bids_missing"


def test_the_preview_of_a_correction_shows_all_it_would_change(table: Table) -> None:
    table.play((10, 4), 13)
    table.do(table.enter(None, **played((5, 6), 7), blind=["east_west"]))
    seen = preview(table.room, table.correct(1, **played((4, 4), 4)), table.host, table.now)
    assert not isinstance(seen, Refusal)
    assert [hand.number for hand in seen.changed] == [1, 2]
    assert seen.excused == {"2": ["blind_not_allowed"]}
    seen = preview(table.room, table.remove(2), table.host, table.now)
    assert not isinstance(seen, Refusal)
    assert (seen.hand, seen.changed) == (None, [])


def test_the_preview_of_a_removal_names_no_hand_that_just_moves_up(table: Table) -> None:
    for books in (8, 7, 6):
        table.play((5, 5), books)
    seen = preview(table.room, table.remove(1), table.host, table.now)
    assert not isinstance(seen, Refusal)
    assert [hand.id for hand in seen.changed] == [2], "its bags no longer bring a penalty"


def test_the_exported_record_scores_what_the_table_shows(night: Table) -> None:
    for room in _rooms(night):
        record = msgspec.json.decode(msgspec.json.encode(export(room)))
        result = score_record(record)
        assert result.scores == room.sheet.scores
        assert result.outcome == room.outcome

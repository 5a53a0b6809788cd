"""Hands as four phones enter them: each command for the hand and the revision that its sender saw."""

import pytest
from tests.room.table import Table, played, sides

from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.corrections import HANDS_A_MESSAGE, cost_of
from bookboard.room.views import view_of
from bookboard.rules.model import Entry

# ── bids ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_is_played_before_the_host_starts() -> None:
    table = Table()
    assert table.refused(table.note(bids={"west": 4})) == "not_started"
    assert table.refused(table.enter(books=sides(8, 5))) == "not_started"


def test_bids_come_in_seat_by_seat_from_phones_that_all_saw_an_empty_hand(table: Table) -> None:
    seen = table.version
    for seat in ("west", "north", "east", "south"):
        table.do(c.NoteHand(1, 1, seen, {"bids": {seat: 3}}))
    assert table.room.state.game.in_play.entry == {"bids": {"west": 3, "north": 3, "east": 3, "south": 3}}


def test_a_bid_can_be_corrected_while_the_hand_is_in_play(table: Table) -> None:
    table.do(table.note(bids={"west": 3}))
    table.do(table.note(bids={"west": 5}))
    assert table.room.state.game.in_play.entry == {"bids": {"west": 5}}


def test_a_bid_that_was_changed_meanwhile_is_not_overwritten(table: Table) -> None:
    stale = table.note(bids={"west": 3})
    table.do(table.note(bids={"west": 4}))
    assert table.refused(stale) == "conflict"


def test_a_bid_by_side_does_not_sweep_away_a_seats_bid_it_has_not_seen(table: Table) -> None:
    stale = table.note(bids={"west": None, "east": None, "east_west": 8})
    table.do(table.note(bids={"west": 4}))
    assert table.refused(stale) == "conflict"


def test_the_same_bid_again_is_answered_as_the_first(table: Table) -> None:
    wes = table.join("Wes", "west")
    seen = table.note(bids={"west": 4})
    table.do(seen, wes)
    assert table.already(seen).by == wes.person


def test_what_lays_nothing_over_the_hand_changes_nothing(table: Table) -> None:
    table.already(table.note())
    table.already(table.note(bids={"west": None}))


@pytest.mark.parametrize(
    ("part", "code", "field"),
    [
        ({"bids": {"west": 14}}, "invalid_bid", "bids.west"),
        ({"bids": {"attic": 4}}, "unknown_side", "bids.attic"),
        ({"bids": sides(3, 5)}, "bid_below_minimum", "bids"),
        ({"bids": sides(6, 5), "blind": ["north_south"]}, "blind_not_allowed", "bids"),
        ({"colour": "red"}, "unknown_field", "colour"),
    ],
)
def test_a_bid_that_cannot_be_made_is_refused_beside_its_field(
    table: Table, part: dict[str, object], code: str, field: str
) -> None:
    decided = table.decide(c.NoteHand(1, 1, table.version, part))  # type: ignore[arg-type]
    assert isinstance(decided, Refusal)
    assert decided.code == code
    assert (decided.field or "").startswith(field)


def test_the_host_can_allow_a_bid_and_a_player_cannot(table: Table) -> None:
    bids: Entry = {"bids": sides(3, 5), "allowed": ["bid_below_minimum"]}
    part = c.NoteHand(1, 1, table.version, bids, reason="Told late that the minimum is 4")
    wes = table.join("Wes", "west")
    assert table.refused(part, wes) == "host_only"
    table.do(part)
    table.do(table.enter(books=sides(7, 6)), wes)
    (hand,) = table.room.state.game.hands
    assert hand.entry["allowed"] == ["bid_below_minimum"]
    assert hand.reason == "Told late that the minimum is 4"
    table.do(table.correct(1, **{**hand.entry, "books": sides(6, 7)}))
    (hand,) = table.room.state.game.hands
    assert hand.reason == "Told late that the minimum is 4", "a correction without a reason drops none"
    table.do(table.take_back())
    assert table.room.state.game.in_play.reason == hand.reason


def test_a_hand_keeps_the_hosts_reason_while_others_note_more(table: Table) -> None:
    low: Entry = {"bids": sides(3, 5), "allowed": ["bid_below_minimum"]}
    table.do(c.NoteHand(1, 1, table.version, low, reason="Told late that the minimum is 4"))
    table.do(table.note(books=sides(7, 6)))
    assert table.room.state.game.in_play.reason == "Told late that the minimum is 4"


# ── entering a hand ──────────────────────────────────────────────────────────────────────────────────────────────


def test_books_complete_the_hand_that_was_bid(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    table.do(table.enter(books=sides(8, 5)))
    assert table.scores == (62, 50)
    assert table.hand == 2


def test_a_whole_hand_can_be_entered_at_once(table: Table) -> None:
    table.play((6, 5), 8)
    assert table.scores == (62, 50)


def test_two_phones_that_enter_the_same_hand_score_it_once(table: Table) -> None:
    nia, wes = table.join("Nia", "north"), table.join("Wes", "west")
    table.do(table.note(bids=sides(6, 5)))
    both = table.enter(books=sides(8, 5))
    table.do(both, wes)
    assert table.already(both, nia).by == wes.person
    assert table.scores == (62, 50)


def test_two_phones_that_enter_different_books_do_not_overwrite_each_other(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    other = table.enter(books=sides(7, 6))
    table.do(table.enter(books=sides(8, 5)))
    assert table.refused(other) == "conflict"


def test_books_entered_beside_a_bid_that_changed_meanwhile_come_back(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    stale = table.enter(books=sides(8, 5))
    table.do(table.note(bids={"north_south": 7}))
    assert table.refused(stale) == "conflict"


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ({}, "books_missing"),
        ({"books": sides(8, 4)}, "books_do_not_add_up"),
        ({"books": sides(14, -1)}, "invalid_books"),
        ({"books": sides(8, 5), "nil_books": {"west": 1}}, "not_a_nil_bidder"),
        ({"books": sides(8, 5), "first_seven": "north_south"}, "first_seven_off"),
    ],
)
def test_books_that_cannot_be_are_refused(table: Table, part: dict[str, object], code: str) -> None:
    table.do(table.note(bids=sides(6, 5)))
    assert table.refused(c.EnterHand(1, 1, table.version, part)) == code  # type: ignore[arg-type]


def test_a_hand_that_is_not_there_yet_is_in_conflict(table: Table) -> None:
    assert table.refused(table.enter(3, books=sides(8, 5))) == "conflict"
    assert table.refused(table.note(2, bids=sides(8, 5))) == "conflict"


def test_a_garbled_part_for_a_hand_that_is_scored_is_in_conflict(table: Table) -> None:
    table.play((6, 5), 8)
    assert table.refused(table.enter(1, bids={"attic": 1})) == "conflict"


def test_after_the_end_no_hand_is_entered() -> None:
    table = Table({"score_limit": 100}).start()
    table.do(table.enter(books=sides(11, 2)))
    assert table.refused(table.enter(books=sides(8, 5))) == "game_over"
    assert table.refused(table.note(bids=sides(5, 5))) == "game_over"


# ── reneges ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_phones_that_record_the_same_renege_record_it_once(table: Table) -> None:
    nia, wes = table.join("Nia", "north"), table.join("Wes", "west")
    table.do(table.note(bids=sides(4, 4)))
    both = table.note(reneges=["east"])
    table.do(both, nia)
    assert table.already(both, wes).by == nia.person
    assert table.room.state.game.in_play.entry["reneges"] == ["east"]


def test_a_second_renege_of_the_same_seat_is_recorded_by_one_who_knows_of_the_first(table: Table) -> None:
    table.do(table.note(reneges=["east"]))
    table.do(table.note(reneges=["east", "east"]))
    assert table.room.state.game.in_play.entry["reneges"] == ["east", "east"]


def test_reneges_of_two_seats_at_once_come_back_to_be_added_up(table: Table) -> None:
    other = table.note(reneges=["west"])
    table.do(table.note(reneges=["east"]))
    assert table.refused(other) == "conflict"


def test_under_automatic_loss_a_renege_ends_the_game_at_once() -> None:
    table = Table({"first_hand_bids_itself": False, "renege_penalty": "automatic_loss"}).start()
    table.do(table.note(bids=sides(5, 5)))
    both = table.note(reneges=["east"])
    assert table.do(both) == [e.HandScored(1, {"bids": sides(5, 5), "reneges": ["east"]}, id=1)]
    assert table.ending() == ("north_south", "renege")
    table.already(both)


@pytest.mark.rule("S11")
@pytest.mark.parametrize("bid", [{}, {"bids": {"north_south": 5}}, {"bids": {"north": 5, "east": 4}}])
def test_a_renege_under_automatic_loss_waits_for_the_bids(bid: Entry) -> None:
    table = Table({"first_hand_bids_itself": False, "renege_penalty": "automatic_loss"}).start()
    if bid:
        table.do(table.note(**bid))
    assert table.refused(table.note(reneges=["west"])) == "bids_missing"
    table.do(table.note(bids={"north": 5, "south": 1, "east": 4, "west": 1, "north_south": None}))
    table.do(table.note(reneges=["west"]))
    assert table.ending() == ("north_south", "renege")


# ── taking back ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_last_hand_can_be_taken_back_and_is_in_play_again_with_all_that_was_entered(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    table.do(table.enter(books=sides(8, 5)))
    table.do(table.take_back())
    assert table.scores == (0, 0)
    assert table.room.state.game.in_play.entry == played((6, 5), 8)
    table.do(table.enter(books=sides(7, 6)))
    assert table.scores == (61, 51)


def test_a_corrected_hand_is_taken_back_as_it_was_corrected(table: Table) -> None:
    table.do(table.note(bids=sides(6, 7)))
    table.do(table.enter(books=sides(7, 6)))
    table.do(table.correct(1, **played((8, 5), 7)))
    table.do(table.take_back())
    assert table.room.state.game.in_play.entry == played((8, 5), 7)


def test_two_phones_that_take_the_last_hand_back_take_one_hand_back(table: Table) -> None:
    table.play((6, 5), 8)
    table.play((6, 5), 8)
    both = table.take_back()
    table.do(both)
    table.already(both)
    assert table.hand == 2


def test_only_the_last_hand_is_taken_back(table: Table) -> None:
    table.play((6, 5), 8)
    table.play((6, 5), 8)
    assert table.refused(table.take_back(1)) == "conflict"
    assert table.refused(table.take_back(3)) == "conflict"


def test_with_no_hand_in_there_is_nothing_to_take_back(table: Table) -> None:
    assert table.refused(c.TakeBackHand(1, 0, table.version)) == "conflict"


def test_a_hand_corrected_meanwhile_is_not_taken_back(table: Table) -> None:
    table.play((6, 5), 8)
    stale = table.take_back()
    table.do(table.correct(1, **played((6, 5), 7)))
    assert table.refused(stale) == "conflict"


def test_bids_for_a_hand_that_was_taken_back_since_are_in_conflict(table: Table) -> None:
    table.play((6, 5), 8)
    late = c.EnterHand(1, 1, table.version - 1, played((6, 5), 9))
    table.do(table.take_back())
    assert table.refused(late) == "conflict"


def test_taking_back_the_hand_that_ended_a_game_reopens_it() -> None:
    table = Table({"score_limit": 100}).start()
    table.do(table.enter(books=sides(11, 2)))
    assert table.ending() == ("north_south", "score_limit")
    table.do(table.take_back())
    assert table.ending() is None
    table.do(table.enter(books=sides(7, 6)))


# ── corrections ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_correction_scores_the_hand_and_all_after_it_anew(table: Table) -> None:
    table.play((6, 5), 8)
    table.play((6, 5), 10)
    assert table.scores == (62 + 64 - 50, 50 - 50)
    table.do(table.correct(1, **played((6, 5), 7)))
    assert table.scores == (61 + 64 - 50, 50 + 1 - 50)
    (correction,) = table.room.state.game.hands[0].corrections
    assert (correction.mark.by, correction.before) == (table.host.person, played((6, 5), 8))


def test_a_correction_that_changes_nothing_is_answered_as_the_first(table: Table) -> None:
    table.play((6, 5), 8)
    table.already(table.correct(1, **played((6, 5), 8)))


def test_a_correction_is_work_for_each_hand_after_it(table: Table) -> None:
    for _ in range(3):
        table.play((6, 5), 8)
    correction = table.correct(1, **played((6, 5), 7))
    assert cost_of(table.room, correction) == cost_of(table.room, table.remove(1)) == 1 + 2 / HANDS_A_MESSAGE
    assert cost_of(table.room, table.correct(3, **played((6, 5), 7))) == 1
    assert cost_of(table.room, table.correct(9, **played((6, 5), 7))) == 1
    assert cost_of(table.room, table.enter(**played((6, 5), 7))) == 1


def test_two_corrections_do_not_overwrite_each_other(table: Table) -> None:
    table.play((6, 5), 8)
    other = table.correct(1, **played((6, 5), 9))
    table.do(table.correct(1, **played((6, 5), 7)))
    assert table.refused(other) == "conflict"


def test_a_hand_in_play_is_not_corrected(table: Table) -> None:
    assert table.refused(table.correct(1, **played((6, 5), 8))) == "conflict"


def test_a_correction_has_to_be_a_hand(table: Table) -> None:
    table.play((6, 5), 8)
    assert table.refused(table.correct(1, bids=sides(6, 5))) == "books_missing"


def test_a_blind_that_a_correction_leaves_unentitled_stays_and_says_so(table: Table) -> None:
    table.play((10, 4), 13)
    table.do(table.enter(None, **played((5, 6), 7), blind=["east_west"]))
    table.do(table.correct(1, **played((4, 4), 4)))
    assert table.room.state.game.hands[1].entry["allowed"] == ["blind_not_allowed"]
    assert table.room.state.game.hands[1].corrections == ()


def test_a_blind_in_play_that_a_correction_leaves_unentitled_stays_and_says_so(table: Table) -> None:
    table.play((10, 4), 13)
    table.do(table.note(bids=sides(5, 6), blind=["east_west"]))
    table.do(table.correct(1, **played((4, 4), 4)))
    assert table.room.state.game.in_play.entry["allowed"] == ["blind_not_allowed"]
    table.do(table.enter(books=sides(7, 6)))


def test_a_correction_by_which_the_game_had_ended_earlier_is_refused() -> None:
    table = Table({"first_hand_bids_itself": False, "score_limit": 150}).start()
    table.play((5, 4), 6)
    table.play((5, 4), 6)
    decided = table.decide(table.correct(1, **played((13, 0), 13), allowed=["bid_below_minimum"]))
    assert isinstance(decided, list)
    table.play((4, 4), 6)
    decided = table.decide(
        table.correct(1, **played((10, 4), 13), blind=["north_south"], allowed=["blind_not_allowed"])
    )
    assert decided == Refusal("game_would_end_earlier", {"hand": 1})


def test_a_hand_with_bids_does_not_become_the_first_hand_that_has_none() -> None:
    table = Table().start()
    table.do(table.enter(None, books=sides(7, 6)))
    table.play((6, 5), 8)
    breaks = Refusal("would_break_hand", {"hand": 2, "why": "bids_not_allowed"})
    assert table.decide(table.remove(1)) == breaks
    table.do(table.take_back())
    assert table.decide(table.remove(1)) == breaks


def test_a_refused_removal_names_the_hand_with_which_the_game_would_end_as_people_see_it() -> None:
    table = Table({"first_hand_bids_itself": False, "score_limit": 100, "bag_penalty": None}).start()
    table.play((9, 4), 0)
    for _ in range(3):
        table.play((5, 7), 8)
    assert table.ending() is None
    decided = table.decide(table.remove(1))
    assert decided == Refusal("game_would_end_earlier", {"hand": 3})


def test_removing_a_hand_moves_the_later_ones_up(table: Table) -> None:
    table.play((6, 5), 8)
    table.play((6, 5), 8)
    table.play((5, 6), 7)
    table.do(table.remove(2))
    assert [kept.entry for kept in table.room.state.game.hands] == [played((6, 5), 8), played((5, 6), 7)]
    assert table.scores == (62 + 52, 50 + 60)
    (removed,) = view_of(table.room).game.removed
    assert (removed.number, removed.entry, removed.by) == (2, played((6, 5), 8), table.host.person)


def test_a_hand_is_removed_once(table: Table) -> None:
    table.play((6, 5), 8)
    table.play((6, 5), 8)
    both = table.remove(1)
    by = table.do(both) and table.version
    assert table.already(both).version == by
    assert table.refused(table.remove(2)) == "conflict"
    assert [kept.id for kept in table.room.state.game.hands] == [2]


def test_no_hand_is_entered_by_its_old_number_after_one_was_removed(table: Table) -> None:
    table.play((6, 5), 8)
    late = c.EnterHand(1, 1, table.version, played((6, 5), 9))
    table.do(table.remove(1))
    assert table.refused(late) == "conflict"


def test_a_removal_excuses_the_blinds_that_rested_on_the_hand(table: Table) -> None:
    table.play((10, 4), 13)
    table.do(table.enter(None, **played((5, 6), 7), blind=["east_west"]))
    table.do(table.remove(1))
    assert table.room.state.game.hands[0].entry["allowed"] == ["blind_not_allowed"]


def test_a_removed_hand_does_not_bring_the_time_back(timed: Table) -> None:
    timed.play((6, 5), 8)
    timed.play((6, 5), 8)
    timed.pass_time(60)
    timed.play((6, 5), 8)
    assert timed.ending() is not None
    timed.do(timed.remove(1))
    assert timed.ending() is not None
    timed.do(timed.remove(2))
    assert timed.ending() is None


def test_only_the_host_corrects_with_an_override(table: Table) -> None:
    table.play((6, 5), 8)
    wes = table.join("Wes", "west")
    corrected = table.correct(1, **played((3, 5), 8), allowed=["bid_below_minimum"])
    assert table.refused(corrected, wes) == "host_only"
    table.do(corrected)


def test_a_game_keeps_only_so_many_hands(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bookboard.room.hands.MAX_HANDS", 1)
    table.play((6, 5), 8)
    assert table.refused(table.enter(None, **played((6, 5), 8))) == "too_many_hands"


@pytest.mark.parametrize(
    "part",
    [
        {"reneges": ["north"] * 33},
        {"allowed": [["bid_below_minimum"]]},
        {"bids": {f"nobody {number}": None for number in range(33)}},
        {"bids": {"n" * 81: None}},
        {"n" * 81: None},
    ],
    ids=lambda part: str(part)[:20],
)
def test_a_part_with_more_than_any_hand_has_is_malformed(table: Table, part: Entry) -> None:
    for command in (table.note(**part), table.enter(**part)):
        assert table.refused(command) == "malformed"
    table.play((6, 5), 8)
    assert table.refused(table.correct(1, **part)) == "malformed"
    assert table.refused(table.note(1, **part)) == "conflict"


def test_who_and_when_in_an_entry_are_not_kept_the_log_knows_them(table: Table) -> None:
    table.do(table.note(bids={"west": 4}, at=["x"] * 999, by={"somebody": "else"}))
    assert table.room.state.game.in_play.entry == {"bids": {"west": 4}}
    assert list(table.room.state.game.in_play.changed) == ["bids.west"]
    noted = table.log[-1].event
    assert isinstance(noted, e.HandNoted)
    assert noted.part == {"bids": {"west": 4}}


@pytest.mark.parametrize(
    "part",
    [
        {"bids": {"west": 4}, "x" * 80: None},
        {"bids": {"west": 4, "y" * 80: None}},
        {"bids": {"west": 4}, "reneges": None, "at": "z" * 9000},
    ],
    ids=["an unknown member", "an unknown name", "what is not there"],
)
def test_a_note_keeps_what_was_noted_and_nothing_else_that_was_sent(table: Table, part: Entry) -> None:
    noted = table.do(table.note(None, **part))[-1]
    assert isinstance(noted, e.HandNoted)
    assert noted.part == noted.entry == {"bids": {"west": 4}}


def test_a_note_that_takes_back_keeps_what_it_took_back(table: Table) -> None:
    table.do(table.note(bids={"west": 4, "east": 3}))
    noted = table.do(table.note(bids={"west": None, "nobody": None}))[-1]
    assert isinstance(noted, e.HandNoted)
    assert (noted.part, noted.entry) == ({"bids": {"west": None}}, {"bids": {"east": 3}})

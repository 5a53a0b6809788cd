"""The sheet: hands folded one by one, taken back, and what the next hand needs."""

import pytest
from tests.rules.play import EW, NS, bids, first_hand, hand, rule, sheet_of, spades_rule

from bookboard.rules.model import Entry, Json, Outcome, RecordError
from bookboard.rules.sheet import Sheet, open_sheet

Settings = dict[str, Json]


def wrong_part(sheet: Sheet, part: Entry, in_play: Entry | None = None) -> str:
    with pytest.raises(RecordError) as caught:
        sheet.note(in_play or {}, part)
    assert caught.value.hand == len(sheet.hands) + 1
    return caught.value.code


# ── folding and going back ───────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_sheet_is_level() -> None:
    sheet = open_sheet("spades", {})
    assert (sheet.scores, sheet.leader(), sheet.outcome, sheet.hands) == ({NS: 0, EW: 0}, None, None, ())
    assert sheet.sides == (NS, EW)


def test_settings_are_complete() -> None:
    settings = open_sheet("spades", {"nil": 100}).settings
    assert (len(settings), settings["nil"], settings["score_limit"]) == (32, 100, 300)


def test_a_hand_is_added_without_touching_the_sheet_before() -> None:
    before = sheet_of({})
    after = before.add(hand(5, 4, 8), None)
    assert (len(before.hands), len(after.hands)) == (0, 1)
    assert after.scores == {NS: 53, EW: 41}
    assert after.leader() == NS
    assert after.hands[0].entry == hand(5, 4, 8)


def test_after_the_end_no_hand_is_added() -> None:
    over = sheet_of({"score_limit": 100}, hand(10, 4, 10))
    assert over.outcome == Outcome(NS, "score_limit")
    with pytest.raises(RecordError) as caught:
        over.add(hand(5, 4, 8), None)
    assert (caught.value.code, caught.value.hand) == ("game_over", 2)


@pytest.mark.parametrize("books", [{NS: 8.0, EW: 5}, {NS: 8, EW: 5.0}])
def test_a_number_with_a_fraction_is_refused_right_after_the_whole_one_was_taken(books: Entry) -> None:
    before, taken = sheet_of({}, hand(5, 4, 8)), hand(5, 4, 8)
    again: Entry = {**taken, "books": books}
    assert len(before.add(taken, None).hands) == 2
    with pytest.raises(RecordError, match="invalid_books"):
        before.add(again, None)
    assert len(before.replay(1, [taken], None).hands) == 2
    with pytest.raises(RecordError, match="invalid_books"):
        before.replay(1, [again], None)


def test_back_to_takes_hands_back_and_the_end_with_them() -> None:
    over = sheet_of({"score_limit": 100}, hand(5, 4, 8), hand(5, 4, 8))
    back = over.back_to(1)
    assert (back.scores, back.outcome) == ({NS: 53, EW: 41}, None)
    assert back.add(hand(5, 4, 8), None) == over
    assert over.back_to(2) is over


@pytest.mark.parametrize(
    ("settings", "players", "code", "game"),
    [
        ({}, None, "unknown_game", "hearts"),
        ({"colour": "red"}, None, "unknown_setting", "spades"),
        ({"nil": 75}, None, "invalid_setting", "spades"),
        ({}, ["Ada"], "unknown_field", "spades"),
        ({}, None, "invalid_players", "pack"),
    ],
)
def test_a_sheet_that_cannot_be_opened(settings: Settings, players: Json, code: str, game: str) -> None:
    with pytest.raises(RecordError) as caught:
        open_sheet(game, settings, players)
    assert (caught.value.code, caught.value.hand) == (code, None)


# ── the next hand ────────────────────────────────────────────────────────────────────────────────────────────────


@spades_rule("First dealer", 3, 4, 5)
def test_the_deal_moves_clockwise_and_the_left_of_the_dealer_bids_first() -> None:
    sheet = sheet_of({"first_dealer": "north"})
    assert (sheet.dealer({}), sheet.bidding_order()) == ("north", ("east", "south", "west", "north"))
    sheet = sheet.add(hand(5, 4, 8), None)
    assert (sheet.dealer({}), sheet.bidding_order()) == ("east", ("south", "west", "north", "east"))


@spades_rule("First hand bids itself", 2)
def test_nobody_bids_in_a_first_hand_that_bids_itself() -> None:
    sheet = open_sheet("spades", {})
    assert (sheet.bidding_order(), sheet.missing_members({})) == ((), ("books",))
    assert sheet.add(first_hand(8), None).missing_members({}) == ("bids", "books")


@pytest.mark.parametrize(
    ("in_play", "expected"),
    [
        pytest.param({}, ("bids", "books"), id="everything"),
        pytest.param({"bids": bids((5, 1), None)}, ("bids", "books"), id="one side has bid"),
        pytest.param({"bids": {"north": 5, "east": 4, "west": 1}}, ("bids", "books"), id="one seat has not"),
        pytest.param({"bids": bids((5, 1), 4)}, ("books",), id="both sides have bid"),
        pytest.param({"bids": bids(5, 4), "books": {NS: 5}}, ("books",), id="books half in"),
        pytest.param(hand(5, 4, 8), (), id="nothing more"),
        pytest.param({"bids": {NS: None, EW: 4}, "books": None}, ("bids", "books"), id="null is nothing"),
    ],
)
def test_a_hand_in_play_wants_what_is_missing(in_play: Entry, expected: tuple[str, ...]) -> None:
    assert sheet_of({}).missing_members(in_play) == expected


@rule("S11")
def test_an_automatic_loss_wants_bids_but_no_books() -> None:
    sheet = sheet_of({"renege_penalty": "automatic_loss"})
    reneged: Entry = {"reneges": ["west"]}
    assert sheet.ends_at_once(reneged)
    assert sheet.missing_members(reneged) == ("bids",)
    assert sheet.missing_members({**reneged, "bids": bids(5, 4)}) == ()
    assert not sheet.ends_at_once({"reneges": []})
    assert not sheet_of({}).ends_at_once(reneged)


def test_the_time_limit_is_a_setting() -> None:
    assert sheet_of({}).time_limit_minutes() is None
    assert sheet_of({"time_limit_minutes": 60}).time_limit_minutes() == 60


# ── noting parts of the hand in play ─────────────────────────────────────────────────────────────────────────────


def test_parts_are_laid_over_each_other() -> None:
    sheet = sheet_of({"first_seven": 100})
    in_play: Entry = {}
    parts: list[Entry] = [
        {"bids": {"west": 4}},
        {"bids": {"north": "nil", "south": 5}},
        {"bids": {"west": 3, "east": 2}},
        {"nil_books": {"north": 1}, "reneges": ["east"]},
        {"books": {NS: 8}, "first_seven": NS},
        {"books": {EW: 5}},
    ]
    for part in parts:
        in_play = sheet.note(in_play, part)
    assert in_play == {
        "bids": {"west": 3, "north": "nil", "south": 5, "east": 2},
        "nil_books": {"north": 1},
        "reneges": ["east"],
        "books": {NS: 8, EW: 5},
        "first_seven": NS,
    }
    assert sheet.add(in_play, None).scores[NS] == 50


@pytest.mark.parametrize(
    ("part", "left"),
    [
        pytest.param({"bids": {"west": None}}, {"books": {NS: 3}}, id="an inner null removes"),
        pytest.param({"bids": None}, {"books": {NS: 3}}, id="a null removes"),
        pytest.param({"books": {NS: None, EW: 4}}, {"bids": {"west": 4}, "books": {EW: 4}}, id="and gives way"),
        pytest.param({"reneges": []}, {"bids": {"west": 4}, "books": {NS: 3}}, id="an empty list is nothing"),
    ],
)
def test_null_removes(part: Entry, left: Entry) -> None:
    assert sheet_of({}).note({"bids": {"west": 4}, "books": {NS: 3}}, part) == left


def test_a_bid_changes_from_the_seats_to_the_side_in_one_part() -> None:
    sheet = sheet_of({})
    in_play = sheet.note({}, {"bids": bids((3, 2), None)})
    assert wrong_part(sheet, {"bids": {NS: 6}}, in_play) == "bid_given_twice"
    assert sheet.note(in_play, {"bids": {NS: 6, "north": None, "south": None}}) == {"bids": {NS: 6}}


@pytest.mark.parametrize(
    ("settings", "part", "code"),
    [
        pytest.param({}, {"bids": {"west": 14}}, "invalid_bid", id="a bid out of range"),
        pytest.param({}, {"bids": bids((7, 7), None)}, "invalid_bid", id="14 in sum"),
        pytest.param({}, {"bids": bids(3, None)}, "bid_below_minimum", id="a complete bid under the minimum"),
        pytest.param({}, {"bids": bids((1, 2), None)}, "bid_below_minimum", id="of two seats"),
        pytest.param({"nil": None}, {"bids": {"west": "nil"}}, "nil_off", id="nil where it is off"),
        pytest.param({}, {"bids": {"west": "blind_nil"}}, "blind_not_allowed", id="a blind nil without the gap"),
        pytest.param({}, {"blind": [NS]}, "blind_not_allowed", id="blind before the bid is in"),
        pytest.param({}, {"bids": {"up": 4}}, "unknown_side", id="somebody else"),
        pytest.param({}, {"reneges": ["up"]}, "unknown_side", id="a renege by somebody else"),
        pytest.param({}, {"books": {NS: 14}}, "invalid_books", id="14 books"),
        pytest.param({}, {"books": {NS: 9, EW: 5}}, "books_do_not_add_up", id="more than 13 in sum"),
        pytest.param({}, {"bids": {"west": 4}, "nil_books": {"west": 1}}, "not_a_nil_bidder", id="no nil bidder"),
        pytest.param({}, {"bids": {EW: 4}, "nil_books": {"west": 1}}, "not_a_nil_bidder", id="a side that bid"),
        pytest.param({}, {"first_seven": NS}, "first_seven_off", id="first 7 where it is off"),
        pytest.param({}, {"allowed": ["nil_off"]}, "invalid_allowed", id="a check nobody can allow"),
        pytest.param({}, {"colour": None}, "ok", id="null is absent"),
        pytest.param({}, {"colour": 1}, "unknown_field", id="another member"),
        pytest.param({}, {"colour": {}}, "unknown_field", id="another member that holds nothing"),
    ],
)
def test_what_is_wrong_already_is_said_at_once(settings: Settings, part: Entry, code: str) -> None:
    sheet = sheet_of(settings)
    if code == "ok":
        assert sheet.note({}, part) == {}
    else:
        assert wrong_part(sheet, part) == code


@pytest.mark.parametrize(
    "part",
    [
        pytest.param({"bids": {"west": 1}}, id="a low bid whose partner may bid more"),
        pytest.param({"books": {NS: 3, EW: 2}}, id="books tapped in during play"),
        pytest.param({"nil_books": {"west": 1}}, id="nil books of a seat whose bid is not in yet"),
        pytest.param({"bids": {"west": "nil"}, "books": {EW: 0}, "nil_books": {"west": 1}}, id="nil books first"),
        pytest.param({"first_seven": NS, "books": {NS: 6}}, id="first 7 before the seventh book is tapped"),
        pytest.param({"bids": {NS: 3}, "allowed": ["bid_below_minimum"]}, id="a bid that the host let stand"),
        pytest.param({"blind": [NS], "allowed": ["blind_not_allowed"]}, id="a blind that the host let stand"),
    ],
)
def test_what_only_a_complete_hand_can_break_is_left(part: Entry) -> None:
    assert sheet_of({"first_seven": 100}).note({}, part) == part


def test_a_first_hand_that_bids_itself_takes_no_bids() -> None:
    sheet = open_sheet("spades", {})
    assert wrong_part(sheet, {"bids": {"west": 4}}) == "bids_not_allowed"
    assert wrong_part(sheet, {"nil_books": {"west": 4}}) == "not_a_nil_bidder"
    assert sheet.note({}, {"books": {NS: 4}}) == {"books": {NS: 4}}
    after = sheet.add(first_hand(8), None)
    assert after.note({}, {"bids": {"west": 4}}) == {"bids": {"west": 4}}
    assert (len(sheet.possible({})), after.possible({})) == (14, ())


# ── the board ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_board_shows_bags_sets_and_blinds() -> None:
    settings: Settings = {"max_team_blinds": 1, "max_bag_penalties": 2, "blind_bid_gap": 50}
    sheet = sheet_of(settings, hand(4, 9, 10), hand(4, 9, 8), hand(4, 6, 7, blind=[EW]))
    assert sheet.standing() == {
        NS: {
            "bags_shown": 3,
            "bags_total": 13,
            "bag_limit": 5,
            "bag_penalties": 2,
            "bag_penalties_left": 0,
            "sets": 0,
            "sets_in_a_row": 0,
            "blinds_used": 0,
            "blinds_left": 1,
            "blind_gap_ok": False,
            "may_bid_blind": False,
        },
        EW: {
            "bags_shown": 0,
            "bags_total": 0,
            "bag_limit": 5,
            "bag_penalties": 0,
            "bag_penalties_left": 2,
            "sets": 2,
            "sets_in_a_row": 0,
            "blinds_used": 1,
            "blinds_left": 0,
            "blind_gap_ok": True,
            "may_bid_blind": False,
        },
    }


def test_without_limits_the_board_says_so() -> None:
    shown = sheet_of({"bag_penalty": None}, hand(4, 4, 9)).standing()[NS]
    assert (shown["bags_shown"], shown["bag_limit"]) == (5, None)
    assert (shown["blinds_left"], shown["bag_penalties_left"]) == (None, None)


def test_a_side_far_enough_behind_may_bid_blind() -> None:
    sheet = sheet_of({}, hand(7, 7, 6))
    assert (sheet.standing()[NS]["may_bid_blind"], sheet.standing()[EW]["may_bid_blind"]) == (True, False)


def test_nobody_bids_blind_in_a_first_hand_that_bids_itself() -> None:
    shown = open_sheet("spades", {"blind_bid_gap": 0}).standing()[NS]
    assert (shown["blind_gap_ok"], shown["may_bid_blind"]) == (True, False)

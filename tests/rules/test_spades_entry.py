"""Spades: what a hand must be before it is scored, in the contract's order, and what `allowed` lets pass."""

import pytest
from tests.rules.play import (
    EW,
    NS,
    Marks,
    bids,
    figures,
    first_hand,
    hand,
    lines,
    play,
    points,
    refused,
    rule,
    sheet_of,
    spades_rule,
)

from bookboard.rules.model import Entry, Json

Settings = dict[str, Json]


def record_of(settings: Settings, *hands: Json, bids_itself: bool = False) -> Json:
    return {"game": "spades", "settings": {"first_hand_bids_itself": bids_itself, **settings}, "hands": list(hands)}


def without(entry: Entry, *members: str) -> Entry:
    return {key: value for key, value in entry.items() if key not in members}


def wrong(name: str, entry: Json, code: str, field: str | None = None, marks: Marks = (), **settings: Json) -> object:
    return pytest.param(settings, entry, (code, field), marks=marks, id=name)


SHAPE = [
    wrong("a hand is a mapping", 5, "malformed"),
    wrong("null is no hand", None, "malformed"),
    wrong("bids are a mapping", {"bids": 5}, "malformed", "bids"),
    wrong("books are a mapping", hand(5, 5, 8) | {"books": [8, 5]}, "malformed", "books"),
    wrong("nil books are a mapping", hand(5, 5, 8, nil_books=1), "malformed", "nil_books"),
    wrong("blind is a list", hand(5, 5, 8, blind=NS), "malformed", "blind"),
    wrong("reneges are a list", hand(5, 5, 8, reneges="north"), "malformed", "reneges"),
    wrong("allowed is a list", hand(5, 5, 8, allowed="blind_not_allowed"), "malformed", "allowed"),
    wrong("a side is a name, not a list", hand(5, 5, 8, first_seven=[NS]), "malformed", "first_seven"),
    wrong("another member", hand(5, 5, 8, colour="red"), "unknown_field", "colour"),
    wrong("a member of another game", hand(5, 5, 8, cards={}), "unknown_field", "cards"),
    wrong("bids of somebody else", {"bids": {"ns": 5, EW: 5}}, "unknown_side", "bids.ns"),
    wrong("books of a seat", hand(5, 5, 8) | {"books": {"north": 8}}, "unknown_side", "books.north"),
    wrong("nil books of a side", hand(5, 5, 8, nil_books={NS: 1}), "unknown_side", f"nil_books.{NS}"),
    wrong("a blind seat", hand(5, 5, 8, blind=["north"]), "unknown_side", "blind"),
    wrong("a side that reneged", hand(5, 5, 8, reneges=[NS]), "unknown_side", "reneges"),
    wrong("a renege by nobody", hand(5, 5, 8, reneges=[None]), "unknown_side", "reneges"),
    wrong("first 7 for a seat", hand(5, 5, 8, first_seven="north"), "unknown_side", "first_seven"),
    wrong("a check that nobody can allow", hand(5, 5, 8, allowed=["nil_off"]), "invalid_allowed", "allowed"),
    wrong("something that is no check", hand(5, 5, 8, allowed=[["nil_off"]]), "invalid_allowed", "allowed"),
    wrong("shape comes before bids", hand(3, 5, 8, colour=1), "unknown_field", "colour"),
]

BIDS = [
    wrong("no bids", without(hand(5, 5, 8), "bids"), "bids_missing", "bids"),
    wrong("one side's bid", {"bids": {NS: 5}}, "bids_missing", "bids"),
    wrong("one of a side's two seats", {"bids": {"north": 5, EW: 5}}, "bids_missing", "bids"),
    wrong("null is no bid", {"bids": {NS: None, EW: 5}}, "bids_missing", "bids"),
    wrong("a side and its seat", {"bids": {NS: 5, "north": 5, EW: 5}}, "bid_given_twice", f"bids.{NS}"),
    wrong("a side and both its seats", {"bids": {EW: 5, **bids((1, 4), (1, 4))}}, "bid_given_twice", f"bids.{EW}"),
    wrong("nil for a side", {"bids": {NS: "nil", EW: 5}}, "invalid_bid", f"bids.{NS}"),
    wrong("a word", {"bids": {"north": "six", "south": 5, EW: 5}}, "invalid_bid", "bids.north"),
    wrong("true is not 1", {"bids": {"north": True, "south": 5, EW: 5}}, "invalid_bid", "bids.north"),
    wrong("5.0 is not 5", {"bids": {NS: 5.0, EW: 5}}, "invalid_bid", f"bids.{NS}"),
    wrong("14 books", hand(14, 5, 8), "invalid_bid", f"bids.{NS}"),
    wrong("fewer than none", hand((-1, 5), 5, 8), "invalid_bid", "bids.north"),
    wrong("14 in sum", hand((7, 7), 5, 8), "invalid_bid", "bids.south"),
    wrong(
        "nil where it is off", hand(("nil", 5), 5, 8), "nil_off", "bids.north", nil=None, marks=spades_rule("Nil", 7)
    ),
    wrong(
        "blind nil where both are off",
        hand((5, "blind_nil"), 5, 8),
        "nil_off",
        "bids.south",
        nil=None,
        blind_nil=None,
        blind_bid_gap=0,
        marks=rule("S3"),
    ),
    wrong(
        "nil with only blind nil on",
        hand(("nil", 5), 5, 8),
        "nil_off",
        "bids.north",
        nil=None,
        marks=[rule("S3"), spades_rule("Nil", 7)],
    ),
    wrong(
        "blind without being behind",
        hand(6, 5, 8, blind=[NS]),
        "blind_not_allowed",
        "bids",
        marks=[spades_rule("Minimum blind bid", 3, 7), spades_rule("Blind bid gap", 3)],
    ),
    wrong(
        "blind nil without being behind",
        hand(("blind_nil", 5), 5, 8),
        "blind_not_allowed",
        "bids",
        marks=[spades_rule("Blind nil", 8), rule("S2")],
    ),
    wrong("under the minimum", hand(3, 5, 8), "bid_below_minimum", "bids", marks=spades_rule("Minimum bid", 3, 4)),
    wrong(
        "under the minimum blind",
        hand(5, 5, 8, blind=[NS]),
        "bid_below_minimum",
        "bids",
        blind_bid_gap=0,
        marks=[spades_rule("Minimum bid", 5), spades_rule("Minimum blind bid", 4, 8)],
    ),
    wrong("S1: a nil bidder's partner under it", hand(("nil", 3), 5, 8), "bid_below_minimum", "bids"),
    wrong("S1: two nils", hand(("nil", "nil"), 5, 8), "bid_below_minimum", "bids"),
    wrong("allowed skips only what it lists", hand(3, 5, 8, allowed=["too_many_blinds"]), "bid_below_minimum", "bids"),
    wrong("north-south comes first", {"bids": {NS: 3, EW: 14}}, "bid_below_minimum", "bids"),
    wrong("range comes before nil", {"bids": {"north": "nil", "south": 14}}, "invalid_bid", "bids.south", nil=None),
    wrong("nil comes before the gap", hand(("nil", 6), 5, 8, blind=[NS]), "nil_off", "bids.north", nil=None),
    wrong("the gap comes before the minimum", hand(3, 5, 8, blind=[NS]), "blind_not_allowed", "bids"),
    wrong("bids come before books", without(hand(3, 5, 8), "books"), "bid_below_minimum", "bids"),
]

BOOKS = [
    wrong("no books", without(hand(5, 5, 8), "books"), "books_missing", "books"),
    wrong("one side's books", hand(5, 5, 8) | {"books": {NS: 8}}, "books_missing", "books"),
    wrong("null is no books", hand(5, 5, 8) | {"books": {NS: 8, EW: None}}, "books_missing", "books"),
    wrong("too many", hand(5, 5, 14), "invalid_books", f"books.{NS}"),
    wrong("fewer books than none", hand(5, 5, -1), "invalid_books", f"books.{NS}"),
    wrong(
        "fewer nil books than none", hand(("nil", 5), 5, 5, nil_books={"north": -1}), "invalid_books", "nil_books.north"
    ),
    wrong("true is not 1", hand(5, 5, 8) | {"books": {NS: 12, EW: True}}, "invalid_books", f"books.{EW}"),
    wrong("12 books in all", hand(5, 5, 8) | {"books": {NS: 8, EW: 4}}, "books_do_not_add_up", "books"),
    wrong(
        "nil books of one who bid", hand((4, 1), 5, 8, nil_books={"south": 0}), "not_a_nil_bidder", "nil_books.south"
    ),
    wrong("nil books where a side bid", hand(5, 5, 8, nil_books={"south": 0}), "not_a_nil_bidder", "nil_books.south"),
    wrong("no number", hand(("nil", 5), 5, 8, nil_books={"north": "one"}), "invalid_books", "nil_books.north"),
    wrong("more than the side's", hand(("nil", 5), 5, 2, nil_books={"north": 3}), "invalid_books", "nil_books.north"),
    wrong("the other seat's", hand((5, "nil"), 5, 2, nil_books={"south": 3}), "invalid_books", "nil_books.south"),
    wrong(
        "two nils with more than the side's",
        hand(("nil", "nil"), 5, 2, nil_books={"north": 1, "south": 2}, allowed=["bid_below_minimum"]),
        "invalid_books",
        "nil_books.north",
    ),
    wrong(
        "first 7 where it is off",
        hand(5, 5, 8, first_seven=NS),
        "first_seven_off",
        "first_seven",
        marks=spades_rule("First 7", 1),
    ),
    wrong(
        "first 7 with 6 books",
        hand(5, 5, 6, first_seven=NS),
        "first_seven_needs_7_books",
        "first_seven",
        first_seven=100,
    ),
    wrong(
        "S10: first 7 looks at the books won at the table",
        hand(5, 5, 6, first_seven=NS, reneges=["west"]),
        "first_seven_needs_7_books",
        "first_seven",
        first_seven=100,
    ),
    wrong(
        "books come before nil books",
        hand(5, 5, 8, nil_books={"north": 1}) | {"books": {NS: 8, EW: 4}},
        "books_do_not_add_up",
        "books",
    ),
    wrong(
        "nil books come before first 7",
        hand(5, 5, 8, nil_books={"north": 1}, first_seven=NS),
        "not_a_nil_bidder",
        "nil_books.north",
    ),
]


@pytest.mark.parametrize(("settings", "entry", "expected"), [*SHAPE, *BIDS, *BOOKS])
def test_a_wrong_hand_is_named(settings: Settings, entry: Json, expected: tuple[str, str | None]) -> None:
    assert refused(record_of(settings, entry)) == (expected[0], 1, expected[1])


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param(
            first_hand(8, bids={NS: 5}),
            ("bids_not_allowed", "bids"),
            id="bids",
            marks=spades_rule("First hand bids itself", 2),
        ),
        pytest.param(
            first_hand(8, blind=[NS]),
            ("bids_not_allowed", "blind"),
            id="blind",
            marks=spades_rule("First hand bids itself", 2),
        ),
        pytest.param(first_hand(8, nil_books={"north": 0}), ("not_a_nil_bidder", "nil_books.north"), id="nil books"),
        pytest.param({}, ("books_missing", "books"), id="and it needs books"),
    ],
)
def test_a_first_hand_that_bids_itself_has_no_bids(entry: Entry, expected: tuple[str, str]) -> None:
    assert refused(record_of({}, entry, bids_itself=True)) == (expected[0], 1, expected[1])


def test_null_and_empty_members_are_absent() -> None:
    entry: Entry = {"bids": {"north": None}, "blind": None, "nil_books": {}, "colour": None, "at": 5, "by": "Ada"}
    assert play({}, first_hand(8) | entry, bids_itself=True).scores == {NS: 80, EW: 50}


# ── blind ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("settings", "before", "allowed"),
    [
        pytest.param(
            {},
            [hand(7, 7, 6)],
            True,
            id="a side behind by more than the gap",
            marks=[spades_rule("Minimum blind bid", 3, 7), spades_rule("Blind bid gap", 3)],
        ),
        pytest.param(
            {"blind_bid_gap": 50},
            [hand(4, 9, 4)],
            True,
            id="a side behind by exactly the gap",
            marks=spades_rule("Blind bid gap", 3, 4),
        ),
        pytest.param(
            {"blind_bid_gap": 50},
            [hand(5, 9, 4)],
            True,
            id="140 points behind a gap of 50",
            marks=spades_rule("Blind bid gap", 4),
        ),
        pytest.param(
            {}, [hand(6, 7, 6)], False, id="10 points behind a gap of 100", marks=spades_rule("Blind bid gap", 4)
        ),
        pytest.param(
            {"blind_bid_gap": 0},
            [hand(6, 4, 9)],
            True,
            id="a gap of 0 is no condition",
            marks=[spades_rule("Blind bid gap", 5), rule("S2")],
        ),
        pytest.param(
            {"bag_penalty": None},
            [hand(5, 4, 4)],
            False,
            id="95 points behind a gap of 100",
            marks=spades_rule("Blind bid gap", 4),
        ),
        pytest.param(
            {"bag_penalty": None},
            [hand(4, 4, 4), hand(4, 4, 4), hand(5, 4, 4)],
            True,
            id="bags count in the gap",
            marks=[spades_rule("Include bags for blind check", 2), rule("S2")],
        ),
        pytest.param(
            {"bag_penalty": None, "include_bags_for_blind_check": False},
            [hand(4, 4, 4), hand(4, 4, 4), hand(5, 4, 4)],
            False,
            id="S2: unless they are taken out",
            marks=spades_rule("Include bags for blind check", 2),
        ),
        pytest.param(
            {"include_bags_for_blind_check": False, "blind_bid_gap": 50},
            [hand(4, 4, 9)],
            True,
            id="S2: a bag penalty stays in: 45 behind, 50 without the 5 bags",
        ),
    ],
)
def test_a_side_bids_blind_when_it_is_far_enough_behind(
    settings: Settings, before: list[Entry], *, allowed: bool
) -> None:
    record = record_of(settings, *before, hand(6, 4, 9, blind=[NS]))
    if allowed:
        assert lines(play(settings, *before, hand(6, 4, 9, blind=[NS])))[0] == ("made_blind", 120)
    else:
        assert refused(record) == ("blind_not_allowed", len(before) + 1, "bids")


@spades_rule("Max team blinds", 5, 6)
def test_a_side_has_only_so_many_blinds_and_lost_ones_count() -> None:
    settings: Settings = {"blind_bid_gap": 0, "max_team_blinds": 1}
    blind = hand(6, 5, 5, blind=[NS])
    assert refused(record_of(settings, blind, blind)) == ("too_many_blinds", 2, "blind")
    other_side = hand(5, 6, 7, blind=[EW])
    assert play(settings, blind, other_side).outcome is None


@spades_rule("Max team blinds", 7)
@spades_rule("Blind nil", 8)
def test_a_blind_nil_is_not_one_of_the_sides_blinds() -> None:
    settings: Settings = {"blind_bid_gap": 0, "max_team_blinds": 1}
    scored = play(settings, hand(("blind_nil", 4), 5, 6), hand(6, 5, 6, blind=[NS]))
    assert lines(scored) == [("made_blind", 120)]


@spades_rule("Max team blinds", 7)
def test_a_blind_nil_may_be_bid_with_no_blinds_left() -> None:
    settings: Settings = {"blind_bid_gap": 0, "max_team_blinds": 1}
    scored = play(settings, hand(6, 5, 6, blind=[NS]), hand(("blind_nil", 4), 5, 4))
    assert lines(scored) == [("blind_nil_made", 100), ("made", 40)]


@spades_rule("Max team blinds", 6)
def test_an_allowed_blind_still_counts() -> None:
    settings: Settings = {"blind_bid_gap": 0, "max_team_blinds": 1, "score_limit": 5000}
    blind = hand(6, 5, 8, blind=[NS])
    allowed = hand(6, 5, 8, blind=[NS], allowed=["too_many_blinds"])
    assert refused(record_of(settings, blind, allowed, blind)) == ("too_many_blinds", 3, "blind")


@pytest.mark.parametrize(
    ("entry", "first"),
    [
        pytest.param(hand(3, 5, 8, allowed=["bid_below_minimum"]), ("made", 30), id="a low bid"),
        pytest.param(hand(6, 5, 8, blind=[NS], allowed=["blind_not_allowed"]), ("made_blind", 120), id="a blind"),
        pytest.param(
            hand(("blind_nil", 5), 5, 8, allowed=["blind_not_allowed"]), ("blind_nil_made", 100), id="a blind nil"
        ),
    ],
)
def test_the_host_lets_a_bid_stand(entry: Entry, first: tuple[str, int]) -> None:
    assert lines(play({}, entry))[0] == first


# ── automatic loss ───────────────────────────────────────────────────────────────────────────────────────────────

AUTOMATIC: Settings = {"renege_penalty": "automatic_loss"}


@spades_rule("Renege penalty", 6)
@rule("S11")
@pytest.mark.parametrize(
    "books",
    [
        pytest.param({}, id="no books"),
        pytest.param({"books": {NS: 8}}, id="one side's"),
        pytest.param({"books": {NS: 8, EW: 3}}, id="books that do not add up"),
        pytest.param({"books": {NS: 2, EW: 11}, "nil_books": {"south": 5}}, id="more nil books than books"),
    ],
)
def test_the_books_of_an_automatic_loss_are_not_compared(books: Entry) -> None:
    entry: Entry = {"bids": bids((5, "nil"), 5), "reneges": ["west", "north"], **books}
    scored = play(AUTOMATIC, hand(5, 4, 8), entry)
    assert scored.outcome is not None
    assert (scored.outcome.winner, scored.outcome.reason) == (NS, "renege")
    assert scored.scores == {NS: 53, EW: 41}
    assert lines(scored, EW) == [("renege_loss", 0)]
    assert lines(scored) == []
    assert figures(scored, "bags_total") == (3, 1)
    assert (figures(scored, "bags"), figures(scored, "set")) == ((0, 0), (False, False))
    assert points(scored) == [53, 0]


@rule("S11")
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param({"reneges": ["west"]}, ("bids_missing", "bids"), id="its bids have been made"),
        pytest.param({"bids": bids(3, 5), "reneges": ["west"]}, ("bid_below_minimum", "bids"), id="by the rules"),
        pytest.param(
            {"bids": bids(5, 5), "reneges": ["west"], "books": {NS: 14}},
            ("invalid_books", f"books.{NS}"),
            id="books that are given are books",
        ),
        pytest.param(
            {"bids": bids(5, 5), "reneges": ["west"], "first_seven": NS},
            ("first_seven_off", "first_seven"),
            id="no mark that means nothing",
        ),
    ],
)
def test_an_automatic_loss_is_a_hand_all_the_same(entry: Entry, expected: tuple[str, str]) -> None:
    assert refused(record_of(AUTOMATIC, entry)) == (expected[0], 1, expected[1])


@rule("S11")
def test_an_automatic_loss_by_north_south_in_a_first_hand() -> None:
    scored = play(AUTOMATIC, {"reneges": ["north"]}, bids_itself=True)
    assert scored.outcome is not None
    assert scored.outcome.winner == EW
    assert lines(scored) == [("renege_loss", 0)]
    assert lines(scored, EW) == []


@rule("S11")
def test_an_automatic_loss_is_a_hand_with_its_bids_and_its_deal() -> None:
    settings: Settings = {**AUTOMATIC, "blind_bid_gap": 0, "first_seven": 100}
    sheet = sheet_of(settings, {"bids": bids(6, 5), "blind": [NS], "reneges": ["west"], "first_seven": NS})
    assert sheet.standing()[NS]["blinds_used"] == 1
    assert sheet.dealer({}) == "west"
    assert sheet.scores == {NS: 0, EW: 0}


def test_no_blinds_are_left_after_one_too_many() -> None:
    blind = hand(6, 5, 8, blind=[NS], allowed=["too_many_blinds"])
    sheet = sheet_of({"blind_bid_gap": 0, "max_team_blinds": 1, "score_limit": 5000}, blind, blind)
    assert (sheet.standing()[NS]["blinds_used"], sheet.standing()[NS]["blinds_left"]) == (2, 0)

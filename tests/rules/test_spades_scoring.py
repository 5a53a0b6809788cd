"""Spades, hand by hand: what each rule gives and takes, in lines."""

import pytest
from tests.rules.play import NS, Marks, figures, first_hand, hand, lines, play, rule, spades_rule

from bookboard.rules.model import Entry, Json

Settings = dict[str, Json]
GAP_0: Settings = {"blind_bid_gap": 0}
TEN: Settings = {"ten_for_200": True, "bag_penalty": None}
AT_LEAST: Settings = {**TEN, "ten_for_200_variation": "at_least_10"}
DOUBLE: Settings = {**TEN, "ten_for_200_variation": "double_points"}
COUNTED_OFF: Settings = {"count_books_from_nil_loss": False}


def case(name: str, settings: Settings, entry: Entry, *expected: tuple[str, int], marks: Marks = ()) -> object:
    return pytest.param(settings, entry, list(expected), marks=marks, id=name)


# ── the bid ──────────────────────────────────────────────────────────────────────────────────────────────────────

BIDS = [
    case(
        "a made bid scores 10 a book bid and 1 a bag",
        {},
        hand(6, 5, 8),
        ("made", 60),
        ("bags", 2),
        marks=spades_rule("1-point bags", 2, 3),
    ),
    case(
        "a bid made exactly has no bags",
        {},
        hand(6, 5, 6),
        ("made", 60),
        marks=[spades_rule("1-point bags", 2), spades_rule("Set limit", 5)],
    ),
    case(
        "a set side loses 10 a book bid and takes no bags",
        {},
        hand(6, 5, 5),
        ("set", -60),
        marks=[spades_rule("Set limit", 5), rule("S5")],
    ),
    case(
        "a side's bid is the sum of its seats",
        {},
        hand((2, 4), 5, 6),
        ("made", 60),
        marks=[rule("S1"), spades_rule("Minimum bid", 3)],
    ),
    case(
        "bags score nothing with 1-point bags off",
        {"one_point_bags": False},
        hand(6, 5, 8),
        ("made", 60),
        ("bags_without_points", 0),
        marks=spades_rule("1-point bags", 4),
    ),
    case("a side can bid all 13", {}, hand((6, 7), 1, 13), ("made", 130), marks=rule("S1")),
    case(
        "the minimum itself can be bid",
        {"minimum_bid": 4},
        hand(4, 5, 4),
        ("made", 40),
        marks=spades_rule("Minimum bid", 3),
    ),
    case(
        "S1: an allowed bid of 0 is made and takes its books as bags",
        {"underbid_penalty": 1},
        hand(0, 5, 3, allowed=["bid_below_minimum"]),
        ("made", 0),
        ("bags", 3),
    ),
    case(
        "underbid: so many books over the bid set the side",
        {"underbid_penalty": 3},
        hand(5, 4, 8),
        ("underbid", -50),
        marks=spades_rule("Underbid penalty", 3, 4),
    ),
    case(
        "underbid: of a bid of 1",
        {"underbid_penalty": 2},
        hand(1, 5, 4),
        ("underbid", -10),
        marks=spades_rule("Underbid penalty", 4),
    ),
    case(
        "underbid: one fewer are bags",
        {"underbid_penalty": 4},
        hand(5, 4, 8),
        ("made", 50),
        ("bags", 3),
        marks=spades_rule("Underbid penalty", 3),
    ),
    case(
        "underbid: also where a renege loses the game",
        {"underbid_penalty": 3, "renege_penalty": "automatic_loss"},
        hand(5, 4, 8),
        ("underbid", -50),
        marks=spades_rule("Underbid penalty", 3),
    ),
    case(
        "underbid: one fewer, where a renege loses the game",
        {"underbid_penalty": 4, "renege_penalty": "automatic_loss"},
        hand(5, 4, 8),
        ("made", 50),
        ("bags", 3),
        marks=spades_rule("Underbid penalty", 3),
    ),
    case(
        "S9: an underbid costs the bid, blind or not",
        {**GAP_0, "underbid_penalty": 2},
        hand(6, 4, 8, blind=[NS]),
        ("underbid", -60),
        marks=spades_rule("Underbid penalty", 4),
    ),
    case(
        "S9: nothing that a renege credited is an underbid",
        {"underbid_penalty": 2},
        hand(5, 4, 6, reneges=["west"]),
        ("renege_award", 0),
        ("made", 50),
        ("bags_without_points", 0),
    ),
    case(
        "S9: an own renege's books are no underbid",
        {"underbid_penalty": 1},
        hand(5, 4, 8, reneges=["north"]),
        ("renege", 0),
        ("made", 50),
    ),
    case(
        "S9: books of an uncounted failed nil are no underbid, but bags",
        {**COUNTED_OFF, "underbid_penalty": 2},
        hand(("nil", 5), 4, 8, nil_books={"north": 2}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("made", 50),
        ("bags", 3),
    ),
]

# ── nil ──────────────────────────────────────────────────────────────────────────────────────────────────────────

NILS = [
    case(
        "a nil that holds earns its value",
        {},
        hand(("nil", 5), 5, 6),
        ("nil_made", 50),
        ("made", 50),
        ("bags", 1),
        marks=spades_rule("Nil", 4, 6),
    ),
    case(
        "nil can be worth 100",
        {"nil": 100},
        hand(("nil", 5), 5, 5),
        ("nil_made", 100),
        ("made", 50),
        marks=spades_rule("Nil", 2, 4),
    ),
    case(
        "a failed nil loses it, and its books help the partner",
        {},
        hand(("nil", 5), 5, 5, nil_books={"north": 1}),
        ("nil_failed", -50),
        ("made", 50),
        marks=[spades_rule("Nil", 3, 4, 6), spades_rule("Count books from nil loss", 2)],
    ),
    case(
        "a failed nil's books do not help where they are not counted",
        COUNTED_OFF,
        hand(("nil", 5), 5, 5, nil_books={"north": 1}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("set", -50),
        marks=spades_rule("Count books from nil loss", 2),
    ),
    case(
        "S4: but they are bags where the partner makes the bid alone",
        COUNTED_OFF,
        hand(("nil", 4), 5, 5, nil_books={"north": 1}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("made", 40),
        ("bags", 1),
    ),
    case(
        "S4: the books that count are never under 0",
        {**COUNTED_OFF, "renege_penalty": 5},
        hand(("nil", 4), 5, 6, nil_books={"north": 3}, reneges=["south"]),
        ("renege", 0),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("set", -40),
    ),
    case(
        "S4: never under 0, not even for a bid of 0",
        COUNTED_OFF,
        hand(("nil", 0), 5, 4, nil_books={"north": 3}, reneges=["south"], allowed=["bid_below_minimum"]),
        ("renege", 0),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("made", 0),
        ("bags", 1),
    ),
    case(
        "a nil bidder who reneges fails the nil",
        {},
        hand(("nil", 4), 5, 8, reneges=["north"]),
        ("renege", 0),
        ("nil_reneged", -50),
        ("made", 40),
        ("bags", 1),
        marks=spades_rule("Nil", 5),
    ),
    case(
        "the partner's renege does not fail the nil",
        {},
        hand(("nil", 4), 5, 8, reneges=["south"]),
        ("renege", 0),
        ("nil_made", 50),
        ("made", 40),
        ("bags", 1),
        marks=spades_rule("Nil", 5),
    ),
    case(
        "a blind nil earns more",
        GAP_0,
        hand(("blind_nil", 5), 5, 5),
        ("blind_nil_made", 100),
        ("made", 50),
        marks=[spades_rule("Nil", 8), spades_rule("Blind nil", 3, 4)],
    ),
    case(
        "a failed blind nil loses as much",
        GAP_0,
        hand(("blind_nil", 5), 5, 5, nil_books={"north": 1}),
        ("blind_nil_failed", -100),
        ("made", 50),
        marks=[spades_rule("Nil", 8), spades_rule("Blind nil", 3, 4)],
    ),
    case(
        "a blind nil bidder who reneges fails it",
        GAP_0,
        hand(("blind_nil", 4), 5, 7, reneges=["north"]),
        ("renege", 0),
        ("blind_nil_reneged", -100),
        ("made", 40),
        marks=spades_rule("Blind nil", 5),
    ),
    case(
        "S3: with blind nil off it is a regular one",
        {**GAP_0, "blind_nil": None},
        hand(("blind_nil", 5), 5, 5),
        ("nil_made", 50),
        ("made", 50),
        marks=spades_rule("Blind nil", 6),
    ),
    case(
        "S3: with nil off a failed blind nil's books do not help the partner",
        {**GAP_0, "nil": None},
        hand(("blind_nil", 5), 5, 5, nil_books={"north": 1}),
        ("blind_nil_failed", -100),
        ("nil_books_left_out", 0),
        ("set", -50),
        marks=spades_rule("Count books from nil loss", 3),
    ),
    case(
        "two nils that the host allowed",
        {},
        hand(("nil", "nil"), 5, 2, nil_books={"south": 2}, allowed=["bid_below_minimum"]),
        ("nil_made", 50),
        ("nil_failed", -50),
        ("made", 0),
        ("bags", 2),
    ),
]

# ── blind ────────────────────────────────────────────────────────────────────────────────────────────────────────

BLINDS = [
    case(
        "a made blind bid pays double and scores no bags",
        GAP_0,
        hand(6, 5, 8, blind=[NS]),
        ("made_blind", 120),
        ("bags_without_points", 0),
        marks=[
            spades_rule("Minimum blind bid", 5, 6),
            spades_rule("Blind loss penalty", 4),
            spades_rule("Include bags for successful blind", 3),
        ],
    ),
    case(
        "a set blind bid loses double",
        GAP_0,
        hand(7, 5, 6, blind=[NS]),
        ("set_blind", -140),
        marks=[spades_rule("Minimum blind bid", 5), spades_rule("Blind loss penalty", 3)],
    ),
    case(
        "a set blind bid can lose the single bid",
        {**GAP_0, "blind_loss_penalty": 1},
        hand(7, 5, 6, blind=[NS]),
        ("set_blind", -70),
        marks=spades_rule("Blind loss penalty", 3),
    ),
    case(
        "a made blind bid pays double, whatever a lost one costs",
        {**GAP_0, "blind_loss_penalty": 1},
        hand(6, 5, 6, blind=[NS]),
        ("made_blind", 120),
        marks=spades_rule("Blind loss penalty", 4),
    ),
    case(
        "S6: a blind bid's bags can stay out of the total",
        {**GAP_0, "include_bags_for_successful_blind": False},
        hand(6, 5, 8, blind=[NS]),
        ("made_blind", 120),
        ("bags_without_points", 0),
        ("bags_left_out", 0),
        marks=spades_rule("Include bags for successful blind", 2),
    ),
    case(
        "S7: a hand bid blind crosses the limit without charge",
        {**GAP_0, "bag_penalty": 3},
        hand(6, 4, 9, blind=[NS]),
        ("made_blind", 120),
        ("bags_without_points", 0),
        ("bag_penalty_blind", 0),
        marks=spades_rule("Minimum blind bid", 6),
    ),
]

# ── 10-for-200 ───────────────────────────────────────────────────────────────────────────────────────────────────

TENS = [
    case(
        "exactly 10: a bid of 10 with 10 books pays 200",
        TEN,
        hand(10, 1, 10),
        ("ten_for_200", 200),
        marks=[spades_rule("10-for-200", 2), spades_rule("10-for-200 variation", 3)],
    ),
    case(
        "exactly 10: 11 books lose the bid",
        TEN,
        hand(10, 1, 11),
        ("ten_for_200_over", -200),
        marks=[spades_rule("10-for-200 variation", 4), spades_rule("Include bags for successful 10-for-200", 3)],
    ),
    case("10-for-200 is off by default", {}, hand(10, 1, 10), ("made", 100), marks=spades_rule("10-for-200", 1)),
    case(
        "exactly 10: 9 books miss it",
        TEN,
        hand(10, 1, 9),
        ("ten_for_200_missed", -200),
        marks=[spades_rule("10-for-200", 3), spades_rule("10-for-200 penalty", 3)],
    ),
    case(
        "exactly 10: 11 is a bid like any other",
        TEN,
        hand(11, 1, 12),
        ("made", 110),
        ("bags", 1),
        marks=spades_rule("10-for-200 variation", 7, 8),
    ),
    case(
        "the penalty can be 100",
        {**TEN, "ten_for_200_penalty": 100},
        hand(10, 1, 9),
        ("ten_for_200_missed", -100),
        marks=spades_rule("10-for-200 penalty", 3),
    ),
    case(
        "penalty Off: a miss costs what any does",
        {**TEN, "ten_for_200_penalty": None},
        hand(10, 1, 9),
        ("set", -100),
        marks=spades_rule("10-for-200 penalty", 4),
    ),
    case(
        "penalty Off: so do 11 books on exactly 10",
        {**TEN, "ten_for_200_penalty": None},
        hand(10, 1, 11),
        ("ten_for_200_over", -100),
        marks=[spades_rule("10-for-200 penalty", 4), rule("S8")],
    ),
    case(
        "S8: penalty Off, and bid blind: the blind loss",
        {**TEN, **GAP_0, "ten_for_200_penalty": None},
        hand(10, 1, 9, blind=[NS]),
        ("set_blind", -200),
    ),
    case(
        "S8: penalty Off, bid blind, 11 books: the blind loss",
        {**TEN, **GAP_0, "ten_for_200_penalty": None},
        hand(10, 1, 11, blind=[NS]),
        ("ten_for_200_over", -200),
    ),
    case("S8: a blind bid of 10 is not doubled", {**TEN, **GAP_0}, hand(10, 1, 10, blind=[NS]), ("ten_for_200", 200)),
    case(
        "S4: exactly 10 needs the side to have 10 books in all",
        {**TEN, **COUNTED_OFF},
        hand(("nil", 10), 1, 11, nil_books={"north": 1}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("ten_for_200_over", -200),
    ),
    case(
        "S4: and 10 that count toward the bid",
        {**TEN, **COUNTED_OFF},
        hand(("nil", 10), 1, 10, nil_books={"north": 1}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("ten_for_200_missed", -200),
    ),
    case(
        "S4: short of 10 that count, it is missed, whatever the side has in all",
        {**TEN, **COUNTED_OFF},
        hand(("nil", 10), 1, 11, nil_books={"north": 2}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("ten_for_200_missed", -200),
    ),
    case(
        "at least 10: more books win too, without bag points",
        AT_LEAST,
        hand(10, 1, 12),
        ("ten_for_200", 200),
        ("bags_without_points", 0),
        ("bags_left_out", 0),
        marks=[
            spades_rule("10-for-200 variation", 5),
            spades_rule("10-for-200", 4, 6, 7),
            spades_rule("Include bags for successful 10-for-200", 2),
        ],
    ),
    case(
        "at least 10: the extra books can enter the total",
        {**AT_LEAST, "include_bags_for_successful_ten_for_200": True},
        hand(10, 1, 12),
        ("ten_for_200", 200),
        ("bags_without_points", 0),
        marks=[spades_rule("10-for-200", 7), spades_rule("Include bags for successful 10-for-200", 2)],
    ),
    case(
        "at least 10: 10 books win it",
        AT_LEAST,
        hand(10, 1, 10),
        ("ten_for_200", 200),
        marks=spades_rule("10-for-200 variation", 5),
    ),
    case(
        "at least 10: 9 books miss it",
        AT_LEAST,
        hand(10, 1, 9),
        ("ten_for_200_missed", -200),
        marks=spades_rule("10-for-200", 3),
    ),
    case(
        "at least 10: 11 is a bid like any other",
        AT_LEAST,
        hand(11, 1, 12),
        ("made", 110),
        ("bags", 1),
        marks=spades_rule("10-for-200 variation", 7, 8),
    ),
    case(
        "S8: a missed one bid blind costs the penalty",
        {**TEN, **GAP_0, "ten_for_200_penalty": 100},
        hand(10, 1, 9, blind=[NS]),
        ("ten_for_200_missed", -100),
    ),
    case(
        "double points: 10 is worth 200, without bag points",
        DOUBLE,
        hand(10, 1, 12),
        ("double_points", 200),
        ("bags_without_points", 0),
        ("bags_left_out", 0),
        marks=[spades_rule("10-for-200", 6), spades_rule("10-for-200 variation", 6)],
    ),
    case(
        "double points: a blind bid is not doubled again",
        {**DOUBLE, **GAP_0},
        hand(10, 1, 10, blind=[NS]),
        ("double_points", 200),
        marks=[spades_rule("10-for-200", 8), rule("S8")],
    ),
    case(
        "double points: 11 is worth 220",
        DOUBLE,
        hand(11, 1, 11),
        ("double_points", 220),
        marks=[spades_rule("10-for-200", 4), spades_rule("10-for-200 variation", 6, 9)],
    ),
    case(
        "double points: a missed 11 costs the penalty",
        DOUBLE,
        hand(11, 1, 10),
        ("ten_for_200_missed", -200),
        marks=spades_rule("10-for-200 variation", 9),
    ),
    case(
        "S4: double points are judged by the books that count",
        {**DOUBLE, **COUNTED_OFF},
        hand(("nil", 10), 1, 11, nil_books={"north": 2}),
        ("nil_failed", -50),
        ("nil_books_left_out", 0),
        ("ten_for_200_missed", -200),
        marks=rule("S4"),
    ),
    case(
        "double points: 9 is a bid like any other",
        DOUBLE,
        hand(9, 1, 9),
        ("made", 90),
        marks=spades_rule("10-for-200 variation", 10),
    ),
    case(
        "S8: no underbid where 10-for-200 decides",
        {**AT_LEAST, "underbid_penalty": 1},
        hand(10, 1, 12),
        ("ten_for_200", 200),
        ("bags_without_points", 0),
        ("bags_left_out", 0),
    ),
]

# ── first hand, first 7, reneges, forgiven bags ──────────────────────────────────────────────────────────────────

OTHERS = [
    case(
        "first 7 pays a set side too",
        {"first_seven": 100},
        hand(8, 4, 7, first_seven=NS),
        ("set", -80),
        ("first_seven", 100),
        marks=spades_rule("First 7", 3, 5),
    ),
    case(
        "first 7 pays beside a made bid",
        {"first_seven": 200},
        hand(7, 4, 7, first_seven=NS),
        ("made", 70),
        ("first_seven", 200),
        marks=spades_rule("First 7", 3, 4, 5),
    ),
    case(
        "first 7 pays nobody who is not marked",
        {"first_seven": 200},
        hand(7, 4, 7),
        ("made", 70),
        marks=spades_rule("First 7", 4),
    ),
    case(
        "S10: two reneges of the others are credited twice",
        {},
        hand(8, 4, 4, reneges=["west", "east"]),
        ("renege_award", 0),
        ("renege_award", 0),
        ("made", 80),
        ("bags_without_points", 0),
        marks=spades_rule("Renege award", 3),
    ),
    case(
        "a renege credits the other side",
        {},
        hand(8, 4, 6, reneges=["west"]),
        ("renege_award", 0),
        ("made", 80),
        ("bags_without_points", 0),
        marks=[spades_rule("Renege penalty", 4, 5), spades_rule("Renege award", 3)],
    ),
    case(
        "what the award does not give counts for nobody",
        {"renege_award": 1},
        hand(8, 4, 6, reneges=["west"]),
        ("renege_award", 0),
        ("set", -80),
        marks=spades_rule("Renege award", 3, 4),
    ),
    case(
        "a renege can cost 5 books",
        {"renege_penalty": 5},
        hand(4, 5, 8, reneges=["north"]),
        ("renege", 0),
        ("set", -40),
        marks=spades_rule("Renege penalty", 3),
    ),
    case(
        "a renege takes books before the hand is scored",
        {},
        hand(5, 5, 6, reneges=["north"]),
        ("renege", 0),
        ("set", -50),
        marks=spades_rule("Renege penalty", 3),
    ),
    case(
        "a side's books never fall below 0",
        {},
        hand(4, 8, 2, reneges=["north"]),
        ("renege", 0),
        ("set", -40),
        marks=rule("S10"),
    ),
    case(
        "reneges are applied together: two of ours and one of theirs cost three books",
        {},
        hand(5, 4, 8, reneges=["north", "west", "south"]),
        ("renege", 0),
        ("renege", 0),
        ("renege_award", 0),
        ("made", 50),
        marks=rule("S10"),
    ),
    case(
        "S10: a credited side's bags score no points, at an award of 0 too",
        {"renege_award": 0},
        hand(5, 4, 7, reneges=["west"]),
        ("renege_award", 0),
        ("made", 50),
        ("bags_without_points", 0),
        marks=[spades_rule("Renege penalty", 5), spades_rule("Renege award", 5)],
    ),
    case(
        "S14: bags are forgiven where the other side is short",
        {"forgive_bags_on_set": True},
        hand(5, 7, 8),
        ("made", 50),
        ("bags_forgiven", 0),
        marks=spades_rule("Forgive bags on set", 2, 5),
    ),
    case(
        "bags are not forgiven by default",
        {},
        hand(5, 7, 8),
        ("made", 50),
        ("bags", 3),
        marks=spades_rule("Forgive bags on set", 1),
    ),
    case(
        "bags are not forgiven where both sides made it",
        {"forgive_bags_on_set": True},
        hand(5, 5, 7),
        ("made", 50),
        ("bags", 2),
        marks=spades_rule("Forgive bags on set", 2, 3),
    ),
    case(
        "S14: not where it was set for underbidding",
        {"forgive_bags_on_set": True, "underbid_penalty": 3},
        hand(5, 4, 6),
        ("made", 50),
        ("bags", 1),
        marks=spades_rule("Forgive bags on set", 3),
    ),
]


@pytest.mark.parametrize(("settings", "entry", "expected"), [*BIDS, *NILS, *BLINDS, *TENS, *OTHERS])
def test_a_hand_is_explained_in_lines(settings: Settings, entry: Entry, expected: list[tuple[str, int]]) -> None:
    low: Settings = {"minimum_bid": 1, **settings}
    assert lines(play(low, entry)) == expected


@pytest.mark.parametrize(
    ("settings", "entry", "expected"),
    [
        case(
            "every book is worth 10",
            {},
            first_hand(8),
            ("first_hand", 80),
            marks=spades_rule("First hand bids itself", 3, 4),
        ),
        case(
            "S15: first 7 applies",
            {"first_seven": 200},
            first_hand(7, first_seven=NS),
            ("first_hand", 70),
            ("first_seven", 200),
        ),
        case("S15: a renege applies", {}, first_hand(8, reneges=["south"]), ("renege", 0), ("first_hand", 50)),
        case("S10: down to no books", {}, first_hand(2, reneges=["south"]), ("renege", 0), ("first_hand", 0)),
        case("S15: its award too", {}, first_hand(8, reneges=["east"]), ("renege_award", 0), ("first_hand", 110)),
    ],
)
def test_a_first_hand_bids_itself(settings: Settings, entry: Entry, expected: list[tuple[str, int]]) -> None:
    scored = play(settings, entry, bids_itself=True)
    assert lines(scored) == expected
    assert figures(scored, "bags") == figures(scored, "bags_total") == (0, 0)
    assert figures(scored, "set") == (False, False)


@spades_rule("First hand bids itself", 1)
def test_with_it_off_the_first_hand_is_bid() -> None:
    assert lines(play({"first_hand_bids_itself": False}, hand(5, 4, 8))) == [("made", 50), ("bags", 3)]

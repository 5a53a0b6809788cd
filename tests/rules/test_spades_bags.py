"""Spades over a game: bags and their penalty, and what counts as a set."""

import pytest
from tests.rules.play import NS, figures, hand, play, points, rule, spades_rule

from bookboard.rules.model import Entry, Json

Settings = dict[str, Json]
TEN: Settings = {"ten_for_200": True, "bag_penalty": None}
AT_LEAST: Settings = {**TEN, "ten_for_200_variation": "at_least_10"}


@pytest.mark.parametrize(
    ("settings", "hands", "expected"),
    [
        pytest.param(
            {}, [hand(4, 4, 9)], [-5], id="bags that reach the limit cost it x 10", marks=spades_rule("Bag penalty", 3)
        ),
        pytest.param(
            {},
            [hand(4, 4, 8), hand(4, 4, 8), hand(4, 4, 6)],
            [44, -6, -8],
            id="bags past it carry over",
            marks=spades_rule("Bag penalty", 4),
        ),
        pytest.param({}, [hand(4, 1, 13)], [-1], id="9 bags cost one penalty", marks=spades_rule("Bag penalty", 3, 4)),
        pytest.param(
            {"max_bag_penalties": 2, "bag_penalty": 3},
            [hand(4, 2, 11), hand(4, 5, 7)],
            [-13, 43],
            id="a cap of two is two",
            marks=spades_rule("Max bag penalties", 5),
        ),
        pytest.param(
            {},
            [*[hand(4, 4, 7)] * 3, hand(4, 4, 5)],
            [43, -7, 43, -9],
            id="the next penalty is at the next multiple",
            marks=[spades_rule("Bag penalty", 4), rule("S7")],
        ),
        pytest.param(
            {"bag_penalty": 3},
            [hand(4, 2, 11)],
            [-13],
            id="one hand can cost two penalties",
            marks=[spades_rule("Bag penalty", 5), rule("S7")],
        ),
        pytest.param(
            {"bag_penalty": 10},
            [hand(3, 1, 13)],
            [-60],
            id="10 bags cost 100 where the limit is 10",
            marks=spades_rule("Bag penalty", 3),
        ),
        pytest.param(
            {"max_bag_penalties": 1},
            [hand(4, 4, 9)] * 2,
            [-5, 45],
            id="after the cap they cost nothing",
            marks=spades_rule("Max bag penalties", 5, 6, 7),
        ),
        pytest.param(
            {"max_bag_penalties": 1, "bag_penalty": 3},
            [hand(4, 2, 11)],
            [17],
            id="the cap holds within a hand",
            marks=spades_rule("Max bag penalties", 5, 6),
        ),
        pytest.param(
            {"bag_penalty": None},
            [hand(4, 4, 9)] * 2,
            [45, 45],
            id="with the penalty off they cost nothing",
            marks=spades_rule("Bag penalty", 2),
        ),
        pytest.param(
            {"one_point_bags": False},
            [hand(4, 4, 9)],
            [-10],
            id="bags without points still cost",
            marks=spades_rule("1-point bags", 4),
        ),
        pytest.param(
            {"blind_bid_gap": 0},
            [hand(4, 5, 8), hand(6, 5, 8, blind=[NS]), hand(4, 5, 7), hand(4, 5, 5)],
            [44, 120, 43, -9],
            id="S7: a crossing in a hand bid blind is not charged later, the next multiple is",
            marks=spades_rule("Minimum blind bid", 6),
        ),
        pytest.param(
            {"blind_bid_gap": 0, "max_bag_penalties": 1},
            [hand(4, 5, 8), hand(6, 5, 8, blind=[NS]), hand(4, 5, 8)],
            [44, 120, -6],
            id="an uncharged crossing uses nothing of the cap",
            marks=[rule("S7"), spades_rule("Max bag penalties", 5)],
        ),
        pytest.param(
            {"include_bags_for_successful_nil": False},
            [hand(("nil", 4), 5, 8), hand(4, 4, 8)],
            [94, 44],
            id="S6: bags left out of the total bring no penalty nearer",
            marks=spades_rule("Include bags for successful nil", 2, 3),
        ),
    ],
)
def test_bags_lead_to_the_penalty(settings: Settings, hands: list[Entry], expected: list[int]) -> None:
    assert points(play({"minimum_bid": 1, **settings}, *hands)) == expected


@pytest.mark.parametrize(
    ("settings", "entry", "bags", "total"),
    [
        pytest.param(
            {}, hand(5, 4, 8), (3, 1), (3, 1), id="the books over the bid", marks=spades_rule("1-point bags", 2)
        ),
        pytest.param({}, hand(9, 4, 8), (0, 1), (0, 1), id="S5: none for a set side"),
        pytest.param({"underbid_penalty": 3}, hand(5, 4, 8), (0, 1), (0, 1), id="S5: none for an underbid"),
        pytest.param(TEN, hand(10, 1, 11), (0, 1), (0, 1), id="S5: none for a missed 10-for-200"),
        pytest.param(
            {"forgive_bags_on_set": True},
            hand(5, 6, 8),
            (0, 0),
            (0, 0),
            id="none where forgiven",
            marks=spades_rule("Forgive bags on set", 2, 4),
        ),
        pytest.param(
            {"include_bags_for_successful_nil": False},
            hand(("nil", 5), 4, 8),
            (3, 1),
            (0, 1),
            id="S6: shown but left out of the total for a nil that held",
            marks=spades_rule("Include bags for successful nil", 2),
        ),
        pytest.param(
            {"include_bags_for_successful_nil": False},
            hand(("nil", 5), 4, 8, nil_books={"north": 1}),
            (3, 1),
            (3, 1),
            id="S6: not for a nil that failed",
            marks=spades_rule("Include bags for successful nil", 2),
        ),
        pytest.param(
            {"include_bags_for_successful_nil": False, "blind_bid_gap": 0},
            hand(("blind_nil", 5), 4, 8),
            (3, 1),
            (0, 1),
            id="S6: a blind nil that held is a successful nil",
        ),
        pytest.param(
            {"include_bags_for_successful_blind": False, "include_bags_for_successful_ten_for_200": False},
            hand(5, 4, 8),
            (3, 1),
            (3, 1),
            id="S6: switches that do not apply leave nothing out",
            marks=spades_rule("Include bags for successful blind", 2),
        ),
        pytest.param(
            {**AT_LEAST, "blind_bid_gap": 0, "include_bags_for_successful_ten_for_200": True},
            hand(10, 1, 12, blind=[NS]),
            (2, 0),
            (2, 0),
            id="S6: every switch that applies is on",
            marks=[
                spades_rule("Include bags for successful blind", 2),
                spades_rule("Include bags for successful 10-for-200", 2),
            ],
        ),
        pytest.param(
            {}, hand(4, 4, 8, reneges=["west"]), (7, 0), (7, 0), id="S10: credited books are bags in the total"
        ),
        pytest.param({}, hand(4, 1, 12, reneges=["west"]), (9, 0), (9, 0), id="S10: a side has no more than 13 books"),
    ],
)
def test_bags_are_counted(settings: Settings, entry: Entry, bags: tuple[int, int], total: tuple[int, int]) -> None:
    scored = play({"minimum_bid": 1, **settings}, entry)
    assert figures(scored, "bags") == bags
    assert figures(scored, "bags_total") == total


@pytest.mark.parametrize(
    ("settings", "entry", "expected"),
    [
        pytest.param(
            {},
            hand(6, 5, 5),
            (True, False),
            id="fewer books than bid",
            marks=[spades_rule("Forgive bags on set", 3), spades_rule("Set limit", 5)],
        ),
        pytest.param(
            {"underbid_penalty": 3},
            hand(5, 4, 8),
            (True, False),
            id="S9: an underbid",
            marks=spades_rule("Underbid penalty", 3),
        ),
        pytest.param(TEN, hand(10, 1, 9), (True, False), id="a missed 10-for-200"),
        pytest.param(
            TEN,
            hand(10, 1, 11),
            (False, False),
            id="S8: not 11 books on exactly 10",
            marks=spades_rule("10-for-200 variation", 4),
        ),
        pytest.param({}, hand(8, 8, 7), (True, True), id="both sides in one hand"),
        pytest.param({}, hand(("nil", 5), 5, 5, nil_books={"north": 2}), (False, False), id="not a failed nil alone"),
    ],
)
def test_a_side_is_set(settings: Settings, entry: Entry, expected: tuple[bool, bool]) -> None:
    scored = play({"minimum_bid": 1, **settings}, entry)
    assert figures(scored, "set") == expected

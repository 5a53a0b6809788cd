"""Spades: how a game ends, rule by rule and in the order of S12."""

from typing import Any

import pytest
from tests.rules.play import EW, NS, Marks, ending, first_hand, hand, play, refused, rule, spades_rule, tournament_rule

from bookboard.rules.model import Entry, Json

Settings = dict[str, Json]
LEVEL = hand(6, 6, 6), hand(6, 6, 7)
"""Two hands after which both sides have 121 points and 1 bag."""
BAGS: Settings = {"score_limit": 100, "tie_breaker": "fewer_bags_first"}
THEN_BAGS: Settings = {"score_limit": 100, "tie_breaker": "highest_score_then_fewer_bags"}
NO_POINTS: Settings = {"one_point_bags": False, "score_limit": 5000}


def end(
    name: str,
    settings: Settings,
    hands: list[Entry],
    expected: tuple[str, str] | None,
    marks: Marks = (),
    **record: Json,
) -> object:
    return pytest.param(settings, hands, record, expected, marks=marks, id=name)


SCORE_LIMIT = [
    end(
        "the first side to reach the limit wins",
        {"score_limit": 100},
        [hand(10, 4, 10)],
        (NS, "score_limit"),
        marks=[spades_rule("Score limit", 5), tournament_rule("Winning the Game", 1)],
    ),
    end(
        "one point short of it, play goes on",
        {"score_limit": 101},
        [hand(10, 4, 10)],
        None,
        marks=spades_rule("Score limit", 5),
    ),
    end(
        "the score counts once the hand is fully scored",
        {"score_limit": 100, "bag_penalty": 3},
        [hand(10, 4, 13)],
        None,
        marks=spades_rule("Score limit", 6),
    ),
    end(
        "one side there wins, even with more bags",
        BAGS,
        [hand(10, 4, 12)],
        (NS, "score_limit"),
        marks=spades_rule("Tie breaker", 3, 5),
    ),
    end(
        "one side there wins, of east-west too",
        BAGS,
        [hand(4, 10, 1)],
        (EW, "score_limit"),
        marks=spades_rule("Tie breaker", 5),
    ),
    end(
        "score, then bags: one side there wins",
        THEN_BAGS,
        [hand(10, 4, 12)],
        (NS, "score_limit"),
        marks=spades_rule("Tie breaker", 5),
    ),
    end(
        "both there: the higher score",
        {"score_limit": 100},
        [hand(6, 5, 6), hand(6, 7, 6)],
        (EW, "score_limit"),
        marks=[spades_rule("Score limit", 7), spades_rule("Tie breaker", 3, 4, 7)],
    ),
    end(
        "both there and level: another hand", {"score_limit": 100}, [*LEVEL], None, marks=spades_rule("Tie breaker", 8)
    ),
    end(
        "which decides",
        {"score_limit": 100},
        [*LEVEL, hand(6, 7, 6)],
        (EW, "score_limit"),
        marks=spades_rule("Tie breaker", 8),
    ),
    end(
        "highest score: bags never settle it",
        {**NO_POINTS, "score_limit": 100},
        [hand(6, 6, 7)] * 2,
        None,
        marks=spades_rule("Tie breaker", 8),
    ),
    end(
        "fewer bags first, even with the lower score",
        BAGS,
        [hand(6, 5, 6), hand(6, 7, 6)],
        (NS, "score_limit"),
        marks=spades_rule("Tie breaker", 9, 15, 16),
    ),
    end(
        "level bags fall back to the score",
        BAGS,
        [hand(6, 7, 6)] * 2,
        (EW, "score_limit"),
        marks=spades_rule("Tie breaker", 10),
    ),
    end("level in both: another hand", BAGS, [*LEVEL], None, marks=spades_rule("Tie breaker", 11)),
    end(
        "score, then bags: the score first",
        THEN_BAGS,
        [hand(6, 5, 6), hand(6, 7, 6)],
        (EW, "score_limit"),
        marks=spades_rule("Tie breaker", 12, 15, 17),
    ),
    end(
        "score, then bags: bags settle a level score",
        {**NO_POINTS, **THEN_BAGS},
        [hand(6, 6, 7), hand(6, 6, 7)],
        (EW, "score_limit"),
        marks=spades_rule("Tie breaker", 13, 17),
    ),
    end(
        "score, then bags: level in both, another hand", THEN_BAGS, [*LEVEL], None, marks=spades_rule("Tie breaker", 14)
    ),
    end(
        "bags left out of the total do not count for a tie breaker",
        {**BAGS, "include_bags_for_successful_nil": False},
        [hand(("nil", 4), 5, 7), hand(5, 6, 6)],
        (NS, "score_limit"),
        marks=spades_rule("Include bags for successful nil", 2, 3),
    ),
    end(
        "a bag penalty does not reset the bags that a tie breaker counts",
        {**BAGS, "one_point_bags": False, "bag_penalty": 3, "blind_bid_gap": 0},
        [hand(4, 5, 8), hand(6, 5, 6, blind=[NS])],
        (EW, "score_limit"),
        marks=[spades_rule("Tie breaker", 18, 19), rule("S7")],
    ),
]

TIMED: Settings = {"time_limit_minutes": 30}
TIME = [
    end(
        "the hand being played is the last",
        TIMED,
        [hand(6, 7, 6), hand(5, 6, 6)],
        (EW, "time_limit"),
        time_expired_after=1,
        marks=[spades_rule("Time limit", 5, 6), rule("S13")],
    ),
    end(
        "before it is scored nothing ends",
        TIMED,
        [hand(6, 7, 6)],
        None,
        time_expired_after=1,
        marks=spades_rule("Time limit", 5),
    ),
    end(
        "hands may have been taken back since",
        TIMED,
        [hand(6, 7, 6)],
        None,
        time_expired_after=4,
        marks=spades_rule("Time limit", 5),
    ),
    end(
        "level scores play an extra hand",
        TIMED,
        [*LEVEL],
        None,
        time_expired_after=1,
        marks=spades_rule("Time limit", 8),
    ),
    end(
        "extra hands until one is ahead",
        TIMED,
        [*LEVEL, hand(6, 7, 6)],
        (EW, "time_limit"),
        time_expired_after=1,
        marks=[spades_rule("Time limit", 9, 11), rule("S13")],
    ),
    end(
        "a limit reached before counts as usual",
        {**TIMED, "score_limit": 100},
        [hand(10, 4, 10)],
        (NS, "score_limit"),
        time_expired_after=1,
        marks=spades_rule("Time limit", 7),
    ),
    end(
        "S13: past the limit, only the time rule compares scores",
        {**TIMED, **BAGS},
        [hand(6, 5, 6), hand(6, 7, 6)],
        (EW, "time_limit"),
        time_expired_after=1,
    ),
    end(
        "fewer bags first ignores bags on a time-up",
        {**TIMED, **NO_POINTS, "tie_breaker": "fewer_bags_first"},
        [hand(6, 6, 7)] * 2,
        None,
        time_expired_after=0,
        marks=[spades_rule("Time limit", 10), spades_rule("Tie breaker", 23)],
    ),
    end(
        "highest score ignores bags on a time-up",
        {**TIMED, **NO_POINTS},
        [hand(6, 6, 7)] * 2,
        None,
        time_expired_after=0,
        marks=[spades_rule("Time limit", 10), spades_rule("Tie breaker", 23)],
    ),
    end(
        "score, then bags: not after the last hand",
        {**TIMED, **NO_POINTS, "tie_breaker": "highest_score_then_fewer_bags"},
        [hand(6, 6, 7)],
        None,
        time_expired_after=0,
        marks=spades_rule("Time limit", 12),
    ),
    end(
        "score, then bags: not after a last hand that is not the first",
        {**TIMED, **NO_POINTS, "tie_breaker": "highest_score_then_fewer_bags"},
        [hand(6, 6, 7)] * 2,
        None,
        time_expired_after=1,
        marks=spades_rule("Time limit", 12),
    ),
    end(
        "score, then bags: after the extra hand that follows it",
        {**TIMED, **NO_POINTS, "tie_breaker": "highest_score_then_fewer_bags"},
        [hand(6, 6, 7)] * 3,
        (EW, "time_limit"),
        time_expired_after=1,
        marks=spades_rule("Time limit", 12),
    ),
    end(
        "score, then bags: after the first extra hand",
        {**TIMED, **NO_POINTS, "tie_breaker": "highest_score_then_fewer_bags"},
        [hand(6, 6, 7)] * 2,
        (EW, "time_limit"),
        time_expired_after=0,
        marks=[spades_rule("Time limit", 12), spades_rule("Tie breaker", 23)],
    ),
    end(
        "score, then bags: level in both, another",
        {**TIMED, **NO_POINTS, "tie_breaker": "highest_score_then_fewer_bags"},
        [hand(6, 6, 7), hand(6, 6, 6)],
        None,
        time_expired_after=0,
        marks=spades_rule("Time limit", 13),
    ),
]

BOSTON: Settings = {"boston": True}
SHOT: Settings = {"shot_back_to_back": 2}
SET_LIMIT: Settings = {"set_limit": 2}
LOWEST: Settings = {"lowest_allowed_score": -100}
SET = hand(6, 5, 5)
MADE = hand(6, 5, 6)

INSTANT = [
    end(
        "Boston: all 13 books win on the spot", BOSTON, [hand(4, 4, 13)], (NS, "boston"), marks=spades_rule("Boston", 2)
    ),
    end("Boston is off by default", {}, [hand(4, 4, 13)], None, marks=spades_rule("Boston", 1)),
    end("Boston needs no renege of one's own", BOSTON, [hand(4, 4, 13, reneges=["north"])], None, marks=rule("S10")),
    end(
        "but withstands one of the others",
        BOSTON,
        [hand(4, 4, 0, reneges=["north"])],
        (EW, "boston"),
        marks=rule("S10"),
    ),
    end("Boston of east-west needs none either", BOSTON, [hand(4, 4, 0, reneges=["west"])], None, marks=rule("S10")),
    end(
        "12 books and a credited one are no Boston", BOSTON, [hand(4, 4, 12, reneges=["east"])], None, marks=rule("S10")
    ),
    end(
        "shot back to back: twice in a row loses",
        SHOT,
        [SET, SET],
        (EW, "shot_back_to_back"),
        marks=spades_rule("Shot back to back", 3),
    ),
    end(
        "shot back to back: a made bid starts again",
        SHOT,
        [SET, MADE, SET],
        None,
        marks=spades_rule("Shot back to back", 4),
    ),
    end(
        "shot back to back: an underbid is a set",
        {**SHOT, "underbid_penalty": 2},
        [SET, hand(4, 7, 6)],
        (EW, "shot_back_to_back"),
        marks=rule("S9"),
    ),
    end(
        "S8: 11 books on exactly 10 leave the run",
        {**SHOT, "ten_for_200": True, "lowest_allowed_score": None},
        [SET, hand(10, 1, 11, allowed=["bid_below_minimum"]), SET],
        (EW, "shot_back_to_back"),
    ),
    end("S1: an allowed bid of 0 starts again", SHOT, [SET, hand(0, 5, 0, allowed=["bid_below_minimum"]), SET], None),
    end(
        "shot back to back: both, the higher score, not the bags",
        {**SHOT, "tie_breaker": "fewer_bags_first"},
        [hand(4, 5, 8), hand(7, 9, 6), hand(7, 9, 6)],
        (NS, "shot_back_to_back"),
        marks=spades_rule("Shot back to back", 7),
    ),
    end(
        "shot back to back: both and level, play goes on",
        SHOT,
        [hand(8, 8, 7)] * 2,
        None,
        marks=spades_rule("Shot back to back", 8),
    ),
    end(
        "and it is asked again after the next hand",
        SHOT,
        [*[hand(8, 8, 7)] * 2, hand(6, 8, 6)],
        (NS, "shot_back_to_back"),
        marks=[spades_rule("Shot back to back", 8), rule("S12")],
    ),
    end(
        "set limit: so many sets, in a row or not",
        SET_LIMIT,
        [SET, MADE, SET],
        (EW, "set_limit"),
        marks=[spades_rule("Set limit", 6, 7), spades_rule("Shot back to back", 6)],
    ),
    end(
        "set limit: of east-west", SET_LIMIT, [hand(5, 6, 8)] * 2, (NS, "set_limit"), marks=spades_rule("Set limit", 6)
    ),
    end(
        "set limit: both, the tie breaker",
        {"set_limit": 1},
        [hand(8, 9, 7)],
        (NS, "set_limit"),
        marks=[spades_rule("Set limit", 9), spades_rule("Tie breaker", 4)],
    ),
    end(
        "set limit: both, fewer bags first",
        {**SET_LIMIT, "tie_breaker": "fewer_bags_first"},
        [hand(4, 5, 8), hand(7, 9, 6), hand(7, 9, 6)],
        (EW, "set_limit"),
        marks=spades_rule("Set limit", 9),
    ),
    end(
        "set limit: both and level, play goes on",
        {"set_limit": 1},
        [hand(8, 8, 7)],
        None,
        marks=spades_rule("Set limit", 10),
    ),
    end(
        "lowest allowed score: a side can sit on it",
        LOWEST,
        [hand(10, 4, 9)],
        None,
        marks=spades_rule("Lowest allowed score", 6),
    ),
    end(
        "lowest allowed score: east-west can sit on it",
        LOWEST,
        [hand(4, 10, 4)],
        None,
        marks=spades_rule("Lowest allowed score", 6),
    ),
    end(
        "lowest allowed score: below it loses",
        LOWEST,
        [hand(11, 4, 9)],
        (EW, "lowest_allowed_score"),
        marks=spades_rule("Lowest allowed score", 5, 6, 8),
    ),
    end(
        "lowest allowed score: both, the higher score",
        {"lowest_allowed_score": -50},
        [hand(8, 9, 7)],
        (NS, "lowest_allowed_score"),
        marks=spades_rule("Lowest allowed score", 9),
    ),
    end(
        "lowest allowed score: both and level, play goes on",
        {"lowest_allowed_score": -50},
        [hand(8, 8, 7)],
        None,
        marks=spades_rule("Lowest allowed score", 10),
    ),
    end(
        "lowest allowed score: a lost nil counts",
        LOWEST,
        [hand(("nil", 6), 4, 5, nil_books={"north": 1})],
        (EW, "lowest_allowed_score"),
        marks=spades_rule("Lowest allowed score", 7),
    ),
    end(
        "lowest allowed score: a bag penalty counts",
        {**LOWEST, "bag_penalty": 5},
        [hand(10, 4, 9), hand(4, 5, 13)],
        (EW, "lowest_allowed_score"),
        marks=spades_rule("Lowest allowed score", 7),
    ),
]

ORDER = [
    end(
        "Boston before a lost run",
        {**BOSTON, **SHOT, "underbid_penalty": 1},
        [hand(4, 5, 7), hand(4, 5, 13)],
        (NS, "boston"),
        marks=rule("S12"),
    ),
    end(
        "shot back to back before the set limit",
        {**SHOT, **SET_LIMIT},
        [SET, SET],
        (EW, "shot_back_to_back"),
        marks=rule("S12"),
    ),
    end(
        "the set limit before the lowest score",
        {**SET_LIMIT, **LOWEST},
        [hand(6, 5, 5)] * 2,
        (EW, "set_limit"),
        marks=rule("S12"),
    ),
    end(
        "the lowest score before the score limit",
        {"lowest_allowed_score": -50, "score_limit": 100},
        [hand(10, 6, 10)],
        (NS, "lowest_allowed_score"),
        marks=[rule("S12"), spades_rule("Lowest allowed score", 5, 11)],
    ),
    end(
        "a rule that cannot tell leaves it to the next",
        {**SHOT, **SET_LIMIT, **NO_POINTS, "tie_breaker": "highest_score_then_fewer_bags"},
        [hand(6, 6, 7), hand(8, 8, 7), hand(8, 8, 7)],
        (EW, "set_limit"),
        marks=rule("S12"),
    ),
    end(
        "none can tell: play goes on",
        {**TIMED, "shot_back_to_back": 2, "score_limit": 5000},
        [hand(8, 8, 7), hand(8, 8, 7)],
        None,
        time_expired_after=0,
        marks=rule("S12"),
    ),
    end("the host ends an undecided game", {}, [MADE], (NS, "host"), ended_by_host=True),
    end(
        "the host changes nothing that is decided",
        {"score_limit": 100},
        [hand(10, 4, 10)],
        (NS, "score_limit"),
        ended_by_host=True,
    ),
]


@pytest.mark.parametrize(("settings", "hands", "record", "expected"), [*SCORE_LIMIT, *TIME, *INSTANT, *ORDER])
def test_a_game_ends(
    settings: Settings, hands: list[Entry], record: dict[str, Any], expected: tuple[str, str] | None
) -> None:
    assert ending(play({"bag_penalty": None, **settings}, *hands, **record)) == expected


@spades_rule("First hand bids itself", 4)
@spades_rule("Shot back to back", 5)
@spades_rule("Set limit", 8)
def test_a_first_hand_counts_for_no_set_rule() -> None:
    settings: Settings = {"set_limit": 1, "shot_back_to_back": 2}
    assert ending(play(settings, first_hand(0), hand(4, 9, 4), bids_itself=True)) is None


@rule("S15")
def test_boston_applies_to_a_first_hand() -> None:
    assert ending(play({"boston": True}, first_hand(0), bids_itself=True)) == (EW, "boston")


def test_the_host_ends_a_level_game_without_a_winner() -> None:
    assert ending(play({}, ended_by_host=True)) == (None, "host")


def test_after_the_end_no_hand_is_looked_at() -> None:
    settings: Settings = {"score_limit": 100, "first_hand_bids_itself": False}
    record: Json = {"game": "spades", "settings": settings, "hands": [hand(10, 4, 10), "nonsense"]}
    assert refused(record) == ("game_over", 2, None)

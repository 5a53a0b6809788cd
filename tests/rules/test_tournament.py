"""Tournament Spades: the Spades engine with its own defaults, and T1 to T3."""

from typing import Any

import pytest
from tests.rules.play import EW, NS, ending, figures, hand, lines, play, points, rule, sheet_of, tournament_rule

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json

BOSTON = hand(13, 4, 13)


def tournament(settings: dict[str, Json], *hands: Entry, **record: Any) -> object:
    return ending(play(settings, *hands, game="tournament_spades", **record))


def test_its_defaults_are_those_of_spades_but_five() -> None:
    spades = {setting.key: setting.default for setting in GAMES["spades"].settings}
    own = {setting.key: setting.default for setting in GAMES["tournament_spades"].settings}
    assert own == spades | {
        "score_limit": 500,
        "bag_penalty": 10,
        "lowest_allowed_score": -200,
        "boston": True,
        "first_hand_bids_itself": False,
    }


@pytest.mark.parametrize(
    ("before", "bags", "points", "shown"),
    [
        pytest.param(
            [hand(4, 5, 8)] * 2,
            2,
            -58,
            0,
            id="8 sandbags and 2 more: a penalty and none shown",
            marks=[tournament_rule("Sandbags", 1, 3, 4, 5), rule("T1")],
        ),
        pytest.param(
            [hand(4, 5, 8)] * 2,
            3,
            -57,
            1,
            id="8 sandbags and 3 more: a penalty and 1 shown",
            marks=[tournament_rule("Sandbags", 0, 6), rule("T1")],
        ),
        pytest.param(
            [], 7, 47, 7, id="under the limit they are all shown", marks=[tournament_rule("Sandbags", 0), rule("T1")]
        ),
    ],
)
def test_t1_sandbags_are_shown_below_the_limit(before: list[Entry], bags: int, points: int, shown: int) -> None:
    sheet = sheet_of({"minimum_bid": 1}, *before, hand(4, 2, 4 + bags), game="tournament_spades")
    assert sheet.hands[-1].sides[NS].points == points
    assert sheet.standing()[NS]["bags_shown"] == shown


@rule("T1")
def test_t1_the_total_is_never_reduced() -> None:
    scored = play({}, *[hand(4, 5, 8)] * 2, hand(4, 6, 7), game="tournament_spades")
    assert figures(scored, "bags_total") == (11, 0)


@tournament_rule("Sandbags", 7, 8)
@rule("T1")
def test_t1_a_limit_of_8_shows_0_to_7() -> None:
    sheet, shown = sheet_of({"bag_penalty": 8}, game="tournament_spades"), []
    for _ in range(5):
        sheet = sheet.add(hand(4, 6, 7), None)
        shown.append(sheet.standing()[NS]["bags_shown"])
    assert shown == [3, 6, 1, 4, 7]


@pytest.mark.parametrize(
    ("settings", "hands", "expected"),
    [
        pytest.param(
            {},
            [hand(10, 4, 9)] * 2,
            (EW, "lowest_allowed_score"),
            id="at it loses",
            marks=[tournament_rule("Winning the Game", 2), rule("T2")],
        ),
        pytest.param(
            {},
            [hand(10, 4, 9), hand(9, 4, 8)],
            None,
            id="one book above plays on",
            marks=[tournament_rule("Winning the Game", 2), rule("T2")],
        ),
        pytest.param(
            {},
            [hand(4, 5, 5), *[hand(10, 4, 9)] * 2, hand(4, 5, 3)],
            None,
            id="one point above plays on",
            marks=rule("T2"),
        ),
        pytest.param(
            {"lowest_allowed_score": None}, [hand(10, 4, 9)] * 3, None, id="unless it is off", marks=rule("T2")
        ),
    ],
)
def test_t2_the_lowest_allowed_score(
    settings: dict[str, Json], hands: list[Entry], expected: tuple[str, str] | None
) -> None:
    assert tournament(settings, *hands) == expected


@tournament_rule("Winning the Game", 4, 5, 6)
@rule("T3")
def test_t3_boston_gives_the_winner_the_score_limit_and_leaves_the_loser_as_before() -> None:
    scored = play({}, hand(5, 5, 6), BOSTON, game="tournament_spades")
    assert scored.scores == {NS: 500, EW: 52}
    assert ending(scored) == (NS, "boston")
    assert lines(scored) == [("boston", 449)]
    assert points(scored) == [51, 449]
    assert lines(scored, EW) == [("boston_lost", 0)]


@tournament_rule("Winning the Game", 5)
@rule("T3")
def test_t3_boston_is_the_score_limit_and_no_bonus_more() -> None:
    scored = play({"first_seven": 100}, hand(4, 13, 0, first_seven=EW), game="tournament_spades")
    assert scored.scores == {NS: 0, EW: 500}


@pytest.mark.parametrize(
    ("settings", "hands", "expected"),
    [
        pytest.param(
            {},
            [hand(12, 4, 13)],
            None,
            id="12 bid and 13 taken are no Boston",
            marks=[tournament_rule("Winning the Game", 4), rule("T3")],
        ),
        pytest.param({"boston": False}, [BOSTON], None, id="off, a made 13 is a bid like any other", marks=rule("T3")),
        pytest.param(
            {}, [hand(13, 4, 13, reneges=["north"])], None, id="nor is it one with a renege", marks=rule("T3")
        ),
        pytest.param(
            {"score_limit": 100},
            [hand(4, 10, 3)],
            (EW, "score_limit"),
            id="the other ends are those of Spades",
            marks=tournament_rule("Winning the Game", 1),
        ),
        pytest.param(
            {"renege_penalty": "automatic_loss"},
            [{**BOSTON, "reneges": ["west"]}],
            (NS, "renege"),
            id="a renege that ends the game comes first",
        ),
    ],
)
def test_t3_what_is_no_boston(settings: dict[str, Json], hands: list[Entry], expected: tuple[str, str] | None) -> None:
    assert tournament(settings, *hands) == expected


def test_a_first_hand_that_bids_itself_has_no_bid_of_13() -> None:
    entry: Entry = {"books": {NS: 13, EW: 0}}
    assert tournament({"first_hand_bids_itself": True}, entry) is None


def test_a_limit_of_8_sandbags_is_offered_here_only() -> None:
    offered = {
        key: next(setting for setting in GAMES[key].settings if setting.key == "bag_penalty").offers(8)
        for key in ("spades", "tournament_spades")
    }
    assert offered == {"spades": False, "tournament_spades": True}

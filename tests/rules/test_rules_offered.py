"""What the rulebook offers at each setting: its default, its choices, its range, and when the app hides it."""

from typing import Any

import pytest
from tests.rules.play import bid_whist_rule, refused, rule, spades_rule, tournament_rule

from bookboard.rules.catalogue import GAMES
from bookboard.rules.game import Setting
from bookboard.rules.model import Json

WORDS = (
    *("automatic_loss", "north", "east", "south", "west", "north_south", ""),
    *("highest_score", "fewer_bags_first", "highest_score_then_fewer_bags"),
    *("exactly_10", "at_least_10", "double_points"),
)
FAR_OFF: tuple[Json, ...] = (None, True, False, *range(-2100, 5200), *WORDS)


def setting_of(game: str, key: str) -> Setting:
    return next(setting for setting in GAMES[game].settings if setting.key == key)


def offered(section: str, key: str, default: Json, choices: list[Json], *custom: int) -> object:
    """A row that cites the default (sentence 1), the choices (2) and the range (3) of a section of Spades."""
    cited = (1, 2, 3)[: 1 + (choices != [True, False]) + bool(custom)]
    return pytest.param(key, default, choices, custom, marks=spades_rule(section, *cited), id=section)


ON_OFF: list[Json] = [True, False]


@pytest.mark.parametrize(
    ("key", "default", "choices", "custom"),
    [
        offered("Score limit", "score_limit", 300, [250, 300, 350, 500], 100, 5000),
        offered(
            "Tie breaker",
            "tie_breaker",
            "highest_score",
            ["highest_score", "fewer_bags_first", "highest_score_then_fewer_bags"],
        ),
        offered("Time limit", "time_limit_minutes", None, [None, 30, 60, 90], 5, 240),
        offered("First dealer", "first_dealer", "south", ["north", "east", "south", "west"]),
        offered("Minimum bid", "minimum_bid", 4, [1, 2, 3, 4, 5]),
        offered("First hand bids itself", "first_hand_bids_itself", True, ON_OFF),
        offered("Nil", "nil", 50, [None, 50, 100]),
        offered("Count books from nil loss", "count_books_from_nil_loss", True, ON_OFF),
        offered("Include bags for successful nil", "include_bags_for_successful_nil", True, ON_OFF),
        offered("Blind nil", "blind_nil", 100, [None, 100, 200]),
        offered("Minimum blind bid", "minimum_blind_bid", 6, [5, 6, 7, 8]),
        offered("Blind bid gap", "blind_bid_gap", 100, [0, 50, 100]),
        offered("Include bags for blind check", "include_bags_for_blind_check", True, ON_OFF),
        offered("Max team blinds", "max_team_blinds", None, [None, 1, 2], 1, 20),
        offered("Blind loss penalty", "blind_loss_penalty", 2, [1, 2]),
        offered("Include bags for successful blind", "include_bags_for_successful_blind", True, ON_OFF),
        offered("Bag penalty", "bag_penalty", 5, [None, 3, 5, 7, 10]),
        offered("Max bag penalties", "max_bag_penalties", None, [None, 1, 2], 1, 20),
        offered("Forgive bags on set", "forgive_bags_on_set", False, ON_OFF),
        offered("1-point bags", "one_point_bags", True, ON_OFF),
        offered("10-for-200", "ten_for_200", False, ON_OFF),
        offered(
            "10-for-200 variation",
            "ten_for_200_variation",
            "exactly_10",
            ["exactly_10", "at_least_10", "double_points"],
        ),
        offered("10-for-200 penalty", "ten_for_200_penalty", 200, [None, 100, 200]),
        offered("Include bags for successful 10-for-200", "include_bags_for_successful_ten_for_200", False, ON_OFF),
        offered("First 7", "first_seven", None, [None, 100, 200]),
        offered("Renege penalty", "renege_penalty", 3, ["automatic_loss", 3, 4, 5]),
        offered("Renege award", "renege_award", 3, [0, 1, 3, 4, 5]),
        offered("Underbid penalty", "underbid_penalty", None, [None, 1, 2, 3, 4]),
        offered("Boston", "boston", False, ON_OFF),
        offered("Shot back to back", "shot_back_to_back", None, [None, 2, 3]),
        offered("Set limit", "set_limit", None, [None, 2, 3], 1, 20),
        offered("Lowest allowed score", "lowest_allowed_score", None, [None, -100, -200], -2000, -50),
    ],
)
def test_spades_offers(key: str, default: Json, choices: list[Json], custom: tuple[int, ...]) -> None:
    setting = setting_of("spades", key)
    assert setting.default == default
    assert [choice.value for choice in setting.choices] == choices
    in_range: list[Json] = [*range(custom[0], custom[1] + 1)] if custom else []
    accepted = {(type(value), value) for value in FAR_OFF if setting.offers(value)}
    assert accepted == {(type(value), value) for value in (*choices, *in_range)}


@pytest.mark.parametrize(
    ("key", "hidden_when"),
    [
        pytest.param("count_books_from_nil_loss", ({"nil": None},), marks=spades_rule("Nil", 7), id="nil loss"),
        pytest.param(
            "include_bags_for_successful_nil",
            ({"nil": None},),
            marks=spades_rule("Include bags for successful nil", 4),
            id="bags for successful nil",
        ),
        pytest.param("blind_nil", ({"nil": None},), marks=spades_rule("Blind nil", 7), id="blind nil"),
        pytest.param(
            "include_bags_for_blind_check",
            ({"blind_bid_gap": 0},),
            marks=spades_rule("Include bags for blind check", 3),
            id="bags for the blind check",
        ),
        pytest.param(
            "max_bag_penalties", ({"bag_penalty": None},), marks=spades_rule("Max bag penalties", 8), id="max penalties"
        ),
        pytest.param(
            "forgive_bags_on_set",
            ({"bag_penalty": None, "one_point_bags": False},),
            marks=spades_rule("Forgive bags on set", 6),
            id="forgive bags",
        ),
        *(
            pytest.param(key, ({"ten_for_200": False},), marks=spades_rule("10-for-200", 5), id=key)
            for key in ("ten_for_200_variation", "ten_for_200_penalty", "include_bags_for_successful_ten_for_200")
        ),
        pytest.param(
            "renege_award", ({"renege_penalty": "automatic_loss"},), marks=spades_rule("Renege award", 6), id="award"
        ),
    ],
)
def test_the_app_hides_what_does_not_matter(key: str, hidden_when: tuple[dict[str, Json], ...]) -> None:
    assert setting_of("spades", key).hidden_when == hidden_when


def test_nothing_else_is_hidden() -> None:
    assert sum(bool(setting.hidden_when) for setting in GAMES["spades"].settings) == 10


@pytest.mark.parametrize(
    ("game", "key", "default", "offers"),
    [
        pytest.param("bid_whist", "target", 7, [7, 14], marks=bid_whist_rule("Winning the match", 1, 3), id="match"),
        pytest.param("bid_whist", "boston_bonus", False, [False, True], marks=rule("B1"), id="Boston bonus"),
        pytest.param("pack", "target", None, [None, *range(1, 101)], marks=rule("P6"), id="Pack"),
    ],
)
def test_the_other_games_offer_nothing_else(game: str, key: str, default: Json, offers: list[Json]) -> None:
    setting = setting_of(game, key)
    assert setting.default == default
    assert [value for value in (None, False, True, *range(-10, 200)) if setting.offers(value)] == offers


@pytest.mark.parametrize(
    ("game", "settings", "right"),
    [
        pytest.param("bid_whist", {"target": 14}, True, marks=bid_whist_rule("Winning the match", 3), id="to 14"),
        pytest.param("bid_whist", {"target": 10}, False, id="not to 10"),
        pytest.param("bid_whist", {"boston_bonus": True}, True, id="the Boston bonus is optional"),
        pytest.param("pack", {"target": 1}, True, marks=rule("P6"), id="Pack to 1"),
        pytest.param("pack", {"target": 100}, True, marks=rule("P6"), id="Pack to 100"),
        pytest.param("pack", {"target": 0}, False, id="not to 0"),
        pytest.param("pack", {"target": 101}, False, id="not to 101"),
        pytest.param(
            "tournament_spades", {"bag_penalty": 8}, True, marks=tournament_rule("Sandbags", 7), id="8 sandbags"
        ),
        pytest.param("spades", {"bag_penalty": 8}, False, id="8 bags in a tournament only"),
    ],
)
def test_the_other_games_offer(game: str, settings: dict[str, Json], right: bool) -> None:  # noqa: FBT001
    record: dict[str, Any] = {"game": game, "settings": settings, "hands": 5}
    if game == "pack":
        record["players"] = ["Ada", "Ben", "Cy"]
    assert refused(record)[0] == ("malformed" if right else "invalid_setting")

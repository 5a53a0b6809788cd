"""Settings: declared once, offered as the contract says, and each of them changes some result."""

import re

import pytest
from tests.rules.play import EW, NS, hand

from bookboard.rules.catalogue import GAMES
from bookboard.rules.declare import off_or
from bookboard.rules.game import Setting
from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.record import score_record

Settings = dict[str, Json]
EVERY = [pytest.param(key, setting, id=f"{key}: {setting.key}") for key in GAMES for setting in GAMES[key].settings]
SPADES = {setting.key: setting for setting in GAMES["spades"].settings}


def test_spades_has_32_settings() -> None:
    assert len(SPADES) == 32


@pytest.mark.parametrize(("key", "setting"), EVERY)
def test_a_setting_can_be_shown(key: str, setting: Setting) -> None:
    assert setting.offers(setting.default)
    assert all(setting.offers(choice.value) for choice in setting.choices)
    assert setting.help.endswith(".")
    assert re.fullmatch(r"(Tournament Spades|Spades|Bid Whist|Pack) rules(, section .+)?", setting.source)
    others = {other.key: other for other in GAMES[key].settings}
    for condition in setting.hidden_when:
        assert all(others[name].offers(value) for name, value in condition.items())


@pytest.mark.parametrize(
    ("name", "offered", "refused"),
    [
        ("score_limit", [100, 300, 5000], [99, 5001, None, 300.0, "300"]),
        ("time_limit_minutes", [None, 5, 240], [4, 241, 0]),
        ("minimum_bid", [1, 5], [0, 6, True, None]),
        ("nil", [None, 50, 100], [0, 75, False]),
        ("blind_bid_gap", [0, 50, 100], [None, 60]),
        ("max_team_blinds", [None, 1, 20], [0, 21]),
        ("bag_penalty", [None, 3, 5, 7, 10], [8, 4]),
        ("first_seven", [None, 100, 200], [0]),
        ("renege_penalty", ["automatic_loss", 3, 4, 5], [None, 1, "automatic"]),
        ("renege_award", [0, 1, 3, 4, 5], [2, None, False]),
        ("underbid_penalty", [None, 1, 4], [5]),
        ("boston", [True, False], [1, 0, None]),
        ("set_limit", [None, 1, 20], [0, 21]),
        ("lowest_allowed_score", [None, -50, -2000], [-49, -2001, 0]),
        ("first_dealer", ["north", "west"], ["north_south", None]),
    ],
)
def test_spades_offers_what_the_contract_says(name: str, offered: list[Json], refused: list[Json]) -> None:
    for value in offered:
        GAMES["spades"].read_settings({name: value})
    for value in refused:
        with pytest.raises(RecordError) as caught:
            GAMES["spades"].read_settings({name: value})
        assert (caught.value.code, caught.value.field) == ("invalid_setting", name)


def test_a_setting_of_another_game_is_unknown() -> None:
    with pytest.raises(RecordError) as caught:
        GAMES["spades"].read_settings({"target": 7})
    assert (caught.value.code, caught.value.field) == ("unknown_setting", "target")


@pytest.mark.parametrize("key", GAMES)
def test_presets_are_offered(key: str) -> None:
    for preset in GAMES[key].presets:
        GAMES[key].read_settings(preset.settings)


def test_negative_choices_have_a_true_minus_sign() -> None:
    assert [choice.label for choice in off_or(-100)] == ["Off", "\N{MINUS SIGN}100"]


GAP_0: Settings = {"blind_bid_gap": 0}
TEN: Settings = {"ten_for_200": True, "minimum_bid": 1}
AT_LEAST: Settings = {**TEN, "ten_for_200_variation": "at_least_10"}
FAILED_NIL = hand(("nil", 5), 5, 5, nil_books={"north": 1})
BLIND = hand(6, 5, 8, blind=[NS])

CHANGES: dict[str, tuple[Json, Settings, list[Entry]]] = {
    "score_limit": (100, {}, [hand(10, 4, 10)]),
    "tie_breaker": ("fewer_bags_first", {"score_limit": 100}, [hand(6, 5, 6), hand(6, 7, 6)]),
    "time_limit_minutes": (30, {}, [hand(5, 5, 7)]),
    "first_dealer": ("north", {}, [hand(5, 5, 7)]),
    "minimum_bid": (3, {}, [hand(3, 5, 7)]),
    "first_hand_bids_itself": (False, {}, [hand(5, 5, 7)]),
    "nil": (100, {}, [hand(("nil", 5), 5, 6)]),
    "count_books_from_nil_loss": (False, {}, [FAILED_NIL]),
    "include_bags_for_successful_nil": (False, {}, [hand(("nil", 5), 5, 6)]),
    "blind_nil": (200, GAP_0, [hand(("blind_nil", 5), 5, 6)]),
    "minimum_blind_bid": (7, GAP_0, [BLIND]),
    "blind_bid_gap": (0, {}, [BLIND]),
    "include_bags_for_blind_check": (
        False,
        {"bag_penalty": None},
        [hand(4, 4, 4), hand(4, 4, 4), hand(5, 4, 4), hand(6, 4, 9, blind=[NS])],
    ),
    "max_team_blinds": (1, {**GAP_0, "score_limit": 500}, [BLIND, BLIND]),
    "blind_loss_penalty": (1, GAP_0, [hand(7, 5, 6, blind=[NS])]),
    "include_bags_for_successful_blind": (False, GAP_0, [BLIND]),
    "bag_penalty": (3, {}, [hand(4, 5, 8)]),
    "max_bag_penalties": (1, {}, [hand(4, 4, 9)] * 2),
    "forgive_bags_on_set": (True, {}, [hand(5, 7, 8)]),
    "one_point_bags": (False, {}, [hand(5, 5, 7)]),
    "ten_for_200": (True, {"minimum_bid": 1}, [hand(10, 1, 10)]),
    "ten_for_200_variation": ("at_least_10", TEN, [hand(10, 1, 11)]),
    "ten_for_200_penalty": (100, TEN, [hand(10, 1, 9)]),
    "include_bags_for_successful_ten_for_200": (True, AT_LEAST, [hand(10, 1, 11)]),
    "first_seven": (100, {}, [hand(5, 5, 7, first_seven=NS)]),
    "renege_penalty": (4, {}, [hand(4, 5, 7, reneges=["north"])]),
    "renege_award": (1, {}, [hand(4, 5, 7, reneges=["north"])]),
    "underbid_penalty": (2, {}, [hand(5, 5, 7)]),
    "boston": (True, {}, [hand(4, 5, 13)]),
    "shot_back_to_back": (2, {}, [hand(6, 5, 5)] * 2),
    "set_limit": (1, {}, [hand(6, 5, 5)]),
    "lowest_allowed_score": (-50, {}, [hand(6, 5, 5)]),
}


def outcome_of(settings: Settings, hands: list[Entry], **record: Json) -> object:
    """The result, or what is wrong."""
    try:
        scored = score_record({"game": "spades", "settings": settings, "hands": list(hands), **record})
    except RecordError as error:
        return error.code, error.hand
    return [(each.dealer, each.sides) for each in scored.hands], scored.outcome


def test_every_setting_has_its_example() -> None:
    assert list(CHANGES) == list(SPADES)


@pytest.mark.parametrize("name", SPADES)
def test_every_setting_changes_some_result(name: str) -> None:
    value, settings, hands = CHANGES[name]
    base = {"first_hand_bids_itself": False, **settings}
    if name == "first_hand_bids_itself":
        del base[name]
    record: dict[str, Json] = {"time_expired_after": 0} if name == "time_limit_minutes" else {}
    assert outcome_of(base, hands, **record) != outcome_of({**base, name: value}, hands, **record)


@pytest.mark.parametrize(
    ("game", "name", "value", "players", "hands"),
    [
        ("bid_whist", "target", 14, None, [{"team": NS, "level": 4, "trump": "uptown", "books": 13}]),
        ("bid_whist", "boston_bonus", True, None, [{"team": EW, "level": 4, "trump": "uptown", "books": 13}]),
        (
            "bid_whist",
            "first_dealer",
            "west",
            None,
            [{"team": NS, "level": 4, "trump": "uptown", "books": 10}],
        ),
        ("pack", "target", 1, ["Ada", "Ben", "Cy"], [{"declarer": "Ada", "cards": {"Ada": 30, "Ben": 22, "Cy": 0}}]),
    ],
)
def test_every_setting_of_the_other_games_changes_some_result(
    game: str, name: str, value: Json, players: Json, hands: list[Json]
) -> None:
    base: dict[str, Json] = {"game": game, "players": players, "hands": hands}
    plain, changed = score_record(base), score_record({**base, "settings": {name: value}})
    assert (plain.hands, plain.outcome) != (changed.hands, changed.outcome)

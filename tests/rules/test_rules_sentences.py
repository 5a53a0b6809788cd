"""The rules in plain sentences: one for every value of every setting, and one behind every line and every end."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from tests.rules.play import EW, NS, hand, sheet_of
from tests.rules.test_rules_laws import Game, games, played

from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.game import Setting
from bookboard.rules.model import Json, RecordError
from bookboard.rules.sentences import Said, said_of, sentences, why
from bookboard.score import fill
from bookboard.web_root import web_root

Rules = dict[str, Json]
TEXTS = msgspec.json.decode((web_root() / "i18n" / "en.json").read_bytes(), type=dict[str, msgspec.Raw])
RULES = msgspec.json.decode(TEXTS["rules"], type=dict[str, dict[str, str]])
EVERY = [pytest.param(setting, id=f"{key}: {setting.key}") for key, game in GAMES.items() for setting in game.settings]


def spoken(said: Said) -> str:
    where, form = said.text.split(".")
    return fill(RULES[where][form], said.facts)


def values(setting: Setting) -> list[Json]:
    ends = () if setting.low is None else (setting.low, setting.high)
    return [*(choice.value for choice in setting.choices), *ends]


def text_used(*games: AnyGame) -> set[str]:
    """Every sentence that some table of these games has."""
    basics = {f"basics.{name}" for game in games for name in game.basics}
    all_settings = [setting for game in games for setting in game.settings]
    return basics | {said_of(setting, value).text for setting in all_settings for value in values(setting)}


@pytest.mark.parametrize("setting", EVERY)
def test_every_value_of_a_setting_has_its_sentence(setting: Setting) -> None:
    for value in values(setting):
        said = spoken(said_of(setting, value))
        assert said.endswith(".")
        assert "{" not in said
        assert "None" not in said


@pytest.mark.parametrize("setting", EVERY)
def test_different_values_are_said_differently(setting: Setting) -> None:
    offered = {str(value) for value in values(setting)}
    assert len({spoken(said_of(setting, value)) for value in values(setting)}) == len(offered)


def test_no_sentence_is_left_over() -> None:
    assert {f"{where}.{form}" for where, forms in RULES.items() for form in forms} == text_used(*GAMES.values())


@pytest.mark.parametrize("text", [text for forms in RULES.values() for text in forms.values()])
def test_a_sentence_is_in_the_players_words(text: str) -> None:
    assert "-" not in text.replace("10-for-200", "")
    assert not re.search(r"\b(setting|option|enabled?|disabled?|true|false|null|value)\b", re.sub(r"\{.*?\}", "", text))


@pytest.mark.parametrize(
    ("game", "chosen", "about", "sentence"),
    [
        ("spades", {}, "set", "Set? You lose 10 × your bid, unless"),
        (
            "spades",
            {},
            "bag_penalty",
            "Bag penalty: every 5 bags cost 50 points. Bags past that count toward the next.",
        ),
        ("spades", {"bag_penalty": None}, "bag_penalty", "There is no bag penalty: bags cost nothing."),
        ("spades", {}, "blind_loss_penalty", "Too few books on a blind bid? You lose 20 × your bid,"),
        ("spades", {"minimum_bid": 1}, "minimum_bid", "Your side bids at least 1 book."),
        (
            "spades",
            {"blind_bid_gap": 0},
            "blind_bid_gap",
            "Either side may bid blind or blind nil, whatever the score.",
        ),
        ("spades", {"renege_penalty": "automatic_loss"}, "renege_penalty", "A renege loses the game at once."),
        ("spades", {"set_limit": 1}, "set_limit", "Set once in a game? You lose it."),
        (
            "spades",
            {"lowest_allowed_score": -100},
            "lowest_allowed_score",
            "Below \N{MINUS SIGN}100 after a hand? You lose the game.",
        ),
        ("tournament_spades", {}, "lowest_allowed_score", "At \N{MINUS SIGN}200 or below after a hand?"),
        ("tournament_spades", {}, "bag_penalty", "Sandbags: every 10 cost 100 points,"),
        ("tournament_spades", {}, "boston", "Boston: bid 13 and win all 13 books without"),
        ("bid_whist", {"target": 14}, "target", "Reach 14 points, or drive the other side to minus 14, and you win."),
        ("pack", {}, "target", "No target: play as long as you like."),
        ("pack", {"target": 1}, "target", "Lead alone with 1 point or more, and you win."),
    ],
)
def test_a_tables_rules_are_said(game: str, chosen: Rules, about: str, sentence: str) -> None:
    (said,) = (each for each in sentences(GAMES[game], chosen) if each.about == about)
    assert spoken(said).startswith(sentence)


@pytest.mark.parametrize(
    ("chosen", "left_out"),
    [
        pytest.param(
            {},
            {"ten_for_200_variation", "ten_for_200_penalty", "include_bags_for_successful_ten_for_200"},
            id="as usual",
        ),
        pytest.param({"ten_for_200": True, "ten_for_200_variation": "at_least_10"}, set(), id="10-for-200"),
        pytest.param(
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10", "bag_penalty": None},
            {"max_bag_penalties"},
            id="no bag penalty",
        ),
        pytest.param(
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10", "renege_penalty": "automatic_loss"},
            {"renege_award"},
            id="automatic loss",
        ),
        pytest.param(
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10", "blind_bid_gap": 0},
            {"include_bags_for_blind_check"},
            id="no gap",
        ),
        pytest.param(
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10", "nil": None},
            {"count_books_from_nil_loss"},
            id="S3: a blind nil is left of nil",
        ),
        pytest.param(
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10", "nil": None, "blind_nil": None},
            {"count_books_from_nil_loss", "blind_nil", "include_bags_for_successful_nil"},
            id="no nil at all",
        ),
        pytest.param(
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10", "bag_penalty": None, "one_point_bags": False},
            {"max_bag_penalties", "forgive_bags_on_set"},
            id="bags that do nothing",
        ),
        pytest.param(
            {
                "ten_for_200": True,
                "ten_for_200_variation": "at_least_10",
                "bag_penalty": None,
                "one_point_bags": False,
                "tie_breaker": "fewer_bags_first",
            },
            {"max_bag_penalties"},
            id="bags that break ties",
        ),
    ],
)
def test_what_changes_nothing_is_left_out(chosen: Rules, left_out: set[str]) -> None:
    game = GAMES["spades"]
    said = {each.about for each in sentences(game, chosen)}
    assert {setting.key for setting in game.settings} - said == left_out
    assert set(game.basics) <= said


def test_only_rules_that_are_offered_are_said() -> None:
    with pytest.raises(RecordError):
        sentences(GAMES["spades"], {"nil": 75})


@pytest.mark.parametrize("key", GAMES)
def test_every_line_and_every_end_points_to_a_sentence(key: str) -> None:
    game = GAMES[key]
    known = {*game.basics, *(setting.key for setting in game.settings)}
    for rule in (*game.line_rules, *game.reasons, "host"):
        assert set(game.explained_by.get(rule, (rule,))) <= known, rule
    assert set(game.explained_by) <= {*game.line_rules, *game.reasons, "host"}


@pytest.mark.parametrize(
    ("game", "chosen", "rule", "about"),
    [
        ("spades", {}, "bag_penalty", "bag_penalty"),
        ("spades", {}, "made", "made"),
        ("spades", {}, "made_blind", "blind"),
        ("spades", {}, "set_blind", "blind_loss_penalty"),
        ("spades", {}, "bags_left_out", "bag_total"),
        ("spades", {}, "bags_without_points", "one_point_bags"),
        ("spades", {}, "bag_penalty_capped", "max_bag_penalties"),
        ("spades", {}, "bag_penalty_blind", "blind"),
        (
            "spades",
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10"},
            "ten_for_200_over",
            "ten_for_200_variation",
        ),
        (
            "spades",
            {"ten_for_200": True, "ten_for_200_variation": "at_least_10"},
            "ten_for_200_missed",
            "ten_for_200_penalty",
        ),
        ("spades", {}, "first_hand", "first_hand_bids_itself"),
        ("spades", {}, "blind_nil_failed", "blind_nil"),
        ("spades", {}, "renege", "renege_penalty"),
        ("spades", {}, "host", "host_ends"),
        ("spades", {}, "nil_books_left_out", "count_books_from_nil_loss"),
        ("spades", {"nil": None}, "nil_books_left_out", "nil"),
        ("spades", {}, "time_limit", "time_limit_minutes"),
        ("tournament_spades", {}, "boston_lost", "boston"),
        ("bid_whist", {}, "set_no_trump", "no_trump"),
        ("pack", {}, "most_cards_award", "pack_failed"),
    ],
)
def test_a_line_is_explained_by_the_tables_own_rules(game: str, chosen: Rules, rule: str, about: str) -> None:
    assert why(GAMES[game], chosen, [rule])[rule].about == about


def test_what_no_rule_has_done_is_not_explained() -> None:
    assert why(GAMES["spades"], {}, ["ten_for_200_missed"]) == {}


@given(games())
@settings(max_examples=40, deadline=None)
def test_whatever_happens_is_explained(game: Game) -> None:
    sheet = played(game)
    rules = {line.rule for scored in sheet.hands for result in scored.sides.values() for line in result.lines}
    if sheet.outcome is not None:
        rules.add(sheet.outcome.reason)
    assert why(sheet.game, game[1], rules).keys() == rules


def test_the_reason_behind_a_line_has_the_tables_numbers() -> None:
    chosen: Rules = {"bag_penalty": 3}
    sheet = sheet_of(chosen, hand(4, 6, 7))
    (line,) = (line for line in sheet.hands[0].sides[NS].lines if line.rule == "bag_penalty")
    assert why(sheet.game, sheet.settings, [line.rule]) == {
        "bag_penalty": Said("bag_penalty", "bag_penalty.on", {"value": 3, "times_ten": 30})
    }
    assert not [line for line in sheet.hands[0].sides[EW].lines if line.rule == "bag_penalty"]

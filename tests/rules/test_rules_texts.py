"""Every line, reason and code has its English sentence, and every sentence its use."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from tests.rules.test_rules_laws import Game, games, played

from bookboard.rules.catalogue import GAMES
from bookboard.score import say_line, web_folder

SERVER = Path(__file__).parent.parent.parent / "server" / "bookboard"
SECTIONS = ("lines", "reasons", "record_errors")
TEXTS = {
    name: msgspec.convert(section, dict[str, str])
    for name, section in msgspec.json.decode((web_folder() / "i18n" / "en.json").read_bytes()).items()
    if name in SECTIONS
}
CONTRACT = {
    "unknown_game",
    "unknown_setting",
    "invalid_setting",
    "no_time_limit",
    "unknown_field",
    "unknown_side",
    "game_over",
    "bids_not_allowed",
    "bids_missing",
    "bid_given_twice",
    "invalid_bid",
    "bid_below_minimum",
    "nil_off",
    "blind_not_allowed",
    "too_many_blinds",
    "books_missing",
    "invalid_books",
    "books_do_not_add_up",
    "not_a_nil_bidder",
    "first_seven_off",
    "first_seven_needs_7_books",
    "invalid_trump",
    "invalid_players",
    "cards_missing",
    "invalid_cards",
    "invalid_bonus",
    "invalid_allowed",
    "malformed",
}
"""The codes of the game record, as outsiders rely on them."""
SENTENCES = [pytest.param(text, id=f"{name}.{key}") for name in SECTIONS for key, text in TEXTS[name].items()]


def raised_codes() -> set[str]:
    """The codes in the sources of the rules."""
    sources = (path.read_text(encoding="utf-8") for path in (SERVER / "rules").rglob("*.py"))
    return {code for source in sources for code in re.findall(r'RecordError\(\s*"(\w+)"', source)}


def test_every_line_rule_has_its_sentence_and_none_is_left_over() -> None:
    assert set(TEXTS["lines"]) == {rule for game in GAMES.values() for rule in game.line_rules}


def test_every_reason_has_its_sentence_and_none_is_left_over() -> None:
    assert set(TEXTS["reasons"]) == {reason for game in GAMES.values() for reason in game.reasons} | {"host"}


def test_every_code_has_its_sentence_and_none_is_left_over() -> None:
    assert set(TEXTS["record_errors"]) == CONTRACT


def test_the_rules_raise_the_codes_of_the_contract() -> None:
    in_a_variable = {"invalid_cards", "invalid_bonus"}
    assert raised_codes() | in_a_variable == CONTRACT


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_is_in_the_players_words(text: str) -> None:
    assert not re.search(r"\b(error|invalid|submit|session)", text, re.IGNORECASE)
    assert "-" not in text.replace("10-for-200", "")


@pytest.mark.parametrize("text", TEXTS["record_errors"].values(), ids=TEXTS["record_errors"])
def test_a_sentence_about_something_wrong_says_what_to_do_next(text: str) -> None:
    assert text.endswith(".")
    assert len(re.findall(r"[.:?](?: |$)", text)) >= 2


@given(games())
@settings(max_examples=60, deadline=None)
def test_the_facts_of_a_line_fill_its_sentence(game: Game) -> None:
    for scored in played(game).hands:
        for result in scored.sides.values():
            for line in result.lines:
                assert "{" not in say_line(line)

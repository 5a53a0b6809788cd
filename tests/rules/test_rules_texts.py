"""Every line and reason has its English sentence, and every sentence its use."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from tests.rules.test_rules_laws import Game, games, played
from tests.rules.test_rules_record import VECTORS

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Fact, Json, RecordError
from bookboard.rules.record import score_record
from bookboard.score import fill, message_of, say_line
from bookboard.web_root import web_root

SECTIONS = ("lines", "reasons", "record_errors")
TEXTS = {
    name: msgspec.convert(section, dict[str, str])
    for name, section in msgspec.json.decode((web_root() / "i18n" / "en.json").read_bytes()).items()
    if name in SECTIONS
}
SENTENCES = [pytest.param(text, id=f"{name}.{key}") for name in SECTIONS for key, text in TEXTS[name].items()]


def sentences_of(record: Json) -> list[str]:
    """All that is said of a record: its lines, or what is wrong."""
    try:
        hands = score_record(record).hands
    except RecordError as error:
        return [message_of(error)]
    return [say_line(line) for scored in hands for result in scored.sides.values() for line in result.lines]


def test_every_line_rule_has_its_sentence_and_none_is_left_over() -> None:
    assert set(TEXTS["lines"]) == {rule for game in GAMES.values() for rule in game.line_rules}


def test_every_reason_has_its_sentence_and_none_is_left_over() -> None:
    assert set(TEXTS["reasons"]) == {reason for game in GAMES.values() for reason in game.reasons} | {"host"}


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_is_in_the_players_words(text: str) -> None:
    assert not re.search(r"\b(error|invalid|submit|session)", text, re.IGNORECASE)
    assert "-" not in text.replace("10-for-200", "")


@pytest.mark.parametrize("text", TEXTS["record_errors"].values(), ids=TEXTS["record_errors"])
def test_a_sentence_about_something_wrong_says_what_to_do_next(text: str) -> None:
    assert text.endswith(".")
    assert len(re.findall(r"[.:?](?: |$)", text)) >= 2


@pytest.mark.parametrize(
    ("text", "facts", "said"),
    [
        ("{bags|1 bag|{bags} bags}", {"bags": 1}, "1 bag"),
        ("{bags|1 bag|{bags} bags}", {"bags": 2}, "2 bags"),
        ("{bags|1 bag|{bags} bags}", {"bags": 0}, "0 bags"),
        ("{seat}'s nil held", {"seat": "west"}, "West's nil held"),
        ("{side}: {score}", {"side": "north_south", "score": -5}, "North\N{EN DASH}South: \N{MINUS SIGN}5"),
        ("less the bonus of {player}", {"player": "{books} north"}, "less the bonus of {books} north"),
    ],
)
def test_facts_fill_a_sentence(text: str, facts: dict[str, Fact], said: str) -> None:
    assert fill(text, facts) == said


def test_the_facts_of_the_vectors_fill_every_sentence() -> None:
    spoken = [sentence for vector in VECTORS for sentence in sentences_of(vector["record"])]
    assert len(spoken) > 1000
    assert not [sentence for sentence in spoken if "None" in sentence or "{" in sentence]


@given(games())
@settings(max_examples=60, deadline=None)
def test_the_facts_of_a_line_fill_its_sentence(game: Game) -> None:
    for scored in played(game).hands:
        for result in scored.sides.values():
            for line in result.lines:
                assert "None" not in say_line(line)

"""The reference says what the rules declare, and its schema offers what the rules offer."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.rules.test_rules_record import VECTORS
from tools.generate import rules as reference
from tools.generate.schema import record_schema, setting_schema

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Json

VALIDATORS = {key: Draft202012Validator(record_schema(game)) for key, game in GAMES.items()}
GOOD = [vector for vector in VECTORS if "error" not in vector["expect"]]
FAR_OFF: list[Json] = [
    None,
    True,
    False,
    0,
    1,
    2,
    7,
    8,
    50,
    75,
    100,
    241,
    300,
    -49,
    -200,
    5001,
    "",
    "south",
    "automatic_loss",
]


def test_the_reference_is_up_to_date() -> None:
    assert reference.main(["--check"]) == 0, "make rules-docs"


def test_a_file_that_is_not_there_is_not_up_to_date(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(reference, "DOCS", tmp_path)
    assert reference.main(["--check"]) == 1
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0
    assert {path.name for path in tmp_path.iterdir()} >= {"settings.md", "lines.md", "pack.schema.json"}


@pytest.mark.parametrize("key", GAMES)
def test_a_schema_is_one(key: str) -> None:
    Draft202012Validator.check_schema(record_schema(GAMES[key]))


def test_every_good_vector_is_valid_by_its_schema() -> None:
    assert len(GOOD) > 600
    wrong = [vector["id"] for vector in GOOD if not VALIDATORS[vector["record"]["game"]].is_valid(vector["record"])]
    assert wrong == []


@pytest.mark.parametrize("key", GAMES)
def test_a_schema_offers_what_the_game_offers(key: str) -> None:
    for setting in GAMES[key].settings:
        validator = Draft202012Validator(setting_schema(setting))
        for value in [*FAR_OFF, *(choice.value for choice in setting.choices), setting.low, setting.high]:
            assert validator.is_valid(value) == setting.offers(value), (setting.key, value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"settings": {"nil": 75}},
        {"settings": {"luck": 1}},
        {"settings": []},
        {"hands": None},
        {"hands": [5]},
        {"game": "pack"},
        {"players": ["Ada", "Ben", "Cy"]},
        {"ended_by_host": 1},
        {"time_expired_after": -1},
        {"format": 2},
        {"colour": "red"},
    ],
)
def test_a_wrong_record_is_not_valid(wrong: dict[str, Any]) -> None:
    assert VALIDATORS["spades"].is_valid({"game": "spades", "hands": []})
    assert not VALIDATORS["spades"].is_valid({"game": "spades", "hands": [], **wrong})


def test_pack_needs_players_and_has_no_clock() -> None:
    record: dict[str, Json] = {"game": "pack", "hands": []}
    assert not VALIDATORS["pack"].is_valid(record)
    assert VALIDATORS["pack"].is_valid({**record, "players": ["Ada", "Ben", "Cy"]})
    assert not VALIDATORS["pack"].is_valid({**record, "players": ["Ada", "Ben", "Cy"], "time_expired_after": 0})


def test_settings_are_described() -> None:
    page = reference.settings_page([GAMES["spades"]])
    assert "**Set limit** · `set_limit`" in page
    assert "- offered: `null` (Off), `2`, `3`, any number from 1 to 20 – sets" in page
    assert "- hidden while *Bag penalty* is `null` and *1-point bags* is `false`" in page

"""A table's rules in words, for pages: by a code that was handed on, and by a table's settings."""

import json
from collections import Counter
from typing import Any

import pytest
from tests.hub.serving import HubProcess

from bookboard.rules import sentences
from bookboard.rules.catalogue import GAMES
from bookboard.rules.game import Setting
from bookboard.rules.model import Json
from bookboard.rules.sentences import Said, said_of
from bookboard.rules.sharing import to_code
from bookboard.tables.rulebook import in_words

LONG = {"score_limit": 500, "bag_penalty": 10, "nil": None}


def told(served: HubProcess, path: str, body: object = None) -> dict[str, Any]:
    status, answer, headers = served.get(path, body)
    assert (status, headers["content-type"]) == (200, "application/json"), answer
    rules: dict[str, Any] = json.loads(answer)
    return rules


def about(rules: dict[str, Any], what: str) -> dict[str, Any]:
    found: dict[str, Any] = next(said for said in rules["sentences"] if said["about"] == what)
    return found


@pytest.mark.parametrize("key", GAMES)
def test_every_game_tells_its_rules(served: HubProcess, key: str) -> None:
    rules = told(served, f"/api/rules/{key}")
    assert rules["title"] == GAMES[key].title
    assert rules["settings"] == {setting.key: setting.default for setting in GAMES[key].settings}
    assert {said["about"] for said in rules["sentences"]} >= set(rules["why"].values())


def test_rules_are_handed_on_as_a_code(served: HubProcess) -> None:
    by_settings = told(served, "/api/rules", {"key": "spades", "settings": LONG})
    by_code = told(served, f"/api/rules/spades?rules={by_settings['code']}")
    assert by_code == by_settings
    assert about(by_code, "bag_penalty") == {
        "about": "bag_penalty",
        "group": "Bags",
        "text": "bag_penalty.on",
        "facts": {"value": 10, "times_ten": 100},
    }
    assert by_code["fingerprint"] != told(served, "/api/rules/spades")["fingerprint"]


def test_a_line_has_the_tables_own_sentence_behind_it(served: HubProcess) -> None:
    rules = told(served, "/api/rules", {"key": "spades", "settings": LONG})
    assert rules["why"]["bag_penalty"] == "bag_penalty"
    assert rules["why"]["first_hand"] == "first_hand_bids_itself"
    assert rules["why"]["score_limit"] == "score_limit"
    assert rules["why"]["host"] == "host_ends"


def test_no_sentence_is_made_anew_for_each_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask: it has to stay cheap."""
    game, made = GAMES["spades"], list[str]()

    def counted(setting: Setting, value: Json) -> Said:
        made.append(setting.key)
        return said_of(setting, value)

    monkeypatch.setattr(sentences, "said_of", counted)
    assert len(in_words(game, {}).why) > 20
    assert max(Counter(made).values()) <= 2


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/rules/hearts", 404, "unknown_game"),
        ("/api/rules/spades?rules=nonsense", 422, "unknown_rules"),
        (f"/api/rules/pack?rules={to_code(GAMES['spades'], LONG)}", 422, "unknown_rules"),
    ],
)
def test_a_code_that_holds_no_rules_of_the_game(served: HubProcess, path: str, status: int, code: str) -> None:
    answered, body, _ = served.get(path)
    assert (answered, json.loads(body)["code"]) == (status, code)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"key": "hearts", "settings": {}}, "unknown_game"),
        ({"key": "spades", "settings": {"colour": "red"}}, "unknown_setting"),
        ({"key": "spades", "settings": {"score_limit": 12345}}, "invalid_setting"),
    ],
)
def test_settings_that_are_none_of_the_game(served: HubProcess, asked: object, code: str) -> None:
    status, body, _ = served.get("/api/rules", asked)
    assert (status, json.loads(body)["code"]) == (422, code)

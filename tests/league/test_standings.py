"""Standings and their record: the handed vectors, each error with its place, and the table's sentences."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bookboard.cli import main
from bookboard.rules.codes import LeagueRecordCode
from bookboard.rules.model import Json, RecordError
from bookboard.standings import COMMAND, message_of

VECTORS = [
    json.loads(line) for line in (Path(__file__).parent / "standings.jsonl").read_text(encoding="utf-8").splitlines()
]
NAMES: list[Json] = ["Kings", "Queens", "Aces", "Jacks"]


def standings(**members: Json) -> Any:
    document = json.dumps({"entrants": NAMES, **members})
    return COMMAND.result_of_line(document.encode())


def game(one: Json, other: Json, score: list[Json], **more: Json) -> Json:
    return {"sides": [one, other], "score": score, **more}


def order(result: Any) -> list[tuple[int, str]]:
    return [(row["place"], row["entrant"]) for row in result["standings"]]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_handed_record_has_the_standings_it_came_with(vector: dict[str, Any]) -> None:
    assert COMMAND.result_of_line(json.dumps(vector["record"]).encode()) == vector["expect"]


A_GAME: dict[str, Json] = {"sides": ["Kings", "Queens"], "score": [1, 0]}
ERRORS: list[tuple[dict[str, Json], str, str]] = [
    ({"weather": 1, "entrants": 3}, "unknown_field", "weather"),
    ({"entrants": None}, "malformed", "entrants"),
    ({"entrants": []}, "malformed", "entrants"),
    ({"entrants": [f"T{i}" for i in range(1001)]}, "malformed", "entrants"),
    ({"entrants": ["A", 1]}, "malformed", "entrants[1]"),
    ({"entrants": ["A", "A"]}, "duplicate_entrant", "entrants[1]"),
    ({"games": 1}, "malformed", "games"),
    ({"games": [1]}, "malformed", "games[0]"),
    ({"games": [{**A_GAME, "colour": 1}]}, "unknown_field", "games[0].colour"),
    ({"games": [{**A_GAME, "sides": ["Kings"]}]}, "malformed", "games[0].sides"),
    ({"games": [{**A_GAME, "sides": ["Kings", []]}]}, "malformed", "games[0].sides[1]"),
    ({"games": [{**A_GAME, "sides": ["Kings", "Tens"]}]}, "unknown_entrant", "games[0].sides[1]"),
    ({"games": [{**A_GAME, "sides": [["Aces", "Aces"], "Tens"]}]}, "entrant_twice", "games[0].sides[0]"),
    ({"games": [{**A_GAME, "sides": ["Aces", "Aces"]}]}, "entrant_twice", "games[0].sides[1]"),
    ({"games": [{**A_GAME, "round": 1.0}]}, "bad_round", "games[0].round"),
    ({"games": [{**A_GAME, "forfeit": ["Kings"]}]}, "bad_forfeit", "games[0].forfeit"),
    ({"games": [{"sides": ["Kings", "Aces"], "forfeit": []}]}, "bad_forfeit", "games[0].forfeit"),
    ({"games": [{"sides": ["Kings", "Aces"], "forfeit": ["Jacks"]}]}, "bad_forfeit", "games[0].forfeit"),
    ({"games": [{"sides": ["Kings", "Aces"], "forfeit": ["Aces", "Aces"]}]}, "bad_forfeit", "games[0].forfeit"),
    ({"games": [{"sides": ["Kings", "Aces", "Jacks"], "forfeit": ["Aces"]}]}, "bad_forfeit", "games[0].forfeit"),
    ({"games": [{**A_GAME, "score": [1]}]}, "bad_score", "games[0].score"),
    ({"games": [{**A_GAME, "score": [1.0, True]}]}, "bad_score", "games[0].score"),
    ({"games": [{**A_GAME, "winner": 2}]}, "bad_winner", "games[0].winner"),
    ({"games": [{**A_GAME, "winner": True}]}, "bad_winner", "games[0].winner"),
    ({"byes": [{"entrant": "Kings", "at": 1, "why": 1}]}, "unknown_field", "byes[0].why"),
    ({"byes": [{"entrant": 1}]}, "malformed", "byes[0].entrant"),
    ({"byes": [{"entrant": "Kings", "round": 0}]}, "bad_round", "byes[0].round"),
    ({"adjustments": [{"entrant": "Kings", "points": 1.5}]}, "bad_score", "adjustments[0].points"),
    ({"adjustments": [{"entrant": "Kings", "points": 1, "reason": 1}]}, "malformed", "adjustments[0].reason"),
    ({"withdrawn": []}, "malformed", "withdrawn"),
    ({"withdrawn": {"Tens": "keep"}}, "unknown_entrant", "withdrawn.Tens"),
    ({"withdrawn": {"Aces": "later"}}, "malformed", "withdrawn.Aces"),
    ({"bye_is": "loss"}, "malformed", "bye_is"),
    ({"forfeit_margin": -1}, "bad_score", "forfeit_margin"),
    ({"criteria": ["luck"]}, "unknown_criterion", "criteria[0]"),
    (
        {"games": [{"sides": ["Kings", "Aces", "Jacks"], "score": [1, 2, 3]}], "criteria": ["wins", "head_to_head"]},
        "two_sides_only",
        "criteria[1]",
    ),
]


@pytest.mark.parametrize(("members", "code", "at"), ERRORS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_wrong_record_names_its_first_error(members: dict[str, Json], code: str, at: str) -> None:
    assert standings(**members) == {"error": {"code": code, "at": at}}


def test_what_is_no_object_is_malformed_at_the_root() -> None:
    for line in (b"[]", b"nonsense"):
        assert COMMAND.result_of_line(line) == {"error": {"code": "malformed", "at": ""}}


def test_null_is_the_same_as_absent_except_for_a_winner() -> None:
    nothing: dict[str, Json] = dict.fromkeys(("games", "byes", "withdrawn", "bye_is", "criteria", "pair"))
    assert standings(**nothing) == standings()
    assert standings(withdrawn={"Aces": None}) == standings()
    drawn = standings(games=[game("Kings", "Aces", [2, 1], winner=None, round=None)])
    assert [row["drawn"] for row in drawn["standings"][:2]] == [1, 1]


def test_scores_may_be_larger_than_machine_numbers() -> None:
    result = standings(games=[game("Kings", "Aces", [10**29, 1])], criteria=["points"])
    assert result["standings"][0]["over_next"]["values"] == [str(10**29), "1"]


def test_numbers_too_long_to_write_are_refused_and_the_longest_others_add_up() -> None:
    longest = 10**4000 - 1
    games: list[Json] = [game("Kings", "Aces", [longest, -longest])] * 3
    total = standings(games=games, adjustments=[{"entrant": "Kings", "points": longest}], forfeit_margin=longest)
    assert total["standings"][0]["point_differential"] == 7 * longest
    assert standings(games=[game("Kings", "Aces", [longest + 1, 0])])["error"]["code"] == "bad_score"
    for members in ({"forfeit_margin": longest + 1}, {"adjustments": [{"entrant": "Kings", "points": -longest - 1}]}):
        assert standings(**members)["error"]["code"] == "bad_score"


def test_a_criterion_asked_twice_decides_no_more_than_once() -> None:
    games: list[Json] = [game("Kings", "Aces", [2, 1]), game("Queens", "Jacks", [2, 1])]
    assert standings(games=games, criteria=["opponents"] * 2) == standings(games=games, criteria=["opponents"])


def test_each_part_that_is_still_level_after_head_to_head_is_asked_again_by_itself() -> None:
    wins = [("Kings", "Queens"), ("Kings", "Aces"), ("Queens", "Jacks"), ("Aces", "Queens"), ("Jacks", "Kings")]
    result = standings(games=[game(a, b, [2, 1]) for a, b in [*wins, ("Jacks", "Aces")]], criteria=["head_to_head"])
    assert order(result) == [(1, "Jacks"), (2, "Kings"), (3, "Aces"), (4, "Queens")]
    assert result["standings"][2]["over_next"] == {"criterion": "head_to_head", "values": ["1", "0"]}


@pytest.mark.rule("T6")
@pytest.mark.rule("tournament", "Tiebreakers", 0)
def test_the_default_order_is_percentage_then_head_to_head_then_differential() -> None:
    games: list[Json] = [
        game("Kings", "Queens", [2, 1]),
        game("Queens", "Aces", [90, 1]),
        game("Kings", "Aces", [0, 1]),
    ]
    result = standings(games=games)
    assert [row["entrant"] for row in result["standings"]] == ["Queens", "Kings", "Aces", "Jacks"]
    assert [row["over_next"]["criterion"] for row in result["standings"][:3]] == [
        "point_differential",
        "point_differential",
        "played",
    ]
    result = standings(games=[*games, game("Kings", "Jacks", [2, 1]), game("Queens", "Jacks", [2, 1])])
    assert order(result)[:2] == [(1, "Kings"), (2, "Queens")]
    assert result["standings"][0]["over_next"]["criterion"] == "head_to_head"


def test_the_table_explains_each_neighbour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.json"
    games: list[Json] = [
        game("Queens", "Kings", [2, 1]),
        game("Kings", "Queens", [2, 1]),
        game("Queens", "Kings", [2, 1]),
        game("Kings", "Jacks", [3, 1]),
    ]
    record = {"entrants": NAMES, "games": games, "criteria": ["head_to_head", "wins"], "withdrawn": {"Jacks": "keep"}}
    path.write_text(json.dumps(record), encoding="utf-8")
    assert main(["standings", str(path)]) == 0
    said = capsys.readouterr().out
    assert "above Kings on head-to-head, 2–1\n" in said
    assert "above Aces, who has not played yet\n" in said
    assert said.endswith("Withdrawn: Jacks\n")
    path.write_text(json.dumps({**record, "criteria": ["percentage"]}), encoding="utf-8")
    assert main(["standings", str(path)]) == 0
    assert "above Kings on win percentage, 66.7% to 50%\n" in capsys.readouterr().out


def test_a_wrong_record_exits_with_2_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.json"
    path.write_text(json.dumps({"entrants": ["A", "A"]}), encoding="utf-8")
    assert main(["standings", "--json", str(path)]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out) == {"error": {"code": "duplicate_entrant", "at": "entrants[1]"}}
    assert said.err == "bookboard: entrants[1]: “A” is there twice. Every name appears once.\n"


def test_every_code_of_the_contract_has_a_sentence() -> None:
    for code in {code for _, code, _ in ERRORS}:
        assert message_of(
            RecordError(msgspec.convert(code, LeagueRecordCode), "x", {"name": "A", "field": "f"})
        ).startswith("x: ")

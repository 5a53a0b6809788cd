"""Pairing: each promise against every way there is, and each error with its place."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookboard.cli import main
from bookboard.pair import COMMAND
from bookboard.rules.model import Json


def pair(entrants: Json, asked: Json, **members: Json) -> Any:
    return COMMAND.result_of_line(json.dumps({"entrants": entrants, "pair": asked, **members}).encode())


def teams(number: int) -> list[Json]:
    return [f"T{i}" for i in range(number)]


def beats(winner: Json, loser: Json, **more: Json) -> Json:
    return {"sides": [winner, loser], "score": [2, 1], **more}


def everybody(made: Any) -> list[str]:
    bye = [made["bye"]] if "bye" in made else []
    return sorted([name for game in made["games"] for name in game["sides"]] + bye)


SWISS: dict[str, Json] = {"method": "swiss", "round": 2}
ROUND_ROBIN: dict[str, Json] = {"method": "round_robin"}
THREE_SIDES: Json = [{"sides": ["T0", "T1", "T2"], "score": [1, 2, 3]}]
ERRORS: list[tuple[Any, dict[str, Json], str, str]] = [
    (None, {}, "malformed", "pair"),
    ({"method": "luck"}, {}, "unknown_method", "pair.method"),
    ({"method": 1}, {}, "unknown_method", "pair.method"),
    ({**SWISS, "luck": 1}, {}, "unknown_field", "pair.luck"),
    (SWISS, {"games": THREE_SIDES}, "two_sides_only", "pair.method"),
    ({**SWISS, "round": 0}, {}, "bad_round", "pair.round"),
    ({"method": "swiss"}, {}, "bad_round", "pair.round"),
    ({**SWISS, "absent": ["X"]}, {}, "unknown_entrant", "pair.absent[0]"),
    ({**SWISS, "absent": "T0"}, {}, "malformed", "pair.absent"),
    ({**SWISS, "seed": 1}, {}, "malformed", "pair.seed"),
    ({**SWISS, "absent": ["T0", "T1"]}, {"withdrawn": {"T2": "keep"}}, "too_few", "pair"),
    ({**ROUND_ROBIN, "legs": 3}, {}, "malformed", "pair.legs"),
    ({**ROUND_ROBIN, "legs": True}, {}, "malformed", "pair.legs"),
    ({**ROUND_ROBIN, "legs": 1}, {"withdrawn": {"T0": "annul", "T1": "keep", "T2": "keep"}}, "too_few", "pair"),
    (SWISS, {"games": 1}, "malformed", "games"),
]


@pytest.mark.parametrize(("asked", "members", "code", "at"), ERRORS)
def test_a_wrong_request_names_its_first_error(asked: Json, members: dict[str, Json], code: str, at: str) -> None:
    assert pair(teams(4), asked, **members) == {"error": {"code": code, "at": at}}


@pytest.mark.parametrize("legs", [1, 2])
@pytest.mark.parametrize("number", range(2, 41))
def test_a_round_robin_is_complete_and_even(number: int, legs: int) -> None:
    rounds = pair(teams(number), {**ROUND_ROBIN, "legs": legs, "seed": "x"})["rounds"]
    a_leg = number - 1 + number % 2
    assert [made["round"] for made in rounds] == list(range(1, legs * a_leg + 1))
    dealers = []
    for leg in (rounds[:a_leg], rounds[a_leg:])[:legs]:
        games = [game for made in leg for game in made["games"]]
        assert all(everybody(made) == sorted(map(str, teams(number))) for made in leg)
        assert all([game["table"] for game in made["games"]] == list(range(1, number // 2 + 1)) for made in leg)
        assert Counter(frozenset(game["sides"]) for game in games) == Counter(
            map(frozenset, combinations(teams(number), 2))
        )
        seats = Counter((name, game["table"]) for game in games for name in game["sides"])
        dealt = Counter(game["sides"][0] for game in games)
        second = Counter(game["sides"][1] for game in games)
        for name in map(str, teams(number)):
            assert abs(dealt[name] - second[name]) <= 1
            at_tables = [seats[name, table] for table in range(1, number // 2 + 1)]
            assert max(at_tables) - min(at_tables) <= (3 if number == 4 else 2)
        dealers.append({tuple(game["sides"]) for game in games})
    if legs == 2:
        assert dealers[1] == {(second, first) for first, second in dealers[0]}, "the second leg turns the sides round"


def test_a_round_robin_says_who_met_and_had_a_bye_before() -> None:
    rounds = pair(
        teams(3),
        {**ROUND_ROBIN, "legs": 2},
        games=[beats("T0", "T1")],
        byes=[{"round": 1, "entrant": "T2"}],
    )["rounds"]
    broken = [each for made in rounds for each in made["broken"]]
    assert [(each["promise"], sorted(each.get("sides", [])), each.get("entrant")) for each in broken] == [
        ("met_before", ["T0", "T1"], None),
        ("second_bye", [], "T2"),
    ]


def matchings(names: list[int]) -> list[list[tuple[int, int]]]:
    if not names:
        return [[]]
    first, *rest = names
    return [[(first, other), *more] for other in rest for more in matchings([name for name in rest if name != other])]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_swiss_round_costs_as_little_as_any(data: st.DataObject) -> None:
    number = data.draw(st.integers(2, 8))
    players = st.integers(0, number - 1)
    played = data.draw(st.lists(st.tuples(players, players, st.integers(0, 2)).filter(lambda g: g[0] != g[1])))
    byes = data.draw(st.lists(players, max_size=6))
    seed = data.draw(st.text(max_size=3))
    points, met = Counter({bye: 2 * count for bye, count in Counter(byes).items()}), Counter[frozenset[int]]()
    for one, other, won in played:
        points.update({one: won, other: 2 - won})
        met[frozenset((one, other))] += 1

    def cost(pairs: list[tuple[int, int]], bye: int | None) -> tuple[int, ...]:
        return (
            sum(met[frozenset(each)] for each in pairs),
            byes.count(bye) if bye is not None else 0,
            points[bye] if bye is not None else 0,
            sum((points[one] - points[other]) ** 2 for one, other in pairs),
        )

    members: dict[str, Json] = {
        "games": [{"sides": [f"T{a}", f"T{b}"], "score": [won, 2 - won]} for a, b, won in played],
        "byes": [{"entrant": f"T{bye}"} for bye in byes],
        "bye_is": "win",
    }
    (made,) = pair(teams(number), {**SWISS, "seed": seed}, **members)["rounds"]
    assert everybody(made) == sorted(map(str, teams(number)))
    found = [(int(game["sides"][0][1:]), int(game["sides"][1][1:])) for game in made["games"]]
    bye = int(made["bye"][1:]) if "bye" in made else None
    absent: list[int | None] = list(range(number)) if number % 2 else [None]
    assert cost(found, bye) == min(
        cost(each, out) for out in absent for each in matchings([i for i in range(number) if i != out])
    )
    again = [each["sides"] for each in made["broken"] if each["promise"] == "met_before"]
    assert again == [game["sides"] for game in made["games"] if met[frozenset(int(n[1:]) for n in game["sides"])]]
    second = [each["entrant"] for each in made["broken"] if each["promise"] == "second_bye"]
    assert second == ([f"T{bye}"] if bye in byes else [])


def test_the_seed_chooses_among_equals_and_always_the_same() -> None:
    made = [json.dumps(pair(teams(9), {**SWISS, "seed": str(seed)})) for seed in range(8)]
    assert len(set(made)) > 1
    assert made == [json.dumps(pair(teams(9), {**SWISS, "seed": str(seed)})) for seed in range(8)]
    assert pair(teams(9), SWISS) == pair(teams(9), {**SWISS, "seed": ""})


def test_annulled_games_are_no_earlier_meetings_and_forfeits_are() -> None:
    asked: Json = {**SWISS, "absent": ["T3"]}
    games: Json = [{"sides": ["T0", "T1"], "forfeit": ["T1", "T0"]}, {"sides": [["T0", "T2"], ["T3"]], "score": [1, 2]}]
    (made,) = pair(teams(4), asked, games=games, withdrawn={"T2": "keep"})["rounds"]
    assert [each["promise"] for each in made["broken"]] == ["met_before"]
    (made,) = pair(teams(4), SWISS, games=games, withdrawn={"T2": "annul", "T1": "keep"})["rounds"]
    assert [sorted(game["sides"]) for game in made["games"]] == [["T0", "T3"]]
    assert made["broken"] == []


def test_the_table_says_in_sentences_what_could_not_be_avoided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "league.json"
    record = {"entrants": ["Kings", "Queens", "Aces"], "pair": SWISS, "games": [beats("Kings", "Queens")] * 2}
    everyone_had_one = [{"entrant": name} for name in ("Kings", "Queens", "Aces", "Kings", "Queens")]
    record["games"] = [beats("Kings", "Queens"), beats("Kings", "Aces"), beats("Queens", "Aces")]
    path.write_text(json.dumps({**record, "byes": everyone_had_one}), encoding="utf-8")
    assert main(["pair", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Round 2\n   1  ")
    assert "  Bye: Aces\n  " in said
    assert " have met before\n  Aces had a bye before\n" in said

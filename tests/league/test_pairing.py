"""Pairing: each promise against every way there is, and each error with its place."""

import json
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookboard.cli import main
from bookboard.league import swiss
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
QUEUE: dict[str, Json] = {"method": "queue", "free_tables": 1}
BRACKET: dict[str, Json] = {"method": "bracket", "elimination": "single"}
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
    (QUEUE, {}, "malformed", "pair.waiting"),
    ({**QUEUE, "waiting": ["T0", "X"]}, {}, "unknown_entrant", "pair.waiting[1]"),
    ({**QUEUE, "waiting": ["T0", "T0"]}, {}, "duplicate_entrant", "pair.waiting[1]"),
    ({**QUEUE, "waiting": [], "free_tables": -1}, {}, "malformed", "pair.free_tables"),
    ({**QUEUE, "waiting": [], "free_tables": None}, {}, "malformed", "pair.free_tables"),
    ({**QUEUE, "waiting": [], "overtaken": [1]}, {}, "malformed", "pair.overtaken[0]"),
    ({"method": "bracket"}, {}, "malformed", "pair.elimination"),
    (BRACKET, {}, "malformed", "pair.seeds"),
    ({**BRACKET, "seeds": ["T0", "T1", "T2"]}, {}, "malformed", "pair.seeds"),
    ({**BRACKET, "seeds": ["T0", "T1", "T0"]}, {}, "duplicate_entrant", "pair.seeds[2]"),
    (BRACKET, {"games": THREE_SIDES}, "two_sides_only", "pair.method"),
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


@settings(max_examples=150, deadline=None)
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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swiss, "NEAR", data.draw(st.sampled_from([2, 3, swiss.NEAR])))
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


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_queue_costs_as_little_as_any(data: st.DataObject) -> None:
    number = data.draw(st.integers(2, 7))
    line = data.draw(st.permutations(range(number)))
    place = st.integers(0, number - 1)
    met = Counter(
        map(frozenset, data.draw(st.lists(st.tuples(place, place).filter(lambda g: g[0] != g[1]), max_size=16)))
    )
    overtaken = data.draw(st.sets(place))
    free = data.draw(st.integers(0, 4))

    def passed_over(pairs: list[tuple[int, int]]) -> list[int]:
        playing = [line.index(each) for pair in pairs for each in pair]
        return [line[i] for i in range(max(playing, default=0)) if i not in playing]

    def cost(pairs: list[tuple[int, int]]) -> tuple[int, ...]:
        return (
            sum(met[frozenset(each)] for each in pairs),
            len(overtaken.intersection(passed_over(pairs))),
            sum(line.index(each) for pair in pairs for each in pair),
        )

    asked: dict[str, Json] = {
        **QUEUE,
        "waiting": [f"T{i}" for i in line],
        "free_tables": free,
        "overtaken": [f"T{i}" for i in overtaken],
    }
    games: list[Json] = [beats(*(f"T{i}" for i in sorted(each)), round=3) for each in met.elements()]
    result = pair(teams(number), asked, games=games)
    if free == 0:
        assert result == {"rounds": [], "passed_over": []}
        return
    (made,) = result["rounds"]
    assert made["round"] == (4 if games else 1)
    found = [(int(game["sides"][0][1:]), int(game["sides"][1][1:])) for game in made["games"]]
    players = min(free, number // 2) * 2
    assert len(set(everybody(made))) == len(everybody(made)) == players
    assert cost(found) == min(
        cost(each) for some in combinations(range(number), players) for each in matchings(list(some))
    )
    assert result["passed_over"] == [f"T{i}" for i in passed_over(found)]
    twice = [each["entrant"] for each in made["broken"] if each["promise"] == "overtaken"]
    assert twice == [f"T{i}" for i in passed_over(found) if i in overtaken]


def play_out(number: int, elimination: str, how: Any, withdrawn: dict[str, Json]) -> tuple[Any, list[Any]]:
    """The last answer, and the games until then; `how` gives each game's result."""
    asked: Json = {"method": "bracket", "elimination": elimination, "seeds": teams(number)}
    games: list[Any] = []
    for _ in range(6 * number):
        result = pair(teams(number), asked, games=games, withdrawn=withdrawn)
        if not result["rounds"]:
            return result, games
        (made,) = result["rounds"]
        assert len(set(everybody(made))) == len(everybody(made)), "nobody plays twice at once"
        games += [{"round": made["round"], "sides": game["sides"], **how(*game["sides"])} for game in made["games"]]
    raise AssertionError("the bracket never ends")


def losses(games: list[Any]) -> Counter[str]:
    lost: Counter[str] = Counter()
    for game in games:
        if "forfeit" in game:
            lost.update(game["forfeit"])
        elif game["score"][0] != game["score"][1]:
            lost.update([game["sides"][game["score"].index(min(game["score"]))]])
    return lost


@pytest.mark.parametrize(("elimination", "lives"), [("single", 1), ("double", 2)])
@pytest.mark.parametrize("number", range(2, 34))
def test_a_bracket_ends_with_all_but_the_champion_out(number: int, elimination: str, lives: int) -> None:
    numbers = iter(range(10_000))

    def how(*_: str) -> Json:
        turn = next(numbers)
        return {"score": [turn * turn % 7, turn * 5 % 3]}

    result, games = play_out(number, elimination, how, {})
    lost = losses(games)
    champion = result["champion"]
    assert lost[champion] < lives
    assert [lost[str(name)] for name in teams(number) if name != champion] == [lives] * (number - 1)


@pytest.mark.parametrize("number", [2, 4, 8, 16])
def test_the_best_meet_in_the_final_only(number: int) -> None:
    _, games = play_out(number, "single", lambda one, other: {"score": [int(other[1:]), int(one[1:])]}, {})
    assert games[-1]["sides"] == ["T0", "T1"]
    assert sum(set(game["sides"]) <= {f"T{i}" for i in range(number // 2)} for game in games) == number // 2 - 1


@pytest.mark.parametrize("number", range(2, 10))
def test_forfeits_and_withdrawals_leave_no_match_waiting(number: int) -> None:
    for elimination, turn in product(("single", "double"), range(1, 6)):
        numbers = iter(range(turn, 10_000))

        def how(one: str, other: str, numbers: Any = numbers) -> Json:
            forfeit: Json = [[one], [one, other], [other]][next(numbers) % 3]
            return {"forfeit": forfeit}

        _, games = play_out(number, elimination, how, {f"T{turn % number}": "keep"})
        assert f"T{turn % number}" not in {name for game in games for name in game["sides"]}


def test_a_double_forfeit_lets_the_next_opponent_through() -> None:
    asked: Json = {**BRACKET, "seeds": teams(4)}
    games: Json = [{"sides": ["T0", "T3"], "forfeit": ["T0", "T3"]}, beats("T2", "T1")]
    assert pair(teams(4), asked, games=games) == {"rounds": [], "champion": "T2"}
    both: Json = [{"sides": ["T0", "T1"], "forfeit": ["T0", "T1"]}]
    assert pair(teams(2), {**BRACKET, "seeds": teams(2)}, games=both) == {"rounds": []}


def test_the_final_is_played_again_if_the_unbeaten_side_loses_it() -> None:
    asked: Json = {"method": "bracket", "elimination": "double", "seeds": teams(2)}
    games = [beats("T0", "T1"), beats("T1", "T0")]
    (made,) = pair(teams(2), asked, games=games)["rounds"]
    assert made["games"] == [{"table": 1, "sides": ["T0", "T1"]}]
    assert pair(teams(2), asked, games=[*games, beats("T1", "T0")])["champion"] == "T1"
    assert pair(teams(2), asked, games=[beats("T0", "T1")] * 2)["champion"] == "T0"


@pytest.mark.parametrize("number", range(5, 34))
def test_nobody_meets_again_at_once_in_a_double_elimination(number: int) -> None:
    _, games = play_out(number, "double", lambda one, other: {"score": [int(other[1:]), int(one[1:])]}, {})
    last: dict[str, frozenset[str]] = {}
    for game in games[:-2]:
        assert all(last.get(name) != frozenset(game["sides"]) for name in game["sides"])
        last.update(dict.fromkeys(game["sides"], frozenset(game["sides"])))


def test_the_table_names_a_champion_and_who_was_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.json"

    def printed(asked: Json, games: Json) -> str:
        path.write_text(json.dumps({"entrants": teams(3), "pair": asked, "games": games}), encoding="utf-8")
        assert main(["pair", str(path)]) == 0
        return capsys.readouterr().out

    bracket: Json = {**BRACKET, "seeds": teams(3)}
    assert printed(bracket, [beats("T1", "T2"), beats("T0", "T1")]) == "  T0 wins the bracket\n"
    assert printed({**QUEUE, "waiting": ["T0"]}, []) == "  Nothing to play now\n"
    said = printed({**QUEUE, "waiting": teams(3), "overtaken": ["T1"]}, [beats("T0", "T1"), beats("T1", "T2")])
    assert said.endswith("  T1 was passed over last time, too\n  Passed over: T1\n")

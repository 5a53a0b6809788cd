"""Reads a league record strictly. The first error is raised as a RecordError whose field is the path to it."""

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from msgspec.structs import replace

from bookboard.league.record import TWO_SIDES, Adjustment, Bye, Departure, Game, LeagueRecord, Side
from bookboard.rules.model import Json, RecordError

MAX_ENTRANTS = 1000
MAX_SIDES = 8
DEFAULT_CRITERIA = ("percentage", "head_to_head", "point_differential")
"""Reading T6: the tournament's tiebreakers."""
CRITERIA = frozenset({*DEFAULT_CRITERIA, "wins", "net_wins", "points", "opponents"})

DESCRIPTIONS = frozenset({"format", "name", "at", "by"})
MEMBERS = DESCRIPTIONS | {
    "entrants",
    "games",
    "byes",
    "adjustments",
    "withdrawn",
    "bye_is",
    "forfeit_margin",
    "criteria",
    "pair",
}
GAME_MEMBERS = frozenset({"id", "table", "at", "by", "round", "sides", "score", "winner", "forfeit"})
BYE_MEMBERS = frozenset({"at", "by", "round", "entrant"})
ADJUSTMENT_MEMBERS = frozenset({"at", "by", "entrant", "points", "reason"})

TOO_LARGE = 10**4000
"""Python writes numbers of up to 4,300 digits; this leaves room for sums."""

Item = TypeVar("Item")


def read_record(document: Json) -> LeagueRecord:
    """Raises RecordError. `pair` is left to `read_request`."""
    if not isinstance(document, dict):
        raise RecordError("malformed")
    check_members(document, MEMBERS)
    given = without_nulls(document)
    entrants = _read_entrants(given.get("entrants"))
    index = {name: i for i, name in enumerate(entrants)}
    record = LeagueRecord(
        entrants,
        games=tuple(_read_each(given, "games", lambda game, at: _read_game(game, index, at))),
        byes=tuple(_read_each(given, "byes", lambda bye, at: _read_bye(bye, index, at))),
        adjustments=tuple(_read_each(given, "adjustments", lambda each, at: _read_adjustment(each, index, at))),
        withdrawn=_read_withdrawn(given, index),
        byes_win=_read_bye_is(given),
        forfeit_margin=_read_margin(given),
    )
    return replace(record, criteria=_read_criteria(given, record))


# What every part of the record shares


def without_nulls(given: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in given.items() if value is not None}


def check_members(given: Mapping[str, Json], known: Collection[str], at: str = "") -> None:
    for key in given:
        if key not in known:
            raise RecordError("unknown_field", f"{at}.{key}" if at else key, {"field": key})


def read_entrant(name: Json, index: Mapping[str, int], at: str) -> int:
    if not isinstance(name, str):
        raise RecordError("malformed", at)
    if name not in index:
        raise RecordError("unknown_entrant", at, {"name": name})
    return index[name]


def read_list(value: Json, at: str) -> list[Json]:
    """Empty for None."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise RecordError("malformed", at)
    return value


def _read_each(given: Mapping[str, Json], member: str, read: Callable[[dict[str, Json], str], Item]) -> list[Item]:
    items = []
    for i, item in enumerate(read_list(given.get(member), member)):
        at = f"{member}[{i}]"
        if not isinstance(item, dict):
            raise RecordError("malformed", at)
        items.append(read(item, at))
    return items


def _check_round(given: Mapping[str, Json], at: str) -> int:
    """0 where the round is left out."""
    number = given.get("round")
    if number is None:
        return 0
    return read_round(number, f"{at}.round")


def read_round(number: Json, at: str) -> int:
    if type(number) is not int or number < 1:
        raise RecordError("bad_round", at)
    return number


# Each member


def _read_entrants(value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_ENTRANTS:
        raise RecordError("malformed", "entrants")
    names: dict[str, None] = {}
    for i, name in enumerate(value):
        if not isinstance(name, str):
            raise RecordError("malformed", f"entrants[{i}]")
        if name in names:
            raise RecordError("duplicate_entrant", f"entrants[{i}]", {"name": name})
        names[name] = None
    return tuple(names)


def _read_game(game: dict[str, Json], index: Mapping[str, int], at: str) -> Game:
    check_members(game, GAME_MEMBERS, at)
    sides = _read_sides(game.get("sides"), index, f"{at}.sides")
    number = _check_round(game, at)
    if game.get("forfeit") is not None:
        forfeited = _read_forfeit(game, sides, index, f"{at}.forfeit")
        winner = next((i for i in range(TWO_SIDES) if i not in forfeited), None)
        return Game(sides, (), winner, forfeited, number)
    scores = _read_score(game.get("score"), len(sides), f"{at}.score")
    return Game(sides, scores, _read_winner(game, scores, f"{at}.winner"), round=number)


def _read_sides(value: Json, index: Mapping[str, int], at: str) -> tuple[Side, ...]:
    if not isinstance(value, list) or not TWO_SIDES <= len(value) <= MAX_SIDES:
        raise RecordError("malformed", at)
    sides: list[Side] = []
    playing: set[int] = set()
    for i, given in enumerate(value):
        place = f"{at}[{i}]"
        names: list[Json] = given if isinstance(given, list) else [given]
        if not names or not all(isinstance(name, str) for name in names):
            raise RecordError("malformed", place)
        side = _read_side(names, index, playing, place)
        playing.update(side)
        sides.append(side)
    return tuple(sides)


def _read_side(names: list[Json], index: Mapping[str, int], playing: Collection[int], at: str) -> Side:
    side = tuple(read_entrant(name, index, at) for name in names)
    for i, entrant in enumerate(side):
        if entrant in playing or entrant in side[:i]:
            raise RecordError("entrant_twice", at, {"name": str(names[i])})
    return side


def _read_forfeit(
    game: Mapping[str, Json], sides: tuple[Side, ...], index: Mapping[str, int], at: str
) -> frozenset[int]:
    names = game["forfeit"]
    wrong = RecordError("bad_forfeit", at)
    if not isinstance(names, list) or not names or len(sides) != TWO_SIDES:
        raise wrong
    if game.get("score") is not None or "winner" in game:
        raise wrong
    forfeited: set[int] = set()
    for name in names:
        entrant = index.get(name) if isinstance(name, str) else None
        side = next((i for i, side in enumerate(sides) if entrant in side), None)
        if side is None or side in forfeited:
            raise wrong
        forfeited.add(side)
    return frozenset(forfeited)


def _read_score(value: Json, sides: int, at: str) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != sides:
        raise RecordError("bad_score", at)
    scores = tuple(score for score in value if type(score) is int and abs(score) < TOO_LARGE)
    if len(scores) != sides:
        raise RecordError("bad_score", at)
    return scores


def _read_winner(game: Mapping[str, Json], scores: tuple[int, ...], at: str) -> int | None:
    if "winner" in game:
        winner = game["winner"]
        if winner is None:
            return None
        if type(winner) is not int or not 0 <= winner < len(scores):
            raise RecordError("bad_winner", at)
        return winner
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def _read_bye(bye: dict[str, Json], index: Mapping[str, int], at: str) -> Bye:
    check_members(bye, BYE_MEMBERS, at)
    return Bye(read_entrant(bye.get("entrant"), index, f"{at}.entrant"), _check_round(bye, at))


def _read_adjustment(given: dict[str, Json], index: Mapping[str, int], at: str) -> Adjustment:
    check_members(given, ADJUSTMENT_MEMBERS, at)
    entrant = read_entrant(given.get("entrant"), index, f"{at}.entrant")
    points = given.get("points")
    if type(points) is not int or abs(points) >= TOO_LARGE:
        raise RecordError("bad_score", f"{at}.points")
    if not isinstance(given.get("reason"), str | None):
        raise RecordError("malformed", f"{at}.reason")
    return Adjustment(entrant, points)


def _read_withdrawn(given: Mapping[str, Json], index: Mapping[str, int]) -> dict[int, Departure]:
    value = given.get("withdrawn", {})
    if not isinstance(value, dict):
        raise RecordError("malformed", "withdrawn")
    withdrawn: dict[int, Departure] = {}
    for name, departure in value.items():
        entrant = read_entrant(name, index, f"withdrawn.{name}")
        if departure == "keep":
            withdrawn[entrant] = "keep"
        elif departure == "annul":
            withdrawn[entrant] = "annul"
        elif departure is not None:
            raise RecordError("malformed", f"withdrawn.{name}")
    return withdrawn


def _read_bye_is(given: Mapping[str, Json]) -> bool:
    value = given.get("bye_is", "nothing")
    if value not in ("nothing", "win"):
        raise RecordError("malformed", "bye_is")
    return value == "win"


def _read_margin(given: Mapping[str, Json]) -> int:
    margin = given.get("forfeit_margin", 0)
    if type(margin) is not int or not 0 <= margin < TOO_LARGE:
        raise RecordError("bad_score", "forfeit_margin")
    return margin


def _read_criteria(given: Mapping[str, Json], record: LeagueRecord) -> tuple[str, ...]:
    asked = read_list(given.get("criteria"), "criteria")
    criteria: list[str] = []
    for i, criterion in enumerate(asked):
        if not isinstance(criterion, str) or criterion not in CRITERIA:
            raise RecordError("unknown_criterion", f"criteria[{i}]")
        if criterion == "head_to_head" and record.has_more_than_two_sides:
            raise RecordError("two_sides_only", f"criteria[{i}]")
        criteria.append(criterion)
    return tuple(criteria) or DEFAULT_CRITERIA

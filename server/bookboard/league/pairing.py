"""What is asked to be paired, and by which method: reads `pair` of a league record strictly and answers it."""

from collections.abc import Callable, Mapping

from bookboard.league.reading import check_members, read_entrant, read_list, read_record, read_round, without_nulls
from bookboard.league.record import LeagueRecord
from bookboard.league.round_robin import pair_round_robin
from bookboard.league.rounds import History, Pairing
from bookboard.league.swiss import pair_swiss
from bookboard.rules.model import Json, RecordError

LEGS = (1, 2)
MEMBERS = {
    "swiss": frozenset({"method", "seed", "round", "absent"}),
    "round_robin": frozenset({"method", "seed", "legs"}),
}
Given = Mapping[str, Json]


def pair_record(document: Json) -> Pairing:
    """Raises RecordError."""
    record = read_record(document)
    assert isinstance(document, dict)
    given = document.get("pair")
    if not isinstance(given, dict):
        raise RecordError("malformed", "pair")
    method = given.get("method")
    if not isinstance(method, str) or method not in MEMBERS:
        raise RecordError("unknown_method", "pair.method")
    check_members(given, MEMBERS[method], "pair")
    if method == "swiss" and record.has_more_than_two_sides:
        raise RecordError("two_sides_only", "pair.method")
    return METHODS[method](record, without_nulls(given))


def _swiss(record: LeagueRecord, given: Given) -> Pairing:
    number = read_round(given.get("round"), "pair.round")
    absent = _read_entrants(record, given, "absent")
    seed = _read_seed(given)
    present = _enough([entrant for entrant in record.active if entrant not in absent])
    return Pairing(record, (pair_swiss(History(record), present, number, seed),))


def _round_robin(record: LeagueRecord, given: Given) -> Pairing:
    legs = given.get("legs", 1)
    if type(legs) is not int or legs not in LEGS:
        raise RecordError("malformed", "pair.legs")
    seed = _read_seed(given)
    return Pairing(record, pair_round_robin(History(record), _enough(list(record.active)), legs, seed))


METHODS: Mapping[str, Callable[[LeagueRecord, Given], Pairing]] = {
    "swiss": _swiss,
    "round_robin": _round_robin,
}


def _read_seed(given: Given) -> str:
    seed = given.get("seed", "")
    if not isinstance(seed, str):
        raise RecordError("malformed", "pair.seed")
    return seed


def _read_entrants(record: LeagueRecord, given: Given, member: str) -> list[int]:
    index = {name: i for i, name in enumerate(record.entrants)}
    at = f"pair.{member}"
    return [read_entrant(name, index, f"{at}[{i}]") for i, name in enumerate(read_list(given.get(member), at))]


def _enough(entrants: list[int]) -> list[int]:
    if len(entrants) < 2:
        raise RecordError("too_few", "pair")
    return entrants

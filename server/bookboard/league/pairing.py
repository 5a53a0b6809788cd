"""What is asked to be paired, and by which method: reads `pair` of a league record strictly and answers it."""

from collections.abc import Callable, Mapping

from bookboard.league.bracket import pair_bracket
from bookboard.league.reading import check_members, read_entrant, read_list, read_record, read_round, without_nulls
from bookboard.league.record import LeagueRecord
from bookboard.league.round_robin import pair_round_robin
from bookboard.league.rounds import History, Pairing, last_round
from bookboard.league.swiss import pair_swiss
from bookboard.league.waiting import Queue, pair_queue
from bookboard.rules.model import Json, RecordError

LEGS = (1, 2)
MEMBERS = {
    "swiss": frozenset({"method", "seed", "round", "absent"}),
    "round_robin": frozenset({"method", "seed", "legs"}),
    "queue": frozenset({"method", "seed", "waiting", "free_tables", "overtaken"}),
    "bracket": frozenset({"method", "seed", "elimination", "seeds"}),
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
    if method in ("swiss", "bracket") and record.has_more_than_two_sides:
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


def _queue(record: LeagueRecord, given: Given) -> Pairing:
    waiting = [entrant for entrant in _read_each_once(record, given, "waiting") if entrant not in record.withdrawn]
    free = given.get("free_tables")
    if type(free) is not int or free < 0:
        raise RecordError("malformed", "pair.free_tables")
    overtaken = _read_entrants(record, given, "overtaken")
    seed = _read_seed(given)
    queue = Queue(waiting, free, frozenset(overtaken))
    found, passed_over = pair_queue(History(record), queue, last_round(record) + 1, seed)
    return Pairing(record, (found,) if found.pairs else (), passed_over)


def _bracket(record: LeagueRecord, given: Given) -> Pairing:
    elimination = given.get("elimination")
    if elimination not in ("single", "double"):
        raise RecordError("malformed", "pair.elimination")
    seeds = _read_each_once(record, given, "seeds")
    if len(seeds) != len(record.entrants):
        raise RecordError("malformed", "pair.seeds")
    _read_seed(given)
    return pair_bracket(record, _enough(seeds), is_double=elimination == "double")


METHODS: Mapping[str, Callable[[LeagueRecord, Given], Pairing]] = {
    "swiss": _swiss,
    "round_robin": _round_robin,
    "queue": _queue,
    "bracket": _bracket,
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


def _read_each_once(record: LeagueRecord, given: Given, member: str) -> list[int]:
    if member not in given:
        raise RecordError("malformed", f"pair.{member}")
    entrants = _read_entrants(record, given, member)
    for i, entrant in enumerate(entrants):
        if entrant in entrants[:i]:
            raise RecordError("duplicate_entrant", f"pair.{member}[{i}]", {"name": record.entrants[entrant]})
    return entrants


def _enough(entrants: list[int]) -> list[int]:
    if len(entrants) < 2:
        raise RecordError("too_few", "pair")
    return entrants

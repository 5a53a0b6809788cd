"""`bookboard pair`: the next round of a league record, or its whole schedule.

bookboard pair FILE           the games by table, in sentences
bookboard pair --json FILE    the result of the contract
bookboard pair --jsonl FILE   a record a line, a result a line; a wrong record is a result like any other
"""

import argparse

from bookboard.league.pairing import pair_record
from bookboard.league.rounds import Broken, Pairing, Round
from bookboard.record_command import RecordCommand
from bookboard.rules.model import Json
from bookboard.score import say, shown
from bookboard.standings import error_result, message_of


def add_to(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the program's subcommands."""
    COMMAND.add_to(subparsers, "pair", "Pair the next round of a league record, or all of them.")


def result_of(pairing: Pairing) -> Json:
    names = pairing.record.entrants
    result: dict[str, Json] = {"rounds": [_round_result(each, names) for each in pairing.rounds]}
    if pairing.passed_over is not None:
        result["passed_over"] = [names[entrant] for entrant in pairing.passed_over]
    if pairing.champion is not None:
        result["champion"] = names[pairing.champion]
    return result


def _round_result(made: Round, names: tuple[str, ...]) -> Json:
    games: list[Json] = [
        {"table": table, "sides": [names[entrant] for entrant in pair]} for table, pair in enumerate(made.pairs, 1)
    ]
    result: dict[str, Json] = {"round": made.number, "games": games}
    if made.bye is not None:
        result["bye"] = names[made.bye]
    return {**result, "broken": [_broken_result(broken, names) for broken in made.broken]}


def _broken_result(broken: Broken, names: tuple[str, ...]) -> Json:
    if broken.promise == "met_before":
        return {"promise": broken.promise, "sides": [names[entrant] for entrant in broken.entrants]}
    return {"promise": broken.promise, "entrant": names[broken.entrants[0]]}


def table_of(pairing: Pairing) -> str:
    """Every round with its games by table, and what could not be avoided."""
    names = [shown(name) for name in pairing.record.entrants]
    rows: list[str] = []
    for made in pairing.rounds:
        rows.append(f"Round {made.number}")
        rows += [f"{table:>4}  {names[first]} – {names[second]}" for table, (first, second) in enumerate(made.pairs, 1)]
        if made.bye is not None:
            rows.append(_said("bye", (made.bye,), names))
        rows += [_said(broken.promise, broken.entrants, names) for broken in made.broken]
    if pairing.champion is not None:
        rows.append(_said("champion", (pairing.champion,), names))
    elif not pairing.rounds:
        rows.append("  " + say("paired", "nothing", {}))
    if pairing.passed_over:
        rows.append(_said("passed_over", pairing.passed_over, names))
    return "\n".join(rows)


def _said(key: str, entrants: tuple[int, ...], names: list[str]) -> str:
    joined = (" and " if key == "met_before" else ", ").join(names[entrant] for entrant in entrants)
    return "  " + say("paired", key, {"names": joined})


COMMAND = RecordCommand(pair_record, result_of, table_of, error_result, message_of)

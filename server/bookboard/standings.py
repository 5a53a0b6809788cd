"""`bookboard standings`: who stands where in a league record, and why.

bookboard standings FILE           a table that a person can read
bookboard standings --json FILE    the result of the contract
bookboard standings --jsonl FILE   a record a line, a result a line; a wrong record is a result like any other
"""

import argparse
from fractions import Fraction

from bookboard.league.reading import read_record
from bookboard.league.standings import Reason, Standings, head_to_head, standings_of
from bookboard.record_command import RecordCommand
from bookboard.rules.model import Json, RecordError
from bookboard.score import plain, say, shown, signed


def add_to(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the program's subcommands."""
    COMMAND.add_to(subparsers, "standings", "Show the standings of a league record.")


def answer(document: Json) -> Standings:
    return standings_of(read_record(document))


def result_of(standings: Standings) -> Json:
    names = standings.record.entrants
    return {
        "standings": [
            {
                "place": row.place,
                "entrant": names[row.entrant],
                "played": row.tally.played,
                "won": row.tally.won,
                "lost": row.tally.lost,
                "drawn": row.tally.drawn,
                "points": row.tally.points,
                "point_differential": row.tally.point_differential,
                "percentage": str(row.tally.percentage),
                "over_next": None
                if row.over_next is None
                else {"criterion": row.over_next.criterion, "values": [str(v) for v in row.over_next.values]},
            }
            for row in standings.rows
        ],
        "withdrawn": _withdrawn(standings),
    }


def _withdrawn(standings: Standings) -> list[Json]:
    return [name for i, name in enumerate(standings.record.entrants) if i in standings.record.withdrawn]


def error_result(error: RecordError) -> Json:
    return {"error": {"code": error.code, "at": error.field or ""}}


def message_of(error: RecordError) -> str:
    place = f"{error.field}: " if error.field else ""
    return place + say("league_errors", error.code, error.facts)


def table_of(standings: Standings) -> str:
    """Everybody's place and figures, and under each what put them above the next."""
    names = [shown(name) for name in standings.record.entrants]
    width = max([8, *(len(names[row.entrant]) for row in standings.rows)])
    rows = [f"     {'':<{width}} {'Played':>6} {'Won':>5} {'Lost':>5} {'Drawn':>5} {'Points':>8} {'+/−':>8}"]
    for i, row in enumerate(standings.rows):
        tally = row.tally
        rows.append(
            f"{row.place:>4} {names[row.entrant]:<{width}} {tally.played:>6} {tally.won:>5} {tally.lost:>5} "
            f"{tally.drawn:>5} {plain(tally.points):>8} {signed(tally.point_differential):>8}"
        )
        if row.over_next is not None:
            rows.append(f"     {_why(standings, i, row.over_next)}")
    gone = _withdrawn(standings)
    if gone:
        rows.append("Withdrawn: " + ", ".join(shown(str(name)) for name in gone))
    return "\n".join(rows)


def _why(standings: Standings, i: int, reason: Reason) -> str:
    """The sentence that explains a neighbour: "above Kings on head-to-head, 2–1"."""
    row, below = standings.rows[i], standings.rows[i + 1]
    facts = {"name": shown(standings.record.entrants[below.entrant])}
    if reason.criterion == "head_to_head" and len(reason.asked) == 2:
        among = head_to_head(row.tally, reason.asked)
        won, lost, drawn = among.won, among.lost, among.drawn
        return say("placed", "head_to_head", {**facts, "result": f"{won}–{lost}" + (f"–{drawn}" if drawn else "")})
    mine, theirs = map(_spoken, reason.values)
    if reason.criterion in {"percentage", "head_to_head", "opponents"}:
        mine, theirs = _percent(reason.values)
    key = "head_to_head_of_many" if reason.criterion == "head_to_head" else reason.criterion
    return say("placed", key, {**facts, "mine": mine, "theirs": theirs, "level": len(reason.asked)})


def _spoken(value: Fraction) -> str:
    return str(value).replace("-", "\N{MINUS SIGN}")


def _percent(values: tuple[Fraction, Fraction]) -> tuple[str, str]:
    """Percentages to one decimal, or the fractions where that would show no difference."""
    one, other = (f"{float(round(value * 1000)) / 10:g}%" for value in values)
    return (one, other) if one != other else (_spoken(values[0]), _spoken(values[1]))


COMMAND = RecordCommand(answer, result_of, table_of, error_result, message_of)

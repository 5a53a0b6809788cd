"""`bookboard score`: score game records from files, as a table, as JSON, or a line each.

    bookboard score FILE           a table that a person can read
    bookboard score --json FILE    the result of the contract
    bookboard score --jsonl FILE   a record a line, a result a line; a wrong record is a result like any other

FILE may be `-`. Exit status: 0 scored, 2 the record is wrong (never with --jsonl) or the file cannot be read.
"""

import argparse
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Literal, get_args

import msgspec

from bookboard.record_command import RecordCommand
from bookboard.room.names import clean_name
from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Facts, Json, Line, Outcome, RecordError, SideResult
from bookboard.rules.record import ScoredRecord, score_record
from bookboard.web_root import web_root

Section = Literal["lines", "reasons", "record_errors", "league_errors", "placed", "paired"]


def add_to(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the program's subcommands."""
    COMMAND.add_to(subparsers, "score", "Score a game record.")


# The result of the contract


def result_of(scored: ScoredRecord) -> Json:
    return {
        "game": scored.game,
        "scores": dict(scored.scores),
        "hands": [
            {
                "number": hand.number,
                "dealer": hand.dealer,
                "sides": {side: _side_result(result) for side, result in hand.sides.items()},
            }
            for hand in scored.hands
        ],
        "outcome": None
        if scored.outcome is None
        else {"winner": scored.outcome.winner, "reason": scored.outcome.reason},
    }


def _side_result(result: SideResult) -> Json:
    return {
        "points": result.points,
        "score": result.score,
        **result.figures,
        "lines": [{"rule": line.rule, "points": line.points, "facts": dict(line.facts)} for line in result.lines],
    }


def error_result(error: RecordError) -> Json:
    return {
        "error": {"code": error.code, "hand": error.hand, "field": error.field, "message": message_of(error)},
    }


# Words for people


@cache
def _texts() -> dict[Section, dict[str, str]]:
    text = (web_root() / "i18n" / "en.json").read_bytes()
    everything: dict[str, Json] = msgspec.json.decode(text)
    sections = {key: everything[key] for key in get_args(Section)}
    return msgspec.convert(sections, dict[Section, dict[str, str]])


def say(section: Section, key: str, facts: Facts) -> str:
    """The English sentence; `words.js` fills the same ones in the browser."""
    return fill(_texts()[section][key], facts)


FACT = re.compile(r"\{(\w+)((?:\|(?:[^{}|]|\{\w+\})*)*)\}")


def fill(text: str, facts: Facts) -> str:
    """Each `{fact}` replaced, seats and sides by their names, and each choice by number.

    `{fact|1 bag|{fact} bags}` has the forms for one and for others, `{fact|no bags|1 bag|{fact} bags}` one for none.
    """

    def replace(found: re.Match[str]) -> str:
        fact, choice = found.groups()
        value = facts.get(fact)
        if choice:
            *none, one, other = choice.split("|")[1:]
            return fill(none[0] if none and not value else one if value == 1 else other, facts)
        if isinstance(value, int):
            return plain(value)
        return name_of(value) if fact in {"seat", "side"} else shown(str(value))

    return FACT.sub(replace, text)


def name_of(key: object) -> str:
    """How a side or a seat is called where nobody has taken it: West, or North and South with a dash between."""
    return str(key).replace("_", "\N{EN DASH}").title()


_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def shown(name: str) -> str:
    """A name in running text: without what steers a terminal, and isolated if it would turn the numbers beside it."""
    name = clean_name(name)
    if _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def say_line(line: Line) -> str:
    return say("lines", line.rule, line.facts)


def message_of(error: RecordError) -> str:
    return say("record_errors", error.code, error.facts)


def place_of(error: RecordError) -> str:
    return "" if error.hand is None else f"hand {error.hand}: "


def table_of(scored: ScoredRecord) -> str:
    """Every hand with its reasons, the scores, and how the game stands."""
    spoken = name_of if GAMES[scored.game].seats else shown
    names = {side: spoken(side) for side in scored.scores}
    width = max(map(len, names.values()))
    rows: list[str] = []
    for hand in scored.hands:
        rows.append(f"Hand {hand.number}, {spoken(hand.dealer)} deals")
        for side, result in hand.sides.items():
            rows.append(f"  {names[side]:<{width}} {signed(result.points):>6} {plain(result.score):>6}")
            rows += [f"  {'':<{width}} {signed(line.points):>6}   {say_line(line)}" for line in result.lines]
    rows.append("Scores")
    rows += [f"  {names[side]:<{width}} {plain(score):>6}" for side, score in scored.scores.items()]
    rows.append(_ending(scored.outcome, names))
    return "\n".join(rows)


def _ending(outcome: Outcome | None, names: Mapping[str, str]) -> str:
    if outcome is None:
        return "The game goes on."
    reason = say("reasons", outcome.reason, {})
    return f"{names[outcome.winner]} wins: {reason}" if outcome.winner else f"No winner: {reason}"


def plain(points: int) -> str:
    """With a true minus sign."""
    return str(points).replace("-", "\N{MINUS SIGN}")


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else plain(points)


COMMAND = RecordCommand(
    score_record, result_of, table_of, error_result, lambda error: place_of(error) + message_of(error)
)

"""Short ways to write down hands and games for the tests of the rules."""

from collections.abc import Collection
from typing import TypeAlias

import pytest

from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.record import ScoredRecord, score_record
from bookboard.rules.sheet import Sheet, open_sheet

NS, EW = "north_south", "east_west"

rule = pytest.mark.rule
"""The reading that a test is about, `rule("S7")`, or the sentences of a document: see `rulebook.py`."""
spades_rule = rule.with_args("spades")
tournament_rule = rule.with_args("tournament")
bid_whist_rule = rule.with_args("bid whist")
pack_rule = rule.with_args("pack")
Marks: TypeAlias = pytest.MarkDecorator | Collection[pytest.MarkDecorator]

Bid: TypeAlias = int | str
SideBid: TypeAlias = int | tuple[Bid, Bid]
"""A side's number, or its two seats': north and south, or east and west."""


def bids(north_south: SideBid | None, east_west: SideBid | None) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for side, seats, bid in ((NS, ("north", "south"), north_south), (EW, ("east", "west"), east_west)):
        if isinstance(bid, tuple):
            made |= dict(zip(seats, bid, strict=True))
        elif bid is not None:
            made[side] = bid
    return made


def hand(north_south: SideBid, east_west: SideBid, books: int, **more: Json) -> Entry:
    """A hand by both sides' bids and the books of north-south; east-west took the others."""
    return {"bids": bids(north_south, east_west), "books": {NS: books, EW: 13 - books}, **more}


def first_hand(books: int, **more: Json) -> Entry:
    """A hand that bids itself."""
    return {"books": {NS: books, EW: 13 - books}, **more}


def play(
    settings: dict[str, Json], *hands: Entry, game: str = "spades", bids_itself: bool = False, **more: Json
) -> ScoredRecord:
    """The game scored; hand 1 has bids like every other unless `bids_itself`."""
    if game == "spades":
        settings = {"first_hand_bids_itself": bids_itself, **settings}
    return score_record({"game": game, "settings": settings, "hands": list(hands), **more})


def sheet_of(settings: dict[str, Json], *hands: Entry, game: str = "spades", players: Json = None) -> Sheet:
    if game == "spades":
        settings = {"first_hand_bids_itself": False, **settings}
    sheet = open_sheet(game, settings, players)
    for entry in hands:
        sheet = sheet.add(entry, None)
    return sheet


def points(scored: ScoredRecord, side: str = NS) -> list[int]:
    """The side's points, hand by hand."""
    return [each.sides[side].points for each in scored.hands]


def lines(scored: ScoredRecord, side: str = NS) -> list[tuple[str, int]]:
    """The rules and points of the side's last hand."""
    return [(line.rule, line.points) for line in scored.hands[-1].sides[side].lines]


def figures(scored: ScoredRecord, name: str) -> tuple[object, object]:
    """One figure of both sides after the last hand."""
    last = scored.hands[-1].sides
    return last[NS].figures[name], last[EW].figures[name]


def ending(scored: ScoredRecord) -> tuple[str | None, str] | None:
    return None if scored.outcome is None else (scored.outcome.winner, scored.outcome.reason)


def refused(record: Json) -> tuple[str, int | None, str | None]:
    """Code, hand and field of what is wrong with a record."""
    with pytest.raises(RecordError) as caught:
        score_record(record)
    return caught.value.code, caught.value.hand, caught.value.field

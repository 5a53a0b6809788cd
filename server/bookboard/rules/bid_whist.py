"""Bid Whist: only the bidding side's score moves. Readings B1 to B3."""

from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from bookboard.rules import shape
from bookboard.rules.declare import Declared, declared_settings, numbers, settings_reader
from bookboard.rules.game import Game, HandResult, Preset
from bookboard.rules.model import Entry, Fact, Json, Line, Outcome, Possible, RecordError, SideResult
from bookboard.rules.partnership import (
    BOOKS,
    OTHER,
    SEAT_CHOICES,
    SEATS,
    SIDES,
    Seat,
    Side,
    dealer_after,
    read_side,
    read_sides,
)

Trump = Literal["uptown", "downtown", "no_trump"]
TRUMPS: tuple[Trump, ...] = ("uptown", "downtown", "no_trump")

BOOK = 6
"""A contract counts the books above these."""
MEMBERS = ("team", "level", "trump", "books")


class BidWhistSettings(Struct, frozen=True, gc=False):
    target: Annotated[
        int,
        Declared(
            label="Target",
            group="Game",
            help="A side wins by reaching this many points above zero, or when the other side is driven as far below.",
            source="Bid Whist rules, section Winning the match",
            choices=numbers(7, 14),
            unit="points",
            text="match_target",
        ),
    ] = 7
    boston_bonus: Annotated[
        bool,
        Declared(
            label="Boston bonus",
            group="Scoring",
            help="A made contract with all 13 books counts four times, in place of any No Trump doubling.",
            source="Bid Whist rules, section No Trump doubles in both directions",
        ),
    ] = False
    first_dealer: Annotated[
        Seat,
        Declared(
            label="First dealer",
            group="Game",
            help="The seat that deals the first hand; the deal moves clockwise after each one.",
            source="Bid Whist rules",
            choices=SEAT_CHOICES,
        ),
    ] = "south"


class Hand(Struct, frozen=True, gc=False):
    team: Side
    level: int
    trump: Trump
    books: int
    """The bidding side's, with the kitty as the first (B2)."""


class Carry(Struct, frozen=True, gc=False):
    hands: int
    scores: dict[Side, int]
    bidder: Side | None = None
    """Who bid the last hand: the only side whose score it moved."""


def begin(_settings: BidWhistSettings, _sides: tuple[str, ...]) -> Carry:
    return Carry(0, dict.fromkeys(SIDES, 0))


# Reading


def read_hand(_settings: BidWhistSettings, _carry: Carry, entry: Entry) -> Hand:
    given = shape.members(entry, MEMBERS)
    team = read_side("team", given.get("team"))
    level = _read_level(given.get("level"))
    trump = _read_trump(given.get("trump"))
    if "books" not in given:
        raise RecordError("books_missing", "books", {"side": team})
    return Hand(team, level, trump, _read_books(given["books"]))


def note(_settings: BidWhistSettings, _carry: Carry, in_play: Entry, part: Entry) -> Entry:
    shape.members(part, MEMBERS)
    laid = shape.lay_over(in_play, part)
    for member, read in READERS.items():
        if member in laid:
            read(laid[member])
    return laid


def _read_level(level: Json) -> int:
    if type(level) is int and 3 <= level <= BOOKS - BOOK:
        return level
    raise RecordError("invalid_bid", "level", {"least": 3, "most": BOOKS - BOOK})


def _read_trump(trump: Json) -> Trump:
    for known in TRUMPS:
        if trump == known:
            return known
    raise RecordError("invalid_trump", "trump")


def _read_books(books: Json) -> int:
    if type(books) is int and 1 <= books <= BOOKS:
        return books
    raise RecordError("invalid_books", "books", {"least": 1, "most": BOOKS})


READERS = {
    "team": lambda team: read_side("team", team),
    "level": _read_level,
    "trump": _read_trump,
    "books": _read_books,
}


# Scoring


def score(settings: BidWhistSettings, carry: Carry, hand: Hand) -> HandResult[Carry]:
    line = _score_contract(settings, hand)
    scores = {**carry.scores, hand.team: carry.scores[hand.team] + line.points}
    sides: dict[str, SideResult] = {
        side: SideResult(line.points, scores[side], (line,)) if side == hand.team else SideResult(0, scores[side], ())
        for side in SIDES
    }
    return HandResult(sides, Carry(carry.hands + 1, scores, hand.team))


def _score_contract(settings: BidWhistSettings, hand: Hand) -> Line:
    """Every book above six when made, the bid when set; doubled in No Trump, four times for a Boston (B1)."""
    is_no_trump = hand.trump == "no_trump"
    above = hand.books - BOOK
    facts = {"level": hand.level, "books": hand.books, "above": above}
    if above < hand.level:
        facts = {"level": hand.level, "books": hand.books, "needed": BOOK + hand.level}
        if is_no_trump:
            return Line("set_no_trump", -2 * hand.level, facts)
        return Line("set_contract", -hand.level, facts)
    if settings.boston_bonus and hand.books == BOOKS:
        return Line("boston_bonus", 4 * above, facts)
    if is_no_trump:
        return Line("made_no_trump", 2 * above, facts)
    return Line("made_contract", above, facts)


def finish(settings: BidWhistSettings, carry: Carry, _time_expired_after: int | None) -> Outcome | None:
    """At or past the target, up or down (B2)."""
    if carry.bidder is None:
        return None
    score = carry.scores[carry.bidder]
    if score >= settings.target:
        return Outcome(carry.bidder, "target")
    if score <= -settings.target:
        return Outcome(OTHER[carry.bidder], "opponents_at_minus_target")
    return None


# The board


def dealer(settings: BidWhistSettings, carry: Carry, _in_play: Entry) -> str:
    return dealer_after(carry.hands, settings.first_dealer)


def missing_members(_settings: BidWhistSettings, _carry: Carry, in_play: Entry) -> tuple[str, ...]:
    return tuple(member for member in MEMBERS if in_play.get(member) is None)


def possible(settings: BidWhistSettings, carry: Carry, in_play: Entry) -> tuple[Possible, ...]:
    """Every number of books that the bidders can have, the kitty among them."""
    if missing_members(settings, carry, in_play) != ("books",):
        return ()
    hand = read_hand(settings, carry, {**in_play, "books": 1})
    return tuple(
        Possible({hand.team: books, OTHER[hand.team]: BOOKS - books}, replace(hand, books=books))
        for books in range(1, BOOKS + 1)
    )


def standing(settings: BidWhistSettings, carry: Carry) -> dict[str, dict[str, Fact]]:
    return {
        side: {"to_target": settings.target - score, "above_minus_target": settings.target + score}
        for side, score in carry.scores.items()
    }


SETTINGS = declared_settings(BidWhistSettings)

BID_WHIST: Game[BidWhistSettings, Hand, Carry] = Game(
    key="bid_whist",
    version=1,
    title="Bid Whist",
    settings=SETTINGS,
    presets=(
        Preset("standard", "To 7", {}),
        Preset("long", "To 14", {"target": 14}),
        Preset("boston", "To 14, with the Boston bonus", {"target": 14, "boston_bonus": True}),
    ),
    line_rules=("made_contract", "made_no_trump", "boston_bonus", "set_contract", "set_no_trump"),
    reasons=("target", "opponents_at_minus_target"),
    basics=("deal_moves", "contract", "contract_set", "no_trump", "defenders", "kitty", "host_ends"),
    explained_by={
        "made_contract": ("contract",),
        "set_contract": ("contract_set",),
        "made_no_trump": ("no_trump",),
        "set_no_trump": ("no_trump",),
        "opponents_at_minus_target": ("target",),
        "host": ("host_ends",),
    },
    seats=SEATS,
    read_settings=settings_reader(BidWhistSettings, SETTINGS),
    read_sides=read_sides,
    begin=begin,
    read_hand=read_hand,
    score=score,
    finish=finish,
    note=note,
    dealer=dealer,
    missing_members=missing_members,
    possible=possible,
    standing=standing,
)

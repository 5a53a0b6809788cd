"""Reading a hand of Spades, complete or in play, in the contract's order: shape, bids, books, nil books, first 7."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import TypeVar

from msgspec import Struct

from bookboard.rules import shape
from bookboard.rules.model import Entry, Json, Possible, RecordError
from bookboard.rules.partnership import BOOKS, OTHER, SEATS, SEATS_OF, SIDE_OF, SIDES, Seat, Side, read_seat, read_side
from bookboard.rules.spades.hand import Carry, Hand, Nil, SideCarry, SideHand
from bookboard.rules.spades.settings import SpadesSettings

OVERRIDES = ("bid_below_minimum", "blind_not_allowed", "too_many_blinds")
BIDDERS = (*SIDES, *SEATS)
N = TypeVar("N")
MEMBERS = frozenset({"bids", "blind", "books", "nil_books", "first_seven", "reneges", "allowed"})
NIL, BLIND_NIL = "nil", "blind_nil"


class Written(Struct, frozen=True, gc=False):
    """An entry whose members and names are known to be of the table; its numbers are not checked yet."""

    bids: Mapping[str, Json]
    blind: tuple[Side, ...]
    books: Mapping[str, Json]
    nil_books: Mapping[str, Json]
    first_seven: Side | None
    reneges: tuple[Seat, ...]
    allowed: tuple[str, ...]


class Bid(Struct, frozen=True, gc=False):
    """One side's bid, or as much of it as has been made."""

    total: int
    nils: tuple[tuple[Seat, bool], ...]
    """The seats that bid nil, and whether blind."""
    is_complete: bool

    @property
    def has_blind_nil(self) -> bool:
        return bool(self.nils) and any(is_blind for _, is_blind in self.nils)


def bids_itself(settings: SpadesSettings, carry: Carry) -> bool:
    """Whether the next hand is a first hand without bids."""
    return settings.first_hand_bids_itself and carry.hands == 0


def ends_at_once(settings: SpadesSettings, in_play: Entry) -> bool:
    """A renege under automatic loss (S11)."""
    return settings.renege_penalty == "automatic_loss" and bool(in_play.get("reneges"))


def read_hand(settings: SpadesSettings, carry: Carry, entry: Entry) -> Hand:
    written = _read_shape(entry)
    bids = _read_bids(settings, carry, written, must_be_complete=True)
    is_forfeit = settings.renege_penalty == "automatic_loss" and bool(written.reneges)
    books = _read_books(written, may_be_missing=is_forfeit)
    if not is_forfeit:
        _check_books_add_up(books)
    nil_books = _read_nil_books(written, bids)
    if not is_forfeit:
        _check_nil_books_within(books, nil_books)
    _check_first_seven(settings, written, None if is_forfeit else books)
    north_south, east_west = [_side_hand(written, bids.get(side), books, nil_books, side) for side in SIDES]
    return Hand(north_south, east_west, written.reneges[0] if is_forfeit else None)


def divisions(settings: SpadesSettings, carry: Carry, in_play: Entry) -> Iterator[Possible]:
    """A hand with all but its books, with all numbers of books that the first side can have, nils held or failed."""
    try:
        written = _read_shape(in_play)
        bids = _read_bids(settings, carry, written, must_be_complete=True)
        nil_books = _read_nil_books(written, bids)
    except RecordError:
        return
    for won in range(BOOKS + 1):
        books: dict[Side, int] = {"north_south": won, "east_west": BOOKS - won}
        try:
            _check_nil_books_within(books, nil_books)
            _check_first_seven(settings, written, books)
        except RecordError:
            continue

        def hand(took: Mapping[str, int], books: Mapping[Side, int] = books) -> Hand:
            north_south, east_west = (_side_hand(written, bids.get(side), books, took, side) for side in SIDES)
            return Hand(north_south, east_west)

        failures = _nil_failures(settings, written, bids, books)
        yield Possible(
            books, hand(nil_books), tuple((frozenset(took), hand({**nil_books, **took})) for took in failures)
        )


def _nil_failures(
    settings: SpadesSettings, written: Written, bids: Mapping[Side, Bid], books: Mapping[Side, int]
) -> Iterator[dict[str, int]]:
    """Every way in which nils whose books are not noted yet can fail: the books that their bidders took.

    How many they are matters only where they do not count toward the partner's bid.
    """
    seats: list[str] = [
        seat
        for bid in bids.values()
        for seat, _ in bid.nils
        if seat not in written.nil_books and seat not in written.reneges
    ]
    one_is_all = settings.count_books_from_nil_loss and settings.nil is not None
    for counts in product(*(range((1 if one_is_all else books[SIDE_OF[seat]]) + 1) for seat in seats)):
        took = {seat: count for seat, count in zip(seats, counts, strict=True) if count}
        try:
            _check_nil_books_within(books, took)
        except RecordError:
            continue
        if took:
            yield took


def note(settings: SpadesSettings, carry: Carry, in_play: Entry, part: Entry) -> Entry:
    """The part laid over the hand in play, checked as far as it goes: bids as they are made, numbers in range."""
    shape.members(part, MEMBERS)
    laid = shape.lay_over(in_play, part)
    written = _read_shape(laid)
    bids = _read_bids(settings, carry, written, must_be_complete=False)
    books = _read_books(written, may_be_missing=True)
    if sum(books.values()) > BOOKS:
        raise RecordError("books_do_not_add_up", "books", {"total": sum(books.values()), "books": BOOKS})
    _read_nil_books(written, bids)
    _check_first_seven(settings, written, None)
    return laid


# Shape and names


def _read_shape(entry: Entry) -> Written:
    given = shape.members(entry, MEMBERS)
    first_seven = given.get("first_seven")
    return Written(
        _named(given, "bids", BIDDERS),
        _listed(given, "blind", read_side),
        _named(given, "books", SIDES),
        _named(given, "nil_books", SEATS),
        None if first_seven is None else read_side("first_seven", first_seven),
        _listed(given, "reneges", read_seat),
        _listed(given, "allowed", _read_override),
    )


def _named(given: Entry, key: str, names: tuple[str, ...]) -> Mapping[str, Json]:
    values = shape.mapping(given, key)
    for name in values:
        if name not in names:
            raise shape.unknown_side(f"{key}.{name}", name)
    return values


def _listed(given: Entry, key: str, read: Callable[[str, Json], N]) -> tuple[N, ...]:
    return tuple([read(key, name) for name in shape.listed(given, key)]) if key in given else ()


def _read_override(field: str, check: Json) -> str:
    for known in OVERRIDES:
        if check == known:
            return known
    raise RecordError("invalid_allowed", field, {"check": str(check)})


# Bids


def _read_bids(settings: SpadesSettings, carry: Carry, written: Written, *, must_be_complete: bool) -> dict[Side, Bid]:
    """Side by side; none in a first hand that bids itself."""
    if bids_itself(settings, carry):
        if written.bids or written.blind:
            raise RecordError("bids_not_allowed", "bids" if written.bids else "blind")
        return {}
    return {side: _read_bid(settings, carry, written, side, must_be_complete=must_be_complete) for side in SIDES}


def _read_bid(settings: SpadesSettings, carry: Carry, written: Written, side: Side, *, must_be_complete: bool) -> Bid:
    bid = _read_numbers(written, side, must_be_complete=must_be_complete)
    is_blind = side in written.blind
    allowed = written.allowed
    for seat, is_blind_nil in bid.nils:
        if settings.nil is None and not (is_blind_nil and settings.blind_nil is not None):
            raise RecordError("nil_off", f"bids.{seat}", {"seat": seat})
    if (is_blind or bid.has_blind_nil) and "blind_not_allowed" not in allowed:
        _check_gap(settings, carry, side)
    if is_blind and "too_many_blinds" not in allowed and not has_blinds_left(settings, side_carry(carry, side)):
        raise RecordError("too_many_blinds", "blind", {"side": side, "most": settings.max_team_blinds})
    minimum = settings.minimum_blind_bid if is_blind else settings.minimum_bid
    if bid.total < minimum and bid.is_complete and "bid_below_minimum" not in allowed:
        raise RecordError("bid_below_minimum", "bids", {"side": side, "bid": bid.total, "minimum": minimum})
    return bid


def _read_numbers(written: Written, side: Side, *, must_be_complete: bool) -> Bid:
    """The bid as a sum: given for the side, or for each of its seats; complete and in range."""
    bids = written.bids
    by_seat = [seat for seat in SEATS_OF[side] if seat in bids]
    if side in bids:
        if by_seat:
            raise RecordError("bid_given_twice", f"bids.{side}", {"side": side})
        return Bid(_read_number(side, bids[side]), (), True)
    is_complete = len(by_seat) == len(SEATS_OF[side])
    if must_be_complete and not is_complete:
        raise RecordError("bids_missing", "bids", {"side": side})
    total = 0
    nils: tuple[tuple[Seat, bool], ...] = ()
    for seat in by_seat:
        bid = bids[seat]
        if bid in (NIL, BLIND_NIL):
            nils = (*nils, (seat, bid == BLIND_NIL))
        else:
            total += _read_number(seat, bid)
    if total > BOOKS:
        raise RecordError("invalid_bid", f"bids.{by_seat[-1]}", {"least": 0, "most": BOOKS})
    return Bid(total, nils, is_complete)


def _read_number(name: str, bid: Json) -> int:
    if type(bid) is int and 0 <= bid <= BOOKS:
        return bid
    raise RecordError("invalid_bid", f"bids.{name}", {"least": 0, "most": BOOKS})


def _check_gap(settings: SpadesSettings, carry: Carry, side: Side) -> None:
    if not is_far_enough_behind(settings, carry, side):
        behind = points_behind(settings, carry, side)
        facts = {"side": side, "gap": settings.blind_bid_gap, "behind": behind}
        raise RecordError("blind_not_allowed", "bids", facts)


def is_far_enough_behind(settings: SpadesSettings, carry: Carry, side: Side) -> bool:
    """S2; a gap of 0 is no condition."""
    return settings.blind_bid_gap == 0 or points_behind(settings, carry, side) >= settings.blind_bid_gap


def points_behind(settings: SpadesSettings, carry: Carry, side: Side) -> int:
    mine, theirs = side_carry(carry, side), side_carry(carry, OTHER[side])
    behind = theirs.score - mine.score
    if settings.include_bags_for_blind_check:
        return behind
    return behind - (theirs.bag_points - mine.bag_points)


def has_blinds_left(settings: SpadesSettings, mine: SideCarry) -> bool:
    return settings.max_team_blinds is None or mine.blinds < settings.max_team_blinds


def side_carry(carry: Carry, side: Side) -> SideCarry:
    return carry.north_south if side == "north_south" else carry.east_west


# Books


def _read_books(written: Written, *, may_be_missing: bool) -> dict[Side, int]:
    given = written.books
    if not may_be_missing:
        for side in SIDES:
            if side not in given:
                raise RecordError("books_missing", "books", {"side": side})
    return {side: _read_count("books", side, given[side]) for side in SIDES if side in given}


def _read_count(key: str, name: str, books: Json) -> int:
    if type(books) is int and 0 <= books <= BOOKS:
        return books
    raise RecordError("invalid_books", f"{key}.{name}", {"least": 0, "most": BOOKS})


def _read_nil_books(written: Written, bids: Mapping[Side, Bid]) -> dict[str, int]:
    """The books that nil bidders took. In a hand in play, a seat whose bid is still open may turn out to be one."""
    nil_books: dict[str, int] = {}
    if not written.nil_books:
        return nil_books
    for seat in SEATS:
        if seat not in written.nil_books:
            continue
        bid = bids.get(SIDE_OF[seat])
        is_open = bid is not None and not bid.is_complete and seat not in written.bids
        if not is_open and written.bids.get(seat) not in (NIL, BLIND_NIL):
            raise RecordError("not_a_nil_bidder", f"nil_books.{seat}", {"seat": seat})
        nil_books[seat] = _read_count("nil_books", seat, written.nil_books[seat])
    return nil_books


def _check_books_add_up(books: Mapping[Side, int]) -> None:
    total = sum(books.values())
    if total != BOOKS:
        raise RecordError("books_do_not_add_up", "books", {"total": total, "books": BOOKS})


def _check_nil_books_within(books: Mapping[Side, int], nil_books: Mapping[str, int]) -> None:
    if not nil_books:
        return
    for side in SIDES:
        if sum(nil_books.get(seat, 0) for seat in SEATS_OF[side]) > books[side]:
            seat = next(seat for seat in SEATS_OF[side] if nil_books.get(seat))
            raise RecordError("invalid_books", f"nil_books.{seat}", {"least": 0, "most": books[side]})


def _check_first_seven(settings: SpadesSettings, written: Written, books: Mapping[Side, int] | None) -> None:
    if written.first_seven is None:
        return
    if settings.first_seven is None:
        raise RecordError("first_seven_off", "first_seven")
    if books is not None and books[written.first_seven] < 7:
        raise RecordError("first_seven_needs_7_books", "first_seven", {"side": written.first_seven})


def _side_hand(
    written: Written, bid: Bid | None, books: Mapping[Side, int], nil_books: Mapping[str, int], side: Side
) -> SideHand:
    reneges = tuple([seat for seat in written.reneges if SIDE_OF[seat] == side]) if written.reneges else ()
    nils: tuple[Nil, ...] = ()
    if bid is not None and bid.nils:
        nils = tuple(
            [
                Nil(seat, is_blind, nil_books.get(seat, 0), kept=not nil_books.get(seat) and seat not in reneges)
                for seat, is_blind in bid.nils
            ]
        )
    return SideHand(
        bid.total if bid else None,
        side in written.blind,
        nils,
        books.get(side, 0),
        reneges,
        written.first_seven == side,
    )

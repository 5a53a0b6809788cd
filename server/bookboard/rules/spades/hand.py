"""A hand of Spades as scoring sees it, and what a game carries from hand to hand."""

from msgspec import Struct

from bookboard.rules.partnership import Seat, Side


class Nil(Struct, frozen=True, gc=False):
    """One seat's nil, blind or not; `kept` if its bidder took no book and did not renege."""

    seat: Seat
    is_blind: bool
    books: int
    kept: bool


class SideHand(Struct, frozen=True, gc=False):
    """One side's part of a hand, with the books it won at the table."""

    bid: int | None
    """The sum of the two seats (S1); None in a first hand that bids itself."""
    is_blind: bool
    nils: tuple[Nil, ...]
    won: int
    reneges: tuple[Seat, ...]
    won_first_seven: bool


class Hand(Struct, frozen=True, gc=False):
    north_south: SideHand
    east_west: SideHand
    forfeited_by: Seat | None = None
    """Whose renege ended the game at once (S11); such a hand is not scored."""


class SideCarry(Struct, frozen=True, gc=False):
    """One side's standing after a hand."""

    score: int = 0
    bags_total: int = 0
    """Never reduced (S7); what penalties and tie breakers count."""
    bag_points: int = 0
    """The 1-point bags scored so far, which the blind check may leave out (S2)."""
    penalties: int = 0
    sets: int = 0
    sets_in_a_row: int = 0
    blinds: int = 0


class Sweep(Struct, frozen=True, gc=False):
    """All 13 books won at the table by a side that did not renege (S10)."""

    side: Side
    bid: int | None


class Carry(Struct, frozen=True, gc=False):
    hands: int
    north_south: SideCarry
    east_west: SideCarry
    sweep: Sweep | None = None
    forfeited_by: Side | None = None


def begin(_settings: object, _sides: tuple[str, ...]) -> Carry:
    return Carry(0, SideCarry(), SideCarry())

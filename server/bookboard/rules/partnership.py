"""A table of four in two partnerships: its sides, its seats, and how the deal moves."""

from typing import Literal

from bookboard.rules.game import Choice
from bookboard.rules.model import Json, RecordError
from bookboard.rules.shape import unknown_side

Side = Literal["north_south", "east_west"]
Seat = Literal["south", "west", "north", "east"]

NORTH_SOUTH: Side = "north_south"
EAST_WEST: Side = "east_west"
SIDES: tuple[Side, Side] = (NORTH_SOUTH, EAST_WEST)
SEATS: tuple[Seat, ...] = ("south", "west", "north", "east")
"""Clockwise, as the deal moves."""
SEATS_OF: dict[Side, tuple[Seat, Seat]] = {NORTH_SOUTH: ("north", "south"), EAST_WEST: ("east", "west")}
SIDE_OF: dict[str, Side] = {seat: side for side, seats in SEATS_OF.items() for seat in seats}
OTHER: dict[Side, Side] = {NORTH_SOUTH: EAST_WEST, EAST_WEST: NORTH_SOUTH}

SEAT_CHOICES = tuple(Choice(seat, seat.title()) for seat in ("north", "east", "south", "west"))

BOOKS = 13
"""The books of one hand, of both sides together."""


def read_sides(players: Json) -> tuple[str, ...]:
    if players is not None:
        raise RecordError("unknown_field", "players", {"field": "players"})
    return SIDES


def read_side(field: str, name: Json) -> Side:
    """Raises unknown_side."""
    for side in SIDES:
        if name == side:
            return side
    raise unknown_side(field, name)


def read_seat(field: str, name: Json) -> Seat:
    """Raises unknown_side."""
    for seat in SEATS:
        if name == seat:
            return seat
    raise unknown_side(field, name)


def dealer_after(hands: int, first_dealer: Seat) -> Seat:
    """Who deals once so many hands are complete."""
    return SEATS[(SEATS.index(first_dealer) + hands) % len(SEATS)]


def order_from_the_left_of(dealer: Seat) -> tuple[Seat, ...]:
    """All four seats in bidding order: the dealer's left first, the dealer last."""
    left = SEATS.index(dealer) + 1
    return SEATS[left:] + SEATS[:left]

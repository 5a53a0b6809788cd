"""The recorded night: eleven hands of Spades, as four people with phones played them.

A number of books is North–South's; East–West has the rest of the 13. The points at the right are what the rules of the
night make of it, worked out by hand.
"""

from dataclasses import dataclass, field
from typing import Literal

Seat = Literal["north", "east", "south", "west"]
Side = Literal["north_south", "east_west"]

PLAYERS: dict[str, str] = {"north": "Nora", "east": "Ed", "south": "Sue", "west": "Wes"}
SIDES: dict[str, str] = {"north_south": "Runners", "east_west": "Keepers"}
SCORE_LIMIT = 500
TIME_LIMIT_MINUTES = 45
BLIND_BID_GAP = 50


@dataclass(frozen=True)
class Hand:
    """`scribe` is the seat whose phone enters it. Bids by seat are tapped on each one's own phone, at the same time."""

    scribe: Seat
    books: int
    bids: dict[str, int | str] = field(default_factory=dict)
    """By seat or by side: a number or, a seat's, `nil`."""
    blind: Side | None = None
    nil_books: dict[str, int] = field(default_factory=dict)
    rival: Seat | None = None
    """Whose phone enters the same hand at the same moment."""
    reneged: Seat | None = None
    noticed_by: tuple[Seat, ...] = ()
    """The phones that record the renege, all at once."""
    mistaken_books: int | None = None
    """What was entered first; put right once the next hand is in."""
    time_runs_out: bool = False
    """While it is in play, its bids being in."""
    hub_dies: bool = False
    """Its hub is killed when the bids are in; the scribe enters the books to a dead hub."""


NIGHT = (
    Hand("north", 8),  # first hand: 80 – 50
    Hand("east", 7, {"north": 3, "east": 4, "south": 2, "west": "nil"}),  # 132 – 142, West's nil held
    Hand("north", 5, {"north_south": 6, "east_west": 6}, rival="east"),  # 72 – 204, set
    Hand("south", 7, {"north_south": 6, "east_west": 5}, blind="north_south"),  # 192 – 205, blind; bag penalty
    Hand("west", 6, {"north_south": 5, "east_west": 4}, reneged="east", noticed_by=("north", "south")),  # 192 – 245
    Hand("south", 7, {"north_south": 7, "east_west": 4}, mistaken_books=6),  # 262 – 287, first 122 – 288
    Hand("west", 6, {"north_south": 4, "east_west": 6}, hub_dies=True),  # 304 – 348
    Hand("north", 5, {"north": 4, "east": 3, "south": "nil", "west": 4}, nil_books={"south": 1}),  # 245 – 419
    Hand("east", 5, {"north_south": 5, "east_west": 7}, rival="south"),  # 295 – 440, bag penalty
    Hand("south", 8, {"north_south": 8, "east_west": 4}),  # 375 – 481
    Hand("north", 7, {"north_south": 6, "east_west": 7}, blind="north_south", time_runs_out=True),  # 495 – 411
)
FINAL = {"north_south": 495, "east_west": 411}
HIGHLIGHTS = {"nil_made", "nil_failed", "set", "made_blind", "bag_penalty", "renege", "renege_award"}
"""The rules that the night is about; each decides a line of it."""

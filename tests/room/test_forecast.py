from tests.room.table import Table, played, sides

from bookboard.room import commands as c
from bookboard.room.views import forecast_of
from bookboard.rules.forecast import Prospect


def prospects(table: Table, side: str) -> dict[str, tuple[int, int]]:
    return {prospect.what: (prospect.low, prospect.high) for prospect in forecast_of(table.room).get(side, [])}


def test_before_the_bids_are_in_nothing_is_foreseen(table: Table) -> None:
    table.do(table.note(bids={"west": 4}))
    assert forecast_of(table.room) == {}


def test_with_the_bids_in_a_side_sees_what_its_books_would_bring(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    assert prospects(table, "north_south") == {"bag_penalty": (11, 13)}
    assert prospects(table, "east_west") == {"bag_penalty": (10, 13)}


def test_the_last_hand_shows_who_wins_with_what(timed: Table) -> None:
    """North-south lead by 3 with 3 bags: six books win, an eighth brings the bag penalty, a ninth sets the others."""
    timed.do(timed.enter(None, **played((5, 5), 8)))
    timed.do(timed.note(bids=sides(6, 5)))
    timed.pass_time(60)
    seen = forecast_of(timed.room)["north_south"]
    assert [(p.low, p.high) for p in seen if p.what == "win"] == [(6, 7), (9, 13)]
    assert Prospect("bag_penalty", 8, 13) in seen


def test_no_hand_is_foreseen_after_the_end(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    assert forecast_of(table.room)
    table.do(c.EndGame(1, 1))
    assert forecast_of(table.room) == {}

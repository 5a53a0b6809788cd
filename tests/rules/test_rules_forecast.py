"""What the hand in play holds: the engine run over every way the books can fall."""

import pytest
from tests.rules.play import EW, NS, bids, hand, sheet_of

from bookboard.rules.forecast import Prospect, forecast
from bookboard.rules.model import Entry, Json

CONTRACT: Entry = {"team": EW, "level": 4, "trump": "uptown"}


def prospects(settings: dict[str, Json], in_play: Entry, what: str, *before: Entry) -> dict[str, list[Prospect]]:
    """Each side's prospects of one kind."""
    found = forecast(sheet_of(settings, *before), in_play, None)
    return {side: [each for each in there if each.what == what] for side, there in found.items()}


@pytest.mark.parametrize(
    ("in_play", "count"),
    [
        pytest.param({"bids": bids(5, 4)}, 14, id="both sides have bid"),
        pytest.param({"bids": bids(5, 4), "books": {NS: 3}}, 14, id="books are being tapped"),
        pytest.param({"bids": bids(5, None)}, 0, id="a bid is open"),
        pytest.param(hand(5, 4, 8), 0, id="nothing is open"),
    ],
)
def test_the_books_can_fall_in_14_ways(in_play: Entry, count: int) -> None:
    assert len(sheet_of({}).possible(in_play)) == count


@pytest.mark.parametrize(
    "in_play",
    [
        pytest.param({"bids": bids(5, 4), "reneges": ["east"]}, id="reneges"),
        pytest.param({"bids": {"north": "nil", "south": 4, EW: 5}, "nil_books": {"north": 2}}, id="a failed nil"),
        pytest.param({"bids": bids(5, 4), "first_seven": NS}, id="the first seven"),
    ],
)
def test_what_is_read_once_for_all_is_what_each_hand_is_read_as(in_play: Entry) -> None:
    sheet = sheet_of({"first_seven": 100, "nil": 100})
    for possible in sheet.possible(in_play):
        entry: Entry = {**in_play, "books": {**possible.books}}
        assert possible.hand == sheet.game.read_hand(sheet.chosen, sheet.carries[-1], entry)
        after = sheet.add(entry, None)
        assert sheet.trial(possible.hand, None) == (after.hands[-1].sides, after.outcome)


@pytest.mark.parametrize(("in_play", "count"), [(CONTRACT, 13), ({**CONTRACT, "books": 11}, 0), ({"team": EW}, 0)])
def test_bid_whist_bidders_can_have_1_to_13_books(in_play: Entry, count: int) -> None:
    possible = sheet_of({}, game="bid_whist").possible(in_play)
    assert len(possible) == count
    assert all(sum(each.books.values()) == 13 for each in possible)


def test_pack_is_not_decided_by_books() -> None:
    assert sheet_of({}, game="pack", players=["Ada", "Ben", "Cy"]).possible({}) == ()


def test_a_penalty_for_bags_is_foretold() -> None:
    found = prospects({"bag_penalty": 5}, {"bids": bids(5, 4)}, "bag_penalty")
    assert found == {NS: [Prospect("bag_penalty", 10, 13)], EW: [Prospect("bag_penalty", 9, 13)]}


def test_it_is_the_hand_in_play_that_is_looked_at() -> None:
    found = prospects({"bag_penalty": 5}, {"bids": bids(7, 4)}, "bag_penalty", hand(4, 7, 6))
    assert found[NS] == [Prospect("bag_penalty", 10, 13)]


def test_a_side_wins_the_game() -> None:
    found = prospects({"score_limit": 100}, {"bids": bids(10, 4)}, "win")
    assert found == {NS: [Prospect("win", 10, 13)], EW: []}


@pytest.mark.parametrize(
    ("settings", "in_play", "wins"),
    [
        pytest.param(
            {"score_limit": 100},
            {"bids": bids(("nil", 5), 4)},
            [Prospect("win", 5, 9, ("north",))],
            id="a failed nil costs the win",
        ),
        pytest.param(
            {"score_limit": 100},
            {"bids": bids(("nil", 10), 4)},
            [Prospect("win", 10, 13, ("north",))],
            id="150 points with the nil, 50 without",
        ),
        pytest.param(
            {"score_limit": 100, "nil": 50, "ten_for_200": True, "ten_for_200_variation": "at_least_10"},
            {"bids": bids(("nil", 10), 4)},
            [Prospect("win", 10, 13)],
            id="250 points with the nil, 150 without",
        ),
        pytest.param(
            {"score_limit": 100},
            {"bids": bids(("nil", 5), 4), "nil_books": {"north": 0}},
            [Prospect("win", 5, 9)],
            id="a nil that is known to have held",
        ),
        pytest.param(
            {"score_limit": 100},
            {"bids": bids(("nil", 5), 4), "reneges": ["north"]},
            [],
            id="a nil that has failed",
        ),
        pytest.param(
            {"score_limit": 150, "bag_penalty": None},
            {"bids": bids(("nil", 10), (4, "nil"))},
            [Prospect("win", 10, 13, ("north",))],
            id="the nil of the other side does not matter",
        ),
        pytest.param(
            {"score_limit": 100, "count_books_from_nil_loss": False, "ten_for_200": True},
            {"bids": bids(("nil", 10), 4)},
            [Prospect("win", 10, 10, ("north",))],
            id="books that do not count",
        ),
    ],
)
def test_a_win_that_needs_a_nil_says_so(settings: dict[str, Json], in_play: Entry, wins: list[Prospect]) -> None:
    assert prospects(settings, in_play, "win").get(NS, []) == wins


def test_what_cannot_be_entered_is_left_out() -> None:
    in_play: Entry = {"bids": bids(5, 4), "first_seven": NS}
    found = prospects({"first_seven": 100, "score_limit": 100}, in_play, "win")
    assert found[NS] == [Prospect("win", 7, 13)]


def test_what_happens_in_two_runs_is_said_twice() -> None:
    """A lead of 3 wins with a made bid, is lost to the bag penalty, and wins again once the others are set."""
    settings: dict[str, Json] = {"time_limit_minutes": 60}
    sheet = sheet_of(settings, hand(5, 5, 8))
    found = forecast(sheet, {"bids": bids(6, 5)}, 1)[NS]
    assert [each for each in found if each.what == "win"] == [Prospect("win", 6, 7), Prospect("win", 9, 13)]

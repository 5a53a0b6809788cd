"""Bid Whist: contracts, No Trump, the Boston bonus and the match."""

import pytest
from tests.rules.play import EW, NS, bid_whist_rule, ending, lines, play, points, refused, rule, sheet_of

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json, RecordError


def contract(level: int, books: int, trump: str = "uptown", team: str = NS) -> Entry:
    return {"team": team, "level": level, "trump": trump, "books": books}


LONG: dict[str, Json] = {"target": 14}
BONUS: dict[str, Json] = {"target": 14, "boston_bonus": True}


@pytest.mark.parametrize(
    ("settings", "entry", "line"),
    [
        pytest.param(
            {},
            contract(4, 11),
            ("made_contract", 5),
            id="every book above six counts",
            marks=[bid_whist_rule("Made, set, and the defenders", 2, 3), bid_whist_rule("Quick answers", 3, 4)],
        ),
        pytest.param(
            {},
            contract(4, 10),
            ("made_contract", 4),
            id="a contract made exactly",
            marks=bid_whist_rule("Made, set, and the defenders", 2),
        ),
        pytest.param(
            {},
            contract(5, 9, "downtown"),
            ("set_contract", -5),
            id="a set costs the bid, however short",
            marks=[bid_whist_rule("Made, set, and the defenders", 5, 6), bid_whist_rule("Quick answers", 6, 7)],
        ),
        pytest.param({}, contract(7, 12), ("set_contract", -7), id="7 needs all 13"),
        pytest.param(
            LONG,
            contract(4, 11, "no_trump"),
            ("made_no_trump", 10),
            id="No Trump pays double",
            marks=bid_whist_rule("No Trump doubles in both directions", 1, 2),
        ),
        pytest.param(
            LONG,
            contract(4, 9, "no_trump"),
            ("set_no_trump", -8),
            id="No Trump costs double",
            marks=bid_whist_rule("No Trump doubles in both directions", 1, 2),
        ),
        pytest.param(
            BONUS,
            contract(4, 13),
            ("boston_bonus", 28),
            id="B1: all 13 books count four times",
            marks=[bid_whist_rule("No Trump doubles in both directions", 3), bid_whist_rule("Quick answers", 15)],
        ),
        pytest.param(
            BONUS,
            contract(4, 13, "no_trump"),
            ("boston_bonus", 28),
            id="B1: in place of No Trump's double",
            marks=bid_whist_rule("No Trump doubles in both directions", 4),
        ),
        pytest.param(BONUS, contract(4, 12), ("made_contract", 6), id="B1: 12 books are no Boston"),
        pytest.param({}, contract(3, 1), ("set_contract", -3), id="B2: the kitty may be the only book"),
        pytest.param(LONG, contract(4, 13, "no_trump"), ("made_no_trump", 14), id="without the bonus they do not"),
    ],
)
def test_a_contract_is_explained(settings: dict[str, Json], entry: Entry, line: tuple[str, int]) -> None:
    scored = play(settings, entry, game="bid_whist")
    assert lines(scored) == [line]
    assert scored.scores == {NS: line[1], EW: 0}


@pytest.mark.parametrize(
    ("level", "books"),
    [
        pytest.param(level, 6 + level, marks=bid_whist_rule("What a contract actually promises", level), id=f"{level}")
        for level in range(3, 8)
    ],
)
def test_a_contract_promises_its_books_above_six(level: int, books: int) -> None:
    assert lines(play(LONG, contract(level, books), game="bid_whist")) == [("made_contract", level)]
    assert lines(play(LONG, contract(level, books - 1), game="bid_whist")) == [("set_contract", -level)]


@bid_whist_rule("Bid Whist scoring", 2, 3)
@bid_whist_rule("Made, set, and the defenders", 8, 9)
@bid_whist_rule("Quick answers", 9, 10, 11)
def test_the_defending_side_never_gains() -> None:
    scored = play(LONG, contract(5, 9), contract(3, 12, team=EW), contract(4, 4, team=EW), game="bid_whist")
    assert points(scored) == [-5, 0, 0]
    assert points(scored, EW) == [0, 6, -4]


@pytest.mark.parametrize(
    ("settings", "hands", "expected"),
    [
        pytest.param(
            {}, [contract(4, 13)], (NS, "target"), id="B2: at the target", marks=bid_whist_rule("Winning the match", 1)
        ),
        pytest.param(
            {},
            [contract(4, 12, "no_trump", EW)],
            (EW, "target"),
            id="B2: or past it",
            marks=bid_whist_rule("Winning the match", 1),
        ),
        pytest.param(
            {},
            [contract(3, 5), contract(4, 5)],
            (EW, "opponents_at_minus_target"),
            id="or driven below",
            marks=[bid_whist_rule("Winning the match", 1, 2), bid_whist_rule("Worked example", 2), rule("B2")],
        ),
        pytest.param(
            LONG,
            [contract(3, 5), contract(4, 5)],
            None,
            id="a longer match goes on",
            marks=bid_whist_rule("Winning the match", 3),
        ),
    ],
)
def test_a_match_ends(settings: dict[str, Json], hands: list[Entry], expected: tuple[str, str] | None) -> None:
    assert ending(play(settings, *hands, game="bid_whist")) == expected


def test_nothing_is_decided_before_the_first_hand() -> None:
    game = GAMES["bid_whist"]
    settings = game.read_settings({})
    assert game.finish(settings, game.begin(settings, (NS, EW)), None) is None


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        pytest.param({"team": None}, "unknown_side", "team", id="no team"),
        pytest.param({"team": "north"}, "unknown_side", "team", id="a seat for a team"),
        pytest.param({"level": None}, "invalid_bid", "level", id="no level"),
        pytest.param({"level": 2}, "invalid_bid", "level", id="a level of 2"),
        pytest.param({"level": 8}, "invalid_bid", "level", id="a level of 8"),
        pytest.param({"level": True}, "invalid_bid", "level", id="true is no level"),
        pytest.param({"trump": None}, "invalid_trump", "trump", id="no trump named"),
        pytest.param({"trump": "hearts"}, "invalid_trump", "trump", id="another trump"),
        pytest.param({"books": None}, "books_missing", "books", id="no books"),
        pytest.param(
            {"books": 0},
            "invalid_books",
            "books",
            id="B2: the kitty is the first book",
            marks=bid_whist_rule("What a contract actually promises", 8),
        ),
        pytest.param({"books": True}, "invalid_books", "books", id="true is no number of books"),
        pytest.param({"books": 14}, "invalid_books", "books", id="14 books"),
        pytest.param({"reneges": ["north"]}, "unknown_field", "reneges", id="B3: a renege has no penalty"),
        pytest.param({"bids": {}}, "unknown_field", "bids", id="a member of another game"),
    ],
)
def test_a_wrong_hand_is_named(change: Entry, code: str, field: str) -> None:
    record: Json = {"game": "bid_whist", "hands": [contract(4, 10) | change]}
    assert refused(record) == (code, 1, field)


@pytest.mark.parametrize("member", ["time_expired_after", "players"])
def test_members_of_other_games_are_unknown(member: str) -> None:
    assert refused({"game": "bid_whist", "hands": [], member: 1}) == ("unknown_field", None, member)


@rule("B3")
def test_a_hand_in_play_fills_up_member_by_member() -> None:
    sheet = sheet_of({"first_dealer": "east"}, game="bid_whist")
    in_play: Entry = {}
    assert sheet.missing_members(in_play) == ("team", "level", "trump", "books")
    for member, value in contract(4, 10).items():
        in_play = sheet.note(in_play, {member: value})
    assert sheet.missing_members(in_play) == ()
    assert not sheet.ends_at_once(in_play)
    assert (sheet.dealer(in_play), sheet.bidding_order(), sheet.time_limit_minutes()) == ("east", (), None)
    after = sheet.add(in_play, None)
    assert after.dealer({}) == "south"
    assert after.standing()[NS] == {"to_target": 3, "above_minus_target": 11}


@pytest.mark.parametrize("part", [{"level": 2}, {"team": "west"}, {"trump": 1}, {"books": 0}, {"colour": 1}])
def test_a_part_is_checked_at_once(part: Entry) -> None:
    with pytest.raises(RecordError) as caught:
        sheet_of({}, game="bid_whist").note({}, part)
    assert caught.value.hand == 1

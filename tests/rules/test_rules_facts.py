"""The facts behind lines and errors: the numbers and names that their sentences are filled with."""

from typing import Any

import pytest
from tests.rules.play import EW, NS, bids, first_hand, hand, play, sheet_of

from bookboard.rules.model import Entry, Fact, Json, RecordError
from bookboard.rules.record import score_record

Settings = dict[str, Json]
Told = tuple[str, dict[str, Fact]]
GAP_0: Settings = {"blind_bid_gap": 0}
TEN: Settings = {"ten_for_200": True}
PLAYERS: Json = ["Ada", "Ben", "Cy"]


def told(settings: Settings, *entries: Entry, side: str = NS, game: str = "spades", **record: Any) -> list[Told]:
    """What the lines of the side's last hand are made from."""
    scored = play({"minimum_bid": 1, **settings} if game == "spades" else settings, *entries, game=game, **record)
    return [(line.rule, dict(line.facts)) for line in scored.hands[-1].sides[side].lines]


@pytest.mark.parametrize(
    ("settings", "entry", "expected"),
    [
        pytest.param({}, hand(6, 5, 8), [("made", {"bid": 6, "books": 8}), ("bags", {"bags": 2})], id="made"),
        pytest.param({}, hand(6, 5, 5), [("set", {"bid": 6, "books": 5})], id="set"),
        pytest.param(
            {"bag_penalty": 3},
            hand(4, 1, 11),
            [
                ("made", {"bid": 4, "books": 11}),
                ("bags", {"bags": 7}),
                ("bag_penalty", {"reached": 3, "limit": 3}),
                ("bag_penalty", {"reached": 6, "limit": 3}),
            ],
            id="bag penalties",
        ),
        pytest.param(
            {"bag_penalty": 3, "max_bag_penalties": 1},
            hand(4, 1, 10),
            [
                ("made", {"bid": 4, "books": 10}),
                ("bags", {"bags": 6}),
                ("bag_penalty", {"reached": 3, "limit": 3}),
                ("bag_penalty_capped", {"reached": 6, "limit": 3}),
            ],
            id="a capped one",
        ),
        pytest.param(
            {**GAP_0, "bag_penalty": 3},
            hand(6, 4, 9, blind=[NS]),
            [
                ("made_blind", {"bid": 6, "books": 9}),
                ("bags_without_points", {"bags": 3}),
                ("bag_penalty_blind", {"reached": 3, "limit": 3}),
            ],
            id="made blind",
        ),
        pytest.param(
            GAP_0, hand(7, 5, 6, blind=[NS]), [("set_blind", {"bid": 7, "books": 6, "times": 2})], id="set blind"
        ),
        pytest.param({"underbid_penalty": 3}, hand(5, 4, 9), [("underbid", {"bid": 5, "over": 4})], id="underbid"),
        pytest.param(
            {"renege_award": 1, "renege_penalty": 4},
            hand(6, 4, 9, reneges=["north", "west"]),
            [
                ("renege", {"seat": "north", "books": 4}),
                ("renege_award", {"seat": "west", "books": 1}),
                ("made", {"bid": 6, "books": 6}),
            ],
            id="reneges",
        ),
        pytest.param(
            {},
            hand(6, 4, 2, reneges=["north", "south"]),
            [
                ("renege", {"seat": "north", "books": 2}),
                ("renege", {"seat": "south", "books": 0}),
                ("set", {"bid": 6, "books": 0}),
            ],
            id="a renege takes no more books than there are",
        ),
        pytest.param(
            {},
            hand(6, 1, 12, reneges=["west"]),
            [
                ("renege_award", {"seat": "west", "books": 1}),
                ("made", {"bid": 6, "books": 13}),
                ("bags_without_points", {"bags": 7}),
                ("bag_penalty", {"reached": 5, "limit": 5}),
            ],
            id="a renege gives no more than 13 in all",
        ),
        pytest.param(
            {"count_books_from_nil_loss": False},
            hand((4, "nil"), 5, 6, nil_books={"south": 2}),
            [
                ("nil_failed", {"seat": "south", "books": 2}),
                ("nil_books_left_out", {"books": 2}),
                ("made", {"bid": 4, "books": 4, "uncounted": 2}),
                ("bags", {"bags": 2}),
            ],
            id="a failed nil",
        ),
        pytest.param(
            {"include_bags_for_successful_nil": False},
            hand(("nil", 4), 5, 6),
            [
                ("nil_made", {"seat": "north"}),
                ("made", {"bid": 4, "books": 6}),
                ("bags", {"bags": 2}),
                ("bags_left_out", {"bags": 2}),
            ],
            id="a nil that held",
        ),
        pytest.param(
            {},
            hand(("nil", 4), 5, 7, reneges=["north"]),
            [
                ("renege", {"seat": "north", "books": 3}),
                ("nil_reneged", {"seat": "north"}),
                ("made", {"bid": 4, "books": 4}),
            ],
            id="a nil bidder's renege",
        ),
        pytest.param(
            {"forgive_bags_on_set": True},
            hand(5, 7, 8),
            [("made", {"bid": 5, "books": 8}), ("bags_forgiven", {"bags": 3})],
            id="forgiven bags",
        ),
        pytest.param(TEN, hand(10, 1, 10), [("ten_for_200", {"bid": 10, "books": 10})], id="10-for-200"),
        pytest.param(TEN, hand(10, 1, 12), [("ten_for_200_over", {"books": 12})], id="more than 10"),
        pytest.param(TEN, hand(10, 1, 9), [("ten_for_200_missed", {"bid": 10, "books": 9})], id="fewer than 10"),
        pytest.param(
            {**TEN, "ten_for_200_variation": "double_points"},
            hand(11, 1, 11),
            [("double_points", {"bid": 11, "books": 11})],
            id="double points",
        ),
        pytest.param(
            {"renege_penalty": "automatic_loss"},
            hand(5, 4, 8, reneges=["south", "west"]),
            [("renege_loss", {"seat": "south"})],
            id="automatic loss",
        ),
    ],
)
def test_the_facts_of_a_line_of_spades(settings: Settings, entry: Entry, expected: list[Told]) -> None:
    assert told(settings, entry) == expected


def test_the_facts_of_a_first_hand() -> None:
    assert told({}, first_hand(8), bids_itself=True) == [("first_hand", {"books": 8})]


@pytest.mark.parametrize(("side", "expected"), [(NS, ("boston", {"score": 500})), (EW, ("boston_lost", {"score": 52}))])
def test_the_facts_of_a_boston(side: str, expected: Told) -> None:
    assert told({}, hand(5, 5, 6), hand(13, 4, 13), game="tournament_spades", side=side) == [expected]


@pytest.mark.parametrize(
    ("level", "books", "trump", "expected"),
    [
        (4, 11, "uptown", ("made_contract", {"level": 4, "books": 11, "above": 5})),
        (4, 11, "no_trump", ("made_no_trump", {"level": 4, "books": 11, "above": 5})),
        (4, 13, "uptown", ("boston_bonus", {"level": 4, "books": 13, "above": 7})),
        (5, 9, "uptown", ("set_contract", {"level": 5, "books": 9, "needed": 11})),
        (5, 9, "no_trump", ("set_no_trump", {"level": 5, "books": 9, "needed": 11})),
    ],
)
def test_the_facts_of_a_contract(level: int, books: int, trump: str, expected: Told) -> None:
    entry: Entry = {"team": NS, "level": level, "trump": trump, "books": books}
    assert told({"target": 14, "boston_bonus": True}, entry, game="bid_whist") == [expected]


@pytest.mark.parametrize(
    ("entry", "player", "expected"),
    [
        ({"declarer": "Ada", "cards": (30, 22, 0)}, "Ada", [("pack", {"cards": 30, "dealt": 52})]),
        (
            {"declarer": "Ada", "cards": (52, 0, 0), "final_trick": "Ben"},
            "Ada",
            [("pack_without_final_trick", {"cards": 52, "dealt": 52})],
        ),
        ({"declarer": "Ada", "cards": (20, 22, 10)}, "Ada", [("pack_failed", {"cards": 20, "dealt": 52})]),
        (
            {"declarer": "Ada", "cards": (20, 22, 10), "bonus": {"Ada": 1}},
            "Ben",
            [("most_cards_award", {"cards": 22}), ("declarers_bonus", {"player": "Ada"})],
        ),
        ({"cards": (30, 22, 0)}, "Ada", [("most_cards", {"cards": 30, "penalty": 1})]),
        ({"cards": (52, 0, 0)}, "Ada", [("all_tricks", {"cards": 52, "penalty": 2})]),
    ],
)
def test_the_facts_of_a_round(entry: dict[str, Any], player: str, expected: list[Told]) -> None:
    written = {**entry, "cards": dict(zip(("Ada", "Ben", "Cy"), entry["cards"], strict=True))}
    assert told({}, written, side=player, game="pack", players=PLAYERS) == expected


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────


def wrong(code: str, facts: dict[str, Fact], *hands: Entry, **settings: Json) -> object:
    record: Json = {"game": "spades", "settings": {"first_hand_bids_itself": False, **settings}, "hands": [*hands]}
    return pytest.param(record, code, facts, id=code)


def whist(code: str, facts: dict[str, Fact], change: Entry) -> object:
    entry: Entry = {"team": EW, "level": 4, "trump": "uptown", "books": 10, **change}
    return pytest.param({"game": "bid_whist", "hands": [entry]}, code, facts, id=f"Bid Whist: {code}")


def round_(code: str, facts: dict[str, Fact], **entry: Json) -> object:
    return pytest.param({"game": "pack", "players": PLAYERS, "hands": [entry]}, code, facts, id=f"Pack: {code}")


@pytest.mark.parametrize(
    ("record", "code", "facts"),
    [
        pytest.param({"game": "hearts", "hands": []}, "unknown_game", {"game": "hearts"}, id="unknown_game"),
        pytest.param({"hands": []}, "unknown_game", {"game": ""}, id="no game"),
        pytest.param({"game": "spades"}, "malformed", {"field": "hands"}, id="no hands"),
        pytest.param({"game": "spades", "hands": [], "x": 1}, "unknown_field", {"field": "x"}, id="unknown_field"),
        wrong("unknown_setting", {"setting": "luck"}, luck=1),
        wrong("invalid_setting", {"setting": "Nil"}, nil=75),
        wrong("malformed", {"field": "bids"}, {"bids": 5}),
        wrong("unknown_side", {"name": "up"}, {"bids": {"up": 5}}),
        wrong("unknown_side", {"name": "nobody"}, hand(5, 4, 8, reneges=[None])),
        wrong("invalid_allowed", {"check": "nil_off"}, hand(5, 4, 8, allowed=["nil_off"])),
        wrong("bids_missing", {"side": EW}, {"bids": bids(5, None)}),
        wrong("bid_given_twice", {"side": NS}, {"bids": {NS: 5, "north": 5, EW: 4}}),
        wrong("invalid_bid", {"least": 0, "most": 13}, hand(14, 4, 8)),
        wrong("invalid_bid", {"least": 0, "most": 13}, hand((7, 7), 4, 8)),
        wrong("nil_off", {"seat": "south"}, hand((4, "nil"), 4, 8), nil=None),
        wrong("blind_not_allowed", {"side": NS, "gap": 100, "behind": 0}, hand(6, 4, 8, blind=[NS])),
        wrong(
            "too_many_blinds",
            {"side": NS, "most": 1},
            *[hand(6, 4, 8, blind=[NS])] * 2,
            blind_bid_gap=0,
            max_team_blinds=1,
        ),
        wrong("bid_below_minimum", {"side": EW, "bid": 3, "minimum": 4}, hand(5, 3, 8)),
        wrong("bid_below_minimum", {"side": NS, "bid": 5, "minimum": 6}, hand(5, 4, 8, blind=[NS]), blind_bid_gap=0),
        wrong("books_missing", {"side": EW}, {"bids": bids(5, 4), "books": {NS: 8}}),
        wrong("invalid_books", {"least": 0, "most": 13}, hand(5, 4, 14)),
        wrong("invalid_books", {"least": 0, "most": 2}, hand(("nil", 5), 4, 2, nil_books={"north": 3})),
        wrong("books_do_not_add_up", {"total": 12, "books": 13}, hand(5, 4, 8) | {"books": {NS: 8, EW: 4}}),
        wrong("not_a_nil_bidder", {"seat": "north"}, hand((1, 4), 4, 8, nil_books={"north": 1})),
        wrong("first_seven_needs_7_books", {"side": NS}, hand(5, 4, 6, first_seven=NS), first_seven=100),
        whist("unknown_side", {"name": "nobody"}, {"team": None}),
        whist("invalid_bid", {"least": 3, "most": 7}, {"level": 8}),
        whist("invalid_books", {"least": 1, "most": 13}, {"books": 0}),
        whist("books_missing", {"side": EW}, {"books": None}),
        round_("cards_missing", {"player": "Ben"}, cards={"Ada": 1}),
        round_("invalid_cards", {"player": "Ada"}, cards={"Ada": -1, "Ben": 1, "Cy": 1}),
        round_("invalid_bonus", {"player": "Cy"}, cards={"Ada": 1, "Ben": 1, "Cy": 1}, bonus={"Cy": -1}),
        round_("unknown_side", {"name": "Di"}, declarer="Di"),
    ],
)
def test_the_facts_of_an_error(record: Json, code: str, facts: dict[str, Fact]) -> None:
    with pytest.raises(RecordError) as caught:
        score_record(record)
    assert (caught.value.code, caught.value.facts) == (code, facts)


def test_a_part_of_a_hand_with_too_many_books_is_counted() -> None:
    with pytest.raises(RecordError) as caught:
        sheet_of({}).note({}, {"books": {NS: 9, EW: 5}})
    assert caught.value.facts == {"total": 14, "books": 13}

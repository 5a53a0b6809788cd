"""Each sentence of the rules pages beside games in which what it says happens, for every game that says it."""

from typing import Any

import pytest
from tests.rules.play import EW, NS, first_hand, hand
from tests.rules.test_rules_sentences import text_used

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.record import replay, score_record
from bookboard.rules.sentences import sentences

Settings = dict[str, Json]
Claims = list[tuple[Settings, list[Entry], dict[str, Any]]]
"""Settings that differ from those a claim starts from, the hands, and what comes of them."""
SPADES: Settings = {"minimum_bid": 1, "first_hand_bids_itself": False}
FREE: Settings = {"blind_bid_gap": 0}
TEN: Settings = {"ten_for_200": True}
AT_LEAST: Settings = {**TEN, "ten_for_200_variation": "at_least_10"}
DOUBLE: Settings = {**TEN, "ten_for_200_variation": "double_points"}
FLAT: Settings = {"one_point_bags": False}
HOST: Entry = {"ended_by_host": True}
OVER_TIME: Entry = {"time_expired_after": 0}

MADE = hand(5, 5, 8)
"""53 points with 3 bags, and 50 with none."""
BLIND = hand(6, 5, 8, blind=[NS])
NIL, BLIND_NIL = hand(("nil", 4), 5, 8), hand(("blind_nil", 4), 5, 8)
BOTH_SET, BOTH_SET_LEVEL = hand(8, 9, 7), hand(8, 8, 7)
TIE = [hand(6, 5, 8), hand(6, 7, 6)]
LEVEL = [MADE, hand(6, 6, 7)]
FAR_BEHIND = [hand(5, 3, 10)] * 2
"""East-west are 50 points behind, 40 without the bags."""


def dealers(*of: str) -> dict[str, Any]:
    return {"dealers": list(of)}


def scores(*of: int, **more: Any) -> dict[str, Any]:
    return {"scores": of, **more}


def bags(*of: int) -> dict[str, Any]:
    return {"bags": of}


def end(winner: str | None, reason: str, **more: Any) -> dict[str, Any]:
    return {"end": (winner, reason), **more}


def refused(code: str) -> dict[str, Any]:
    return {"refused": code}


GOES_ON: dict[str, Any] = {"end": None}

IN_SPADES: dict[str, Claims] = {
    "basics.deal": [({}, [MADE] * 3, dealers("south", "west", "north")), ({}, [MADE], {"first_bidder": "north"})],
    "basics.bid_sum": [({}, [hand((3, 2), 5, 8)], scores(53, 50)), ({}, [NIL], scores(94, 50))],
    "basics.made": [({}, [MADE], scores(53, 50))],
    "basics.set": [({}, [hand(5, 6, 8)], scores(53, -60))],
    "basics.lost_bid": [
        ({"underbid_penalty": 3}, [MADE], scores(-50, 50)),
        ({"underbid_penalty": 3}, [MADE], bags(0, 0)),
    ],
    "basics.blind": [({**FREE, "bag_penalty": 3}, [hand(6, 4, 9, blind=[NS])], scores(120, 40))],
    "basics.bag_total": [({}, [hand(5, 4, 8)], bags(3, 1))],
    "basics.ends": [
        ({"boston": True, "score_limit": 100, "set_limit": 1}, [hand(13, 1, 13)], end(NS, "boston")),
        ({"shot_back_to_back": 2, "set_limit": 2}, [hand(5, 9, 9)] * 2, end(NS, "shot_back_to_back")),
        ({"set_limit": 1, "lowest_allowed_score": -50}, [hand(5, 9, 9)], end(NS, "set_limit")),
        ({"lowest_allowed_score": -50, "score_limit": 100}, [hand(10, 6, 10)], end(NS, "lowest_allowed_score")),
        ({"time_limit_minutes": 30, "score_limit": 100}, [hand(10, 3, 10), OVER_TIME], end(NS, "time_limit")),
        ({"time_limit_minutes": 30, "score_limit": 100}, [hand(10, 3, 10)], end(NS, "score_limit")),
    ],
    "basics.host_ends": [({}, [MADE, HOST], end(NS, "host")), (FLAT, [MADE, HOST], end(None, "host"))],
    "score_limit.on": [
        ({"score_limit": 100}, [hand(9, 4, 9)], GOES_ON),
        ({"score_limit": 100}, [hand(10, 3, 10)], end(NS, "score_limit")),
    ],
    "tie_breaker.highest_score": [
        ({"score_limit": 100}, TIE, end(NS, "score_limit")),
        ({"score_limit": 100, **FLAT}, LEVEL, GOES_ON),
    ],
    "tie_breaker.fewer_bags_first": [
        ({"score_limit": 100, "tie_breaker": "fewer_bags_first"}, TIE, end(EW, "score_limit", scores=(122, 120))),
    ],
    "tie_breaker.highest_score_then_fewer_bags": [
        ({"score_limit": 100, "tie_breaker": "highest_score_then_fewer_bags"}, TIE, end(NS, "score_limit")),
        ({"score_limit": 100, "tie_breaker": "highest_score_then_fewer_bags", **FLAT}, LEVEL, end(EW, "score_limit")),
        (
            {"time_limit_minutes": 30, "tie_breaker": "highest_score_then_fewer_bags", **FLAT},
            [MADE, OVER_TIME],
            GOES_ON,
        ),
        (
            {"time_limit_minutes": 30, "tie_breaker": "highest_score_then_fewer_bags", **FLAT},
            [*LEVEL, OVER_TIME],
            end(EW, "time_limit"),
        ),
    ],
    "time_limit_minutes.on": [
        ({"time_limit_minutes": 30}, [MADE, OVER_TIME], end(NS, "time_limit")),
        ({"time_limit_minutes": 30, "score_limit": 100}, [hand(10, 3, 10), OVER_TIME], end(NS, "time_limit")),
        ({"time_limit_minutes": 30, **FLAT}, [*LEVEL, OVER_TIME], GOES_ON),
    ],
    "time_limit_minutes.off": [({}, [MADE, OVER_TIME], refused("no_time_limit"))],
    **{
        f"first_dealer.{seat}": [({"first_dealer": seat}, [MADE], dealers(seat))]
        for seat in ("north", "east", "south", "west")
    },
    "minimum_bid.on": [
        ({"minimum_bid": 5}, [hand(4, 5, 8)], refused("bid_below_minimum")),
        ({"minimum_bid": 5}, [MADE], scores(53, 50)),
    ],
    "first_hand_bids_itself.on": [
        ({"first_hand_bids_itself": True}, [first_hand(7)], scores(70, 60)),
        ({"first_hand_bids_itself": True}, [first_hand(7)], bags(0, 0)),
        ({"first_hand_bids_itself": True}, [MADE], refused("bids_not_allowed")),
    ],
    "first_hand_bids_itself.off": [({}, [MADE], scores(53, 50)), ({}, [first_hand(7)], refused("bids_missing"))],
    "nil.on": [
        ({}, [NIL], scores(94, 50)),
        ({}, [{**NIL, "nil_books": {"north": 1}}], scores(-6, 50)),
        ({}, [{**NIL, "reneges": ["north"]}], scores(-9, 50)),
    ],
    "nil.off": [
        ({"nil": None}, [NIL], refused("nil_off")),
        ({"nil": None, "blind_nil": None, **FREE}, [BLIND_NIL], refused("nil_off")),
        ({"nil": None, **FREE}, [BLIND_NIL], scores(144, 50)),
        ({"nil": None, **FREE}, [hand(("blind_nil", 4), 9, 4, nil_books={"north": 1})], scores(-140, 90)),
    ],
    "count_books_from_nil_loss.on": [({}, [hand(("nil", 4), 9, 4, nil_books={"north": 1})], scores(-10, 90))],
    "count_books_from_nil_loss.off": [
        ({"count_books_from_nil_loss": False}, [hand(("nil", 4), 9, 4, nil_books={"north": 1})], scores(-90, 90)),
        ({"count_books_from_nil_loss": False}, [{**NIL, "nil_books": {"north": 1}}], bags(4, 0)),
    ],
    "include_bags_for_successful_nil.on": [({}, [NIL], bags(4, 0))],
    "include_bags_for_successful_nil.off": [
        ({"include_bags_for_successful_nil": False}, [NIL], bags(0, 0)),
        ({"include_bags_for_successful_nil": False}, [{**NIL, "nil_books": {"north": 1}}], bags(4, 0)),
    ],
    "blind_nil.on": [
        (FREE, [BLIND_NIL], scores(144, 50)),
        (FREE, [{**BLIND_NIL, "nil_books": {"north": 1}}], scores(-56, 50)),
        ({}, [BLIND_NIL], refused("blind_not_allowed")),
        ({**FREE, "max_team_blinds": 1}, [BLIND_NIL, BLIND], scores(264, 100)),
        ({**FREE, "max_team_blinds": 1}, [BLIND, BLIND_NIL], scores(214, 100)),
    ],
    "blind_nil.off": [
        ({**FREE, "blind_nil": None}, [BLIND_NIL], scores(94, 50)),
        ({"blind_nil": None}, [BLIND_NIL], refused("blind_not_allowed")),
    ],
    "minimum_blind_bid.on": [
        (FREE, [hand(5, 5, 8, blind=[NS])], refused("bid_below_minimum")),
        (FREE, [BLIND], scores(120, 50)),
    ],
    "blind_bid_gap.on": [
        ({"blind_bid_gap": 50}, [BLIND], refused("blind_not_allowed")),
        ({"blind_bid_gap": 50}, [BLIND_NIL], refused("blind_not_allowed")),
        ({"blind_bid_gap": 50}, [hand(5, 6, 8), hand(5, 6, 7, blind=[EW])], scores(55, 60)),
    ],
    "blind_bid_gap.none": [(FREE, [BLIND], scores(120, 50)), (FREE, [BLIND_NIL], scores(144, 50))],
    "include_bags_for_blind_check.on": [
        ({"blind_bid_gap": 50, "bag_penalty": None}, [*FAR_BEHIND, hand(5, 6, 7, blind=[EW])], scores(162, 180)),
    ],
    "include_bags_for_blind_check.off": [
        (
            {"blind_bid_gap": 50, "bag_penalty": None, "include_bags_for_blind_check": False},
            [*FAR_BEHIND, hand(5, 6, 7, blind=[EW])],
            refused("blind_not_allowed"),
        ),
    ],
    "max_team_blinds.on": [
        ({**FREE, "max_team_blinds": 1}, [BLIND, BLIND], refused("too_many_blinds")),
        ({**FREE, "max_team_blinds": 1}, [hand(6, 5, 5, blind=[NS]), BLIND], refused("too_many_blinds")),
    ],
    "max_team_blinds.off": [(FREE, [BLIND, BLIND], scores(240, 100))],
    "blind_loss_penalty.on": [
        (FREE, [hand(6, 5, 5, blind=[NS])], scores(-120, 53)),
        ({**FREE, "blind_loss_penalty": 1}, [hand(6, 5, 5, blind=[NS])], scores(-60, 53)),
        ({**FREE, **DOUBLE}, [hand(11, 2, 10, blind=[NS])], scores(-200, 21)),
        ({**FREE, "underbid_penalty": 3}, [hand(6, 4, 9, blind=[NS])], scores(-60, 40)),
    ],
    "include_bags_for_successful_blind.on": [(FREE, [BLIND], bags(2, 0))],
    "include_bags_for_successful_blind.off": [
        ({**FREE, "include_bags_for_successful_blind": False}, [BLIND], bags(0, 0)),
    ],
    "max_bag_penalties.on": [
        ({"bag_penalty": 3, "max_bag_penalties": 1}, [hand(4, 1, 10)], scores(16, 12)),
        ({"bag_penalty": 3, "max_bag_penalties": 1, **FLAT}, [hand(4, 1, 10)], scores(10, 10)),
    ],
    "max_bag_penalties.off": [({"bag_penalty": 3}, [hand(4, 1, 10)], scores(-14, 12))],
    "forgive_bags_on_set.on": [
        ({"forgive_bags_on_set": True}, [hand(5, 6, 8)], scores(50, -60)),
        ({"forgive_bags_on_set": True}, [hand(5, 6, 8)], bags(0, 0)),
        ({"forgive_bags_on_set": True, "underbid_penalty": 3}, [hand(5, 2, 7)], scores(52, -20)),
    ],
    "forgive_bags_on_set.off": [({}, [hand(5, 6, 8)], scores(53, -60))],
    "one_point_bags.on": [
        ({}, [MADE], scores(53, 50)),
        (FREE, [BLIND], scores(120, 50)),
        (AT_LEAST, [hand(10, 2, 11)], scores(200, 20)),
        ({"renege_award": 0}, [hand(5, 4, 8, reneges=["east"])], scores(50, -40)),
    ],
    "one_point_bags.off": [(FLAT, [MADE], scores(50, 50)), (FLAT, [MADE], bags(3, 0))],
    "ten_for_200.on": [
        (TEN, [hand(10, 3, 10)], scores(200, 30)),
        ({**FREE, **AT_LEAST}, [hand(10, 2, 11, blind=[NS])], scores(200, 20)),
    ],
    "ten_for_200.off": [({}, [hand(10, 3, 10)], scores(100, 30))],
    "ten_for_200_variation.exactly_10": [
        (TEN, [hand(10, 3, 10)], scores(200, 30)),
        (TEN, [hand(10, 2, 11)], scores(-200, 20)),
    ],
    "ten_for_200_variation.at_least_10": [(AT_LEAST, [hand(10, 2, 11)], scores(200, 20))],
    "ten_for_200_variation.double_points": [
        (DOUBLE, [hand(11, 2, 11)], scores(220, 20)),
        (DOUBLE, [hand(11, 2, 10)], scores(-200, 21)),
    ],
    "ten_for_200_penalty.on": [
        (TEN, [hand(10, 4, 9)], scores(-200, 40)),
        ({**FREE, **TEN}, [hand(10, 4, 9, blind=[NS])], scores(-200, 40)),
    ],
    "ten_for_200_penalty.off": [
        ({**TEN, "ten_for_200_penalty": None}, [hand(10, 4, 9)], scores(-100, 40)),
        ({**FREE, **TEN, "ten_for_200_penalty": None}, [hand(10, 4, 9, blind=[NS])], scores(-200, 40)),
    ],
    "include_bags_for_successful_ten_for_200.on": [
        ({**AT_LEAST, "include_bags_for_successful_ten_for_200": True}, [hand(10, 2, 11)], bags(1, 0)),
    ],
    "include_bags_for_successful_ten_for_200.off": [(AT_LEAST, [hand(10, 2, 11)], bags(0, 0))],
    "first_seven.on": [({"first_seven": 100}, [hand(8, 5, 7, first_seven=NS)], scores(20, 51))],
    "first_seven.off": [({}, [hand(8, 5, 7, first_seven=NS)], refused("first_seven_off"))],
    "renege_penalty.on": [
        ({}, [hand(6, 5, 8, reneges=["north"])], scores(-60, 50)),
        ({}, [hand(1, 9, 2, reneges=["north"])], scores(-10, 90)),
    ],
    "renege_penalty.automatic_loss": [
        ({"renege_penalty": "automatic_loss"}, [{"bids": {NS: 5, EW: 5}, "reneges": ["west"]}], end(NS, "renege")),
    ],
    "renege_award.on": [
        ({}, [hand(11, 2, 8, reneges=["west"])], scores(110, 20)),
        ({}, [hand(13, 1, 12, reneges=["west"])], scores(130, -10)),
        ({"bag_penalty": None}, [hand(6, 2, 8, reneges=["west"])], scores(60, 20)),
    ],
    "renege_award.none": [({"renege_award": 0}, [hand(6, 2, 8, reneges=["west"])], scores(60, 20))],
    "underbid_penalty.on": [
        ({"underbid_penalty": 3}, [MADE], scores(-50, 50)),
        ({"underbid_penalty": 3, **FREE}, [hand(6, 4, 9, blind=[NS])], scores(-60, 40)),
        ({"underbid_penalty": 1, **AT_LEAST}, [hand(10, 1, 12)], scores(200, 10)),
        ({"underbid_penalty": 3, "bag_penalty": None}, [hand(5, 4, 7, reneges=["east"])], scores(50, -40)),
        (
            {"underbid_penalty": 3, "count_books_from_nil_loss": False},
            [{**NIL, "nil_books": {"north": 3}}],
            scores(-6, 50),
        ),
    ],
    "underbid_penalty.off": [({"bag_penalty": None}, [hand(1, 1, 12)], scores(21, 10))],
    "shot_back_to_back.on": [
        ({"shot_back_to_back": 2}, [hand(8, 5, 7)] * 2, end(EW, "shot_back_to_back")),
        ({"shot_back_to_back": 2}, [hand(8, 5, 7), hand(5, 5, 7), hand(8, 5, 7)], GOES_ON),
        ({"shot_back_to_back": 2}, [BOTH_SET] * 2, end(NS, "shot_back_to_back")),
        ({"shot_back_to_back": 2, "lowest_allowed_score": None}, [BOTH_SET_LEVEL] * 2, GOES_ON),
    ],
    "shot_back_to_back.off": [({"lowest_allowed_score": None}, [hand(8, 5, 7)] * 3, GOES_ON)],
    "set_limit.on": [
        ({"set_limit": 2}, [hand(8, 5, 7), hand(5, 5, 7), hand(8, 5, 7)], end(EW, "set_limit")),
        ({"set_limit": 1}, [BOTH_SET], end(NS, "set_limit")),
        ({"set_limit": 1}, [BOTH_SET_LEVEL], GOES_ON),
    ],
    "set_limit.off": [({"lowest_allowed_score": None}, [hand(8, 5, 7)] * 4, GOES_ON)],
}
PLAIN_SPADES: dict[str, Claims] = {
    "bag_penalty.on": [
        ({"bag_penalty": 3}, [hand(4, 1, 11)], scores(-13, 11)),
        ({"bag_penalty": 3}, [hand(4, 1, 11), hand(4, 7, 6)], scores(-1, 81)),
    ],
    "bag_penalty.off": [({"bag_penalty": None}, [hand(4, 4, 9)] * 2, scores(90, 80))],
    "boston.on": [
        ({"boston": True}, [hand(4, 1, 13)], end(NS, "boston")),
        ({"boston": True}, [hand(4, 1, 13, reneges=["north"])], GOES_ON),
    ],
    "boston.off": [({}, [hand(4, 1, 13)], GOES_ON)],
    "lowest_allowed_score.on": [
        ({"lowest_allowed_score": -100}, [hand(10, 3, 9)], GOES_ON),
        ({"lowest_allowed_score": -100}, [hand(10, 3, 9)] * 2, end(EW, "lowest_allowed_score")),
        ({"lowest_allowed_score": -50}, [BOTH_SET], end(NS, "lowest_allowed_score")),
        ({"lowest_allowed_score": -50}, [BOTH_SET_LEVEL], GOES_ON),
    ],
    "lowest_allowed_score.off": [({}, [hand(10, 3, 9)] * 3, GOES_ON)],
}
TOURNAMENT: dict[str, Claims] = {
    "sandbags.on": [({}, [hand(1, 1, 12)], scores(-79, 10, shown=1))],
    "sandbags.off": [({"bag_penalty": None}, [hand(1, 1, 12)], scores(21, 10))],
    "tournament_boston.on": [
        ({}, [MADE, hand(13, 1, 13)], end(NS, "boston", scores=(500, 50))),
        ({}, [hand(12, 1, 13)], GOES_ON),
        ({}, [hand(13, 1, 13, reneges=["north"])], GOES_ON),
    ],
    "tournament_boston.off": [({"boston": False}, [hand(13, 1, 13)], GOES_ON)],
    "tournament_lowest_score.on": [
        ({"lowest_allowed_score": -100}, [hand(10, 3, 9)], end(EW, "lowest_allowed_score")),
        ({"lowest_allowed_score": -80}, [BOTH_SET], end(NS, "lowest_allowed_score")),
        ({"lowest_allowed_score": -80}, [BOTH_SET_LEVEL], GOES_ON),
    ],
    "tournament_lowest_score.off": [({"lowest_allowed_score": None}, [hand(10, 3, 9)] * 3, GOES_ON)],
}


def bid(level: int, books: int, trump: str = "uptown", team: str = NS) -> Entry:
    return {"team": team, "level": level, "trump": trump, "books": books}


BID_WHIST: dict[str, Claims] = {
    "basics.deal_moves": [({}, [bid(4, 10)] * 2, dealers("south", "west")), ({}, [], {"first_bidder": None})],
    "basics.contract": [({}, [bid(4, 11)], scores(5, 0))],
    "basics.contract_set": [({}, [bid(4, 2)], scores(-4, 0))],
    "basics.no_trump": [
        ({"target": 14}, [bid(4, 10, "no_trump")], scores(8, 0)),
        ({}, [bid(3, 8, "no_trump")], scores(-6, 0)),
    ],
    "basics.defenders": [({}, [bid(4, 2), bid(3, 9, team=EW)], scores(-4, 3))],
    "basics.kitty": [({}, [bid(4, 0)], refused("invalid_books")), ({"target": 14}, [bid(7, 13)], scores(7, 0))],
    "basics.host_ends": [({}, [bid(4, 10), HOST], end(NS, "host")), ({}, [HOST], end(None, "host"))],
    "match_target.on": [
        ({}, [bid(7, 13)], end(NS, "target")),
        ({}, [bid(7, 5)], end(EW, "opponents_at_minus_target")),
        ({"target": 14}, [bid(7, 13)], GOES_ON),
    ],
    "boston_bonus.on": [
        ({"boston_bonus": True}, [bid(4, 13)], scores(28, 0)),
        ({"boston_bonus": True}, [bid(4, 13, "no_trump")], scores(28, 0)),
    ],
    "boston_bonus.off": [({}, [bid(4, 13)], scores(7, 0))],
    **{
        f"first_dealer.{seat}": [({"first_dealer": seat}, [bid(4, 10)], dealers(seat))]
        for seat in ("north", "east", "south", "west")
    },
}
PLAYERS = ["Ada", "Ben", "Cy"]


def cards(declarer: str | None, *of: int, **more: Json) -> Entry:
    return {"declarer": declarer, "cards": dict(zip(PLAYERS, of, strict=True)), **more}


FAILED = cards("Ada", 20, 22, 10)
PACK: dict[str, Claims] = {
    "basics.pack": [
        ({}, [cards("Ada", 27, 15, 10)], scores(1, 0, 0)),
        ({}, [cards("Ada", 26, 16, 10)], scores(0, 2, 0)),
    ],
    "basics.all_but_the_last_trick": [({}, [cards("Ada", 52, 0, 0, final_trick="Ben")], scores(0, 0, 0))],
    "basics.dealer_all_tricks": [
        ({}, [cards("Ada", 52, 0, 0)], scores(2, 0, 0)),
        ({}, [cards("Ben", 0, 52, 0)], scores(0, 1, 0)),
    ],
    "basics.pack_failed": [({}, [FAILED], scores(0, 2, 0)), ({}, [cards("Ada", 10, 21, 21)], scores(0, 1, 1))],
    "basics.dealer_beaten": [({}, [cards("Ada", 0, 52, 0)], scores(0, 3, 0))],
    "basics.undeclared": [
        ({}, [FAILED, cards(None, 20, 22, 10)], scores(0, 1, 0)),
        ({}, [cards("Ada", 10, 21, 21), cards(None, 10, 21, 21)], scores(0, 0, 0)),
        ({}, [cards(None, 20, 22, 10)], scores(0, 0, 0)),
    ],
    "basics.all_tricks": [
        ({}, [FAILED, FAILED, cards(None, 0, 52, 0)], scores(0, 2, 0)),
        ({}, [cards(None, 0, 52, 0)], scores(0, 0, 0)),
    ],
    "basics.bonus": [
        ({}, [cards("Ada", 27, 15, 10, bonus={"Ada": 3, "Cy": 2})], scores(4, 0, 2)),
        ({}, [cards("Ada", 20, 22, 10, bonus={"Ada": 1, "Cy": 2})], scores(0, 1, 2)),
        ({}, [cards("Ada", 10, 21, 21, bonus={"Ada": 1})], scores(0, 0, 0)),
    ],
    "basics.host_ends": [({}, [FAILED, HOST], end("Ben", "host")), ({}, [HOST], end(None, "host"))],
    "pack_target.on": [
        ({"target": 1}, [cards("Ada", 10, 21, 21)], GOES_ON),
        ({"target": 2}, [FAILED], end("Ben", "target")),
    ],
    "pack_target.off": [({}, [FAILED] * 40, GOES_ON)],
}
PROVEN = {
    "spades": {**IN_SPADES, **PLAIN_SPADES},
    "tournament_spades": {**IN_SPADES, **TOURNAMENT},
    "bid_whist": BID_WHIST,
    "pack": PACK,
}
EVERY = [
    pytest.param(game, text, *claim, id=f"{game} {text} {number}")
    for game, proven in PROVEN.items()
    for text, claims in proven.items()
    for number, claim in enumerate(claims)
]


@pytest.mark.parametrize(("game", "text", "settings", "hands", "expected"), EVERY)
def test_what_a_sentence_says_happens(
    game: str, text: str, settings: Settings, hands: list[Entry], expected: dict[str, Any]
) -> None:
    chosen: Settings = {**(SPADES if "spades" in game else {}), **settings}
    if game == "tournament_spades":
        chosen = {"bag_penalty": 10 if text.startswith("sandbags") else 5, **chosen}
    record: Entry = {
        "game": game,
        "settings": chosen,
        "hands": [entry for entry in hands if not _is_of_the_record(entry)],
    }
    if game == "pack":
        record["players"] = [*PLAYERS]
    for entry in filter(_is_of_the_record, hands):
        record |= entry
    assert text in {said.text for said in sentences(GAMES[game], chosen)}, "this table does not have the sentence"
    if "refused" in expected:
        with pytest.raises(RecordError) as caught:
            score_record(record)
        assert caught.value.code == expected["refused"]
        return
    scored = score_record(record)
    *_, sheet = replay(record)
    first_bidder = next(iter(sheet.bidding_order()), None)
    found = {
        "scores": tuple(scored.scores.values()),
        "end": scored.outcome and (scored.outcome.winner, scored.outcome.reason),
        "dealers": [each.dealer for each in scored.hands],
        "first_bidder": first_bidder,
        "bags": tuple(facts.get("bags_total") for facts in sheet.standing().values()),
        "shown": next(iter(sheet.standing().values())).get("bags_shown"),
    }
    assert {what: found[what] for what in expected} == expected


def _is_of_the_record(entry: Entry) -> bool:
    return "ended_by_host" in entry or "time_expired_after" in entry


@pytest.mark.parametrize("key", GAMES)
def test_every_sentence_of_a_game_is_proven(key: str) -> None:
    assert set(PROVEN[key]) == text_used(GAMES[key])

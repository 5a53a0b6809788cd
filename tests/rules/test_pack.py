"""Pack: every player a side, round by round."""

from typing import Any

import pytest
from tests.rules.play import ending, pack_rule, play, refused, rule, sheet_of

from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.pack import MOST
from bookboard.rules.record import ScoredRecord

PLAYERS: Json = ["Ada", "Ben", "Cy"]
LEAD: Entry = {"cards": {"Ada": 27, "Ben": 25, "Cy": 0}, "declarer": "Ada", "dealer": "Ben"}
"""A round that gives Ada a point."""


def cards(ada: int, ben: int, cy: int, **more: Json) -> Entry:
    return {"cards": {"Ada": ada, "Ben": ben, "Cy": cy}, **more}


def pack(*hands: Entry, settings: dict[str, Json] | None = None, **record: Any) -> ScoredRecord:
    return play(settings or {}, *hands, game="pack", players=PLAYERS, **record)


def won(scored: ScoredRecord) -> tuple[int, ...]:
    """The points of the last round."""
    return tuple(side.points for side in scored.hands[-1].sides.values())


def rules(scored: ScoredRecord) -> dict[str, list[str]]:
    return {player: [line.rule for line in side.lines] for player, side in scored.hands[-1].sides.items()}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param(
            cards(27, 25, 0, declarer="Ada", dealer="Ben"),
            (1, 0, 0),
            id="a Pack is worth one",
            marks=pack_rule("The Scoring", 3, 4),
        ),
        pytest.param(
            cards(26, 26, 0, declarer="Ada", dealer="Ben"),
            (0, 2, 0),
            id="P1: half is no Pack",
            marks=pack_rule("The Scoring", 3),
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", dealer="Ada"),
            (2, 0, 0),
            id="the Dealer with every trick",
            marks=pack_rule("The Scoring", 14),
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", dealer="Ben"),
            (1, 0, 0),
            id="another Declarer with every trick",
            marks=pack_rule("The Scoring", 15),
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", dealer="Ada", final_trick="Ada"), (2, 0, 0), id="P3: the final trick named"
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", dealer="Ada", final_trick="Ben"),
            (0, 0, 0),
            id="all but the final trick",
            marks=[pack_rule("The Scoring", 16), rule("P3")],
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", dealer="Ada", final_trick="Ben", bonus={"Ada": 1}),
            (1, 0, 0),
            id="P4: a Pack worth nothing is complete and keeps its bonus",
        ),
        pytest.param(
            cards(10, 30, 12, declarer="Ada", dealer="Ben"),
            (0, 2, 0),
            id="failed: two to the most cards",
            marks=pack_rule("The Scoring", 10),
        ),
        pytest.param(
            cards(24, 18, 10, declarer="Ada", dealer="Ben"),
            (0, 2, 0),
            id="failed: of the others",
            marks=pack_rule("The Scoring", 10),
        ),
        pytest.param(
            cards(20, 16, 16, declarer="Ada", dealer="Ben"),
            (0, 1, 1),
            id="failed: one to each who shares",
            marks=pack_rule("The Scoring", 11),
        ),
        pytest.param(
            cards(0, 52, 0, declarer="Ada", dealer="Ada"),
            (0, 3, 0),
            id="the Dealer beaten by every trick",
            marks=pack_rule("The Scoring", 17),
        ),
        pytest.param(
            cards(0, 52, 0, declarer="Ada", dealer="Cy"),
            (0, 2, 0),
            id="not the Dealer: two",
            marks=pack_rule("The Scoring", 17),
        ),
        pytest.param(
            cards(0, 52, 0, declarer="Ada", dealer="Ada", final_trick="Cy"),
            (0, 2, 0),
            id="P3: not the final trick: two",
        ),
        pytest.param(
            cards(10, 30, 12, declarer="Ada", dealer="Ben", bonus={"Ada": 1, "Ben": 1, "Cy": 1}),
            (0, 2, 1),
            id="P4: the Declarer's bonus is taken from the awards, not from bonuses",
            marks=pack_rule("The Scoring", 12, 13),
        ),
        pytest.param(
            cards(20, 16, 16, declarer="Ada", dealer="Ben", bonus={"Ada": 3}),
            (0, 0, 0),
            id="P4: down to zero, from each",
            marks=pack_rule("The Scoring", 13),
        ),
        pytest.param(
            cards(0, 52, 0, declarer="Ada", dealer="Ada", bonus={"Ada": 2}), (0, 1, 0), id="P4: from an award of three"
        ),
        pytest.param(
            cards(27, 25, 0, declarer="Ada", dealer="Ben", bonus={"Ada": 2, "Cy": 0}),
            (3, 0, 0),
            id="bonus with a Pack",
            marks=[rule("P4"), pack_rule("The Scoring", 12)],
        ),
        pytest.param(
            cards(30, 22, 0),
            (0, 0, 0),
            id="nobody declared, nothing to take",
            marks=[pack_rule("The Scoring", 7), rule("P2")],
        ),
    ],
)
def test_a_round_is_scored(entry: Entry, expected: tuple[int, ...]) -> None:
    assert won(pack(entry)) == expected


@pytest.mark.parametrize(
    ("before", "entry", "expected"),
    [
        pytest.param(
            1, cards(30, 22, 0), (-1, 0, 0), id="minus one for the most cards", marks=pack_rule("The Scoring", 5)
        ),
        pytest.param(
            1,
            cards(24, 24, 4),
            (-1, 0, 0),
            id="from each who shares, but none at zero",
            marks=pack_rule("The Scoring", 6, 7),
        ),
        pytest.param(3, cards(52, 0, 0), (-2, 0, 0), id="and no more than two", marks=pack_rule("The Scoring", 8)),
        pytest.param(2, cards(52, 0, 0), (-2, 0, 0), id="minus two for every trick", marks=pack_rule("The Scoring", 8)),
        pytest.param(
            1, cards(52, 0, 0), (-1, 0, 0), id="P2: no more than the player has", marks=pack_rule("The Scoring", 8)
        ),
        pytest.param(2, cards(52, 0, 0, final_trick="Cy"), (-1, 0, 0), id="P3: all but the final trick: minus one"),
        pytest.param(0, cards(30, 22, 0, bonus={"Ada": 3}), (3, 0, 0), id="P5: judged on the score before the round"),
    ],
)
def test_a_round_nobody_declared(before: int, entry: Entry, expected: tuple[int, ...]) -> None:
    assert won(pack(*[LEAD] * before, entry)) == expected


@pack_rule("The Scoring", 9)
def test_a_round_nobody_declared_takes_nothing_at_zero() -> None:
    assert won(pack(LEAD, cards(0, 52, 0))) == (0, 0, 0)
    assert won(pack(LEAD, cards(13, 13, 26))) == (0, 0, 0)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param(
            cards(0, 52, 0, declarer="Ada", dealer="Ada", bonus={"Ada": 1, "Ben": 1}),
            {
                "Ada": ["pack_failed"],
                "Ben": ["most_cards_award", "dealer_beaten", "declarers_bonus", "bonus"],
                "Cy": [],
            },
            id="failed",
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", dealer="Ada"),
            {"Ada": ["pack", "dealer_all_tricks"], "Ben": [], "Cy": []},
            id="made",
        ),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", final_trick="Cy"),
            {"Ada": ["pack_without_final_trick"], "Ben": [], "Cy": []},
            id="all but the final trick",
            marks=[pack_rule("The Scoring", 16), rule("P3")],
        ),
        pytest.param(cards(52, 0, 0), {"Ada": ["all_tricks"], "Ben": [], "Cy": []}, id="not declared, every trick"),
        pytest.param(
            cards(52, 0, 0, declarer="Ada", final_trick="Cy", bonus={"Ada": 1}),
            {"Ada": ["pack_without_final_trick", "bonus"], "Ben": [], "Cy": []},
            id="all but the final trick, and a bonus",
        ),
        pytest.param(
            cards(20, 22, 10, declarer="Ada"),
            {"Ada": ["pack_failed"], "Ben": ["most_cards_award"], "Cy": []},
            id="failed, without a bonus",
        ),
        pytest.param(
            cards(26, 26, 0, bonus={"Ada": 1}),
            {"Ada": ["most_cards", "bonus"], "Ben": ["most_cards"], "Cy": []},
            id="not declared, and a bonus",
        ),
        pytest.param(
            cards(26, 26, 0, bonus={"Cy": 1}),
            {"Ada": ["most_cards"], "Ben": ["most_cards"], "Cy": ["bonus"]},
            id="not declared",
        ),
    ],
)
def test_a_round_is_explained(entry: Entry, expected: dict[str, list[str]]) -> None:
    assert rules(pack(entry)) == expected


@pytest.mark.parametrize(
    ("target", "hands", "expected"),
    [
        pytest.param(2, [LEAD, LEAD], ("Ada", "target"), id="P6: a sole leader at the target"),
        pytest.param(2, [LEAD], None, id="P6: not before it"),
        pytest.param(1, [cards(20, 16, 16, declarer="Ada")], None, id="P6: not while two lead"),
        pytest.param(None, [LEAD] * 30, None, id="P6: off, the table goes on"),
    ],
)
def test_a_game_ends(target: int | None, hands: list[Entry], expected: tuple[str, str] | None) -> None:
    assert ending(pack(*hands, settings={"target": target})) == expected


def test_the_host_ends_the_game_for_the_sole_leader() -> None:
    assert ending(pack(LEAD, ended_by_host=True)) == ("Ada", "host")
    assert ending(pack(cards(20, 16, 16, declarer="Ada"), ended_by_host=True)) == (None, "host")


def test_players_deal_in_turn_unless_the_dealer_is_named() -> None:
    scored = pack(cards(27, 25, 0), cards(27, 25, 0, dealer="Ada"), cards(27, 25, 0), cards(27, 25, 0))
    assert [hand.dealer for hand in scored.hands] == ["Ada", "Ada", "Cy", "Ada"]


def test_a_name_is_the_same_however_its_accents_are_written() -> None:
    scored = play(
        {},
        {"cards": {"Zoe\u0308": 27, "Ben": 25, "Cy": 0}, "declarer": "Zoë"},
        game="pack",
        players=["Zoë", "Ben", "Cy"],
    )
    assert scored.scores == {"Zoë": 1, "Ben": 0, "Cy": 0}


def test_names_that_only_look_alike_are_two() -> None:
    assert sheet_of({}, game="pack", players=["\ufb01", "fi", "Cy"]).sides == ("\ufb01", "fi", "Cy")


@pytest.mark.parametrize("count", [3, 8])
def test_three_to_eight_players_are_a_table(count: int) -> None:
    players = [str(number) for number in range(count)]
    assert len(sheet_of({}, game="pack", players=[*players]).sides) == count


@pytest.mark.parametrize(
    "players",
    [
        pytest.param(None, id="left out"),
        pytest.param("Ada, Ben, Cy", id="no list"),
        pytest.param(["Ada", "Ben"], id="two"),
        pytest.param([str(number) for number in range(9)], id="nine"),
        pytest.param(["Ada", "Ben", " "], id="a blank name"),
        pytest.param(["Ada", "Ben", 3], id="a number for a name"),
        pytest.param(["Ada", "Ben", "Ben"], id="a name twice"),
        pytest.param(["Ada", "Zo\u00eb", "Zoe\u0308"], id="a name twice after NFC"),
    ],
)
def test_players_are_three_to_eight_different_names(players: Json) -> None:
    assert refused({"game": "pack", "players": players, "hands": []}) == ("invalid_players", None, "players")


@pytest.mark.parametrize(
    ("entry", "code", "field"),
    [
        pytest.param({}, "cards_missing", "cards", id="no cards"),
        pytest.param({"cards": {"Ada": 26, "Ben": 26}}, "cards_missing", "cards", id="one player's are missing"),
        pytest.param(cards(-1, 26, 27), "invalid_cards", "cards.Ada", id="fewer than none"),
        pytest.param({"cards": {"Ada": 26, "Ben": True, "Cy": 1}}, "invalid_cards", "cards.Ben", id="true is not 1"),
        pytest.param(cards(0, 0, 0), "invalid_cards", "cards", id="nothing dealt"),
        pytest.param(cards(0, MOST + 1, 0), "invalid_cards", "cards.Ben", id="more than anybody deals"),
        pytest.param(cards(26, 26, 0, bonus={"Ada": -1}), "invalid_bonus", "bonus.Ada", id="a bonus under zero"),
        pytest.param(cards(26, 26, 0, bonus={"Di": 1}), "unknown_side", "bonus.Di", id="somebody else's bonus"),
        pytest.param(cards(26, 26, 0, declarer="Di"), "unknown_side", "declarer", id="another declarer"),
        pytest.param(cards(26, 26, 0, dealer=3), "unknown_side", "dealer", id="a number for a dealer"),
        pytest.param(cards(26, 26, 0, final_trick=["Ada"]), "malformed", "final_trick", id="a list for a name"),
        pytest.param(
            {"cards": {"Ada": 1, "Ben": 1, "Cy": 1, "Di": 1}}, "unknown_side", "cards.Di", id="somebody else's cards"
        ),
        pytest.param({"cards": [26, 26, 0]}, "malformed", "cards", id="a list of cards"),
        pytest.param(cards(26, 26, 0, books={}), "unknown_field", "books", id="a member of another game"),
    ],
)
def test_a_wrong_round_is_named(entry: Entry, code: str, field: str) -> None:
    record: Json = {"game": "pack", "players": PLAYERS, "hands": [entry]}
    assert refused(record) == (code, 1, field)


def test_as_many_cards_are_counted_as_every_client_can_hold() -> None:
    assert won(pack(cards(MOST, 0, 0, declarer="Ada", bonus={"Ada": MOST}))) == (MOST + 2, 0, 0)


@rule("P6")
def test_two_who_share_the_lead_past_the_target_have_nothing_to_go() -> None:
    rounds = [cards(20, 16, 16, declarer="Ada", bonus={"Ben": 1, "Cy": 1})]
    sheet = sheet_of({"target": 1}, *rounds, game="pack", players=PLAYERS)
    assert sheet.scores == {"Ada": 0, "Ben": 2, "Cy": 2}
    assert [side["to_target"] for side in sheet.standing().values()] == [1, 0, 0]


def test_a_player_is_not_counted_twice() -> None:
    twice: Json = {"Zoe\u0308": 20, "Zoë": 20, "Ben": 12, "Cy": 0}
    record: Json = {"game": "pack", "players": ["Zoë", "Ben", "Cy"], "hands": [{"cards": twice}]}
    assert refused(record) == ("malformed", 1, "cards")


def test_a_game_without_a_time_limit_has_no_time_to_run_out() -> None:
    record: Json = {"game": "pack", "players": PLAYERS, "hands": [], "time_expired_after": 0}
    assert refused(record) == ("unknown_field", None, "time_expired_after")


def test_a_round_in_play_fills_up_card_by_card() -> None:
    sheet = sheet_of({"target": 5}, game="pack", players=PLAYERS)
    in_play = sheet.note({}, {"dealer": "Ben", "cards": {"Ada": 27}})
    assert (sheet.missing_members(in_play), sheet.dealer(in_play), sheet.ends_at_once(in_play)) == (
        ("cards",),
        "Ben",
        False,
    )
    in_play = sheet.note(in_play, {"declarer": "Ada", "bonus": {"Ada": 1}, "cards": {"Ben": 25, "Cy": 0}})
    assert sheet.missing_members(in_play) == ()
    after = sheet.add(in_play, None)
    assert after.standing()["Ada"] == {"to_target": 3}
    assert (after.bidding_order(), after.time_limit_minutes()) == ((), None)
    assert sheet_of({}, game="pack", players=PLAYERS).standing()["Ada"] == {"to_target": None}


@pytest.mark.parametrize("part", [{"cards": {"Ada": -1}}, {"bonus": {"Ada": "x"}}, {"declarer": "Di"}, {"books": 1}])
def test_a_part_is_checked_at_once(part: Entry) -> None:
    with pytest.raises(RecordError) as caught:
        sheet_of({}, game="pack", players=PLAYERS).note({}, part)
    assert caught.value.hand == 1

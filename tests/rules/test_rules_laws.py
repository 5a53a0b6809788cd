"""Laws that hold for every game of Spades that can be played at all."""

from contextlib import suppress
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.play import EW, NS

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json, RecordError, SideResult
from bookboard.rules.sheet import Sheet, open_sheet

KEYS = ("spades", "tournament_spades")
SEATS = {NS: ("north", "south"), EW: ("east", "west")}
SWAPPED = {NS: EW, EW: NS, "north": "east", "south": "west", "east": "north", "west": "south"}
CHECKS = ["bid_below_minimum", "blind_not_allowed", "too_many_blinds"]

OFFERED = {
    key: [(setting.key, choice.value) for setting in GAMES[key].settings for choice in setting.choices] for key in KEYS
}

Game: TypeAlias = tuple[str, dict[str, Json], list[Entry], int | None]


@st.composite
def side_bids(draw: st.DrawFn, side: str) -> dict[str, Json]:
    if draw(st.booleans()):
        return {side: draw(st.integers(0, 13))}
    numbers = st.integers(0, 6)
    return {seat: draw(st.one_of(numbers, numbers, st.sampled_from(["nil", "blind_nil"]))) for seat in SEATS[side]}


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    bids = draw(side_bids(NS)) | draw(side_bids(EW))
    books = draw(st.integers(0, 13))
    entry: Entry = {"bids": bids, "books": {NS: books, EW: 13 - books}}
    left: dict[str, int] = {NS: books, EW: 13 - books}
    nil_books: dict[str, Json] = {}
    for seat in (seat for seat, bid in bids.items() if isinstance(bid, str)):
        side = NS if seat in SEATS[NS] else EW
        took = draw(st.integers(0, min(left[side], 2)))
        left[side] -= took
        nil_books[seat] = took
    entry["nil_books"] = nil_books
    entry["blind"] = [*draw(st.lists(st.sampled_from([NS, EW]), max_size=1))]
    entry["reneges"] = [*draw(st.lists(st.sampled_from([*SEATS[NS], *SEATS[EW]]), max_size=2))]
    entry["first_seven"] = draw(st.sampled_from([None, NS if books >= 7 else EW]))
    entry["allowed"] = [*CHECKS]
    return entry


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game that is over or not, every hand of which can be scored."""
    key = draw(st.sampled_from(KEYS))
    chosen = dict(draw(st.lists(st.sampled_from(OFFERED[key]), max_size=12)))
    chosen |= {"first_seven": 100, "score_limit": draw(st.sampled_from([300, 2000]))}
    expired = draw(st.integers(0, 5)) if chosen.get("time_limit_minutes") else None
    return key, chosen, draw(st.lists(entries(), min_size=1, max_size=8)), expired


def played(game: Game) -> Sheet:
    """The game as far as it goes; a hand that no table would enter is passed over."""
    key, chosen, hands, expired = game
    sheet = open_sheet(key, chosen)
    for entry in hands:
        if sheet.outcome is not None:
            break
        left_out = {"bids", "blind", "nil_books"} if "bids" not in sheet.missing_members({}) else set()
        with suppress(RecordError):
            sheet = sheet.add({name: entry[name] for name in entry if name not in left_out}, expired)
    return sheet


def swapped(entry: Json) -> Json:
    """The same with north-south sitting east-west and the other way round."""
    if isinstance(entry, dict):
        return {SWAPPED.get(key, key): swapped(value) for key, value in entry.items()}
    if isinstance(entry, list):
        return [swapped(value) for value in entry]
    return SWAPPED.get(entry, entry) if isinstance(entry, str) else entry


def numbers(result: SideResult) -> object:
    return result.points, result.score, [(line.rule, line.points) for line in result.lines], result.figures


@given(games())
@settings(max_examples=40, deadline=None)
def test_lines_add_up_to_points_and_points_to_scores(game: Game) -> None:
    scores = {NS: 0, EW: 0}
    for scored in played(game).hands:
        for side, result in scored.sides.items():
            assert sum(line.points for line in result.lines) == result.points
            scores[side] += result.points
            assert result.score == scores[side]


@given(games())
@settings(max_examples=40, deadline=None)
def test_every_line_is_one_of_the_games_rules(game: Game) -> None:
    sheet = played(game)
    rules = {line.rule for scored in sheet.hands for result in scored.sides.values() for line in result.lines}
    assert rules <= set(sheet.game.line_rules)
    assert sheet.outcome is None or sheet.outcome.reason in sheet.game.reasons


@given(games(), st.data())
@settings(max_examples=40, deadline=None)
def test_taking_hands_back_is_replaying_the_ones_before(game: Game, data: st.DataObject) -> None:
    sheet = played(game)
    count = data.draw(st.integers(0, len(sheet.hands)))
    replayed = open_sheet(game[0], game[1])
    for scored in sheet.hands[:count]:
        replayed = replayed.add(scored.entry, game[3])
    assert replayed == sheet.back_to(count)


@given(games())
@settings(max_examples=40, deadline=None)
def test_swapping_the_sides_swaps_the_result(game: Game) -> None:
    key, chosen, hands, expired = game
    here = played(game)
    there = played((key, chosen, [entry for entry in map(swapped, hands) if isinstance(entry, dict)], expired))
    assert [numbers(each.sides[NS]) for each in here.hands] == [numbers(each.sides[EW]) for each in there.hands]
    assert [numbers(each.sides[EW]) for each in here.hands] == [numbers(each.sides[NS]) for each in there.hands]
    assert (here.outcome and here.outcome.reason) == (there.outcome and there.outcome.reason)
    if here.outcome and there.outcome:
        assert swapped(here.outcome.winner) == there.outcome.winner


@given(games())
@settings(max_examples=40, deadline=None)
def test_running_totals_follow_from_the_hands(game: Game) -> None:
    sheet = played(game)
    total = {NS: 0, EW: 0}
    for scored in sheet.hands:
        for side, result in scored.sides.items():
            bags, bags_total = result.figures["bags"], result.figures["bags_total"]
            assert isinstance(bags, int)
            assert bags_total in (total[side], total[side] + bags)
            total[side] = int(bags_total or 0)
            penalties = [line for line in result.lines if line.rule == "bag_penalty"]
            assert not penalties or bags_total != 0
            assert not (result.figures["set"] and bags)


@given(games())
@settings(max_examples=40, deadline=None)
def test_what_a_hand_in_play_collects_can_be_entered(game: Game) -> None:
    sheet = played(game)
    if not sheet.hands:
        return
    scored = sheet.hands[-1]
    before = sheet.back_to(len(sheet.hands) - 1)
    in_play: Entry = {}
    for member in ("allowed", "blind", "bids", "nil_books", "reneges", "books", "first_seven"):
        in_play = before.note(in_play, {member: scored.entry.get(member)})
    assert before.missing_members(in_play) == ()
    assert before.add(in_play, game[3]).hands[-1].sides == scored.sides

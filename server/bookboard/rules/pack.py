"""Pack: every player is a side; a Pack is more than half of the cards dealt. Readings P1 to P6."""

import unicodedata
from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from bookboard.rules import shape
from bookboard.rules.codes import RecordCode
from bookboard.rules.declare import Declared, declared_settings, off_or, settings_reader
from bookboard.rules.game import Game, HandResult, Preset
from bookboard.rules.model import Entry, Fact, Json, Line, Outcome, RecordError, SideResult

MEMBERS = frozenset({"dealer", "declarer", "cards", "final_trick", "bonus"})
PLAYERS = (3, 8)
MOST = 10**12
"""No table counts further; it keeps every client's numbers exact."""


class PackSettings(Struct, frozen=True, gc=False):
    target: Annotated[
        int | None,
        Declared(
            label="Target",
            group="Game",
            help="A player who leads alone with this many points wins. Off: the table ends the game when it likes, and "
            "whoever leads alone then wins.",
            source="Pack rules",
            choices=off_or(5, 10, 20),
            low=1,
            high=100,
            unit="points",
            text="pack_target",
        ),
    ] = None


class Round(Struct, frozen=True, gc=False):
    dealer: str
    declarer: str | None
    cards: dict[str, int]
    swept_by: str | None
    """Who took all the tricks: all the cards, and the final trick (P3)."""
    bonus: dict[str, int]


class Carry(Struct, frozen=True, gc=False):
    rounds: int
    scores: dict[str, int]


def begin(_settings: PackSettings, sides: tuple[str, ...]) -> Carry:
    return Carry(0, dict.fromkeys(sides, 0))


# Reading


def read_sides(players: Json) -> tuple[str, ...]:
    """Three to eight names, not blank, no two the same after Unicode NFC."""
    least, most = PLAYERS
    wrong = RecordError("invalid_players", "players", {"least": least, "most": most})
    if not isinstance(players, list) or not least <= len(players) <= most:
        raise wrong
    names = tuple(name for name in players if isinstance(name, str) and name.strip())
    if len({_same(name) for name in names}) < len(players):
        raise wrong
    return names


def _same(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def read_hand(settings: PackSettings, carry: Carry, entry: Entry) -> Round:
    given = shape.members(entry, MEMBERS)
    dealt_by = dealer(settings, carry, given)
    declarer = _read_player(given, "declarer", carry)
    final_trick = _read_player(given, "final_trick", carry)
    named_cards, named_bonus = _read_numbers(given, "cards", carry), _read_numbers(given, "bonus", carry)
    for player in carry.scores:
        if player not in named_cards:
            raise RecordError("cards_missing", "cards", {"player": player})
    cards = _read_cards(named_cards, carry)
    dealt = sum(cards.values())
    if dealt == 0:
        raise RecordError("invalid_cards", "cards")
    holder = next((player for player in cards if cards[player] == dealt), None)
    swept_by = holder if final_trick in (None, holder) else None
    return Round(dealt_by, declarer, cards, swept_by, _read_bonus(named_bonus))


def note(_settings: PackSettings, carry: Carry, in_play: Entry, part: Entry) -> Entry:
    shape.members(part, MEMBERS)
    laid = shape.lay_over(in_play, part)
    for member in ("dealer", "declarer", "final_trick"):
        _read_player(laid, member, carry)
    _read_cards(_read_numbers(laid, "cards", carry), carry)
    _read_bonus(_read_numbers(laid, "bonus", carry))
    return laid


def _read_player(given: Entry, key: str, carry: Carry) -> str | None:
    value = given.get(key)
    return None if value is None else _player(key, value, carry)


def _player(field: str, name: Json, carry: Carry) -> str:
    if isinstance(name, str):
        for player in carry.scores:
            if _same(player) == _same(name):
                return player
    raise shape.unknown_side(field, name)


def _read_numbers(given: Entry, key: str, carry: Carry) -> dict[str, Json]:
    written = shape.mapping(given, key)
    numbers = {_player(f"{key}.{name}", name, carry): value for name, value in written.items()}
    if len(numbers) < len(written):
        raise RecordError("malformed", key, {"field": key})
    return numbers


def _read_cards(cards: Mapping[str, Json], carry: Carry) -> dict[str, int]:
    return {
        player: _read_count("invalid_cards", f"cards.{player}", player, cards[player])
        for player in carry.scores
        if player in cards
    }


def _read_bonus(bonus: Mapping[str, Json]) -> dict[str, int]:
    return {player: _read_count("invalid_bonus", f"bonus.{player}", player, points) for player, points in bonus.items()}


def _read_count(code: RecordCode, field: str, player: str, count: Json) -> int:
    if type(count) is int and 0 <= count <= MOST:
        return count
    raise RecordError(code, field, {"player": player})


# Scoring


def score(_settings: PackSettings, carry: Carry, hand: Round) -> HandResult[Carry]:
    if hand.declarer is None:
        lines = _score_undeclared(carry, hand)
    elif 2 * hand.cards[hand.declarer] > sum(hand.cards.values()):
        lines = _score_pack(hand, hand.declarer)
    else:
        lines = _score_failed(hand, hand.declarer)
    sides: dict[str, SideResult] = {}
    for player, before in carry.scores.items():
        mine = tuple(lines.get(player, ()))
        points = sum(line.points for line in mine)
        sides[player] = SideResult(points, before + points, mine)
    return HandResult(sides, Carry(carry.rounds + 1, {player: side.score for player, side in sides.items()}))


def _score_undeclared(carry: Carry, hand: Round) -> dict[str, list[Line]]:
    """Minus two for all the tricks, else minus one for the most cards; never below zero (P2, P5)."""
    lines = _bonus_lines(hand, hand.cards)
    rule, penalty, punished = "most_cards", 1, _with_most_cards(hand, hand.cards)
    if hand.swept_by is not None:
        rule, penalty = "all_tricks", 2
    for player in punished:
        taken = min(penalty, carry.scores[player])
        lines[player].insert(0, Line(rule, -taken, {"cards": hand.cards[player], "penalty": penalty}))
    return lines


def _score_pack(hand: Round, declarer: str) -> dict[str, list[Line]]:
    """One for the Pack, one more for a Dealer with all the tricks, none for all the cards without the last trick."""
    lines = _bonus_lines(hand, hand.cards)
    dealt = sum(hand.cards.values())
    facts = {"cards": hand.cards[declarer], "dealt": dealt}
    if hand.cards[declarer] == dealt and hand.swept_by is None:
        lines[declarer].insert(0, Line("pack_without_final_trick", 0, facts))
        return lines
    mine = [Line("pack", 1, facts)]
    if hand.swept_by == declarer == hand.dealer:
        mine.append(Line("dealer_all_tricks", 1))
    lines[declarer] = mine + lines[declarer]
    return lines


def _score_failed(hand: Round, declarer: str) -> dict[str, list[Line]]:
    """Two for the most cards of the others, one each if they share it, less the Declarer's bonus (P4)."""
    others = [player for player in hand.cards if player != declarer]
    lines = _bonus_lines(hand, others)
    facts = {"cards": hand.cards[declarer], "dealt": sum(hand.cards.values())}
    lines[declarer] = [Line("pack_failed", 0, facts)]
    winners = _with_most_cards(hand, others)
    for player in winners:
        award = [Line("most_cards_award", 2 if len(winners) == 1 else 1, {"cards": hand.cards[player]})]
        if hand.swept_by == player and declarer == hand.dealer:
            award.append(Line("dealer_beaten", 1))
        less = min(hand.bonus.get(declarer, 0), sum(line.points for line in award))
        if less:
            award.append(Line("declarers_bonus", -less, {"player": declarer}))
        lines[player] = award + lines[player]
    return lines


def _with_most_cards(hand: Round, players: Mapping[str, int] | list[str]) -> list[str]:
    most = max(hand.cards[player] for player in players)
    return [player for player in players if hand.cards[player] == most]


def _bonus_lines(hand: Round, players: Mapping[str, int] | list[str]) -> dict[str, list[Line]]:
    return {player: [Line("bonus", hand.bonus[player])] if hand.bonus.get(player) else [] for player in players}


def finish(settings: PackSettings, carry: Carry, _time_expired_after: int | None) -> Outcome | None:
    """A sole leader at or past the target (P6)."""
    best = max(carry.scores.values())
    if settings.target is None or best < settings.target:
        return None
    leaders = [player for player, score in carry.scores.items() if score == best]
    return Outcome(leaders[0], "target") if len(leaders) == 1 else None


# The board


def dealer(_settings: PackSettings, carry: Carry, in_play: Entry) -> str:
    """The one named, else the players deal in turn."""
    named = _read_player(in_play, "dealer", carry)
    return named if named is not None else tuple(carry.scores)[carry.rounds % len(carry.scores)]


def missing_members(_settings: PackSettings, carry: Carry, in_play: Entry) -> tuple[str, ...]:
    cards = _read_numbers(in_play, "cards", carry)
    return () if all(player in cards for player in carry.scores) else ("cards",)


def standing(settings: PackSettings, carry: Carry) -> dict[str, dict[str, Fact]]:
    target = settings.target
    return {
        player: {"to_target": None if target is None else max(target - score, 0)}
        for player, score in carry.scores.items()
    }


SETTINGS = declared_settings(PackSettings)

PACK: Game[PackSettings, Round, Carry] = Game(
    key="pack",
    version=1,
    title="Pack",
    players=PLAYERS,
    settings=SETTINGS,
    presets=(
        Preset("open", "Until the table ends it", {}),
        Preset("five", "Quick game to 5", {"target": 5}),
        Preset("ten", "To 10", {"target": 10}),
    ),
    line_rules=(
        "pack",
        "pack_without_final_trick",
        "dealer_all_tricks",
        "pack_failed",
        "most_cards_award",
        "dealer_beaten",
        "declarers_bonus",
        "most_cards",
        "all_tricks",
        "bonus",
    ),
    reasons=("target",),
    basics=(
        "pack",
        "all_but_the_last_trick",
        "dealer_all_tricks",
        "pack_failed",
        "dealer_beaten",
        "undeclared",
        "all_tricks",
        "bonus",
        "host_ends",
    ),
    explained_by={
        "pack_without_final_trick": ("all_but_the_last_trick",),
        "most_cards_award": ("pack_failed",),
        "declarers_bonus": ("bonus",),
        "most_cards": ("undeclared",),
        "host": ("host_ends",),
    },
    read_settings=settings_reader(PackSettings, SETTINGS),
    read_sides=read_sides,
    begin=begin,
    read_hand=read_hand,
    score=score,
    finish=finish,
    note=note,
    dealer=dealer,
    missing_members=missing_members,
    standing=standing,
)

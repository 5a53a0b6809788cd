"""Tournament Spades: the Spades engine with its own defaults and the readings T1 to T3."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from bookboard.rules.declare import off_or, settings_reader
from bookboard.rules.game import Game, HandResult, Preset, Setting
from bookboard.rules.model import Line, Outcome, SideResult
from bookboard.rules.partnership import BOOKS, SIDES
from bookboard.rules.spades import SETTINGS as SPADES_SETTINGS
from bookboard.rules.spades import SPADES, ends
from bookboard.rules.spades.hand import Carry, Hand, SideCarry
from bookboard.rules.spades.score import score as score_spades
from bookboard.rules.spades.settings import SpadesSettings

OWN: Mapping[str, Mapping[str, Any]] = {
    "score_limit": {"default": 500, "source": "Tournament Spades rules, section Winning the Game"},
    "first_hand_bids_itself": {"default": False},
    "bag_penalty": {
        "default": 10,
        "choices": off_or(3, 5, 7, 8, 10),
        "help": "Each time a side's bags reach this limit it loses ten times the limit, and the bags shown start again "
        "from 0; bags past it carry over. One hand can cost more than one penalty.",
        "source": "Tournament Spades rules, section Sandbags",
        "text": "sandbags",
    },
    "boston": {
        "default": True,
        "help": "A side that bids 13 and wins all 13 books, without a renege, wins the game at once: its score "
        "becomes the score limit, and the other side keeps its score of the hand before.",
        "source": "Tournament Spades rules, section Winning the Game",
        "text": "tournament_boston",
    },
    "lowest_allowed_score": {
        "default": -200,
        "help": "A side at or below this score after a hand loses. If both are, the higher score wins, and level "
        "scores play on.",
        "source": "Tournament Spades rules, section Winning the Game",
        "text": "tournament_lowest_score",
    },
}
"""What differs from Spades, setting by setting."""

SETTINGS: tuple[Setting, ...] = tuple(
    structs.replace(setting, **OWN.get(setting.key, {})) for setting in SPADES_SETTINGS
)


def score(settings: SpadesSettings, carry: Carry, hand: Hand) -> HandResult[Carry]:
    scored = score_spades(settings, carry, hand)
    if is_boston(settings, scored.carry):
        return _crown(settings, carry, scored)
    return scored


def is_boston(settings: SpadesSettings, carry: Carry) -> bool:
    """A bid of 13 and all 13 books (T3)."""
    return settings.boston and carry.sweep is not None and carry.sweep.bid == BOOKS


def _crown(settings: SpadesSettings, before: Carry, scored: HandResult[Carry]) -> HandResult[Carry]:
    """The winner's score becomes the score limit, the loser keeps the score of the hand before (T3)."""
    winner = scored.carry.sweep and scored.carry.sweep.side
    sides: dict[str, SideResult] = {}
    carries: dict[str, SideCarry] = {}
    for side in SIDES:
        had: int = getattr(before, side).score
        score = settings.score_limit if side == winner else had
        line = Line("boston" if side == winner else "boston_lost", score - had, {"score": score})
        sides[side] = SideResult(score - had, score, (line,), scored.sides[side].figures)
        carries[side] = structs.replace(getattr(scored.carry, side), score=score)
    return HandResult(sides, structs.replace(scored.carry, **carries))


def finish(settings: SpadesSettings, carry: Carry, time_expired_after: int | None) -> Outcome | None:
    """The ends of Spades, Boston by T3; a side at the lowest allowed score loses as well (T2)."""
    lowest = None if settings.lowest_allowed_score is None else settings.lowest_allowed_score + 1
    return ends.decide(settings, carry, time_expired_after, is_boston=is_boston(settings, carry), lowest=lowest)


TOURNAMENT_SPADES: Game[SpadesSettings, Hand, Carry] = structs.replace(
    SPADES,
    key="tournament_spades",
    version=1,
    title="Tournament Spades",
    settings=SETTINGS,
    presets=(
        Preset("standard", "Standard", {}),
        Preset("half_hour", "League game, 30 minutes", {"time_limit_minutes": 30, "score_limit": 300}),
        Preset("short", "To 300, limit of 5 sandbags", {"score_limit": 300, "bag_penalty": 5}),
    ),
    explained_by={**SPADES.explained_by, "boston_lost": ("boston",)},
    line_rules=(*SPADES.line_rules, "boston", "boston_lost"),
    read_settings=settings_reader(SpadesSettings, SETTINGS),
    score=score,
    finish=finish,
)

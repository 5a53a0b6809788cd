"""Spades by the Bookbag rules, with the readings S1 to S15."""

from collections.abc import Mapping

from bookboard.rules.declare import declared_settings, settings_reader
from bookboard.rules.game import Game, Preset
from bookboard.rules.model import Json
from bookboard.rules.partnership import SEATS, read_sides
from bookboard.rules.spades.board import bidding_order, dealer, missing_members, possible, standing
from bookboard.rules.spades.ends import REASONS, finish
from bookboard.rules.spades.entry import OVERRIDES, ends_at_once, note, read_hand
from bookboard.rules.spades.hand import Carry, Hand, begin
from bookboard.rules.spades.score import LINE_RULES, score
from bookboard.rules.spades.sentences import BASICS, EXPLAINED_BY
from bookboard.rules.spades.settings import SpadesSettings

SETTINGS = declared_settings(SpadesSettings)

HALF_HOUR: Mapping[str, Json] = {
    "time_limit_minutes": 30,
    "first_hand_bids_itself": False,
    "tie_breaker": "highest_score_then_fewer_bags",
}
"""A game that ends on time: bids from the first hand, and level scores cost one extra hand at most, if bags differ."""
TOURNAMENT: Mapping[str, Json] = {
    "score_limit": 500,
    "bag_penalty": 10,
    "first_hand_bids_itself": False,
    "boston": True,
    "lowest_allowed_score": -200,
}
"""The defaults of Tournament Spades, as far as the settings of Spades go."""

SPADES: Game[SpadesSettings, Hand, Carry] = Game(
    key="spades",
    version=1,
    title="Spades",
    settings=SETTINGS,
    presets=(
        Preset("standard", "Standard", {}),
        Preset("long", "To 500, penalty at 10 bags", {"score_limit": 500, "bag_penalty": 10}),
        Preset("hour", "One hour", {"time_limit_minutes": 60}),
        Preset("half_hour", "League game, 30 minutes", HALF_HOUR),
        Preset("tournament", "Tournament", TOURNAMENT),
    ),
    line_rules=LINE_RULES,
    reasons=REASONS,
    overrides=OVERRIDES,
    basics=BASICS,
    explained_by=EXPLAINED_BY,
    seats=SEATS,
    has_time_limit=True,
    read_settings=settings_reader(SpadesSettings, SETTINGS),
    read_sides=read_sides,
    begin=begin,
    read_hand=read_hand,
    score=score,
    finish=finish,
    note=note,
    ends_at_once=ends_at_once,
    dealer=dealer,
    bidding_order=bidding_order,
    missing_members=missing_members,
    possible=possible,
    forecast_rules=frozenset({"bag_penalty"}),
    standing=standing,
    time_limit_minutes=lambda settings: settings.time_limit_minutes,
)

"""Spades by the Bookbag rules (`spades.txt`), with the readings S1 to S15."""

from bookboard.rules.declare import declared_settings, settings_reader
from bookboard.rules.game import Game, Preset
from bookboard.rules.partnership import SEATS, read_sides
from bookboard.rules.spades.board import bidding_order, dealer, possible, standing, wants
from bookboard.rules.spades.ends import REASONS, finish
from bookboard.rules.spades.entry import OVERRIDES, ends_at_once, note, read_hand
from bookboard.rules.spades.hand import Carry, Hand, begin
from bookboard.rules.spades.score import LINE_RULES, score
from bookboard.rules.spades.settings import SpadesSettings

SETTINGS = declared_settings(SpadesSettings)

SPADES: Game[SpadesSettings, Hand, Carry] = Game(
    key="spades",
    version=1,
    title="Spades",
    settings=SETTINGS,
    presets=(
        Preset("standard", "Standard", {}),
        Preset("long", "To 500, penalty at 10 bags", {"score_limit": 500, "bag_penalty": 10}),
        Preset("hour", "One hour", {"time_limit_minutes": 60}),
    ),
    line_rules=LINE_RULES,
    reasons=REASONS,
    overrides=OVERRIDES,
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
    wants=wants,
    possible=possible,
    standing=standing,
    time_limit_minutes=lambda settings: settings.time_limit_minutes,
)

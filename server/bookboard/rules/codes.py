"""What can be wrong with a record, as a closed set: mypy knows every code that a `RecordError` may have."""

from typing import Literal

GameRecordCode = Literal[
    "unknown_game",
    "unknown_setting",
    "invalid_setting",
    "no_time_limit",
    "unknown_field",
    "unknown_side",
    "game_over",
    "bids_not_allowed",
    "bids_missing",
    "bid_given_twice",
    "invalid_bid",
    "bid_below_minimum",
    "nil_off",
    "blind_not_allowed",
    "too_many_blinds",
    "books_missing",
    "invalid_books",
    "books_do_not_add_up",
    "not_a_nil_bidder",
    "first_seven_off",
    "first_seven_needs_7_books",
    "invalid_trump",
    "invalid_players",
    "cards_missing",
    "invalid_cards",
    "invalid_bonus",
    "invalid_allowed",
    "malformed",
]
"""Of a game record, its hands and its settings."""

LeagueRecordCode = Literal[
    "malformed",
    "unknown_field",
    "duplicate_entrant",
    "unknown_entrant",
    "entrant_twice",
    "bad_score",
    "bad_winner",
    "bad_forfeit",
    "bad_round",
    "unknown_criterion",
    "two_sides_only",
    "unknown_method",
    "too_few",
]
"""Of a league record, and of what is asked to be paired."""

RecordCode = Literal[GameRecordCode, LeagueRecordCode]

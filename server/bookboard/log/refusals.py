"""Understood and refused: every code that a command or a call may be answered with. Texts: `web/i18n`.

The set is closed: mypy knows it wherever a refusal is made, and `tests/test_refusals.py` finds a code without a text,
documentation, a test, or a place that gives it.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from bookboard.rules.codes import RecordCode
from bookboard.rules.model import Facts, RecordError

TableCode = Literal[
    "conflict",
    "host_only",
    "seat_needed",
    "read_only",
    "unknown_seat",
    "seat_taken",
    "unknown_person",
    "host_stays",
    "name_needed",
    "name_taken",
    "weak_token",
    "token_taken",
    "table_full",
    "log_full",
    "not_started",
    "game_not_over",
    "rules_fixed",
    "no_clock",
    "clock_paused",
    "clock_running",
    "time_is_up",
    "game_would_end_earlier",
    "would_break_hand",
    "too_many_hands",
]

HubCode = Literal[
    "unavailable",
    "too_fast",
    "not_lost",
    "stored_too_fast",
    "not_found",
    "other_origin",
    "unknown_rules",
    "server_full",
    "failed",
]
"""Given by the hub itself, whatever the log is about."""

RefusalCode = Literal[TableCode, HubCode, RecordCode]

TABLE_CODES: Mapping[TableCode, str] = {
    "conflict": "what the command touches has changed since its revision; `current` has it as it is now",
    "host_only": "only the host may do this",
    "seat_needed": "claim a seat first",
    "read_only": "spectators and displays only watch",
    "unknown_seat": "this game has no such seat",
    "seat_taken": "somebody has the seat; `replace` takes it over",
    "unknown_person": "nobody at this table has that id",
    "host_stays": "the host cannot be removed; hand over first",
    "name_needed": "a name has to have at least one visible character",
    "name_taken": "the other side has that name",
    "weak_token": "a token has at least 22 characters of base64url (128 random bits)",
    "token_taken": "the token is somebody else's, or has another role; make a new one",
    "table_full": "the table has as many people as it can keep",
    "log_full": "as much is kept of the table as can be; open another one",
    "not_started": "the host has to start the game first",
    "game_not_over": "the next game starts when this one is over",
    "rules_fixed": "a game's rules are fixed once its first hand is in",
    "no_clock": "this game has no time limit",
    "clock_paused": "the clock is paused",
    "clock_running": "the clock is running",
    "time_is_up": "the last hand is scored: the time can no longer be extended or paused",
    "game_would_end_earlier": "the correction would have ended the game before later hands; take those back first",
    "would_break_hand": "after the change the later hand in `hand` could not stand; `why` is the code it would get",
    "too_many_hands": "the game has as many hands as can be kept",
}

HUB_CODES: Mapping[HubCode, str] = {
    "unavailable": "it cannot be stored just now, or the server is stopping; send the same cmd again",
    "too_fast": "too many messages in a short time; send it again in a while",
    "not_lost": "the store has this table: there is nothing to put back",
    "stored_too_fast": "more would be kept than one address may in a short time; send the same cmd again in a while",
    "not_found": "there is no such table, or not for this token",
    "other_origin": "the page that asked is not from this server, nor from an origin it trusts",
    "unknown_rules": "no rules come in this code, or not of this game",
    "server_full": "the server has as many tables as it can hold",
    "failed": "something went wrong in the server, which has logged it",
}


class Refusal(Struct, frozen=True):
    """`field` is the part of the entry it is about."""

    code: RefusalCode
    facts: Facts = {}
    field: str | None = None


def from_rules(error: RecordError) -> Refusal:
    facts = error.facts if error.hand is None else {**error.facts, "hand": error.hand}
    return Refusal(error.code, facts, field=error.field)

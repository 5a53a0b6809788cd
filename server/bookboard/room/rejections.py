"""Every refusal that a room or a hub gives, in one place; the rules have codes of their own. Texts: `web/i18n`."""

from bookboard.log.answers import Rejected
from bookboard.rules.model import RecordError

ROOM_CODES = {
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

HUB_CODES = {
    "unavailable": "the store cannot take it just now; send the same cmd again",
    "too_fast": "too many messages in a short time; send it again in a while",
    "stored_too_fast": "more would be kept than one address may in a short time; send the same cmd again in a while",
    "not_found": "there is no such table, or not for this token",
    "unknown_rules": "no rules come in this code, or not of this game",
    "server_full": "the server has as many tables or connections as it can hold",
    "failed": "something went wrong in the server, which has logged it",
}


def from_rules(error: RecordError) -> Rejected:
    facts = error.facts if error.hand is None else {**error.facts, "hand": error.hand}
    return Rejected(error.code, facts, field=error.field)

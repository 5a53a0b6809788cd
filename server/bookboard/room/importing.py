"""A game record taken in at a table: the events that would have led to it."""

from unicodedata import normalize

from bookboard.log.refusals import Refusal, from_rules
from bookboard.room import events as e
from bookboard.room.entries import sanitize_complete_entry
from bookboard.room.hands import MAX_HANDS
from bookboard.room.names import clean_name
from bookboard.room.opening import Opening
from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.record import score_record
from bookboard.rules.sheet import open_sheet


def opening_of(record: Json, name: str, host_name: str) -> Opening | Refusal:
    """How a table for the game in a record is opened. Everything in the record is checked here."""
    if isinstance(record, dict) and len(_hands(record)) > MAX_HANDS:
        return Refusal("too_many_hands", {"most": MAX_HANDS}, field="hands")
    try:
        score_record(record)
    except RecordError as error:
        return from_rules(error)
    assert isinstance(record, dict)
    settings, players, names = record.get("settings"), record.get("players"), record.get("names")
    if isinstance(players, list) and any(clean_name(name) != normalize("NFC", name) for name in map(str, players)):
        least, most = GAMES[str(record["game"])].players or (len(players), len(players))
        return Refusal("invalid_players", {"least": least, "most": most}, field="players")
    sides = open_sheet(str(record["game"]), {}, players).sides
    return Opening(
        name=name,
        host_name=host_name,
        key=str(record["game"]),
        settings=settings if isinstance(settings, dict) else {},
        players=[str(player) for player in players] if isinstance(players, list) else None,
        side_names={clean_name(side): str(names[side]) for side in sides if side in names}
        if isinstance(names, dict)
        else {},
    )


def events_of(record: Entry) -> list[e.AnyEvent] | Refusal:
    """The events after the table was opened with the record's rules: started, every hand, time expired, ended."""
    try:
        entries = [sanitize_complete_entry(entry) for entry in _hands(record)]
    except RecordError as error:
        return from_rules(error)
    events: list[e.AnyEvent] = [e.GameStarted()]
    expired_after = record.get("time_expired_after")
    for number, entry in enumerate(entries, 1):
        if expired_after == number - 1:
            events.append(e.TimeExpired())
        events.append(e.HandScored(number, entry))
    if isinstance(expired_after, int) and expired_after >= len(entries):
        events.append(e.TimeExpired(expired_after))
    if record.get("ended_by_host"):
        events.append(e.GameEnded())
    return events


def _hands(record: Entry) -> list[Entry]:
    hands = record.get("hands")
    return [entry for entry in hands if isinstance(entry, dict)] if isinstance(hands, list) else []

"""A game record taken in at a table: the events that would have led to it."""

from bookboard.room import events as e
from bookboard.room.hands import MOST_HANDS
from bookboard.room.opening import Opening
from bookboard.room.rejections import Rejected, from_rules
from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.record import score_record
from bookboard.rules.sheet import open_sheet

ABOUT_A_HAND = frozenset({"at", "by"})


def opening_of(record: Json, name: str, host_name: str) -> Opening | Rejected:
    """How a table for the game in a record is opened. Everything in the record is checked here."""
    try:
        score_record(record)
    except RecordError as error:
        return from_rules(error)
    assert isinstance(record, dict)
    settings, players, names = record.get("settings"), record.get("players"), record.get("names")
    sides = open_sheet(str(record["game"]), {}, players).sides
    return Opening(
        name=name,
        host_name=host_name,
        key=str(record["game"]),
        settings=settings if isinstance(settings, dict) else {},
        players=[str(player) for player in players] if isinstance(players, list) else None,
        side_names={side: str(names[side]) for side in sides if side in names} if isinstance(names, dict) else {},
    )


def events_of(record: Entry) -> list[e.AnyEvent] | Rejected:
    """The events after the table was opened with the record's rules: started, every hand, time expired, ended."""
    entries = [_without_people(entry) for entry in _hands(record)]
    if len(entries) > MOST_HANDS:
        return Rejected("too_many_hands", {"most": MOST_HANDS}, field="hands")
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


def _without_people(entry: Entry) -> Entry:
    return {member: value for member, value in entry.items() if member not in ABOUT_A_HAND and value is not None}

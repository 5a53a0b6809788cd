"""The game record: one JSON document that holds a whole game, scored by folding its hands onto a sheet."""

from collections.abc import Iterator

from msgspec import Struct

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json, Outcome, RecordError
from bookboard.rules.sheet import ScoredHand, Sheet, open_sheet

RECORD_FORMAT = 1
"""A record of a later format may mean something else by what it holds."""
ABOUT_THE_RECORD = frozenset({"format", "names", "started_at"})
"""Members that describe people or the file: any value, never a point."""
MEMBERS = frozenset({"game", "settings", "hands", "players", "time_expired_after", "ended_by_host"})


class ScoredRecord(Struct, frozen=True):
    game: str
    scores: dict[str, int]
    hands: tuple[ScoredHand, ...]
    outcome: Outcome | None


def score_record(record: Json) -> ScoredRecord:
    """The whole game, scored. Raises RecordError for the first thing that is wrong: the record, then hand by hand."""
    *_, sheet = replay(record)
    outcome = sheet.outcome
    if outcome is None and isinstance(record, dict) and record.get("ended_by_host"):
        outcome = Outcome(sheet.leader(), "host")
    return ScoredRecord(sheet.game.key, sheet.scores, sheet.hands, outcome)


def replay(record: Json) -> Iterator[Sheet]:
    """The sheet before the first hand and after each. Raises RecordError on the way, as `score_record` does."""
    if not isinstance(record, dict):
        raise RecordError("malformed")
    given: Entry = {key: value for key, value in record.items() if value is not None}
    written = given.get("format")
    if isinstance(written, int) and written > RECORD_FORMAT:
        raise RecordError("malformed", "format", {"field": "format", "format": written})
    hands = given.get("hands")
    sheet = _open(given)
    if not isinstance(hands, list):
        raise RecordError("malformed", "hands", {"field": "hands"})
    _check_ended_by_host(given)
    time_expired_after = _read_time_expired_after(given, sheet)
    yield sheet
    for entry in hands:
        sheet = sheet.add(entry, time_expired_after)
        yield sheet


def _open(given: Entry) -> Sheet:
    game = given.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise RecordError("unknown_game", "game", {"game": game if isinstance(game, str) else ""})
    for key in given:
        if key not in MEMBERS and key not in ABOUT_THE_RECORD:
            raise RecordError("unknown_field", key, {"field": key})
    settings = given.get("settings", {})
    if not isinstance(settings, dict):
        raise RecordError("malformed", "settings", {"field": "settings"})
    return open_sheet(game, settings, given.get("players"))


def _check_ended_by_host(given: Entry) -> None:
    if not isinstance(given.get("ended_by_host", False), bool):
        raise RecordError("malformed", "ended_by_host", {"field": "ended_by_host"})


def _read_time_expired_after(given: Entry, sheet: Sheet) -> int | None:
    expired = given.get("time_expired_after")
    if expired is None:
        return None
    if not sheet.game.has_time_limit:
        raise RecordError("unknown_field", "time_expired_after", {"field": "time_expired_after"})
    if type(expired) is not int or expired < 0:
        raise RecordError("malformed", "time_expired_after", {"field": "time_expired_after"})
    if sheet.time_limit_minutes() is None:
        raise RecordError("no_time_limit", "time_expired_after")
    return expired

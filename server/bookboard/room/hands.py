"""Hands: noted while in play, entered, corrected, taken back; each for the hand and revision that its sender saw."""

from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.access import HOST, Actor
from bookboard.room.evolve import changed_parts, parts_of
from bookboard.room.rejections import Already, Rejected, from_rules
from bookboard.room.state import KeptHand, Mark, Room
from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.sheet import Sheet

MOST_HANDS = 500

Decision = list[e.AnyEvent] | Already | Rejected


def note_hand(room: Room, command: c.NoteHand, actor: Actor) -> Decision:
    game = room.state.game
    if command.hand != _hand_in_play(room):
        return _of_another_hand(room, command)
    closed = _closed(room)
    if closed is not None:
        return closed
    before = game.in_play.entry
    try:
        after = room.sheet.note(before, command.part)
    except RecordError as error:
        return from_rules(error)
    changed = changed_parts(before, after)
    if not changed:
        return _already(_last_mark(room, command.part))
    if _changed_since(room, changed, command.revision):
        return Rejected("conflict", {"hand": command.hand})
    if _overrides(before, after) and actor.role != HOST:
        return Rejected("host_only", field="allowed")
    if room.sheet.ends_at_once(after):
        return [e.HandScored(command.hand, after)]
    return [e.HandNoted(command.hand, command.part, after)]


def enter_hand(room: Room, command: c.EnterHand, actor: Actor) -> Decision:
    game = room.state.game
    if command.hand != _hand_in_play(room):
        return _of_another_hand(room, command)
    closed = _closed(room)
    if closed is not None:
        return closed
    if _changed_since(room, set(game.in_play.changed), command.revision):
        return Rejected("conflict", {"hand": command.hand})
    if len(game.hands) >= MOST_HANDS:
        return Rejected("too_many_hands", {"most": MOST_HANDS})
    try:
        entry = room.sheet.note(game.in_play.entry, command.part)
        room.sheet.add(entry, game.clock.expired_after)
    except RecordError as error:
        return from_rules(error)
    if _overrides(game.in_play.entry, entry) and actor.role != HOST:
        return Rejected("host_only", field="allowed")
    return [e.HandScored(command.hand, entry)]


def correct_hand(room: Room, command: c.CorrectHand, actor: Actor) -> Decision:
    game = room.state.game
    if not 1 <= command.hand <= len(game.hands):
        return Rejected("conflict", {"hand": _hand_in_play(room)})
    kept = game.hands[command.hand - 1]
    before = room.sheet.back_to(command.hand - 1)
    try:
        entry = before.note({}, command.entry)
        after = before.add(entry, game.clock.expired_after)
    except RecordError as error:
        return from_rules(error)
    if not changed_parts(kept.entry, entry):
        return _already(kept.last_mark)
    if kept.last_mark.version > command.revision:
        return Rejected("conflict", {"hand": command.hand})
    if _overrides(kept.entry, entry) and actor.role != HOST:
        return Rejected("host_only", field="allowed")
    allowed = _excused(after, game.hands[command.hand :], game.clock.expired_after)
    return allowed if isinstance(allowed, Rejected) else [e.HandCorrected(command.hand, entry, allowed)]


def _excused(sheet: Sheet, later: tuple[KeptHand, ...], expired_after: int | None) -> dict[str, list[str]] | Rejected:
    """The checks that later hands are excused from after a correction: their bids were allowed when they were made."""
    excused: dict[str, list[str]] = {}
    for kept in later:
        entry = kept.entry
        while True:
            number = len(sheet.hands) + 1
            try:
                sheet = sheet.add(entry, expired_after)
                break
            except RecordError as error:
                if error.code not in sheet.game.overrides or error.code in _allowed(entry):
                    if error.code == "game_over":
                        return Rejected("game_would_end_earlier", {"hand": number - 1})
                    return from_rules(error)
                checks = [*_allowed(entry), error.code]
                excused[str(number)] = checks
                entry = {**entry, "allowed": list[Json](checks)}
    return excused


def take_back_hand(room: Room, command: c.TakeBackHand) -> Decision:
    game = room.state.game
    if command.hand == _hand_in_play(room) and game.in_play.since.version > command.revision:
        return _already(game.in_play.since)
    if command.hand != len(game.hands) or command.hand == 0:
        return Rejected("conflict", {"hand": _hand_in_play(room)})
    if game.hands[-1].last_mark.version > command.revision:
        return Rejected("conflict", {"hand": command.hand})
    return [e.HandTakenBack(command.hand)]


def remove_hand(room: Room, command: c.RemoveHand) -> Decision:
    game = room.state.game
    if not 1 <= command.hand <= len(game.hands):
        return Rejected("conflict", {"hand": _hand_in_play(room)})
    if (
        any(kept.last_mark.version > command.revision for kept in game.hands)
        or game.in_play.since.version > command.revision
    ):
        return Rejected("conflict", {"hand": command.hand})
    expired_after = game.clock.expired_after
    if expired_after is not None and command.hand <= expired_after:
        expired_after -= 1
    allowed = _excused(room.sheet.back_to(command.hand - 1), game.hands[command.hand :], expired_after)
    return allowed if isinstance(allowed, Rejected) else [e.HandRemoved(command.hand, allowed)]


def _hand_in_play(room: Room) -> int:
    return len(room.state.game.hands) + 1


def _closed(room: Room) -> Rejected | None:
    """Why no hand can be played just now."""
    game = room.state.game
    if game.started is None:
        return Rejected("not_started")
    if room.outcome is not None:
        return Rejected("game_over", {"hand": _hand_in_play(room)})
    return None


def _of_another_hand(room: Room, command: c.NoteHand | c.EnterHand) -> Already | Rejected:
    """A hand that is scored already: the same again is answered as the first was, anything else is in conflict."""
    game = room.state.game
    conflict = Rejected("conflict", {"hand": _hand_in_play(room)})
    if not 1 <= command.hand <= len(game.hands):
        return conflict
    kept = game.hands[command.hand - 1]
    try:
        laid_over = room.sheet.back_to(command.hand - 1).note(kept.entry, command.part)
    except RecordError:
        return conflict
    return conflict if changed_parts(kept.entry, laid_over) else _already(kept.last_mark)


def _changed_since(room: Room, parts: set[str], revision: int) -> bool:
    in_play = room.state.game.in_play
    marks = (in_play.changed[part] for part in parts if part in in_play.changed)
    return in_play.since.version > revision or any(mark.version > revision for mark in marks)


def _last_mark(room: Room, part: Entry) -> Mark:
    in_play = room.state.game.in_play
    marks = [in_play.changed[path] for path in parts_of(part) if path in in_play.changed]
    return max(marks, key=lambda mark: mark.version, default=in_play.since)


def _already(mark: Mark) -> Already:
    return Already(mark.by, mark.at, mark.version)


def _allowed(entry: Entry) -> list[str]:
    allowed = entry.get("allowed")
    return [str(check) for check in allowed] if isinstance(allowed, list) else []


def _overrides(before: Entry, after: Entry) -> bool:
    """A check is overridden that was not before."""
    return not set(_allowed(after)) <= set(_allowed(before))

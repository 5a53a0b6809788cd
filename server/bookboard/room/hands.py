"""The hand in play: noted, entered, and back in play once taken back; for the hand and revision its sender saw."""

from bookboard.log.actors import Actor
from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal, from_rules
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.access import HOST
from bookboard.room.entries import parts_in, sanitize_entry
from bookboard.room.evolve import changed_parts, parts_of
from bookboard.room.names import clean_name
from bookboard.room.state import Mark, Room
from bookboard.rules.model import Entry, RecordError
from bookboard.rules.shape import lay_over

MAX_HANDS = 500

Decision = list[e.AnyEvent] | Already | Refusal


def note_hand(room: Room, command: c.NoteHand, actor: Actor) -> Decision:
    game = room.state.game
    elsewhere = _not_for_play(room, command)
    if elsewhere is not None:
        return elsewhere
    before = game.in_play.entry
    try:
        part = sanitize_entry(command.part)
        after = room.sheet.note(before, part)
    except RecordError as error:
        return from_rules(error)
    changed = changed_parts(before, after)
    if not changed:
        return already(_last_mark(room, part))
    scores = room.sheet.ends_at_once(after)
    seen = set(game.in_play.changed) | changed if scores else changed  # what is scored, its sender has to have seen
    if _changed_since(room, seen, command.revision):
        return conflict(room, command.hand)
    if overrides_more(before, after) and actor.role != HOST:
        return Refusal("host_only", field="allowed")
    if scores:
        unscorable = _not_to_be_scored(room, after)
        if unscorable is not None:
            return unscorable
        return [e.HandScored(game.number_in_play, after, clean_name(command.reason), command.hand)]
    noted = parts_in(part, changed)
    return [e.HandNoted(game.number_in_play, noted, after, clean_name(command.reason), command.hand)]


def enter_hand(room: Room, command: c.EnterHand, actor: Actor) -> Decision:
    game = room.state.game
    elsewhere = _not_for_play(room, command)
    if elsewhere is not None:
        return elsewhere
    if _changed_since(room, set(game.in_play.changed), command.revision):
        return conflict(room, command.hand)
    try:
        entry = lay_over(game.in_play.entry, sanitize_entry(command.part))
    except RecordError as error:
        return from_rules(error)
    unscorable = _not_to_be_scored(room, entry)
    if unscorable is not None:
        return unscorable
    if overrides_more(game.in_play.entry, entry) and actor.role != HOST:
        return Refusal("host_only", field="allowed")
    return [e.HandScored(game.number_in_play, entry, clean_name(command.reason), command.hand)]


def _not_to_be_scored(room: Room, entry: Entry) -> Refusal | None:
    """Why the hand in play cannot be scored as it is; None if it can."""
    game = room.state.game
    if len(game.hands) >= MAX_HANDS:
        return Refusal("too_many_hands", {"most": MAX_HANDS})
    try:
        room.sheet.add(entry, game.clock.expired_after)
    except RecordError as error:
        return from_rules(error)
    return None


def take_back_hand(room: Room, command: c.TakeBackHand) -> Decision:
    game = room.state.game
    if command.hand == game.in_play.id and game.in_play.was_taken_back:
        return already(game.in_play.since)
    last = game.hands[-1] if game.hands else None
    if last is None or command.hand != last.id or last.last_mark.version > command.revision:
        return conflict(room, command.hand)
    return [e.HandTakenBack(len(game.hands), last.id)]


def conflict(room: Room, hand: int) -> Refusal:
    """That hand is not what the sender saw: with its number, and who removed it, if somebody did."""
    game = room.state.game
    number = game.number_in_play if hand == game.in_play.id else game.number_of(hand)
    removed = game.removed_hand(hand)
    if removed is not None:
        by, at = removed.mark.by, removed.mark.at
        return Refusal("conflict", {"hand": hand, "number": removed.number, "removed_by": by, "removed_at": at})
    return Refusal("conflict", {"hand": hand, "number": number})


def _not_for_play(room: Room, command: c.NoteHand | c.EnterHand) -> Already | Refusal | None:
    """The answer where the hand is not the one in play, or none can be played just now."""
    if command.hand != room.state.game.in_play.id:
        return _of_another_hand(room, command)
    if room.state.game.started is None:
        return Refusal("not_started")
    if room.outcome is not None:
        return Refusal("game_over", {"hand": room.state.game.number_in_play})
    return None


def _of_another_hand(room: Room, command: c.NoteHand | c.EnterHand) -> Already | Refusal:
    """A hand that is scored already: the same again is answered as the first was, anything else is in conflict."""
    game = room.state.game
    number = game.number_of(command.hand)
    if number is None:
        return conflict(room, command.hand)
    kept = game.hands[number - 1]
    try:
        laid_over = room.sheet.back_to(number - 1).note(kept.entry, sanitize_entry(command.part))
    except RecordError:
        return conflict(room, command.hand)
    return conflict(room, command.hand) if changed_parts(kept.entry, laid_over) else already(kept.last_mark)


def _changed_since(room: Room, parts: set[str], revision: int) -> bool:
    in_play = room.state.game.in_play
    marks = (in_play.changed[part] for part in parts if part in in_play.changed)
    return in_play.since.version > revision or any(mark.version > revision for mark in marks)


def _last_mark(room: Room, part: Entry) -> Mark:
    in_play = room.state.game.in_play
    marks = [in_play.changed[path] for path in parts_of(part) if path in in_play.changed]
    return max(marks, key=lambda mark: mark.version, default=in_play.since)


def already(mark: Mark) -> Already:
    return Already(mark.by, mark.at, mark.version)


def overrides_more(before: Entry, after: Entry) -> bool:
    """A check is overridden that was not before."""
    return not set(allowed_in(after)) <= set(allowed_in(before))


def allowed_in(entry: Entry) -> list[str]:
    """The checks that a hand is excused from."""
    allowed = entry.get("allowed")
    return [str(check) for check in allowed] if isinstance(allowed, list) else []

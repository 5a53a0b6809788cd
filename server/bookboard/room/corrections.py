"""Corrections of scored hands: one replaced or removed, and all after it scored anew.

A later bid that the correction would no longer entitle stays: it was made in good faith. It is excused from the check,
and the record says so (`allowed`).
"""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from bookboard.log.actors import Actor
from bookboard.log.refusals import Refusal, from_rules
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.access import HOST
from bookboard.room.entries import sanitize_entry
from bookboard.room.evolve import changed_parts
from bookboard.room.hands import Decision, allowed_in, already, conflict, overrides_more
from bookboard.room.names import clean_name
from bookboard.room.state import Room
from bookboard.rules.model import Entry, RecordError
from bookboard.rules.sheet import Sheet

T = TypeVar("T")

HANDS_A_MESSAGE = 32
"""So many hands scored anew are about the work of another message."""


def cost_of(room: Room, command: c.AnyCommand) -> float:
    """What a command costs, or looking at what it would do, in ordinary ones: all later hands are scored anew."""
    match command:
        case c.CorrectHand() | c.RemoveHand():
            game = room.state.game
            number = game.number_of(command.hand)
            return 1 if number is None else 1 + (len(game.hands) - number) / HANDS_A_MESSAGE
        case _:
            return 1


def is_long(room: Room, command: c.AnyCommand) -> bool:
    """Whether it is more than a server's other work should wait for."""
    return cost_of(room, command) > 2


def correct_hand(room: Room, command: c.CorrectHand, actor: Actor) -> Decision:
    game = room.state.game
    number = game.number_of(command.hand)
    if number is None:
        return conflict(room, command.hand)
    kept = game.hands[number - 1]
    before = room.sheet.back_to(number - 1)
    try:
        entry = before.note({}, sanitize_entry(command.entry))
        after = before.add(entry, game.clock.expired_after)
    except RecordError as error:
        return from_rules(error)
    if not changed_parts(kept.entry, entry):
        return already(kept.last_mark)
    if kept.last_mark.version > command.revision:
        return conflict(room, command.hand)
    if overrides_more(kept.entry, entry) and actor.role != HOST:
        return Refusal("host_only", field="allowed")
    excuses = _excuses_after(after, room, number, game.clock.expired_after)
    if isinstance(excuses, Refusal):
        return excuses
    return [e.HandCorrected(number, entry, excuses, clean_name(command.reason), command.hand)]


def remove_hand(room: Room, command: c.RemoveHand) -> Decision:
    game = room.state.game
    number = game.number_of(command.hand)
    if number is None:
        removed = game.removed_hand(command.hand)
        return already(removed.mark) if removed is not None else conflict(room, command.hand)
    if game.hands[number - 1].last_mark.version > command.revision:
        return conflict(room, command.hand)
    expired_after = game.clock.expired_without(number)
    excuses = _excuses_after(room.sheet.back_to(number - 1), room, number, expired_after)
    return excuses if isinstance(excuses, Refusal) else [e.HandRemoved(number, excuses, command.hand)]


def _excuses_after(sheet: Sheet, room: Room, hand: int, expired_after: int | None) -> dict[str, list[str]] | Refusal:
    """The checks that the hands after this one, scored and in play, have to be excused from, by their new numbers.

    Refused where a later hand could not be excused; the refusal calls it by the number that people see now.
    """
    game = room.state.game
    excuses: dict[str, list[str]] = {}
    moved_up = hand - len(sheet.hands)
    number = hand + 1
    entries = [scored.entry for scored in sheet.hands[hand - 1 :]]
    try:
        for kept in game.hands[hand:]:
            entry, sheet = _excused(kept.entry, sheet, partial(sheet.add, time_expired_after=expired_after))
            if entry is not kept.entry:
                excuses[str(number - moved_up)] = allowed_in(entry)
            entries.append(entry)
            number += 1
        room.sheet.keep_replayed(hand - 1, entries, expired_after, sheet)
        if sheet.outcome is None:
            in_play, _ = _excused(game.in_play.entry, sheet, partial(sheet.note, part={}))
            if in_play is not game.in_play.entry:
                excuses[str(number - moved_up)] = allowed_in(in_play)
    except RecordError as error:
        if error.code == "game_over":
            return Refusal("game_would_end_earlier", {"hand": number - 1})
        return Refusal("would_break_hand", {**error.facts, "hand": number, "why": error.code})
    return excuses


def _excused(entry: Entry, sheet: Sheet, attempt: Callable[[Entry], T]) -> tuple[Entry, T]:
    """The entry, excused from each check that stands in the attempt's way and may be waived, and what came of it.

    Raises RecordError.
    """
    while True:
        try:
            return entry, attempt(entry)
        except RecordError as error:
            checks = allowed_in(entry)
            if error.code not in sheet.game.overrides or error.code in checks:
                raise
            entry = {**entry, "allowed": [*checks, error.code]}

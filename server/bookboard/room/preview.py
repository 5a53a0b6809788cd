"""What a command would score and change, without doing it."""

from msgspec import UNSET, Struct

from bookboard.log.actors import Actor
from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.decide import decide
from bookboard.room.evolve import evolve
from bookboard.room.hand_views import HandView, hands_change
from bookboard.room.state import Room
from bookboard.room.views import current_of
from bookboard.rules.model import Outcome


class Previewed(Struct, frozen=True):
    """The hand the command is about, scored; the hands that would get other points; scores and outcome afterwards.

    A later hand whose running score alone would move is not named.

    `excused` names, by id, the later hands whose bids would stand only because the checks listed are waived for
    them.
    """

    hand: HandView | None
    changed: list[HandView]
    excused: dict[str, list[str]]
    scores: dict[str, int]
    outcome: Outcome | None


def preview(room: Room, command: c.AnyCommand, actor: Actor, now: int) -> Previewed | Refusal:
    decided = decide(room, command, actor, now)
    if isinstance(decided, Refusal):
        return decided
    events = [] if isinstance(decided, Already) else decided
    after = room
    for event in events:
        after = evolve(after, e.Recorded(after.state.version + 1, "", now, actor.person or "", event))
    hand = None
    if isinstance(command, c.EnterHand | c.CorrectHand | c.NoteHand):
        current = current_of(after, command.hand)
        hand = current.scored if current is not None else None
    changes = hands_change(room, after)
    return Previewed(
        hand=hand,
        changed=[] if changes is UNSET else changes.hands,
        excused=_excused(events, after),
        scores=after.sheet.scores,
        outcome=after.outcome,
    )


def _excused(events: list[e.AnyEvent], after: Room) -> dict[str, list[str]]:
    game = after.state.game
    ids = [*(kept.id for kept in game.hands), game.in_play.id]
    corrections = (event for event in events if isinstance(event, e.HandCorrected | e.HandRemoved))
    allowed = next((event.allowed for event in corrections), {})
    return {str(ids[int(number) - 1]): checks for number, checks in allowed.items()}

"""What a command would score, without doing it."""

from msgspec import Struct

from bookboard.room import commands as c
from bookboard.room.access import Actor
from bookboard.room.decide import decide
from bookboard.room.events import Recorded
from bookboard.room.evolve import evolve
from bookboard.room.rejections import Already, Rejected
from bookboard.room.state import Room
from bookboard.room.views import HandView, current_of
from bookboard.rules.model import Outcome


class Previewed(Struct, frozen=True):
    """The hand the command is about as it would be scored; scores and outcome after it and the hands that follow it."""

    hand: HandView | None
    scores: dict[str, int]
    outcome: Outcome | None


def preview(room: Room, command: c.AnyCommand, actor: Actor, now: int) -> Previewed | Rejected:
    decided = decide(room, command, actor, now)
    if isinstance(decided, Rejected):
        return decided
    for event in [] if isinstance(decided, Already) else decided:
        room = evolve(room, Recorded(room.state.version + 1, "", now, actor.person or "", event))
    hand = None
    if isinstance(command, c.EnterHand | c.CorrectHand | c.NoteHand):
        hand = current_of(room, command.hand).scored
    return Previewed(hand, room.sheet.scores, room.outcome)

"""What a room tells its screens: of an event, of a refusal, of what a command would score."""

from bookboard.log.actors import Actor
from bookboard.log.answers import Rejected
from bookboard.log.tagged import snake_case
from bookboard.protocol.messages import EventMessage, Preview, PreviewResult, Refused
from bookboard.room.commands import AnyCommand
from bookboard.room.events import Recorded
from bookboard.room.preview import preview
from bookboard.room.state import Room
from bookboard.room.views import changes_between, current_of, hand_of
from bookboard.store.contract import Entry


def event_message(epoch: int, entry: Entry, recorded: Recorded, *, before: Room, after: Room) -> EventMessage:
    hand_id, number = hand_of(recorded.event, before) or (None, None)
    return EventMessage(
        epoch=epoch,
        version=entry.version,
        id=entry.id,
        prev=entry.prev,
        at=entry.at,
        by=recorded.by,
        kind=snake_case(type(recorded.event).__name__),
        hand=number,
        hand_id=hand_id,
        changes=changes_between(before, after),
    )


def refusal(cmd: str, rejected: Rejected, room: Room, command: AnyCommand) -> Refused:
    """With a conflict comes the hand as the room has it."""
    hand: int | None = getattr(command, "hand", None)
    current = current_of(room, hand) if rejected.code == "conflict" and hand is not None else None
    return Refused(cmd, rejected.code, rejected.facts, rejected.retry, rejected.field, current)


def preview_answer(room: Room, message: Preview, actor: Actor, now: int) -> PreviewResult | Refused:
    shown = preview(room, message.command, actor, now)
    if isinstance(shown, Rejected):
        return refusal(message.id, shown, room, message.command)
    return PreviewResult(
        id=message.id,
        hand=shown.hand,
        changed=shown.changed,
        excused=shown.excused,
        scores=shown.scores,
        outcome=shown.outcome,
    )

"""What a table tells its screens: of an event, a refusal, what a command would score, and what a rewind lost."""

from bookboard.log.actors import Actor
from bookboard.log.refusals import Refusal
from bookboard.log.tagged import snake_case
from bookboard.protocol.messages import EventMessage, Preview, PreviewResult, Refused, Rewound
from bookboard.room.commands import AnyCommand
from bookboard.room.events import Recorded
from bookboard.room.preview import preview
from bookboard.room.state import Room
from bookboard.room.views import changes_between, current_of, hand_of
from bookboard.store.contract import Entry


def event_message(epoch: int, entry: Entry, recorded: Recorded, before: Room, after: Room) -> EventMessage:
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


def refused(cmd: str, refusal: Refusal, room: Room, command: AnyCommand) -> Refused:
    """With a conflict comes the hand as the room has it."""
    hand: int | None = getattr(command, "hand", None)
    current = current_of(room, hand) if refusal.code == "conflict" and hand is not None else None
    return Refused(cmd, refusal.code, refusal.facts, retry=False, field=refusal.field, current=current)


def preview_answer(room: Room, message: Preview[AnyCommand], actor: Actor, now: int) -> PreviewResult | Refused:
    shown = preview(room, message.command, actor, now)
    if isinstance(shown, Refusal):
        return refused(message.id, shown, room, message.command)
    return PreviewResult(
        id=message.id,
        hand=shown.hand,
        changed=shown.changed,
        excused=shown.excused,
        scores=shown.scores,
        outcome=shown.outcome,
    )


def rewound(epoch: int, before: Room | None, after: Room) -> Rewound:
    """What to tell screens that showed `before`, if that is known, and show `after` from this epoch on."""
    now = after.state.game
    if before is None:
        return Rewound(epoch, now.number, [], complete=False)
    game = before.state.game
    if game.number < now.number:
        return Rewound(epoch, game.number, [])  # it is over, and its record kept
    kept = [hand.entry for hand in now.hands] if game.number == now.number else []
    gone = [number for number, hand in enumerate(game.hands, start=1) if kept[number - 1 : number] != [hand.entry]]
    return Rewound(epoch, game.number, gone)

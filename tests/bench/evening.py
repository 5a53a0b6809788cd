"""The commands of a table's evening, as phones send them: bids side by side, books, twenty hands, the next game.

Each command makes one event, so a room's version tells which is next, and the game can go on for ever. In the texts
`%n` is a number nobody has used, `%v` the room's version, `%g` the number of the game, `%h` of the one after it.
"""

import json
from functools import cache
from statistics import fmean

import msgspec
from msgspec import Struct

from bookboard.log.actors import Actor, hash_token
from bookboard.protocol.codecs import JSON
from bookboard.protocol.messages import Beat, Do, EventMessage, Forecast, SnapshotMessage
from bookboard.room.access import HOST
from bookboard.room.decide import decide
from bookboard.room.events import GameStarted, Recorded, TableOpened
from bookboard.room.evolve import evolve
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.room.state import Room
from bookboard.room.views import forecast_of, view_of
from bookboard.store.contract import Entry, FeedMessage
from bookboard.tables.replies import event_message
from bookboard.tables.serialization import encode_event

HOST_TOKEN = "host-token-host-token-host"
HANDS = 20
BEGUN = 2
"""A table's version once its first game is on."""
AT = 1_800_000_000_000
AROUND_A_MESSAGE = 60


def opened_table(code: str) -> TableOpened:
    hashes = Hashes(hash_token(HOST_TOKEN), hash_token("invited"), hash_token("recovery"))
    settings = {"first_hand_bids_itself": False, "score_limit": 5000}
    opened = open_table(code, Opening(name="Table 4", host_name="Holly", key="spades", settings={**settings}), hashes)
    assert isinstance(opened, TableOpened), opened
    return opened


def commands() -> list[str]:
    texts = []
    for hand in range(1, HANDS + 1):
        bids = {"north_south": 5, "east_west": 6} if hand % 2 else {"north_south": 7, "east_west": 4}
        texts += [_about(hand, "note_hand", {"bids": {side: bid}}) for side, bid in bids.items()]
        texts.append(_about(hand, "enter_hand", {"books": {"north_south": 6, "east_west": 7}}))
    texts += [_command("end_game", f'"game":%g,"hand":{HANDS + 1}'), _command("next_game")]
    texts.append(_command("start_game", '"game":%h'))
    return texts


def _about(hand: int, kind: str, part: object) -> str:
    return _command(kind, f'"game":%g,"hand":{hand},"revision":%v,"part":{json.dumps(part)}')


def _command(kind: str, rest: str = '"game":%g') -> str:
    return f'{{"type":"do","cmd":"load-%n","command":{{"type":"{kind}",{rest}}}}}'


def filled(text: str, version: int) -> str:
    """A command of the first game as it is sent at that version."""
    for name, value in {"%n": "0", "%v": str(version), "%g": "1", "%h": "2"}.items():
        text = text.replace(name, value)
    return text


class Step(Struct, frozen=True):
    """A command's event, and the room before and after it."""

    recorded: Recorded
    before: Room
    after: Room


@cache
def played() -> tuple[Step, ...]:
    """The first game."""
    opened = opened_table("K7F4MPQ")
    host = Actor(HOST, opened.host)
    room = evolve(None, Recorded(1, "m" * 16, AT, opened.host, opened))
    room = evolve(room, Recorded(BEGUN, "n" * 16, AT, opened.host, GameStarted()))
    steps = []
    for version, text in enumerate(commands(), start=BEGUN):
        message = JSON.decode(filled(text, version).encode())
        assert isinstance(message, Do)
        decided = decide(room, message.command, host, AT)
        assert isinstance(decided, list), (text, decided)
        assert len(decided) == 1, decided
        recorded = Recorded(version + 1, "o" * 16, AT, opened.host, decided[0])
        before, room = room, evolve(room, recorded)
        steps.append(Step(recorded, before, room))
    return tuple(steps)


def _entry(recorded: Recorded) -> Entry:
    return Entry(recorded.version, recorded.id, "n" * 16, AT, encode_event(recorded.by, recorded.event))


@cache
def events() -> tuple[EventMessage, ...]:
    """What screens are sent of it."""
    return tuple(
        event_message(1, _entry(step.recorded), step.recorded, before=step.before, after=step.after)
        for step in played()
    )


def mean_bytes() -> int:
    """Of an event's payload, over the whole game."""
    return round(fmean(len(JSON.encode(event)) for event in events()))


def snapshot_bytes() -> int:
    """Of what a screen gets when it comes, over the whole game."""
    shown = [(step.recorded.version, view_of(step.after)) for step in played()]
    return round(fmean(len(JSON.encode(SnapshotMessage(1, version, "o" * 16, view, {}))) for version, view in shown))


def outlook_bytes() -> int:
    """Of what a screen is told once a hand was left alone, where there is something to tell."""
    found = [forecast_of(step.after) for step in played()]
    return round(fmean(len(JSON.encode(Forecast(1, 100, outlook))) for outlook in found if outlook))


def beat_bytes() -> int:
    return len(JSON.encode(Beat(AT)))


def feed_bytes() -> int:
    """Of what Redis sends each hub that hears an event: the message, and channel and lengths around it."""
    messages = (FeedMessage("K7F4MPQ", 1, (_entry(step.recorded),)) for step in played())
    return round(fmean(len(msgspec.msgpack.encode(message)) for message in messages)) + AROUND_A_MESSAGE


def command_bytes() -> int:
    return round(fmean(len(filled(text, 100)) for text in commands()))


def typical_event() -> EventMessage:
    """The one whose size is nearest to the mean."""
    mean = mean_bytes()
    return min(events(), key=lambda event: abs(len(JSON.encode(event)) - mean))

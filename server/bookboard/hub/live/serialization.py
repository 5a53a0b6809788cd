"""How the hub writes what the store keeps: events, states and answers, all as MessagePack."""

import msgspec
from msgspec import Struct

from bookboard.room.events import AnyEvent, Recorded
from bookboard.room.state import RoomState
from bookboard.store.contract import Entry


class StoredEvent(Struct, frozen=True, array_like=True):
    by: str
    event: AnyEvent


class Answer(Struct, frozen=True, array_like=True):
    """What a command was answered: it is in the log, up to this version."""

    version: int


_events = msgspec.msgpack.Decoder(StoredEvent)
_states = msgspec.msgpack.Decoder(RoomState)
_answers = msgspec.msgpack.Decoder(Answer)


def encode_event(by: str, event: AnyEvent) -> bytes:
    return msgspec.msgpack.encode(StoredEvent(by, event))


def decode_entry(entry: Entry) -> Recorded:
    stored = _events.decode(entry.body)
    return Recorded(
        version=entry.version, id=entry.id, at=entry.at, by=stored.by, event=stored.event, steady=entry.steady
    )


def encode_state(state: RoomState) -> bytes:
    return msgspec.msgpack.encode(state)


def decode_state(body: bytes) -> RoomState:
    return _states.decode(body)


def encode_answer(version: int) -> bytes:
    return msgspec.msgpack.encode(Answer(version))


def decode_answer(body: bytes) -> int:
    return _answers.decode(body).version

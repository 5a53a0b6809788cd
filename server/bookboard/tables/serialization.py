"""How events and states of a table are stored: as MessagePack."""

import msgspec
from msgspec import Struct

from bookboard.room.events import AnyEvent, Recorded
from bookboard.room.state import RoomState
from bookboard.store.contract import Entry


class StoredEvent(Struct, frozen=True, array_like=True):
    by: str
    event: AnyEvent


_events = msgspec.msgpack.Decoder(StoredEvent)
_states = msgspec.msgpack.Decoder(RoomState)


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

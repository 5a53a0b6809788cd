"""What is a message, in either codec: exactly the same."""

import json
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookboard.protocol.codecs import (
    CODECS,
    JSON,
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_MESSAGE_BYTES,
    MSGPACK,
    Codec,
    Malformed,
    codec_for,
)
from bookboard.protocol.messages import Beat, Do, FromClient, Hello, Pong, Preview, PutBack, Resume, Sync
from bookboard.room.commands import ClaimSeat, EnterHand, NoteHand

MESSAGES: list[FromClient] = [
    Hello("K7F4MPQ"),
    PutBack("back"),
    Hello("K7F4MPQ", token="t" * 30, screen="display", resume=Resume(1, 12, "abc")),
    Do("c1", NoteHand(1, 2, 3, {"bids": {"west": 4, "east": None}})),
    Do("c2", EnterHand(1, 2, 3, {"books": {"north_south": 7, "east_west": 6}, "reneges": ["east"]})),
    Do("c3", ClaimSeat("west", "Wés 🂡", "t" * 22)),
    Preview("p1", EnterHand(1, 2, 3, {})),
    Sync(),
    Pong(),
]


def packed(value: object) -> bytes:
    data: bytes = msgpack.packb(value)
    return data


def written(value: object, codec: Codec) -> bytes:
    return packed(value) if codec is MSGPACK else json.dumps(value).encode()


def fate(payload: bytes, codec: Codec) -> FromClient | None:
    try:
        message: FromClient = codec.decode(payload)
    except Malformed:
        return None
    return message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_every_message_reads_back(message: FromClient, codec: Codec) -> None:
    assert codec.decode(written(msgspec.to_builtins(message), codec)) == message


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        "hello",
        {"type": "shout"},
        {"type": "sync", "more": 1},
        {"type": "hello"},
        {"type": "hello", "room": 7},
        {"type": "hello", "room": "x" * 17},
        {"type": "do", "cmd": "", "command": {"type": "start_game", "game": 1}},
        {"type": "do", "cmd": "x" * 41, "command": {"type": "start_game", "game": 1}},
        {"type": "do", "cmd": "x", "command": {"type": "start_game", "game": -1}},
        {"type": "do", "cmd": "x", "command": {"type": "start_game", "game": 1.0}},
        {"type": "do", "cmd": "x", "command": {"type": "start_game", "game": "1"}},
        {"type": "do", "cmd": "x", "command": {"type": "start_game", "game": True}},
        {"type": "do", "cmd": "x", "command": {"type": "start_game", "game": MAX_INTEGER + 1}},
        {"type": "do", "cmd": "x", "command": {"type": "start_war", "game": 1}},
        {"type": "do", "cmd": "x", "command": {"type": "time_expired"}},
    ],
    ids=str,
)
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_what_is_no_message_is_malformed(value: object, codec: Codec) -> None:
    with pytest.raises(Malformed):
        codec.decode(written(value, codec))


def in_entry(value: object) -> dict[str, object]:
    return {
        "type": "do",
        "cmd": "x",
        "command": {"type": "note_hand", "game": 1, "hand": 1, "revision": 1, "part": {"bids": value}},
    }


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_depth_is_bounded(codec: Codec) -> None:
    def nested(depth: int) -> object:
        return [nested(depth - 1)] if depth else 1

    in_message_above = 3
    assert codec.decode(written(in_entry(nested(MAX_DEPTH - in_message_above)), codec))
    with pytest.raises(Malformed):
        codec.decode(written(in_entry(nested(MAX_DEPTH - in_message_above + 1)), codec))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[" * 10_000,
        b"nul",
        b'{"type":"sync"} x',
        b'{"type":"hello","room":"\xff"}',
        b'{"type":"hello","room":"\\ud800"}',
        b'{"type":"do","cmd":"x","command":{"type":"note_hand","game":1,"hand":1,"revision":1,"part":{"a":1e400}}}',
        b'{"type":"do","cmd":"x","command":{"type":"note_hand","game":1,"hand":1,"revision":1,"part":{"a":NaN}}}',
        b'{"type":"do","cmd":"x","command":{"type":"note_hand","game":1,"hand":1,"revision":1,"part":{"a":'
        + b"9" * 400,
        b" " * MAX_MESSAGE_BYTES + b'{"type":"sync"}',
    ],
)
def test_what_is_no_json_is_malformed(payload: bytes) -> None:
    with pytest.raises(Malformed):
        JSON.decode(payload)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\x91" * 10_000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        packed({"type": "sync"}) + b"\x00",
        packed({"type": b"sync"}),
        packed({b"type": "sync"}),
        packed({1: "sync"}),
        packed(in_entry(float("nan"))),
        packed(in_entry(float("inf"))),
        packed(in_entry(b"\x00")),
        packed(in_entry(2**63)),
        packed(in_entry(msgpack.ExtType(5, b""))),
        packed(in_entry(msgpack.ExtType(5, b"abc"))),
        packed(in_entry(msgpack.Timestamp(1))),
        b"\x81\xa4type\xa2\xff\xfe",
    ],
)
def test_what_is_no_messagepack_is_malformed(payload: bytes) -> None:
    with pytest.raises(Malformed):
        MSGPACK.decode(payload)


@given(st.binary(max_size=300))
def test_noise_is_malformed_and_nothing_else(payload: bytes) -> None:
    for codec in CODECS:
        fate(payload, codec)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@given(
    VALUES.map(in_entry) | st.fixed_dictionaries({"type": st.sampled_from(["hello", "sync"]), "room": VALUES}) | VALUES
)
def test_both_codecs_accept_the_same(value: object) -> None:
    assert fate(written(value, JSON), JSON) == fate(written(value, MSGPACK), MSGPACK)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["bookboard.v1.json"], JSON),
        (["other", "bookboard.v1.msgpack", "bookboard.v1.json"], MSGPACK),
        (["bookboard.v2.json"], None),
        ([], None),
    ],
)
def test_the_first_subprotocol_that_is_spoken_is_chosen(offered: list[str], chosen: Codec | None) -> None:
    assert codec_for(offered) is chosen


def test_messages_go_out_in_both() -> None:
    assert json.loads(JSON.encode(Beat(5))) == msgpack.unpackb(MSGPACK.encode(Beat(5))) == {"type": "beat", "now": 5}

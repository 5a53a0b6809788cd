"""Messages as bytes: JSON in text frames, MessagePack in binary frames. Both accept exactly the same messages.

They do so because both first become plain values, which pass one check of depth and sizes, and then one conversion to
the types of `messages.py`. On the way out every message is encoded once, whoever gets it.
"""

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, cast

import msgpack  # type: ignore[import-untyped]
import msgspec
from msgspec import Struct

from bookboard.protocol.messages import FromClient, Hello, ServerMessage

MAX_MESSAGE_BYTES = 16 * 1024
MAX_DEPTH = 8
"""A hand's entry lies at most 6 deep in its message."""
MAX_INTEGER = 2**53 - 1
"""What a browser's numbers hold without loss."""
MAX_MEMBERS = 512
"""Of one list or mapping. A MessagePack reader makes room for as many as are announced, in every list nested."""


class Malformed(Exception):  # noqa: N818
    """Not a message of this protocol. The text is for people who write a client; it holds nothing of the message."""


class Envelope(Struct):
    """What a table's clients send. What msgspec knows of a struct it works out once, of a union at every conversion."""

    message: FromClient


class First(Struct):
    """What any client sends first, while it is not known what kind of log it is about."""

    message: Hello


class Codec(Struct, frozen=True):
    """One way to write messages; `name` is its WebSocket subprotocol, `binary` its kind of frame."""

    name: str
    binary: bool
    read: Callable[[bytes], Any]
    encode: Callable[[ServerMessage], bytes]

    def decode(self, payload: bytes, messages: type[Struct] = Envelope) -> Any:  # noqa: ANN401
        """The message in a frame's payload, one of those that `messages` holds. Raises Malformed."""
        if len(payload) > MAX_MESSAGE_BYTES:
            raise Malformed("the message is longer than 16 KiB")
        try:
            value = self.read(payload)
            check_bounds(value)
            return msgspec.convert({"message": value}, messages).message  # type: ignore[attr-defined]
        except (ValueError, RecursionError):  # a validation's own text names what came
            raise Malformed(f"not a message in {self.name}") from None


def check_bounds(value: object, depth: int = MAX_DEPTH) -> None:
    """Raises Malformed for anything but JSON's kinds of values, and for what is too deep or too large."""
    kind = type(value)  # every message passes here: told by type, commonest first, which is twice as fast as `match`
    if kind is str:
        check_text(cast("str", value))
    elif kind is int:
        if abs(cast("int", value)) > MAX_INTEGER:
            raise Malformed("a number is too large")
    elif kind is dict or kind is list:
        _check_inside(cast("dict[object, object] | list[object]", value), depth)
    elif kind is float:
        if not isfinite(cast("float", value)):
            raise Malformed("a number is not finite")
    elif value is not None and kind is not bool:
        raise Malformed(f"a value of a kind that messages do not have: {kind.__name__}")


def _check_inside(values: "dict[object, object] | list[object]", depth: int) -> None:
    if depth == 0:
        raise Malformed("nested too deep")
    if len(values) > MAX_MEMBERS:
        raise Malformed("a list or mapping is too long")
    inner: Iterable[object] = values
    if isinstance(values, dict):
        for key in values:
            if type(key) is not str:
                raise Malformed("a key is not a text")
            check_text(key)
        inner = values.values()
    for each in inner:
        check_bounds(each, depth - 1)


def check_text(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Malformed("a text holds half a character") from None


def _no_extension(code: int, _: bytes) -> None:
    raise Malformed(f"extension type {code}")


def _read_msgpack(payload: bytes) -> object:
    return msgpack.unpackb(
        payload,
        raw=False,
        strict_map_key=True,
        ext_hook=_no_extension,
        max_str_len=MAX_MESSAGE_BYTES,
        max_bin_len=MAX_MESSAGE_BYTES,
        max_array_len=MAX_MEMBERS,
        max_map_len=MAX_MEMBERS,
        max_ext_len=0,
    )


JSON = Codec("bookboard.v1.json", binary=False, read=msgspec.json.decode, encode=msgspec.json.encode)
MSGPACK = Codec("bookboard.v1.msgpack", binary=True, read=_read_msgpack, encode=msgspec.msgpack.encode)
CODECS = (JSON, MSGPACK)
_SPOKEN = {codec.name: codec for codec in CODECS}


def codec_for(subprotocols: Iterable[str]) -> Codec | None:
    """The first of a client's subprotocols that is spoken here."""
    return next((_SPOKEN[name] for name in subprotocols if name in _SPOKEN), None)

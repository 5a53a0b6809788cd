"""A server's WebSocket frames (RFC 6455, 5.2): whole and not masked, so the same bytes serve every client."""

from functools import lru_cache

from bookboard.protocol.codecs import Codec

SHARED_FROM_BYTES = 4096
_FIN_TEXT, _FIN_BINARY = 0x81, 0x82


def frame(payload: bytes, first_byte: int) -> bytes:
    length = len(payload)
    if length < 126:
        return bytes((first_byte, length)) + payload
    if length < 65536:
        return bytes((first_byte, 126)) + length.to_bytes(2, "big") + payload
    return bytes((first_byte, 127)) + length.to_bytes(8, "big") + payload


def message_frame(payload: bytes, codec: Codec) -> bytes:
    """Large ones, which are snapshots, are the same object for all who wait for one, however many do not read."""
    first_byte = _FIN_BINARY if codec.binary else _FIN_TEXT
    return frame(payload, first_byte) if len(payload) < SHARED_FROM_BYTES else _shared(payload, first_byte)


_shared = lru_cache(maxsize=16)(frame)

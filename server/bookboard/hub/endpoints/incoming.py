"""What an ASGI message holds."""

from bookboard.hub.endpoints.context import Message
from bookboard.protocol.codecs import Codec, Malformed


def is_message(received: Message) -> bool:
    return bool(received["type"] == "websocket.receive")


def payload_of(received: Message, codec: Codec) -> bytes:
    binary: bytes | None = received.get("bytes")
    if (binary is not None) is not codec.binary:
        raise Malformed(f"{codec.name} comes in {'binary' if codec.binary else 'text'} frames")
    if binary is not None:
        return binary
    text: str = received["text"]
    return text.encode()

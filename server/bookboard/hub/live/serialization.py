"""How the answer to a command is stored."""

import msgspec
from msgspec import Struct


class Answer(Struct, frozen=True, array_like=True):
    """What a command was answered: it is in the log, up to this version."""

    version: int


_answers = msgspec.msgpack.Decoder(Answer)


def encode_answer(version: int) -> bytes:
    return msgspec.msgpack.encode(Answer(version))


def decode_answer(body: bytes) -> int:
    return _answers.decode(body).version

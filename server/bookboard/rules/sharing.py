"""A table's rules as one short text, for a QR code or a message: the game and the settings that differ, compressed.

    to_code(SPADES, {"score_limit": 500})   1q1YqLkhMSS1W0oFQKfk…

The first character is the format; the rest is URL-safe base64, so that the code can be part of a link.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping

import msgspec

from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.model import Json, RecordError
from bookboard.rules.settings_diff import non_default

FORMAT = "1"
LONGEST = 4096
"""No rules take more bytes than this once unpacked, or as a code."""


def to_code(game: AnyGame, settings: Mapping[str, Json]) -> str:
    """Raises unknown_setting, invalid_setting."""
    written = msgspec.json.encode([game.key, non_default(game, settings)])
    packer = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(written) + packer.flush()
    return FORMAT + urlsafe_b64encode(packed).rstrip(b"=").decode()


def from_code(code: str) -> tuple[AnyGame, dict[str, Json]]:
    """The game, and its settings that differ from the defaults.

    Raises malformed for what is no code, unknown_game, and what `read_settings` raises.
    """
    try:
        key, settings = msgspec.json.decode(_unpacked(code), type=tuple[str, dict[str, Json]])
    except (msgspec.MsgspecError, ValueError, zlib.error) as error:
        raise RecordError("malformed") from error
    if key not in GAMES:
        raise RecordError("unknown_game", "game", {"game": key})
    return GAMES[key], non_default(GAMES[key], settings)


def _unpacked(code: str) -> bytes:
    """Raises ValueError for what is not the work of `to_code`."""
    packed = code.removeprefix(FORMAT)
    if packed == code or len(code) > LONGEST or not code.isascii():
        raise ValueError
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    written = unpacker.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), LONGEST)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError
    return written

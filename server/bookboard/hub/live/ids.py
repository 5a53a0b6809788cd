"""Everything random: the room's codes, tokens and event ids. The pure layers take them as arguments."""

import secrets
from collections.abc import Iterator

from bookboard.log.codes import CODE_ALPHABET

CODE_LENGTH = 7
_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aiou"
_PHRASE_WORDS = 8


def new_room_code() -> str:
    """29^7 codes: more than 2^34."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def is_room_code(text: str) -> bool:
    return len(text) == CODE_LENGTH and all(letter in CODE_ALPHABET for letter in text)


def new_token() -> str:
    """128 random bits as base64url."""
    return secrets.token_urlsafe(16)


def _event_ids() -> Iterator[str]:
    """96 random bits each, as base64url; drawn by the hundred, since the system's randomness costs a call."""
    while True:
        drawn = secrets.token_urlsafe(12 * 128)
        yield from (drawn[at : at + 16] for at in range(0, len(drawn), 16))


_ids = _event_ids()


def new_event_id() -> str:
    return next(_ids)


def new_recovery_phrase() -> str:
    """128 random bits as words that can be read out: proquints, 16 bits each (Wilkerson, arXiv:0901.4016)."""
    return " ".join(proquint(secrets.randbits(16)) for _ in range(_PHRASE_WORDS))


def proquint(bits: int) -> str:
    """Sixteen bits as consonant, vowel, consonant, vowel, consonant, the highest bits first."""
    return "".join(
        (
            _CONSONANTS[bits >> 12 & 15],
            _VOWELS[bits >> 10 & 3],
            _CONSONANTS[bits >> 6 & 15],
            _VOWELS[bits >> 4 & 3],
            _CONSONANTS[bits & 15],
        )
    )

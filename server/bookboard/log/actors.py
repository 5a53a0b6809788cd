"""Who acts on a live log. A token is known by its hash; what its bearer may do follows from the log as it is now."""

import hashlib
import re
from typing import NewType

from msgspec import Struct

SPECTATOR = "spectator"
"""Only watches. Every kind of log has this role; the others are its own."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,128}")
_PHRASE = re.compile(r"[a-z]{5}(?:[ -][a-z]{5}){7}")


TokenHash = NewType("TokenHash", str)


class Actor(Struct, frozen=True):
    """`person` is None for those who are nobody yet: spectators, displays and the invited."""

    role: str
    person: str | None = None


def hash_token(token: str) -> TokenHash:
    """The hash a token is kept by; a recovery phrase may be typed in any case and spacing."""
    typed = " ".join(token.lower().replace("-", " ").split())
    secret = typed if _PHRASE.fullmatch(typed) else token
    return TokenHash(hashlib.sha256(b"bookboard token\0" + secret.encode()).hexdigest())


def person_of(token_hash: str) -> str:
    """The id of the person a token makes; it tells nothing about the token."""
    return hashlib.sha256(b"bookboard person\0" + token_hash.encode()).hexdigest()[:12]


def is_strong(token: str) -> bool:
    return _TOKEN.fullmatch(token) is not None

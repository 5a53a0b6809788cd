"""Who may do what. A token is known by its hash; the role follows from the room as it is now, on every command."""

import hashlib
import re
from typing import NewType

from msgspec import Struct

from bookboard.room.state import RoomState

HOST = "host"
PLAYER = "player"
INVITED = "invited"
SPECTATOR = "spectator"
WATCHER = "watcher"
"""A grant only: whoever has the token may watch a private table."""
RECOVERY = "recovery"
"""A grant only: whoever knows the recovery phrase acts as the host."""

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


def role_of(state: RoomState, token_hash: TokenHash | None) -> Actor | None:
    """Who the bearer of a token is in this room; None where the token is good for nothing here."""
    if token_hash is None:
        return None if state.private else Actor(SPECTATOR)
    grant = state.grants.get(token_hash)
    if grant is None:
        return None
    if grant.role == WATCHER:
        return Actor(SPECTATOR)
    if grant.role == RECOVERY:
        return Actor(HOST, state.host)
    if grant.role == PLAYER and grant.person == state.host:
        return Actor(HOST, grant.person)
    return Actor(grant.role, grant.person)


def present(state: RoomState) -> list[str]:
    """The people of the table who were not removed."""
    granted = {grant.person for grant in state.grants.values()}
    return [person for person in state.people if person in granted or person == state.host]

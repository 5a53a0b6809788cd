"""Who may do what at a table: the role follows from the room as it is now, on every command."""

from bookboard.log.actors import SPECTATOR, Actor, TokenHash
from bookboard.room.state import RoomState

HOST = "host"
PLAYER = "player"
INVITED = "invited"
WATCHER = "watcher"
"""A grant only: whoever has the token may watch a private table."""
RECOVERY = "recovery"
"""A grant only: whoever knows the recovery phrase acts as the host."""


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

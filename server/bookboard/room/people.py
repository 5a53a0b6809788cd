"""Who sits where, who is the host, and what table and sides are called."""

from collections.abc import Callable

from bookboard.log.actors import Actor, hash_token, is_strong, person_of
from bookboard.log.answers import Already, unchanged
from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.access import INVITED, WATCHER, present
from bookboard.room.evolve import seats_of
from bookboard.room.names import clean_name
from bookboard.room.state import Grant, Room, RoomState

MAX_PEOPLE = 64
MAX_NAMES = 256
"""Those who were removed in this game keep theirs: it signs what they entered."""
MAX_GRANTS = 128


def claim_seat(room: Room, command: c.ClaimSeat, actor: Actor) -> list[e.AnyEvent] | Already | Refusal:
    state = room.state
    token_hash = None
    person = actor.person
    if command.token is not None:
        if not is_strong(command.token):
            return Refusal("weak_token", field="token")
        token_hash = hash_token(command.token)
        person = person or person_of(token_hash)
    if person is None:
        return Refusal("weak_token", field="token")
    if _is_of_another(state.grants.get(token_hash or ""), person):
        return Refusal("token_taken", field="token")
    name = clean_name(command.name)
    if not name:
        return Refusal("name_needed", field="name")
    if command.seat is not None and command.seat not in seats_of(room.sheet):
        return Refusal("unknown_seat", {"seat": command.seat}, field="seat")
    sitting = state.seats.get(command.seat) if command.seat is not None else None
    if sitting not in (None, person) and command.replace not in (True, sitting):
        return Refusal("seat_taken", {"seat": command.seat, "name": state.people[sitting or ""]}, field="seat")
    new_grant = token_hash is not None and token_hash not in state.grants
    if _is_full(state, person) or (new_grant and len(state.grants) >= MAX_GRANTS):
        return Refusal("table_full")
    seated = next((seat for seat, who in state.seats.items() if who == person), None)
    if not new_grant and state.people.get(person) == name and seated == command.seat:
        return Already(person, 0, state.version)
    return [e.SeatClaimed(command.seat, person, name, token_hash if new_grant else None)]


def _is_full(state: RoomState, person: str) -> bool:
    """Whether there is no place for this person, who may have one."""
    if person in state.people:
        here = present(state)
        return person not in here and len(here) >= MAX_PEOPLE
    return len(state.people) >= MAX_NAMES or len(present(state)) >= MAX_PEOPLE


def _is_of_another(granted: Grant | None, person: str) -> bool:
    """A token that invites, watches or is somebody else's makes nobody a player."""
    return granted is not None and granted.person != person


def leave_seat(room: Room, command: c.LeaveSeat) -> list[e.AnyEvent] | Already | Refusal:
    if command.seat not in seats_of(room.sheet):
        return Refusal("unknown_seat", {"seat": command.seat}, field="seat")
    sitting = room.state.seats.get(command.seat)
    if sitting is None or command.person not in (None, sitting):
        return unchanged(room.state.version)
    return [e.SeatLeft(command.seat)]


def name_sides(room: Room, command: c.NameSides) -> list[e.AnyEvent] | Already | Refusal:
    names = {side: clean_name(name) for side, name in command.names.items()}
    unknown = next((side for side in names if side not in room.sheet.sides), None)
    if unknown is not None:
        return Refusal("unknown_side", {"side": unknown}, field="names")
    after = {side: name for side, name in {**room.state.side_names, **names}.items() if name}
    if len({name.casefold() for name in after.values()}) < len(after):
        return Refusal("name_taken", field="names")
    return [e.SidesNamed(names)] if after != room.state.side_names else unchanged(room.state.version)


def name_table(room: Room, command: c.NameTable) -> list[e.AnyEvent] | Already | Refusal:
    name = clean_name(command.name)
    if not name:
        return Refusal("name_needed", field="name")
    return [e.TableNamed(name)] if name != room.state.name else unchanged(room.state.version)


def hand_over(room: Room, command: c.HandOver) -> list[e.AnyEvent] | Already | Refusal:
    """To somebody who has a token: otherwise the table would have no host who can act."""
    if command.person == room.state.host:
        return unchanged(room.state.version)
    if command.person not in present(room.state):
        return Refusal("unknown_person", field="person")
    return [e.HostChanged(command.person)]


def invite_players(room: Room, command: c.InvitePlayers) -> list[e.AnyEvent] | Already | Refusal:
    return _grant(room, command.token, INVITED, e.PlayersInvited)


def set_privacy(room: Room, command: c.SetPrivacy) -> list[e.AnyEvent] | Already | Refusal:
    if command.private and command.token is not None:
        return _grant(
            room, command.token, WATCHER, lambda token_hash: e.PrivacySet(private=True, token_hash=token_hash)
        )
    if command.private == room.state.private:
        return unchanged(room.state.version)
    return [e.PrivacySet(command.private)]


def _grant(
    room: Room, token: str, role: str, event: Callable[[str], e.AnyEvent]
) -> list[e.AnyEvent] | Already | Refusal:
    if not is_strong(token):
        return Refusal("weak_token", field="token")
    token_hash = hash_token(token)
    granted = room.state.grants.get(token_hash)
    if granted is None:
        return [event(token_hash)]
    return unchanged(room.state.version) if granted.role == role else Refusal("token_taken", field="token")


def remove_person(room: Room, command: c.RemovePerson) -> list[e.AnyEvent] | Already | Refusal:
    """A name stays: what the person entered is signed with it."""
    state = room.state
    if command.person not in state.people:
        return Refusal("unknown_person", field="person")
    if command.person == state.host:
        return Refusal("host_stays", field="person")
    has_grant = any(grant.person == command.person for grant in state.grants.values())
    return [e.PersonRemoved(command.person)] if has_grant else unchanged(state.version)

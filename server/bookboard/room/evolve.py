"""What an event does to a room. Never fails on an event that `decide.py` made."""

from typing import assert_never

from msgspec.structs import replace

from bookboard.room import events as e
from bookboard.room.access import INVITED, WATCHER, present
from bookboard.room.events import Recorded
from bookboard.room.state import (
    Clock,
    Correction,
    GameState,
    Grant,
    HandInPlay,
    KeptHand,
    Mark,
    PastGame,
    RemovedHand,
    Room,
    RoomState,
    Rules,
)
from bookboard.room.stored_formats import STORED_FORMAT, up_to_date
from bookboard.rules.model import Entry, Json
from bookboard.rules.sheet import Sheet, open_sheet

MS_A_MINUTE = 60_000
MAX_REMOVED_KEPT = 20
MAX_CORRECTIONS_KEPT = 20
"""Of one hand; the log has them all."""


def room_of(state: RoomState) -> Room:
    """A stored room with its score sheet folded anew."""
    state = up_to_date(state)
    game = state.game
    return Room(state, replay(sheet_for(game.rules), [kept.entry for kept in game.hands], game.clock.expired_after))


def sheet_for(rules: Rules) -> Sheet:
    return open_sheet(rules.key, rules.settings, _players(rules.players))


def seats_of(sheet: Sheet) -> tuple[str, ...]:
    """The game's seats; where there are no partners every player has one."""
    return sheet.game.seats or sheet.sides


def replay(sheet: Sheet, entries: list[Entry], expired_after: int | None) -> Sheet:
    for entry in entries:
        sheet = sheet.add(entry, expired_after)
    return sheet


def evolve(room: Room | None, recorded: Recorded) -> Room:
    """The room after an event; the first event opens it."""
    event = recorded.event
    mark = Mark(recorded.by, recorded.at, recorded.version, recorded.steady)
    if room is None:
        return _begun(event, mark)
    changed = _evolve(room, event, mark)
    return replace(changed, state=replace(changed.state, version=recorded.version))


def _begun(event: e.AnyEvent, mark: Mark) -> Room:
    match event:
        case e.TableOpened():
            return _opened(event, mark)
        case e.TablePutBack(state):
            return room_of(replace(state, version=mark.version))
        case _:
            raise ValueError("a log begins with its table opened, or put back")


def _opened(event: e.TableOpened, mark: Mark) -> Room:
    rules = Rules(event.key, event.version, event.settings, event.players)
    state = RoomState(
        format=STORED_FORMAT,
        code=event.code,
        name=event.name,
        version=mark.version,
        people={event.host: event.host_name},
        host=event.host,
        seats={},
        grants=event.grants,
        side_names=event.side_names,
        game=_new_game(1, rules, mark),
    )
    return Room(state, sheet_for(rules))


def _new_game(number: int, rules: Rules, mark: Mark) -> GameState:
    return GameState(number=number, rules=rules, in_play=HandInPlay(mark, id=1), set_up=mark, last_hand_id=1)


def _evolve(room: Room, event: e.AnyEvent, mark: Mark) -> Room:
    match event:
        case e.TableOpened() | e.TablePutBack():
            raise ValueError("a log begins once")
        case e.SeatClaimed() | e.SeatLeft() | e.SidesNamed() | e.TableNamed() | e.HostChanged():
            return replace(room, state=_people(room.state, event))
        case e.PlayersInvited() | e.PersonRemoved() | e.PrivacySet():
            return replace(room, state=_access(room.state, event))
        case e.GameStarted() | e.TimeExpired() | e.ClockPaused() | e.ClockResumed() | e.ClockExtended():
            return _with_game(room, _clock(room, event, mark))
        case e.RulesSet():
            return _rules_set(room, event, mark)
        case e.HandNoted() | e.HandScored() | e.HandCorrected() | e.HandTakenBack() | e.HandRemoved():
            return _hands(room, event, mark)
        case e.GameEnded():
            return _with_game(room, replace(room.state.game, ended_by_host=mark))
        case e.GameReopened():
            return _with_game(room, replace(room.state.game, ended_by_host=None))
        case e.NextGameStarted():
            return _next_game(room, mark)
        case _ as unreachable:
            assert_never(unreachable)


def _with_game(room: Room, game: GameState, sheet: Sheet | None = None) -> Room:
    return Room(replace(room.state, game=game), sheet if sheet is not None else room.sheet)


# ── people ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _people(
    state: RoomState, event: e.SeatClaimed | e.SeatLeft | e.SidesNamed | e.TableNamed | e.HostChanged
) -> RoomState:
    match event:
        case e.SeatClaimed():
            grants = state.grants
            if event.token_hash is not None:
                grants = {**grants, event.token_hash: Grant("player", event.person)}
            seats = {seat: person for seat, person in state.seats.items() if person != event.person}
            if event.seat is not None:
                seats[event.seat] = event.person
            return replace(state, people={**state.people, event.person: event.name}, seats=seats, grants=grants)
        case e.SeatLeft():
            return replace(state, seats={seat: who for seat, who in state.seats.items() if seat != event.seat})
        case e.SidesNamed():
            names = {**state.side_names, **event.names}
            return replace(state, side_names={side: name for side, name in names.items() if name})
        case e.TableNamed():
            return replace(state, name=event.name)
        case e.HostChanged():
            return replace(state, host=event.person)
        case _ as unreachable:
            assert_never(unreachable)


def _access(state: RoomState, event: e.PlayersInvited | e.PersonRemoved | e.PrivacySet) -> RoomState:
    match event:
        case e.PlayersInvited():
            return replace(state, grants=_regranted(state, INVITED, event.token_hash))
        case e.PersonRemoved():
            grants = {token: grant for token, grant in state.grants.items() if grant.person != event.person}
            seats = {seat: person for seat, person in state.seats.items() if person != event.person}
            return replace(state, grants=grants, seats=seats)
        case e.PrivacySet():
            return replace(state, private=event.private, grants=_regranted(state, WATCHER, event.token_hash))
        case _ as unreachable:
            assert_never(unreachable)


def _regranted(state: RoomState, role: str, token_hash: str | None) -> dict[str, Grant]:
    """The grants with this one in place of all others of its role."""
    others = {token: grant for token, grant in state.grants.items() if grant.role != role}
    return others if token_hash is None else {**others, token_hash: Grant(role)}


# ── the game and its clock ───────────────────────────────────────────────────────────────────────────────────────


def _rules_set(room: Room, event: e.RulesSet, mark: Mark) -> Room:
    rules = Rules(event.key, event.version, event.settings, event.players)
    sheet = sheet_for(rules)
    game = replace(room.state.game, rules=rules, in_play=HandInPlay(mark, id=room.state.game.in_play.id))
    if game.started is not None:
        game = replace(game, clock=_clock_from(game.started.clock_at, sheet))
    seats = {seat: person for seat, person in room.state.seats.items() if seat in seats_of(sheet)}
    side_names = {side: name for side, name in room.state.side_names.items() if side in sheet.sides}
    return Room(replace(room.state, game=game, seats=seats, side_names=side_names), sheet)


def _clock_from(started_at: int, sheet: Sheet) -> Clock:
    minutes = sheet.time_limit_minutes()
    return Clock() if minutes is None else Clock(deadline=started_at + minutes * MS_A_MINUTE)


def _clock(
    room: Room,
    event: e.GameStarted | e.TimeExpired | e.ClockPaused | e.ClockResumed | e.ClockExtended,
    mark: Mark,
) -> GameState:
    game = room.state.game
    clock = game.clock
    match event:
        case e.GameStarted():
            return replace(game, started=mark, clock=_clock_from(mark.clock_at, room.sheet))
        case e.TimeExpired():
            after = len(game.hands) if event.after is None else event.after
            clock = replace(clock, expired_after=after, version=mark.version)
        case e.ClockPaused():
            left = max(0, (clock.deadline or mark.clock_at) - mark.clock_at)
            clock = Clock(left=left, version=mark.version)
        case e.ClockResumed():
            clock = Clock(deadline=mark.clock_at + (clock.left or 0), version=mark.version)
        case e.ClockExtended():
            clock = _extended(clock, event.more_ms, mark)
        case _ as unreachable:
            assert_never(unreachable)
    return replace(game, clock=clock)


def _extended(clock: Clock, more_ms: int, mark: Mark) -> Clock:
    if clock.left is not None:
        return Clock(left=clock.left + more_ms, version=mark.version)
    if clock.expired_after is not None or clock.deadline is None:
        return Clock(deadline=mark.clock_at + more_ms, version=mark.version)
    return Clock(deadline=clock.deadline + more_ms, version=mark.version)


def _next_game(room: Room, mark: Mark) -> Room:
    state, game = room.state, room.state.game
    outcome = room.outcome
    past = PastGame(
        number=game.number,
        key=game.rules.key,
        scores=room.sheet.scores,
        winner=outcome.winner if outcome else None,
        reason=outcome.reason if outcome else None,
    )
    following = _new_game(game.number + 1, game.rules, mark)
    # Nothing that is kept tells of who is gone any more: their names would stay for ever.
    here = present(state)
    people = state.people if len(here) == len(state.people) else {who: state.people[who] for who in here}
    state = replace(state, game=following, past=(*state.past, past), people=people)
    return Room(state, sheet_for(game.rules))


# ── hands ────────────────────────────────────────────────────────────────────────────────────────────────────────


HandEvent = e.HandNoted | e.HandScored | e.HandCorrected | e.HandTakenBack | e.HandRemoved


def _hands(room: Room, event: HandEvent, mark: Mark) -> Room:
    game = room.state.game
    match event:
        case e.HandNoted():
            parts = sorted(changed_parts(game.in_play.entry, event.entry))  # in the same order at every hub
            changed = {**game.in_play.changed, **dict.fromkeys(parts, mark)}
            reason = event.reason or game.in_play.reason
            in_play = replace(game.in_play, entry=event.entry, changed=changed, reason=reason)
            return _with_game(room, replace(game, in_play=in_play))
        case e.HandScored():
            reason = event.reason or game.in_play.reason
            kept = KeptHand(event.entry, entered=mark, id=game.in_play.id, reason=reason)
            sheet = room.sheet.add(event.entry, game.clock.expired_after)
            next_id = game.last_hand_id + 1
            in_play = HandInPlay(mark, id=next_id)
            game = replace(game, hands=(*game.hands, kept), in_play=in_play, last_hand_id=next_id)
            return _with_game(room, game, sheet)
        case e.HandCorrected():
            kept = game.hands[event.hand - 1]
            corrections = (*kept.corrections, Correction(mark, kept.entry))[-MAX_CORRECTIONS_KEPT:]
            reason = event.reason or kept.reason
            corrected = replace(kept, entry=event.entry, corrections=corrections, reason=reason)
            return _rescored(room, game, event.hand, (corrected, *game.hands[event.hand :]), event.allowed)
        case e.HandTakenBack():
            *before, taken = game.hands
            noted = HandInPlay(
                since=mark,
                id=taken.id,
                was_taken_back=True,
                entry=taken.entry,
                changed=dict.fromkeys(parts_of(taken.entry), mark),
                reason=taken.reason,
            )
            # The hand that was in play is dropped: if its id was the newest, the hand that comes next gets it again.
            last_id = game.last_hand_id - (game.in_play.id == game.last_hand_id)
            game = replace(game, hands=tuple(before), in_play=noted, last_hand_id=last_id)
            return _with_game(room, game, room.sheet.back_to(len(before)))
        case e.HandRemoved():
            clock = replace(game.clock, expired_after=game.clock.expired_without(event.hand))
            kept = game.hands[event.hand - 1]
            removed = RemovedHand(event.hand, kept.entry, mark, kept.id)
            game = replace(
                game,
                clock=clock,
                removed=(*game.removed, removed)[-MAX_REMOVED_KEPT:],
            )
            return _rescored(room, game, event.hand, game.hands[event.hand :], event.allowed)
        case _ as unreachable:
            assert_never(unreachable)


def _rescored(
    room: Room, game: GameState, number: int, hands: tuple[KeptHand, ...], allowed: dict[str, list[str]]
) -> Room:
    """With these hands from `number` on, those in `allowed` excused from the checks named there."""
    hands = tuple(
        replace(kept, entry=_excused(kept.entry, allowed[str(at)])) if str(at) in allowed else kept
        for at, kept in enumerate(hands, number)
    )
    in_play = _excused(game.in_play.entry, allowed.get(str(number + len(hands)), []))
    game = replace(game, in_play=replace(game.in_play, entry=in_play))
    sheet = room.sheet.replay(number - 1, [kept.entry for kept in hands], game.clock.expired_after)
    return _with_game(room, replace(game, hands=(*game.hands[: number - 1], *hands)), sheet)


def _excused(entry: Entry, checks: list[str]) -> Entry:
    allowed: list[Json] = [*checks]
    return {**entry, "allowed": allowed} if allowed else entry


def parts_of(entry: Entry) -> dict[str, Json]:
    """An entry's parts by path: `bids.west`, `reneges`."""
    parts: dict[str, Json] = {}
    for member, value in entry.items():
        if isinstance(value, dict):
            for key, inner in value.items():
                parts[f"{member}.{key}"] = inner
        else:
            parts[member] = value
    return parts


def changed_parts(before: Entry, after: Entry) -> set[str]:
    """The parts that were added, removed or changed."""
    old, new = parts_of(before), parts_of(after)
    return {part for part in old.keys() | new.keys() if old.get(part) != new.get(part)}


def _players(players: list[str] | None) -> Json:
    return None if players is None else [*players]

"""What a command does: the events it leads to, or why not. Pure: the time and the actor come in as arguments.

A command whose deadline has passed finds the time expired first, so that no hand slips in before it (reading S13).
"""

from typing import assert_never

from bookboard.log.actors import SPECTATOR, Actor
from bookboard.log.answers import Already, unchanged
from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room import people
from bookboard.room.access import HOST, INVITED
from bookboard.room.clock import is_out
from bookboard.room.corrections import correct_hand, remove_hand
from bookboard.room.evolve import MS_A_MINUTE, evolve
from bookboard.room.hands import already, conflict, enter_hand, note_hand, take_back_hand
from bookboard.room.opening import rules_from
from bookboard.room.state import GameState, Room

Decision = list[e.AnyEvent] | Already | Refusal

MAX_PAST_GAMES = 100
MAX_EVENTS = 20_000
"""Of a table, in its log. A long night has a tenth of that."""
KEPT_FOR_THE_HOST = 2_000
"""Of them, so that nobody who writes without end keeps the host from putting them out."""


def decide(room: Room, command: c.AnyCommand, actor: Actor, now: int) -> Decision:
    """Events in order, or what somebody did already, or a refusal. `now` is ms since 1970 by the store's clock."""
    refused = _not_by(command, actor)
    if refused is not None:
        return refused
    if room.state.version >= MAX_EVENTS - (0 if actor.role == HOST else KEPT_FOR_THE_HOST):
        return Refusal("log_full")
    first = expire(room, now)
    for event in first:
        room = evolve(room, e.Recorded(room.state.version + 1, "", now, "", event))
    decided = _decide(room, command, actor)
    return [*first, *decided] if isinstance(decided, list) else decided


def expire(room: Room, now: int) -> list[e.AnyEvent]:
    """Time expired, if it has and the log does not say so yet."""
    return [e.TimeExpired()] if is_out(room, now) else []


def _not_by(command: c.AnyCommand, actor: Actor) -> Refusal | None:
    if actor.role == SPECTATOR:
        return Refusal("read_only")
    if actor.role == INVITED and not isinstance(command, c.ClaimSeat):
        return Refusal("seat_needed")
    if isinstance(command, HOST_COMMANDS) and actor.role != HOST:
        return Refusal("host_only")
    return None


HOST_COMMANDS = (
    c.HandOver,
    c.InvitePlayers,
    c.RemovePerson,
    c.SetPrivacy,
    c.NameTable,
    c.SetRules,
    c.StartGame,
    c.EndGame,
    c.ReopenGame,
    c.NextGame,
    c.PauseClock,
    c.ResumeClock,
    c.ExtendClock,
)


def _decide(room: Room, command: c.AnyCommand, actor: Actor) -> Decision:
    match command:
        case c.ClaimSeat():
            return people.claim_seat(room, command, actor)
        case c.LeaveSeat():
            return people.leave_seat(room, command)
        case c.NameSides():
            return people.name_sides(room, command)
        case c.NameTable():
            return people.name_table(room, command)
        case c.HandOver():
            return people.hand_over(room, command)
        case c.InvitePlayers():
            return people.invite_players(room, command)
        case c.RemovePerson():
            return people.remove_person(room, command)
        case c.SetPrivacy():
            return people.set_privacy(room, command)
        case _:
            if command.game != room.state.game.number:
                return _of_another_game(room, command)
            return _in_game(room, command, actor)


GameCommand = (
    c.SetRules
    | c.StartGame
    | c.EndGame
    | c.ReopenGame
    | c.NextGame
    | c.NoteHand
    | c.EnterHand
    | c.CorrectHand
    | c.TakeBackHand
    | c.RemoveHand
    | c.PauseClock
    | c.ResumeClock
    | c.ExtendClock
)


def _of_another_game(room: Room, command: GameCommand) -> Already | Refusal:
    game = room.state.game
    if isinstance(command, c.NextGame) and command.game == game.number - 1:
        return already(game.set_up)
    return Refusal("conflict", {"game": game.number})


def _in_game(room: Room, command: GameCommand, actor: Actor) -> Decision:
    match command:
        case c.SetRules():
            return _set_rules(room, command)
        case c.StartGame():
            started = room.state.game.started
            return [e.GameStarted()] if started is None else already(started)
        case c.EndGame():
            return _end_game(room, command)
        case c.ReopenGame():
            game = room.state.game
            ended = game.ended_by_host
            if ended is None:
                return unchanged(room.state.version)
            if not _seen(ended.version, command.revision):
                return Refusal("conflict", {"game": game.number})
            return [e.GameReopened()]
        case c.NextGame():
            return _next_game(room, command)
        case c.NoteHand():
            return note_hand(room, command, actor)
        case c.EnterHand():
            return enter_hand(room, command, actor)
        case c.CorrectHand():
            return correct_hand(room, command, actor)
        case c.TakeBackHand():
            return take_back_hand(room, command)
        case c.RemoveHand():
            return remove_hand(room, command)
        case c.PauseClock() | c.ResumeClock() | c.ExtendClock():
            return _clock(room, command)
        case _ as unreachable:
            assert_never(unreachable)


def _set_rules(room: Room, command: c.SetRules) -> Decision:
    game = room.state.game
    if game.hands:
        return Refusal("rules_fixed")
    checked = rules_from(command.key, command.settings, command.players)
    if isinstance(checked, Refusal):
        return checked
    rules, _ = checked
    if rules == game.rules:
        return already(game.set_up)
    return [e.RulesSet(rules.key, rules.version, rules.settings, rules.players)]


def _end_game(room: Room, command: c.EndGame) -> Decision:
    game = room.state.game
    if game.ended_by_host is not None:
        return already(game.ended_by_host)
    if room.outcome is not None:
        return Refusal("game_over", {"hand": len(game.hands)})
    if game.started is None:
        return Refusal("not_started")
    if command.hand != game.in_play.id or not _seen(_last_change(game), command.revision):
        return conflict(room, command.hand)
    return [e.GameEnded()]


def _next_game(room: Room, command: c.NextGame) -> Decision:
    game = room.state.game
    if room.outcome is None:
        return Refusal("game_not_over")
    ended = 0 if game.ended_by_host is None else game.ended_by_host.version
    if not _seen(max(ended, _last_change(game)), command.revision):
        return Refusal("conflict", {"game": game.number})
    if len(room.state.past) >= MAX_PAST_GAMES:
        return Refusal("log_full")
    return [e.NextGameStarted()]


def _last_change(game: GameState) -> int:
    """The version that last changed the scores."""
    changes = [game.in_play.since, *(kept.last_mark for kept in game.hands), *(gone.mark for gone in game.removed)]
    return max(mark.version for mark in changes)


def _seen(version: int, revision: int | None) -> bool:
    """Whether the sender had seen it; who names no revision is not asked."""
    return revision is None or version <= revision


def _clock(room: Room, command: c.PauseClock | c.ResumeClock | c.ExtendClock) -> Decision:
    game = room.state.game
    clock = game.clock
    if clock.deadline is None and clock.left is None:
        return Refusal("no_clock")
    if room.outcome is not None:
        return Refusal("game_over", {"hand": len(game.hands)})
    if clock.expired_after is not None and (
        not isinstance(command, c.ExtendClock) or len(game.hands) > clock.expired_after
    ):
        return Refusal("time_is_up")
    match command:
        case c.PauseClock():
            return [e.ClockPaused()] if clock.left is None else Refusal("clock_paused")
        case c.ResumeClock():
            return [e.ClockResumed()] if clock.left is not None else Refusal("clock_running")
        case c.ExtendClock():
            if clock.version > command.revision:
                return Refusal("conflict", {"game": game.number})
            return [e.ClockExtended(command.minutes * MS_A_MINUTE)]
        case _ as unreachable:
            assert_never(unreachable)

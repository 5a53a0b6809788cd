"""What screens are sent of a room, and what of it an event changed. Secrets never enter a view.

A view is made of sections. A snapshot holds them all; an event's `Changes` holds those that it changed, and of the
hands only what is new.
"""

import hashlib
import json
from typing import Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType

from bookboard.log.codes import CODE_ALPHABET
from bookboard.room import events as e
from bookboard.room.evolve import seats_of
from bookboard.room.hand_views import ByView, HandsChange, HandView, by_view, hand_view, hands_change, hands_of
from bookboard.room.state import Room
from bookboard.rules.forecast import Prospect, forecast
from bookboard.rules.game import Field
from bookboard.rules.model import Entry, Fact, Json, Outcome

V = TypeVar("V")


class TableView(Struct, frozen=True):
    code: str
    name: str
    host: str
    """Person id."""
    private: bool
    """Nobody watches without a token."""


class PeopleView(Struct, frozen=True):
    names: dict[str, str]
    """By person id."""
    seats: dict[str, str]
    """Person id by seat."""
    sides: dict[str, str]
    """The sides' own names; a side that has none is left out."""
    gone: list[str]
    """Persons whom the host removed: their names stay with what they entered."""


class RulesView(Struct, frozen=True):
    key: str
    version: int
    title: str
    settings: dict[str, Json]
    """Every setting, defaults included."""
    fingerprint: str
    """Four characters: the same for the same rules."""
    fields: tuple[Field, ...]
    """How a hand is entered, where a page has no form of its own for the game."""


class RemovedHandView(Struct, frozen=True):
    """A hand that was taken out: the number it had, what it was, who took it out and when (ms since 1970)."""

    id: int
    number: int
    entry: Entry
    by: str
    at: int


class GameView(Struct, frozen=True):
    number: int
    phase: Literal["waiting", "playing", "over"]
    """`waiting`: not started."""
    sides: list[str]
    seats: list[str]
    started_at: int | None
    scores: dict[str, int]
    standing: dict[str, dict[str, Fact]]
    """What the board shows of each side beside its score (Spades: bags_shown, bag_limit, bag_penalties, sets …)."""
    outcome: Outcome | None
    ended_by_host: ByView | None
    removed: list[RemovedHandView]


class ClockView(Struct, frozen=True):
    """All None: no time limit, or not started. `last_hand`: time is up, one hand to go; `extra`: past the last hand."""

    deadline: int | None
    left: int | None
    expired_after: int | None
    last_hand: bool
    extra: bool


class InPlayView(Struct, frozen=True):
    """`hand` is the hand's number in the game; commands name it by its id."""

    id: int
    hand: int
    dealer: str
    order: list[str]
    """Seats in bidding order."""
    wants: list[str]
    """What the entry still lacks: `bids`, `books` (Bid Whist: `team`, `level`, `trump`, `books`; Pack: `cards`)."""
    entry: Entry
    noted_by: dict[str, ByView]
    """By part: `bids.west`, `reneges`."""


class PastGameView(Struct, frozen=True):
    number: int
    key: str
    scores: dict[str, int]
    winner: str | None
    reason: str | None


class View(Struct, frozen=True):
    table: TableView
    people: PeopleView
    rules: RulesView
    game: GameView
    clock: ClockView
    in_play: InPlayView
    hands: list[HandView]
    past: list[PastGameView]


class Changes(Struct, frozen=True, omit_defaults=True):
    """The sections an event changed; what is left out stays as it was."""

    table: TableView | UnsetType = UNSET
    people: PeopleView | UnsetType = UNSET
    rules: RulesView | UnsetType = UNSET
    game: GameView | UnsetType = UNSET
    clock: ClockView | UnsetType = UNSET
    in_play: InPlayView | UnsetType = UNSET
    hands: HandsChange | UnsetType = UNSET
    past: list[PastGameView] | UnsetType = UNSET


class Current(Struct, frozen=True):
    """A hand as the room has it: scored, or as far as it is known while in play. `hand` is its id."""

    game: int
    hand: int
    number: int
    scored: HandView | None
    in_play: Entry | None


# ── making them ──────────────────────────────────────────────────────────────────────────────────────────────────


def view_of(room: Room) -> View:
    return View(
        table=_table(room),
        people=_people(room),
        rules=_rules(room),
        game=_game(room),
        clock=_clock(room),
        in_play=_in_play(room),
        hands=hands_of(room),
        past=_past(room),
    )


def changes_between(before: Room, after: Room) -> Changes:
    """Most events touch little: what is the very same object in both is not looked into."""
    old, new = before.state.game, after.state.game
    same_score = before.sheet is after.sheet and old.ended_by_host is new.ended_by_host
    same_clock = same_score and old.clock is new.clock
    same_game = same_score and old.number == new.number and old.started is new.started and old.removed is new.removed
    same_play = same_clock and old.in_play is new.in_play
    return Changes(
        table=_changed(_table(after), _table(before)),
        people=UNSET if _has_the_same_people(before, after) else _changed(_people(after), _people(before)),
        rules=UNSET if old.rules is new.rules or old.rules == new.rules else _rules(after),
        game=UNSET if same_game else _game(after),
        clock=UNSET if same_clock else _changed(_clock(after), _clock(before)),
        in_play=UNSET if same_play else _in_play(after),
        hands=hands_change(before, after),
        past=UNSET if after.state.past is before.state.past else _past(after),
    )


def _has_the_same_people(before: Room, after: Room) -> bool:
    old, new = before.state, after.state
    return (
        old.people is new.people
        and old.seats is new.seats
        and old.side_names is new.side_names
        and old.grants is new.grants
    )


def _changed(view: V, old: V) -> V | UnsetType:
    return view if view != old else UNSET


def forecast_of(room: Room) -> dict[str, list[Prospect]]:
    """By side, once the books are all that is open: what its own number of books would bring it.

    In no section: it costs more than all of them, and follows from the section of the hand in play.
    """
    game = room.state.game
    return {} if room.outcome else forecast(room.sheet, game.in_play.entry, game.clock.expired_after)


def current_of(room: Room, hand_id: int) -> Current | None:
    """What the room has of a hand of the game being played; None if it was removed, or never was."""
    game = room.state.game
    if hand_id == game.in_play.id:
        return Current(game.number, hand_id, game.number_in_play, None, game.in_play.entry)
    number = game.number_of(hand_id)
    if number is None:
        return None
    return Current(game.number, hand_id, number, hand_view(game.hands[number - 1], room.sheet.hands[number - 1]), None)


def hand_of(event: e.AnyEvent, before: Room) -> tuple[int, int] | None:
    """The id of the hand an event is about, and the number it had in the room before."""
    game = before.state.game
    match event:
        case e.HandNoted() | e.HandScored():
            return game.in_play.id, event.hand
        case e.HandCorrected() | e.HandTakenBack() | e.HandRemoved():
            return game.hands[event.hand - 1].id, event.hand
        case _:
            return None


def fingerprint(key: str, settings: dict[str, Json]) -> str:
    """Four characters that tell one set of rules from another at a glance; all settings count, defaults included."""
    told = json.dumps([key, settings], sort_keys=True).encode()
    number = int.from_bytes(hashlib.sha256(told).digest()[:8])
    return "".join(CODE_ALPHABET[number // len(CODE_ALPHABET) ** place % len(CODE_ALPHABET)] for place in range(4))


def _table(room: Room) -> TableView:
    return TableView(room.state.code, room.state.name, room.state.host, room.state.private)


def _people(room: Room) -> PeopleView:
    state = room.state
    known = {grant.person for grant in state.grants.values()}
    gone = [person for person in state.people if person not in known]
    return PeopleView(state.people, state.seats, state.side_names, gone)


def _rules(room: Room) -> RulesView:
    rules, settings = room.state.game.rules, room.sheet.settings
    return RulesView(
        key=rules.key,
        version=rules.version,
        title=room.sheet.game.title,
        settings=settings,
        fingerprint=fingerprint(rules.key, settings),
        fields=room.sheet.game.fields,
    )


def _game(room: Room) -> GameView:
    game, sheet, outcome = room.state.game, room.sheet, room.outcome
    return GameView(
        number=game.number,
        phase="over" if outcome else "playing" if game.started else "waiting",
        sides=list(sheet.sides),
        seats=list(seats_of(sheet)),
        started_at=game.started.at if game.started else None,
        scores=sheet.scores,
        standing=sheet.standing(),
        outcome=outcome,
        ended_by_host=by_view(game.ended_by_host) if game.ended_by_host else None,
        removed=[
            RemovedHandView(gone.id, gone.number, gone.entry, gone.mark.by, gone.mark.at) for gone in game.removed
        ],
    )


def _clock(room: Room) -> ClockView:
    clock, scored = room.state.game.clock, len(room.state.game.hands)
    goes_on = clock.expired_after is not None and room.outcome is None
    return ClockView(
        deadline=clock.deadline,
        left=clock.left,
        expired_after=clock.expired_after,
        last_hand=goes_on and scored <= (clock.expired_after or 0),
        extra=goes_on and scored > (clock.expired_after or 0),
    )


def _in_play(room: Room) -> InPlayView:
    in_play, sheet = room.state.game.in_play, room.sheet
    return InPlayView(
        id=in_play.id,
        hand=room.state.game.number_in_play,
        dealer=sheet.dealer(in_play.entry),
        order=list(sheet.bidding_order()),
        wants=list(sheet.missing_members(in_play.entry)),
        entry=in_play.entry,
        noted_by={part: by_view(mark) for part, mark in in_play.changed.items()},
    )


def _past(room: Room) -> list[PastGameView]:
    return [PastGameView(p.number, p.key, p.scores, p.winner, p.reason) for p in room.state.past]

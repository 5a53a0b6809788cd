"""Whatever is sent to a table of any game and any settings is carried out or refused, never answered by a crash.

`make commands` runs it for longer.
"""

import os
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.room.table import Table
from tests.rules.test_rules_sentences import values

from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room.decide import Decision
from bookboard.room.evolve import room_of
from bookboard.room.preview import preview
from bookboard.room.record import export
from bookboard.room.views import forecast_of, view_of
from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json
from bookboard.rules.record import score_record

EXAMPLES = int(os.environ.get("BOOKBOARD_COMMANDS", "40"))
PLAYERS = ["Ada", "Ben", "Cy"]
SEATS, SIDES = ("north", "east", "south", "west"), ("north_south", "east_west")

JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 7.0, "", "nobody", [], {}, [None], {"north": {}}, -1, 10**13]
)
COUNTS = st.integers(0, 13)
BIDS = st.sampled_from([*range(4, 11), 13, "nil", "blind_nil", 0, 2, None])
SPADES: dict[str, st.SearchStrategy[Any]] = {
    "bids": st.fixed_dictionaries(dict.fromkeys(SIDES, st.integers(4, 10)))
    | st.fixed_dictionaries(dict.fromkeys(SEATS, BIDS))
    | st.dictionaries(st.sampled_from([*SEATS, *SIDES]), BIDS, max_size=3),
    "books": COUNTS.map(lambda won: {"north_south": won, "east_west": 13 - won})
    | st.dictionaries(st.sampled_from(SIDES), COUNTS),
    "blind": st.lists(st.sampled_from(SIDES), max_size=2),
    "nil_books": st.dictionaries(st.sampled_from(SEATS), st.integers(0, 4), max_size=2),
    "first_seven": st.sampled_from([*SIDES, None]),
    "reneges": st.lists(st.sampled_from(SEATS), max_size=3),
    "allowed": st.lists(st.sampled_from(["bid_below_minimum", "blind_not_allowed", "too_many_blinds"]), max_size=3),
}
PLAYER = st.sampled_from([*PLAYERS, None])
MEMBERS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "spades": SPADES,
    "tournament_spades": SPADES,
    "bid_whist": {
        "team": st.sampled_from(SIDES),
        "level": st.integers(3, 7),
        "trump": st.sampled_from(["uptown", "downtown", "no_trump"]),
        "books": COUNTS,
    },
    "pack": {
        "cards": st.fixed_dictionaries(dict.fromkeys(PLAYERS, COUNTS)),
        "declarer": PLAYER,
        "dealer": PLAYER,
        "final_trick": PLAYER,
        "bonus": st.dictionaries(PLAYER.filter(bool), COUNTS),
    },
}


class AnyNight(RuleBasedStateMachine):
    @initialize(data=st.data(), key=st.sampled_from(sorted(GAMES)))
    def open(self, data: st.DataObject, key: str) -> None:
        self.key = key
        chosen = self._settings(data)
        self.table = Table(chosen, key, players=None if GAMES[key].seats else PLAYERS)
        self.player = self.table.join("Nora", "north" if GAMES[key].seats else "Ada")
        if data.draw(st.integers(0, 9)):
            self._send(c.StartGame(1))

    def _settings(self, data: st.DataObject) -> dict[str, Json]:
        offered = {setting.key: st.sampled_from(values(setting)) for setting in GAMES[self.key].settings}
        chosen: dict[str, Json] = data.draw(st.fixed_dictionaries({}, optional=offered))
        return chosen

    def _part(self, data: st.DataObject) -> Entry:
        strategies = MEMBERS[self.key]
        whole = st.fixed_dictionaries(
            {key: strategies[key] for key in ("bids", "books") if key in strategies} or strategies
        )
        some = st.fixed_dictionaries({}, optional=strategies)
        broken = st.dictionaries(st.sampled_from([*strategies, "made_up"]), JUNK, max_size=2)
        part: Entry = data.draw(st.one_of(whole, whole, some, broken))
        return part

    def _hand(self, data: st.DataObject) -> int:
        game = self.table.room.state.game
        ids = [game.in_play.id, *(kept.id for kept in game.hands), *(gone.id for gone in game.removed), 999]
        return data.draw(st.sampled_from(ids))

    def _send(self, command: c.AnyCommand, *, host: bool = True) -> Decision:
        """Previewed, then decided: both refuse it or neither; what is decided can be carried out and shown."""
        by = self.table.host if host else self.player
        looked = preview(self.table.room, command, by, self.table.now)
        decided = self.table.decide(command, by)
        assert isinstance(looked, Refusal) == isinstance(decided, Refusal)
        if isinstance(decided, list):
            self.table.record(decided, by.person or "")
            assert isinstance(looked, Refusal) or looked.scores == self.table.room.sheet.scores
        return decided

    @rule(data=st.data(), host=st.booleans())
    def note(self, data: st.DataObject, *, host: bool) -> None:
        game = self.table.room.state.game
        self._send(c.NoteHand(game.number, game.in_play.id, self.table.version, self._part(data)), host=host)

    @rule(data=st.data(), host=st.booleans())
    def enter(self, data: st.DataObject, *, host: bool) -> None:
        game = self.table.room.state.game
        self._send(c.EnterHand(game.number, game.in_play.id, self.table.version, self._part(data)), host=host)

    @rule(data=st.data(), kind=st.sampled_from([c.NoteHand, c.EnterHand, c.CorrectHand]), old=st.integers(0, 3))
    def any_hand(self, data: st.DataObject, kind: type[c.NoteHand], old: int) -> None:
        revision = max(0, self.table.version - old)
        self._send(kind(self.table.game, self._hand(data), revision, self._part(data)))

    @rule(data=st.data(), kind=st.sampled_from([c.TakeBackHand, c.RemoveHand]))
    def take_out(self, data: st.DataObject, kind: type[c.RemoveHand]) -> None:
        self._send(kind(self.table.game, self._hand(data), self.table.version))

    @rule(kind=st.sampled_from([c.ReopenGame, c.NextGame, c.StartGame, c.PauseClock, c.ResumeClock]))
    def game(self, kind: type[c.NextGame]) -> None:
        self._send(kind(self.table.game))

    @rule(data=st.data())
    def end(self, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 3)) == 0:
            self._send(c.EndGame(self.table.game, self._hand(data)))

    @rule(minutes=st.integers(1, 45), extends=st.booleans())
    def time(self, minutes: int, *, extends: bool) -> None:
        if extends:
            self._send(c.ExtendClock(self.table.game, minutes, self.table.version))
        else:
            self.table.now += minutes * 60_000

    @rule(data=st.data())
    def new_rules(self, data: st.DataObject) -> None:
        if self.table.room.state.game.hands:
            return
        self.key = data.draw(st.sampled_from(sorted(GAMES)))
        players = None if GAMES[self.key].seats else PLAYERS
        self._send(c.SetRules(self.table.game, self.key, self._settings(data), players))
        self.key = self.table.room.state.game.rules.key

    @rule(seat=st.sampled_from([*SEATS, *PLAYERS, None]), name=st.text(max_size=5), replace=st.booleans())
    def people(self, seat: str | None, name: str, *, replace: bool) -> None:
        self._send(c.ClaimSeat(seat, name, None, replace), host=False)
        self._send(c.LeaveSeat(str(seat)))
        self._send(c.NameSides({"north_south": name, str(seat): name}))
        self._send(c.NameTable(name))

    @invariant()
    def it_can_be_shown_and_kept(self) -> None:
        if not hasattr(self, "table"):
            return
        room = self.table.room
        view_of(room)
        forecast_of(room)
        assert room_of(room.state) == room
        assert score_record(export(room)).scores == room.sheet.scores


class TestAnyNight(AnyNight.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=EXAMPLES, stateful_step_count=30, deadline=None)

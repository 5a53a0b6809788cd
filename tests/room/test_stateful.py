"""Any run of commands, beside a plain model: a list of hands and a clock."""

from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec.structs import replace
from tests.room.table import Table, played

from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.evolve import evolve
from bookboard.room.record import export
from bookboard.rules.record import score_record

BOOKS = st.integers(0, 13)
BIDS = st.tuples(st.integers(4, 7), st.integers(4, 6))


class Night(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        rules: dict[str, Any] = {"first_hand_bids_itself": False, "time_limit_minutes": 60, "score_limit": 250}
        self.table = Table(rules).start()
        self.hands: list[tuple[tuple[int, int], int]] = []
        self.past = 0
        self.sent: list[c.EnterHand] = []

    def _do(self, command: c.AnyCommand) -> bool:
        decided = self.table.decide(command)
        if isinstance(decided, Refusal | Already):
            return False
        self.table.record(decided, "someone")
        return True

    @rule(bids=BIDS, books=BOOKS)
    def enter(self, bids: tuple[int, int], books: int) -> None:
        over = self.table.room.outcome is not None
        command = self.table.enter(None, **played(bids, books))
        self.sent.append(command)
        assert self._do(command) is not over
        if not over:
            self.hands.append((bids, books))

    @rule(data=st.data())
    def a_phone_sends_an_old_hand_again(self, data: st.DataObject) -> None:
        if self.sent:
            before = self.table.room.state.game.hands
            assert not self._do(data.draw(st.sampled_from(self.sent))) or len(before) < len(self.hands) + 1
            assert [kept.entry for kept in before] == [
                kept.entry for kept in self.table.room.state.game.hands[: len(before)]
            ]
            assert len(self.table.room.state.game.hands) == len(self.hands)

    @rule()
    def take_back(self) -> None:
        if self._do(self.table.take_back()):
            self.hands.pop()

    @rule(data=st.data(), bids=BIDS, books=BOOKS)
    def correct(self, data: st.DataObject, bids: tuple[int, int], books: int) -> None:
        if self.hands:
            number = data.draw(st.integers(1, len(self.hands)))
            if self._do(self.table.correct(number, **played(bids, books))):
                self.hands[number - 1] = (bids, books)

    @rule(minutes=st.integers(1, 45))
    def time_passes(self, minutes: int) -> None:
        self.table.pass_time(minutes)

    @rule(command=st.sampled_from([c.PauseClock, c.ResumeClock]))
    def clock(self, command: type[c.PauseClock]) -> None:
        self._do(command(self.table.game))

    @rule(minutes=st.integers(1, 30))
    def extend(self, minutes: int) -> None:
        self._do(c.ExtendClock(self.table.game, minutes, self.table.version))

    @rule()
    def next_game(self) -> None:
        if self._do(c.NextGame(self.table.game)):
            self.past += 1
            self.hands = []
            self._do(c.StartGame(self.table.game))

    @invariant()
    def every_hand_is_there_once(self) -> None:
        assert [kept.entry for kept in self.table.room.state.game.hands] == [played(*hand) for hand in self.hands]
        assert len(self.table.room.state.past) == self.past

    @invariant()
    def the_board_shows_what_the_record_scores(self) -> None:
        result = score_record(export(self.table.room))
        assert result.scores == self.table.room.sheet.scores
        assert result.outcome == self.table.room.outcome

    def teardown(self) -> None:
        room = None
        for recorded in self.table.log:
            room = evolve(room, recorded)
        assert room == self.table.room


class TestNight(Night.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@pytest.mark.parametrize("replayed", [1, 5])
def test_a_room_replayed_to_a_version_is_the_room_as_it_was(table: Table, replayed: int) -> None:
    rooms = [evolve(None, table.log[0])]
    for _ in range(4):
        table.play((5, 5), 7)
    for recorded in table.log[1:]:
        rooms.append(evolve(rooms[-1], recorded))
    again = None
    for recorded in table.log[: replayed + 1]:
        again = evolve(again, recorded)
    assert again == rooms[replayed]


def test_a_room_that_is_put_back_goes_on_as_it_was(timed: Table) -> None:
    timed.play((5, 5), 7)
    timed.do(timed.note(bids={"west": 4}))
    stored = msgspec.msgpack.encode(e.TablePutBack(timed.room.state))
    event = msgspec.msgpack.decode(stored, type=e.TablePutBack)
    again = evolve(None, e.Recorded(timed.version + 1, "again", timed.now, "holly", event))
    assert again.state == replace(timed.room.state, version=timed.version + 1)
    assert again.sheet == timed.room.sheet
    with pytest.raises(ValueError, match="begins once"):
        evolve(again, e.Recorded(timed.version + 2, "twice", timed.now, "holly", event))
    with pytest.raises(ValueError, match="opened, or put back"):
        evolve(None, e.Recorded(1, "none", timed.now, "holly", e.GameEnded()))

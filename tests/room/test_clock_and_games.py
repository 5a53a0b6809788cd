"""The time limit, and games one after another."""

import pytest
from tests.room.table import MINUTE, OPENED, Table, sides

from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.clock import due_at, is_relative
from bookboard.room.evolve import evolve

# ── the clock ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_time_limit_runs_from_game_started() -> None:
    table = Table({"time_limit_minutes": 60})
    assert due_at(table.room) is None
    table.pass_time(10)
    table.start()
    assert due_at(table.room) == OPENED + 70 * MINUTE


def test_when_time_runs_out_the_hand_in_play_is_the_last(timed: Table) -> None:
    timed.play((5, 4), 6)
    timed.do(timed.note(bids=sides(6, 5)))
    timed.pass_time(60)
    assert timed.log[-1].event == e.TimeExpired()
    assert timed.ending() is None
    timed.do(timed.enter(books=sides(8, 5)))
    assert timed.ending() == ("north_south", "time_limit")


@pytest.mark.parametrize(("late_ms", "expires"), [(-1, False), (0, True), (1, True)])
def test_a_hand_is_wholly_before_or_wholly_after_the_deadline(timed: Table, late_ms: int, *, expires: bool) -> None:
    timed.now += 60 * MINUTE + late_ms
    events = timed.do(timed.enter(bids=sides(6, 5), books=sides(8, 5)))
    assert (e.TimeExpired() in events) is expires
    assert events[-1].hand == 1  # type: ignore[union-attr]
    assert (timed.ending() is not None) is expires


def test_time_expires_once(timed: Table) -> None:
    timed.pass_time(61)
    timed.pass_time(61)
    assert [recorded.event for recorded in timed.log].count(e.TimeExpired()) == 1


def test_a_paused_clock_keeps_what_is_left(timed: Table) -> None:
    timed.pass_time(20)
    timed.do(c.PauseClock(1))
    timed.pass_time(300)
    assert due_at(timed.room) is None
    timed.do(c.ResumeClock(1))
    assert due_at(timed.room) == timed.now + 40 * MINUTE


def test_extending_moves_the_deadline(timed: Table) -> None:
    timed.do(c.ExtendClock(1, 10, timed.version))
    assert due_at(timed.room) == OPENED + 70 * MINUTE


def test_extending_a_paused_clock_adds_to_what_is_left(timed: Table) -> None:
    timed.do(c.PauseClock(1))
    timed.do(c.ExtendClock(1, 10, timed.version))
    assert timed.room.state.game.clock.left == 70 * MINUTE


def test_extending_takes_an_expiry_back_while_the_last_hand_is_not_scored(timed: Table) -> None:
    timed.pass_time(61)
    timed.do(c.ExtendClock(1, 10, timed.version))
    assert timed.room.state.game.clock.expired_after is None
    assert due_at(timed.room) == timed.now + 10 * MINUTE
    timed.play((6, 5), 8)
    assert timed.ending() is None


def test_with_the_last_hand_scored_and_the_score_level_the_time_stays_up() -> None:
    timed = Table({"first_hand_bids_itself": False, "time_limit_minutes": 60, "one_point_bags": False}).start()
    timed.pass_time(60)
    timed.play((5, 5), 7)
    assert timed.ending() is None
    for command in (c.ExtendClock(1, 5, timed.version), c.PauseClock(1), c.ResumeClock(1)):
        assert timed.refused(command) == "time_is_up"


def test_a_removed_hand_that_was_scored_before_the_time_ran_out_leaves_the_last_hand_the_last(timed: Table) -> None:
    timed.play((5, 4), 6)
    timed.pass_time(60)
    timed.do(timed.remove(1))
    assert timed.room.state.game.clock.expired_after == 0
    timed.play((6, 5), 8)
    assert timed.ending() == ("north_south", "time_limit")


def test_a_removed_hand_that_was_scored_after_the_time_ran_out_changes_nothing_of_when() -> None:
    timed = Table({"first_hand_bids_itself": False, "time_limit_minutes": 60, "one_point_bags": False}).start()
    timed.play((5, 5), 6)
    timed.pass_time(60)
    timed.play((5, 5), 7)
    assert timed.ending() is None
    timed.do(timed.remove(2))
    assert timed.room.state.game.clock.expired_after == 1


def test_extending_twice_from_two_screens_extends_once(timed: Table) -> None:
    both = c.ExtendClock(1, 10, timed.version)
    timed.do(both)
    assert timed.refused(both) == "conflict"


def test_what_the_clock_cannot_do(timed: Table, table: Table) -> None:
    assert table.refused(c.PauseClock(1)) == "no_clock"
    assert timed.refused(c.ResumeClock(1)) == "clock_running"
    timed.do(c.PauseClock(1))
    assert timed.refused(c.PauseClock(1)) == "clock_paused"
    timed.do(c.EndGame(1, 1))
    assert timed.refused(c.ResumeClock(1)) == "game_over"


def test_a_game_that_is_over_has_no_deadline(timed: Table) -> None:
    timed.do(c.EndGame(1, 1))
    assert due_at(timed.room) is None
    timed.pass_time(120)
    assert timed.log[-1].event == e.GameEnded()


def test_a_deadline_counts_from_the_commit_when_the_event_sets_it(timed: Table) -> None:
    assert is_relative(timed.room, e.GameStarted())
    assert is_relative(timed.room, e.ClockResumed())
    assert not is_relative(timed.room, e.ClockExtended(5 * MINUTE))
    assert not is_relative(timed.room, e.GameEnded())
    timed.pass_time(60)
    assert is_relative(timed.room, e.ClockExtended(5 * MINUTE))


# ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_rules_can_be_set_until_the_first_hand_is_in(table: Table) -> None:
    table.do(table.note(bids=sides(6, 5)))
    table.do(c.SetRules(1, "spades", {"score_limit": 500}))
    assert table.room.sheet.settings["score_limit"] == 500
    assert table.room.state.game.in_play.entry == {}
    table.already(c.SetRules(1, "spades", {"score_limit": 500}))
    table.do(table.enter(books=sides(8, 5)))
    assert table.refused(c.SetRules(1, "spades", {})) == "rules_fixed"


def test_a_time_limit_set_after_the_start_runs_from_the_start(table: Table) -> None:
    table.pass_time(5)
    table.do(c.SetRules(1, "spades", {"time_limit_minutes": 30}))
    assert due_at(table.room) == OPENED + 30 * MINUTE
    table.do(c.SetRules(1, "spades", {}))
    assert due_at(table.room) is None


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.SetRules(1, "hearts", {}), "unknown_game"),
        (c.SetRules(1, "spades", {"colour": "red"}), "unknown_setting"),
        (c.SetRules(1, "spades", {"score_limit": 7}), "invalid_setting"),
        (c.SetRules(2, "spades", {}), "conflict"),
    ],
)
def test_rules_that_cannot_be(table: Table, command: c.SetRules, code: str) -> None:
    assert table.refused(command) == code


# ── one game after another ───────────────────────────────────────────────────────────────────────────────────────


def test_the_host_ends_a_game_and_can_go_on_with_it(table: Table) -> None:
    table.play((6, 5), 8)
    table.do(c.EndGame(1, 2))
    assert table.ending() == ("north_south", "host")
    table.already(c.EndGame(1, 2))
    table.do(c.ReopenGame(1))
    assert table.ending() is None
    table.already(c.ReopenGame(1))


def test_a_game_is_ended_at_the_hand_the_host_saw(table: Table) -> None:
    stale = c.EndGame(1, 1)
    assert Table().refused(c.EndGame(1, 1)) == "not_started"
    table.play((6, 5), 8)
    assert table.refused(stale) == "conflict"


def test_a_game_that_the_rules_ended_is_not_ended_again() -> None:
    table = Table({"score_limit": 100}).start()
    table.do(table.enter(books=sides(11, 2)))
    assert table.refused(c.EndGame(1, 2)) == "game_over"


def test_the_next_game_starts_when_this_one_is_over(table: Table) -> None:
    assert table.refused(c.NextGame(1)) == "game_not_over"
    table.play((6, 5), 8)
    table.do(c.EndGame(1, 2))
    table.do(c.NextGame(1))
    assert table.game == 2
    assert table.scores == (0, 0)
    assert table.room.state.past[0].scores == sides(62, 50)
    table.already(c.NextGame(1))


def test_a_phone_that_slept_through_a_game_does_not_score_into_the_next(table: Table) -> None:
    asleep: list[c.AnyCommand] = [
        table.enter(bids=sides(6, 5), books=sides(8, 5)),
        table.note(bids=sides(6, 5)),
        c.EndGame(1, 1),
    ]
    table.do(c.EndGame(1, 1))
    table.do(c.NextGame(1))
    table.start()
    for command in asleep:
        assert table.refused(command) == "conflict"


def test_a_game_is_started_once(table: Table) -> None:
    table.already(c.StartGame(1))


def test_a_table_keeps_only_so_many_games(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bookboard.room.decide.MAX_PAST_GAMES", 0)
    table.do(c.EndGame(1, 1))
    assert table.refused(c.NextGame(1)) == "log_full"


def test_a_table_keeps_only_so_many_events_and_the_last_ones_for_the_host(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    wes = table.join("Wes", "west")
    monkeypatch.setattr("bookboard.room.decide.MAX_EVENTS", table.version + 1)
    monkeypatch.setattr("bookboard.room.decide.KEPT_FOR_THE_HOST", 1)
    assert table.refused(c.NameSides({"north_south": "Owls"}), wes) == "log_full"
    table.do(c.NameTable("Table 5"))
    assert table.refused(c.NameTable("Table 6")) == "log_full"


def test_a_log_opens_one_table_first(table: Table) -> None:
    with pytest.raises(ValueError, match="begins"):
        evolve(None, table.log[1])
    with pytest.raises(ValueError, match="once"):
        evolve(table.room, table.log[0])


def test_rules_may_change_who_sits_and_plays(table: Table) -> None:
    table.join("Wes", "west")
    table.do(c.NameSides({"east_west": "The Reneges"}))
    table.do(c.SetRules(1, "pack", {}, ["Ada", "Ben", "Cy"]))
    assert table.room.state.seats == {}
    assert table.room.state.side_names == {}
    assert table.refused(c.ClaimSeat("west", "Wes"), table.host) == "unknown_seat"
    table.do(c.ClaimSeat("Ada", "Ada"), table.host)


@pytest.mark.parametrize("command", [c.ReopenGame, c.NextGame])
def test_what_follows_an_ending_is_not_done_to_another_ending_than_its_sender_saw(
    command: type[c.ReopenGame | c.NextGame],
) -> None:
    table = Table({"first_hand_bids_itself": False}).start()
    table.play((5, 5), 6)
    table.do(c.EndGame(1, table.room.state.game.in_play.id))
    late = command(1, table.version)
    table.do(c.ReopenGame(1, table.version))
    table.play((5, 5), 7)
    table.do(c.EndGame(1, table.room.state.game.in_play.id))
    assert table.refused(late) == "conflict"
    table.do(command(1, table.version))


def test_every_earlier_game_is_kept(table: Table) -> None:
    for game in (1, 2):
        table.do(c.EndGame(game, table.id_of()))
        table.do(c.NextGame(game))
        table.start()
    assert [past.number for past in table.room.state.past] == [1, 2]

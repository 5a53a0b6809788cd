"""A command names a hand by its id, and does to that hand what its sender saw, whatever its number has become."""

import msgspec
import pytest
from tests.room.table import Table, played, sides

from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room.evolve import evolve, room_of
from bookboard.room.preview import Previewed, preview
from bookboard.room.state import RoomState
from bookboard.room.views import current_of, view_of


@pytest.fixture
def four(table: Table) -> Table:
    """Four hands are in; north-south took 5, 6, 7 and 8 books."""
    for books in (5, 6, 7, 8):
        table.play((5, 5), books)
    return table


def hands(table: Table) -> dict[int, object]:
    """The books of north-south by the hands' ids."""
    return {kept.id: kept.entry["books"]["north_south"] for kept in table.room.state.game.hands}  # type: ignore[index,call-overload]


def test_hands_are_numbered_as_they_come_into_play_and_keep_their_ids(four: Table) -> None:
    four.do(four.remove(2))
    four.play((5, 5), 9)
    assert hands(four) == {1: 5, 3: 7, 4: 8, 5: 9}
    shown = view_of(four.room)
    assert [(hand.id, hand.number) for hand in shown.hands] == [(1, 1), (3, 2), (4, 3), (5, 4)]
    assert (shown.in_play.id, shown.in_play.hand) == (6, 5)
    assert [(hand.id, hand.number) for hand in shown.game.removed] == [(2, 2)]


def test_a_correction_of_a_hand_that_is_removed_meanwhile_hits_no_other(four: Table) -> None:
    late = four.correct(2, **played((5, 5), 13))
    four.do(four.remove(2))
    refused = four.decide(late)
    assert refused == Refusal(
        "conflict", {"hand": 2, "number": 2, "removed_by": four.host.person, "removed_at": four.now}
    )
    assert current_of(four.room, 2) is None


def test_a_correction_finds_its_hand_after_an_earlier_one_was_removed(four: Table) -> None:
    late = four.correct(4, **played((5, 5), 13))
    four.do(four.remove(1))
    four.do(late)
    assert hands(four) == {2: 6, 3: 7, 4: 13}


def test_the_hand_in_play_is_entered_after_an_earlier_one_was_removed(four: Table) -> None:
    note, enter = four.note(bids=sides(5, 5)), four.enter(None, **played((5, 5), 9))
    four.do(four.remove(1))
    four.do(note)
    four.do(c.EnterHand(1, enter.hand, four.version, enter.part))
    assert hands(four) == {2: 6, 3: 7, 4: 8, 5: 9}


def test_a_hand_that_only_moved_into_play_was_not_taken_back(four: Table) -> None:
    late = four.take_back()
    four.do(four.remove(1))
    four.do(late)
    assert hands(four) == {2: 6, 3: 7}
    four.already(late)
    stale = four.take_back()
    four.do(four.remove(2))
    assert four.refused(stale) == "conflict"


def test_a_hand_in_play_that_was_never_scored_was_not_taken_back(four: Table) -> None:
    assert four.refused(c.TakeBackHand(1, 5, four.version)) == "conflict"


def test_an_id_that_is_given_again_is_guarded_by_the_revision(four: Table) -> None:
    correct, take_back, remove = four.correct(4, **played((5, 5), 13)), four.take_back(), four.remove(4)
    note = four.note(bids={"west": 3})
    enter = four.enter(None, **played((5, 5), 13))
    four.do(four.take_back())
    four.do(four.take_back())
    assert four.room.state.game.in_play.id == 3
    four.play((5, 5), 9)
    assert four.room.state.game.in_play.id == 4
    assert four.refused(take_back) == "conflict"
    four.play((5, 5), 10)
    for stale in (correct, take_back, remove, note, enter):
        assert four.refused(stale) == "conflict"
    assert hands(four) == {1: 5, 2: 6, 3: 9, 4: 10}


def test_the_id_of_a_removed_hand_is_never_given_again(four: Table) -> None:
    for number in (4, 3, 2):
        four.do(four.remove(number))
    four.do(four.take_back())
    for books in (1, 2, 3, 4):
        four.play((5, 5), books)
    assert list(hands(four)) == [1, 5, 6, 7]


def test_two_who_remove_one_hand_remove_one(four: Table) -> None:
    both, other = four.remove(2), four.remove(3)
    four.do(both)
    assert four.already(both).version == four.version
    four.do(other)
    assert hands(four) == {1: 5, 4: 8}


def test_a_hand_that_was_taken_back_is_neither_corrected_nor_removed(four: Table) -> None:
    correct, remove = four.correct(4, **played((5, 5), 13)), four.remove(4)
    four.do(four.take_back())
    for stale in (correct, remove):
        assert four.decide(stale) == Refusal("conflict", {"hand": 4, "number": 4})
    current = current_of(four.room, 4)
    assert current is not None
    assert current.in_play == played((5, 5), 8)


def test_the_host_ends_the_game_at_the_scores_that_were_seen(four: Table) -> None:
    stale = c.EndGame(1, 5, four.version)
    four.do(four.correct(1, **played((5, 5), 13)))
    assert four.refused(stale) == "conflict"
    four.do(c.EndGame(1, 5, four.version))


def test_time_that_ran_out_meanwhile_is_not_extended_unseen(timed: Table) -> None:
    stale = c.ExtendClock(1, 10, timed.version)
    timed.pass_time(61)
    assert timed.refused(stale) == "conflict"
    timed.do(c.ExtendClock(1, 10, timed.version))


def test_a_preview_names_later_hands_by_their_ids(table: Table) -> None:
    table.play((5, 8), 8)
    table.play((10, 4), 13)
    table.do(table.enter(None, **played((5, 6), 7), blind=["east_west"]))
    table.do(table.remove(1))
    shown = preview(table.room, table.correct(1, **played((4, 4), 4)), table.host, table.now)
    assert isinstance(shown, Previewed)
    assert shown.hand is not None
    assert (shown.hand.id, shown.hand.number) == (2, 1)
    assert shown.excused == {"3": ["blind_not_allowed"]}


# ── rooms that were stored before hands had ids ──────────────────────────────────────────────────────────────────


def as_format_1(state: RoomState) -> RoomState:
    stored = msgspec.to_builtins(state)
    stored["format"] = 1
    del stored["game"]["last_hand_id"], stored["game"]["in_play"]["id"], stored["game"]["in_play"]["was_taken_back"]
    for hand in (*stored["game"]["hands"], *stored["game"]["removed"]):
        del hand["id"]
    return msgspec.convert(stored, RoomState)


def test_a_room_stored_without_ids_gets_those_that_its_log_gives(four: Table) -> None:
    four.do(four.remove(2))
    four.play((5, 5), 9)
    four.do(four.remove(4))
    four.do(four.remove(1))
    assert room_of(as_format_1(four.room.state)) == four.room


def test_a_log_without_ids_gives_the_same_room(four: Table) -> None:
    four.do(four.remove(2))
    four.do(four.correct(1, **played((5, 5), 9)))
    four.do(four.take_back())
    room = None
    for recorded in four.log:
        event = recorded.event
        without = msgspec.structs.replace(event, id=0) if hasattr(event, "id") else event
        room = evolve(room, msgspec.structs.replace(recorded, event=without))
    assert room == four.room


def test_a_renege_that_scores_the_hand_at_once_does_not_score_bids_its_sender_did_not_see() -> None:
    table = Table({"first_hand_bids_itself": False, "renege_penalty": "automatic_loss"}).start()
    table.do(table.note(bids=sides(4, 5)))
    late = table.note(reneges=["west"])
    table.do(table.note(bids=sides(6, 5)))
    refused = table.decide(late)
    assert isinstance(refused, Refusal)
    assert refused.code == "conflict"
    assert not table.room.state.game.hands
    table.do(table.note(reneges=["west"]))
    assert table.room.state.game.hands[0].entry["bids"] == sides(6, 5)

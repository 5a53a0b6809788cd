import json
from pathlib import Path

import pytest
from tests.room.table import Table, played, sides

from bookboard.log.refusals import Refusal
from bookboard.room import events as e
from bookboard.room.importing import events_of, opening_of
from bookboard.room.opening import Opening
from bookboard.room.record import export
from bookboard.rules.model import Entry
from bookboard.rules.record import score_record

VECTORS = [
    json.loads(line)["record"]
    for path in sorted((Path(__file__).parent.parent / "vectors").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if '"error"' not in line
]


def import_to_table(record: Entry) -> Table:
    opening = opening_of(record, "Table 4", "Holly")
    assert isinstance(opening, Opening), opening
    table = Table(opening.settings, opening.key, players=opening.players, side_names=opening.side_names)
    events = events_of(record)
    assert isinstance(events, list)
    table.record(events, table.host.person or "")
    return table


@pytest.mark.parametrize("record", VECTORS[:: len(VECTORS) // 100], ids=lambda record: record["game"])
def test_an_imported_game_scores_what_its_record_scores(record: Entry) -> None:
    table = import_to_table(record)
    result = score_record(record)
    assert table.room.sheet.scores == result.scores
    assert table.room.outcome == result.outcome
    again = score_record(export(table.room))
    assert [hand.sides for hand in again.hands] == [hand.sides for hand in result.hands]
    assert again.outcome == result.outcome


def test_the_sides_keep_their_names() -> None:
    table = Table({"first_hand_bids_itself": False}, side_names={"north_south": "Owls"}).start()
    assert import_to_table(export(table.room)).room.state.side_names == {"north_south": "Owls"}


def test_a_time_that_ran_out_after_hands_taken_back_stays_where_it_was() -> None:
    record: Entry = {
        "game": "spades",
        "settings": {"time_limit_minutes": 30},
        "hands": [{"books": sides(8, 5)}],
        "time_expired_after": 3,
    }
    table = import_to_table(record)
    assert table.log[-1].event == e.TimeExpired(3)
    assert export(table.room)["time_expired_after"] == 3


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"game": "hearts", "hands": []}, "unknown_game"),
        ([], "malformed"),
        ({"game": "spades", "hands": [{"books": sides(8, 4)}]}, "books_do_not_add_up"),
        ({"game": "spades", "hands": [], "format": 99}, "malformed"),
    ],
)
def test_a_wrong_record_is_refused_as_score_refuses_it(record: Entry, code: str) -> None:
    refused = opening_of(record, "Table 4", "Holly")
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_a_record_of_more_hands_than_a_table_keeps_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bookboard.room.importing.MAX_HANDS", 0)
    refused = opening_of({"game": "spades", "hands": [played((6, 5), 8)]}, "Table 4", "Holly")
    assert refused == Refusal("too_many_hands", {"most": 0}, field="hands")


@pytest.mark.parametrize("name", ["x" * 41, "Bo\u202eb", "Bo\nb", " Bob"])
def test_players_names_that_a_table_would_change_are_refused(name: str) -> None:
    refused = opening_of({"game": "pack", "players": ["Ann", name, "Cy"], "hands": []}, "Table 4", "Holly")
    assert refused == Refusal("invalid_players", {"least": 3, "most": 8}, field="players")


def test_of_a_records_hand_only_what_the_rules_read_is_kept() -> None:
    junk: Entry = {"at": ["x"] * 99, "by": "Eve", "bids": {**sides(6, 5), "nobody": None}}
    events = events_of({"hands": [{**played((6, 5), 8), **junk}]})
    assert isinstance(events, list)
    assert events[1] == e.HandScored(1, {"bids": sides(6, 5), "books": sides(8, 5)})


def test_a_records_hand_with_more_than_any_hand_has_is_malformed() -> None:
    refused = events_of({"hands": [{"reneges": ["north"] * 33}]})
    assert refused == Refusal("malformed", {"field": "reneges"}, field="reneges")

"""A record goes into a sheet and comes back scoring the same."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bookboard.rules.model import Entry, RecordError
from bookboard.rules.record import score_record
from bookboard.rules.spreadsheet import read_sheet, write_sheet

RECORDS = [
    json.loads(line)["record"]
    for path in sorted((Path(__file__).parent.parent / "vectors").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if '"error"' not in line
]
BOOKS = {"north_south": 8, "east_west": 5}


@pytest.mark.parametrize("record", RECORDS[:: len(RECORDS) // 150], ids=lambda record: record["game"])
def test_a_record_comes_back_from_a_sheet_scoring_the_same(record: Entry) -> None:
    again, before = score_record(read_sheet(write_sheet(record))), score_record(record)
    assert again.scores == before.scores
    assert [hand.sides for hand in again.hands] == [hand.sides for hand in before.hands]
    assert again.outcome == before.outcome


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(str.strip)


SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001
SPITEFUL = st.text(st.sampled_from("".join(SIGNS) + "';,|\n\" a"), min_size=1, max_size=12)


@given(name=NAMES | SPITEFUL)
@example(name="a;=1+1")
@example(name="a;b; =1+1;c")
@example(name='a;"=1+1')
@example(name="＝1+1")  # noqa: RUF001
@example(name="a;'=1'")
def test_no_cell_can_be_taken_for_a_formula_wherever_a_spreadsheet_splits(name: str) -> None:
    record: Entry = {"game": "spades", "names": {"west": name}, "hands": [{"books": {**BOOKS}, "by": name}]}
    sheet = write_sheet(record)
    for row in csv.reader(io.StringIO(sheet)):
        assert not any(cell.startswith(SIGNS) for cell in row)
    for part in re.split(r"[;|\t\r\n]", sheet):
        assert not part.lstrip(' "').startswith(SIGNS)
    assert read_sheet(sheet) == record


def test_text_at_which_a_spreadsheet_may_split_is_quoted() -> None:
    assert '"a;b"' in write_sheet({"game": "spades", "names": {"west": "a;b"}, "hands": [{"books": {**BOOKS}}]})


def test_a_sheet_of_before_quotes_were_written_is_read() -> None:
    sheet = "game,spades\r\nname,west,a;=1\r\nname,east,'=1\r\n\r\nhand,books.north_south,books.east_west\r\n1,8,5\r\n"
    assert read_sheet(sheet) == {
        "game": "spades",
        "names": {"west": "a;=1", "east": "=1"},
        "hands": [{"books": {**BOOKS}}],
    }


@given(players=st.lists(NAMES, min_size=3, max_size=5, unique_by=lambda name: name.casefold()))
def test_players_keep_their_names_whatever_they_are(players: list[str]) -> None:
    record: Entry = {"game": "pack", "players": [*players], "hands": [{"cards": dict.fromkeys(players, 4)}]}
    try:
        score_record(record)
    except RecordError:
        return
    assert read_sheet(write_sheet(record)) == record


def test_points_and_scores_stand_beside_each_hand_for_people() -> None:
    record: Entry = {"game": "spades", "settings": {"score_limit": 500}, "hands": [{"books": {**BOOKS}}]}
    rows = list(csv.reader(io.StringIO(write_sheet(record))))
    assert rows[0] == ["game", "spades"]
    assert rows[1] == ["setting", "score_limit", "500"]
    assert rows[-1] == ["1", "8", "5", "80", "80", "50", "50"]


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "game,spades\r\n",
        'game,"spades\r\nhand\r\n',
        "game\r\nhand\r\n",
        "setting,nil\r\nhand\r\n",
        "hand,a,a.b\r\n1,2,3\r\n",
    ],
)
def test_another_sheet_is_malformed(sheet: str) -> None:
    with pytest.raises(RecordError, match="malformed"):
        read_sheet(sheet)


def test_a_record_that_cannot_be_scored_is_not_written() -> None:
    with pytest.raises(RecordError, match="unknown_game"):
        write_sheet({"game": "hearts", "hands": []})

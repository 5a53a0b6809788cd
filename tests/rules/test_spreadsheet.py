"""A record goes into a sheet and comes back scoring the same."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bookboard.rules.cells import saved_value_of, text_of
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


# ── saved again by a spreadsheet ─────────────────────────────────────────────────────────────────────────────────────

LONG: Entry = {
    "game": "spades",
    "settings": {"score_limit": 1000, "first_hand_bids_itself": False, "count_books_from_nil_loss": True},
    "names": {"west": "8", "east": "TRUE", "north": "1,000", "south": "Zoë; -5"},
    "hands": [
        {"bids": {"north_south": 6, "east_west": 5}, "books": {"north_south": 5, "east_west": 8}},
        {
            "bids": {"north_south": 7, "east_west": 4},
            "books": {"north_south": 5, "east_west": 8},
            "reneges": ["east"],
            "by": "-5",
        },
    ],
}


def cells_of(sheet: str) -> list[list[str]]:
    return [*csv.reader(io.StringIO(sheet, newline=""))]


def saved(rows: list[list[str]], delimiter: str, quoting: int, newline: str = "\r\n") -> str:
    """As spreadsheets do it: rows are filled up to the longest one."""
    out = io.StringIO(newline="")
    width = max(map(len, rows))
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=newline)  # type: ignore[arg-type]
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return out.getvalue()


def with_numbers(rows: list[list[str]], write: Callable[[int], str]) -> list[list[str]]:
    return [[write(int(cell)) if re.fullmatch(r"-?\d+", cell) else cell for cell in row] for row in rows]


WAYS_TO_WRITE_A_NUMBER: dict[str, Callable[[int], str]] = {
    "plain": str,
    "decimals": lambda number: f"{number}.0",
    "money": lambda number: f"{number:,}.00",
    "groups": lambda number: f"{number:,}",
    "minus sign": lambda number: str(number).replace("-", "−"),
    "plus": lambda number: f"{number:+}",
    "spaces": lambda number: f" {number} ",
    "another country's money": lambda number: f"{number:,}".replace(",", ".") + ",00",
    "thin spaces": lambda number: f"{number:,}".replace(",", "\u202f"),
}


@pytest.mark.parametrize("write", WAYS_TO_WRITE_A_NUMBER.values(), ids=WAYS_TO_WRITE_A_NUMBER)
@pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL], ids=["quoted", "bare"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
def test_a_sheet_that_a_spreadsheet_saved_again_is_the_same_game(
    delimiter: str, quoting: int, write: Callable[[int], str]
) -> None:
    rows = with_numbers(cells_of(write_sheet(LONG)), write)
    words = [[{"true": "TRUE", "false": "FALSE"}.get(cell, cell) for cell in row] for row in rows]
    assert read_sheet(saved(words, delimiter, quoting)) == LONG


@pytest.mark.parametrize(("delimiter", "point"), [(";", ","), ("\t", ",")])
def test_a_country_with_a_decimal_comma(delimiter: str, point: str) -> None:
    rows = with_numbers(cells_of(write_sheet(LONG)), lambda number: f"{number:,}".replace(",", "."))
    assert read_sheet(saved(rows, delimiter, csv.QUOTE_MINIMAL)) == LONG
    rows = with_numbers(cells_of(write_sheet(LONG)), lambda number: f"{number}{point}0")
    assert read_sheet(saved(rows, delimiter, csv.QUOTE_MINIMAL)) == LONG


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("first", ["sep=;\r\n", "SEP=;\n", '"sep=;"\r\n', "\ufeffsep=;\r\n", ";;;\r\n"])
def test_the_line_that_tells_excel_how_to_split_is_no_part_of_the_game(first: str, newline: str) -> None:
    assert read_sheet(first + saved(cells_of(write_sheet(LONG)), ";", csv.QUOTE_MINIMAL, newline)) == LONG


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_sheet_in_any_unicode_encoding(encoding: str) -> None:
    text = saved(cells_of(write_sheet(LONG)), "\t", csv.QUOTE_MINIMAL)
    assert read_sheet(text_of(text.encode(encoding))) == LONG
    assert read_sheet(text_of(b"\xfe\xff" + text.encode("utf-16-be"))) == LONG


@pytest.mark.parametrize("cell", ["1.5", "1.000", "1,00,0", "1,0000", "8,5", "8.0.0", "٣", "TRUE.0"])
def test_what_may_be_another_number_is_not_guessed(cell: str) -> None:
    read: Any = read_sheet(f'game,pack\r\nsetting,target,"{cell}"\r\nhand\r\n')
    assert type(read["settings"]["target"]) is not int


def test_points_below_nothing_are_numbers_that_can_be_added_up() -> None:
    rows = cells_of(write_sheet(LONG))
    head = next(row for row in rows if row[:1] == ["hand"])
    points = [int(row[head.index("points north_south")]) for row in rows[-2:]]
    assert points == [hand.sides["north_south"].points for hand in score_record(LONG).hands]
    assert min(points) < 0


@given(value=st.integers(-(10**14), 10**14), write=st.sampled_from([*WAYS_TO_WRITE_A_NUMBER.values()]))
def test_a_number_is_the_same_however_it_is_written(value: int, write: Callable[[int], str]) -> None:
    assert saved_value_of(write(value)) == value


@given(text=st.text(st.sampled_from("0123456789,.+-−'’ truefalsTRUE\"[]{}"), min_size=1, max_size=8))  # noqa: RUF001
def test_text_stays_text_whatever_it_looks_like(text: str) -> None:
    record: Entry = {"game": "spades", "names": {"west": text}, "hands": [{"books": {**BOOKS}, "by": text}]}
    for separator in ",;\t|":
        assert read_sheet(saved(cells_of(write_sheet(record)), separator, csv.QUOTE_MINIMAL)) == record

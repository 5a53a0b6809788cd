"""A game record as a sheet that spreadsheets open safely, and back. Both ways it scores the same.

First rows of a member and its value (`setting`, its key and value), an empty row, then a table with a row a hand: a
column for each part of an entry by its path (`bids.west`), and for each side the points and the score, which are for
people and not read back. No text that a spreadsheet would take for a formula is written as it is, nor is a part of one
where a spreadsheet of another country might split it: quotes that begin inside its cell do not hold it together. A
number is no formula: it stays one, so that a column of points can be added up.
"""

import csv
import io
import re
from collections.abc import Iterator

import msgspec

from bookboard.rules.cells import rows_of, saved_value_of, value_of
from bookboard.rules.game import Sides
from bookboard.rules.model import Entry, Json, RecordError
from bookboard.rules.record import replay
from bookboard.rules.sheet import Sheet

_FORMULA = r'(?=[ "]*[=+\-@\t\r\'＝＋－＠])'  # noqa: RUF001
_SPLIT = r"[;|\t\r\n]"
_TAKEN_FOR_FORMULA = re.compile(rf"(\A|{_SPLIT}){_FORMULA}")
_MARK = re.compile(rf"\A'|(?<={_SPLIT})'{_FORMULA}")
_FOR_PEOPLE = ("points ", "score ")
_NESTED = {"settings": "setting", "names": "name"}
_LONGEST_SHEET = 4096
_WIDEST_ROW = 256


def write_sheet(record: Json) -> str:
    """The record as CSV. Raises RecordError for one that cannot be scored."""
    return "".join(write_lines(record))


def write_lines(record: Json) -> Iterator[str]:
    """The sheet, a line at a time: a long game takes some milliseconds. Raises RecordError on the way."""
    sheets = replay(record)
    first = next(sheets)
    assert isinstance(record, dict)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    rows.writerows(_member_rows(record))
    rows.writerow([])
    for row in _hand_rows(_entries(record), first.sides, sheets):
        rows.writerow(row)
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def _member_rows(record: Entry) -> Iterator[list[str]]:
    for member, value in record.items():
        if member in _NESTED and isinstance(value, dict):
            yield from ([_NESTED[member], _cell(key), _cell(inner)] for key, inner in value.items())
        elif member != "hands" and value is not None:
            yield [member, _cell(value)]


def _hand_rows(entries: list[Entry], sides: Sides, sheets: Iterator[Sheet]) -> Iterator[list[str]]:
    flat = [_flat(entry) for entry in entries]
    paths = list(dict.fromkeys(path for entry in flat for path in entry))
    yield ["hand", *map(_safe, paths), *(word + side for side in sides for word in _FOR_PEOPLE)]
    for sheet, entry in zip(sheets, flat, strict=True):
        hand = sheet.hands[-1]
        figures = [figure for side in sides for figure in (hand.sides[side].points, hand.sides[side].score)]
        parts = [_cell(entry[path]) if path in entry else "" for path in paths]
        yield [str(hand.number), *parts, *map(_cell, figures)]


def read_sheet(text: str) -> Json:
    """The record in a sheet that `write_sheet` made, as it is or saved again. Raises RecordError malformed."""
    rows, separator = rows_of(text)
    if len(rows) > _LONGEST_SHEET or any(len(row) > _WIDEST_ROW for row in rows):
        raise RecordError("malformed")
    rows = [[_unsafe(cell) for cell in row] for row in rows]
    head = next((number for number, row in enumerate(rows) if _first(row) == "hand"), None)
    if head is None:
        raise RecordError("malformed", "hands", {"field": "hands"})
    record: Entry = {}
    for row in rows[:head]:
        if any(row) and not _first(row).startswith("sep="):
            _read_member(record, row, separator)
    record["hands"] = [_read_hand(rows[head][1:], row[1:], separator) for row in rows[head + 1 :] if any(row)]
    return record


def _first(row: list[str]) -> str:
    return row[0].strip().lower() if row else ""


def _read_member(record: Entry, row: list[str], separator: str) -> None:
    member, *cells = [cell for cell in row if cell] if row[0] not in _NESTED.values() else row[:3]
    nested = next((name for name, word in _NESTED.items() if word == member), None)
    if nested is not None and len(cells) == 2:
        inside = record.setdefault(nested, {})
        if not isinstance(inside, dict):
            raise RecordError("malformed", nested, {"field": nested})
        inside[cells[0]] = value_of(cells[1]) if nested == "names" else saved_value_of(cells[1], separator)
    elif nested is None and len(cells) == 1:
        record[member] = saved_value_of(cells[0], separator)
    else:
        raise RecordError("malformed", member or None, {"field": member})


def _read_hand(columns: list[str], cells: list[str], separator: str) -> Entry:
    entry: Entry = {}
    for path, cell in zip(columns, cells, strict=False):
        if not cell or path.startswith(_FOR_PEOPLE):
            continue
        member, dot, key = path.partition(".")
        value = saved_value_of(cell, separator)
        if dot:
            inside = entry.setdefault(member, {})
            if not isinstance(inside, dict):
                raise RecordError("malformed", path, {"field": path})
            inside[key] = value
        else:
            entry[member] = value
    return entry


def _entries(record: Entry) -> list[Entry]:
    hands = record["hands"]
    assert isinstance(hands, list)
    return [hand for hand in hands if isinstance(hand, dict)]


def _flat(entry: Entry) -> Entry:
    flat: Entry = {}
    for member, value in entry.items():
        if isinstance(value, dict):
            flat.update({f"{member}.{key}": inner for key, inner in value.items() if inner is not None})
        elif value is not None:
            flat[member] = value
    return flat


def _cell(value: Json) -> str:
    """JSON, but for plain text that cannot be taken for anything else."""
    if isinstance(value, str):
        is_plain = value and value_of(value) == value and saved_value_of(value) == value == saved_value_of(value, ";")
        return _safe(value if is_plain else msgspec.json.encode(value).decode())
    written = msgspec.json.encode(value).decode()
    return written if isinstance(value, int | float) else _safe(written)


def _safe(cell: str) -> str:
    return _TAKEN_FOR_FORMULA.sub(r"\1'", cell)


def _unsafe(cell: str) -> str:
    return _MARK.sub("", cell)

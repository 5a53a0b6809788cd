"""`bookboard convert`: a record becomes a sheet, a sheet becomes a record."""

from pathlib import Path

import pytest

from bookboard.cli import main

RECORD = '{"game":"spades","settings":{"nil":100},"hands":[{"books":{"north_south":8,"east_west":5}}]}'


def convert(path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    path.write_text(text, encoding="utf-8")
    status = main(["convert", str(path)])
    return status, *capsys.readouterr()


def test_there_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, sheet, _ = convert(tmp_path / "game.json", RECORD, capsys)
    assert (status, sheet.splitlines()[0]) == (0, '"game","spades"')
    status, record, _ = convert(tmp_path / "game.csv", "\ufeff" + sheet, capsys)
    assert status == 0
    assert "".join(record.split()) == RECORD


@pytest.mark.parametrize(
    "text", ['{"game":"hearts","hands":[]}', "game,hearts\nhand\n", "nothing", "game,spades\nhand,books.x\n1,3\n"]
)
def test_what_is_wrong_is_said_and_nothing_printed(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, told = convert(tmp_path / "game", text, capsys)
    assert (status, out) == (2, "")
    assert told.startswith("bookboard: ")


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert main(["convert", str(tmp_path / "bytes")]) == 2

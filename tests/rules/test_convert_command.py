"""`bookboard convert`: a record becomes a sheet, a sheet becomes a record."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bookboard.cli import main

BOOKBOARD = [sys.executable, "-m", "bookboard.cli"]
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_what_another_program_saved_in_its_own_encoding_is_read(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    for text in (
        RECORD,
        "sep=;\r\ngame;spades\r\nsetting;nil;100\r\n\r\nhand;books.north_south;books.east_west\r\n1;8;5",
    ):
        path.write_bytes(text.encode(encoding))
        printed = subprocess.run([*BOOKBOARD, "convert", str(path)], capture_output=True, check=True).stdout
        assert b"spades" in printed


def test_a_reader_that_goes_away_is_no_fault_of_the_file(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(f"{RECORD}\n" * 500, encoding="utf-8")
    game = tmp_path / "game.json"
    game.write_text(RECORD, encoding="utf-8")
    for command in (["score", "--jsonl", str(games)], ["convert", str(game)]):
        reading, writing = os.pipe()
        os.close(reading)
        ended = subprocess.run([*BOOKBOARD, *command], stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_no_fault_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(RECORD, encoding="utf-8")
    for command in ("score", "convert"):
        with Path("/dev/full").open("wb") as full:
            ended = subprocess.run([*BOOKBOARD, command, path], stdout=full, stderr=subprocess.PIPE, check=False)
        assert ended.returncode == 2
        assert b"could not be written" in ended.stderr
        assert b"game.json" not in ended.stderr

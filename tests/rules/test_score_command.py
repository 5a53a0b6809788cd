"""`bookboard score`: a table, JSON, or a line each; 0 when scored and 2 when the record is wrong."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.rules.play import EW, NS, first_hand, hand

from bookboard.cli import main
from bookboard.rules.model import Json
from bookboard.score import COMMAND

GAME: dict[str, Json] = {"game": "spades", "hands": [first_hand(8), hand(6, ("nil", 4), 5, nil_books={"east": 1})]}
PACK: dict[str, Json] = {
    "game": "pack",
    "players": ["Ada", "Ben", "north_south"],
    "hands": [{"declarer": "Ada", "cards": {"Ada": 30, "Ben": 22, "north_south": 0}}],
}


def in_ascii(printed: str) -> str:
    return printed.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")


def written(tmp_path: Path, *records: Json) -> str:
    path = tmp_path / "game.json"
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return str(path)


def test_a_table_explains_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", written(tmp_path, GAME)]) == 0
    assert in_ascii(capsys.readouterr().out) == (
        "Hand 1, South deals\n"
        "  North-South    +80     80\n"
        "                 +80   first hand: 8 books at 10 each\n"
        "  East-West      +50     50\n"
        "                 +50   first hand: 5 books at 10 each\n"
        "Hand 2, West deals\n"
        "  North-South    -60     20\n"
        "                 -60   set: bid 6, took 5\n"
        "  East-West       -6     44\n"
        "                 -50   East's nil failed with 1 book\n"
        "                 +40   made 4 with 8 books\n"
        "                  +4   4 bags\n"
        "Scores\n"
        "  North-South     20\n"
        "  East-West       44\n"
        "The game goes on.\n"
    )


def test_players_keep_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", written(tmp_path, {**PACK, "settings": {"target": 1}})]) == 0
    table = capsys.readouterr().out
    assert "Hand 1, Ada deals" in table
    assert "  north_south      0      0" in table
    assert table.endswith("Ada wins: reached the target\n")


def test_a_game_without_a_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", written(tmp_path, {"game": "spades", "hands": [], "ended_by_host": True})]) == 0
    assert capsys.readouterr().out.endswith("No winner: the host ended the game\n")


def test_json_is_the_result_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", written(tmp_path, {"game": "spades", "hands": [first_hand(8)]})]) == 0
    north_south, east_west = (
        {
            "points": points,
            "score": points,
            "bags": 0,
            "bags_total": 0,
            "set": False,
            "lines": [{"rule": "first_hand", "points": points, "facts": {"books": points // 10}}],
        }
        for points in (80, 50)
    )
    assert json.loads(capsys.readouterr().out) == {
        "game": "spades",
        "scores": {NS: 80, EW: 50},
        "hands": [{"number": 1, "dealer": "south", "sides": {NS: north_south, EW: east_west}}],
        "outcome": None,
    }


def test_a_wrong_record_exits_with_2_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = written(tmp_path, {"game": "spades", "hands": [first_hand(8), hand(3, 5, 8)]})
    assert main(["score", wrong]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert in_ascii(said.err) == (
        "bookboard: hand 2: The lowest bid for a side is 4. "
        "Raise North-South's bid of 3, or ask the host to allow it.\n"
    )
    assert main(["score", "--json", wrong]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["hand"], error["field"]) == ("bid_below_minimum", 2, "bids")


def test_with_jsonl_a_wrong_record_is_a_result(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b'{"game": "spades", "hands": []}\n\nnot json\n{"game": "hearts"}\n\xff\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["score", "--jsonl", "-"]) == 0
    results = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert results[0]["scores"] == {NS: 0, EW: 0}
    assert [result["error"]["code"] for result in results[1:]] == ["malformed", "unknown_game", "malformed"]


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file or directory" in capsys.readouterr().err


def test_json_nested_beyond_reading_is_malformed() -> None:
    result: Any = COMMAND.result_of_line(b"[" * 100_000)
    assert result["error"]["code"] == "malformed"


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029"])
def test_a_name_never_breaks_a_result_into_two_lines(
    separator: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    name = f"A{separator}B"
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({"game": "pack", "players": [name, "Ben", "Cy"], "hands": []}), encoding="utf-8")
    assert main(["score", "--jsonl", str(path)]) == 0
    (line,) = capsysbinary.readouterr().out.decode().splitlines()
    assert name in json.loads(line)["scores"]


def test_a_record_may_begin_with_a_byte_order_mark() -> None:
    assert "error" not in json.dumps(COMMAND.result_of_line(b'\xef\xbb\xbf{"game": "spades", "hands": []}'))


def test_the_table_is_printed_whatever_the_terminal_says_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"game": "spades", "hands": []}', encoding="utf-8")
    command = [sys.executable, "-m", "bookboard.cli", "score", str(path)]
    printed = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True)
    assert "North\N{EN DASH}South" in printed.stdout.decode()


def test_a_name_from_right_to_left_turns_no_number_and_steers_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arabic, hebrew, steering = "فريق النجوم 7", "הצוות (1)", "Cy\x1b[2J\u202e"
    record: Json = {"game": "pack", "players": [arabic, hebrew, steering], "hands": []}
    assert main(["score", written(tmp_path, record)]) == 0
    table = capsys.readouterr().out
    assert f"\u2068{arabic}\u2069" in table
    assert f"\u2068{hebrew}\u2069" in table
    assert "\x1b" not in table
    assert "\u202e" not in table

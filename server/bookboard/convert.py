"""`bookboard convert`: a game record as a sheet for spreadsheets, or such a sheet as a game record.

    bookboard convert game.json > game.csv
    bookboard convert game.csv > game.json

FILE may be `-`. Exit status: 0 converted, 2 the record or the sheet is wrong or cannot be read.
"""

import argparse
import sys

from bookboard.console import CannotRead, lines_of, put
from bookboard.record_command import as_text, read_json
from bookboard.rules.cells import text_of
from bookboard.rules.model import RecordError
from bookboard.rules.record import score_record
from bookboard.rules.spreadsheet import read_sheet, write_sheet
from bookboard.score import message_of, place_of


def add_to(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the program's subcommands; `run` carries it out."""
    parser = subparsers.add_parser(
        "convert",
        help="turn a game record into a CSV sheet, or back",
        description="Turn a record into a sheet, or back.",
    )
    parser.add_argument("file", metavar="FILE", help="the record or the sheet; - for standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """The exit status."""
    try:
        result = converted(b"".join(lines_of(args.file)))
    except CannotRead as error:
        sys.stderr.write(f"bookboard: {error}\n")
        return 2
    except RecordError as error:
        sys.stderr.write(f"bookboard: {place_of(error)}{message_of(error)}\n")
        return 2
    put(result)
    return 0


def converted(given: bytes) -> str:
    """A record becomes a sheet, anything else is read as one. Raises RecordError."""
    text = text_of(given)
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return write_sheet(read_json(given))
    record = read_sheet(text)
    score_record(record)
    return as_text(record) + "\n"

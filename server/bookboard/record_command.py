"""What the commands that read a record share: files and standard input, `--json`, `--jsonl`, exit statuses.

Exit status: 0 done, 2 the record is wrong (never with --jsonl) or the file cannot be read.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import msgspec

from bookboard.console import CannotRead, lines_of, put
from bookboard.rules.cells import text_of
from bookboard.rules.model import Json, RecordError

Answer = TypeVar("Answer")


class RecordCommand(msgspec.Struct, Generic[Answer], frozen=True):
    """How one command answers a record, and how it writes the answer and an error."""

    answer: Callable[[Json], Answer]
    """Raises RecordError."""
    result_of: Callable[[Answer], Json]
    table_of: Callable[[Answer], str]
    error_result: Callable[[RecordError], Json]
    message_of: Callable[[RecordError], str]
    """With the place in front."""

    def add_to(
        self, subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
    ) -> None:
        """Add the command to the program's subcommands."""
        parser = subparsers.add_parser(name, help=summary[0].lower() + summary[1:-1], description=summary)
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print the result as JSON")
        form.add_argument("--jsonl", action="store_true", help="read one record a line, print one result a line")
        parser.add_argument("file", metavar="FILE", help="the record; - for standard input")
        parser.set_defaults(run=self.run)

    def run(self, args: argparse.Namespace) -> int:
        """The exit status."""
        try:
            return self._run_on(args, lines_of(args.file))
        except CannotRead as error:
            sys.stderr.write(f"bookboard: {error}\n")
            return 2

    def _run_on(self, args: argparse.Namespace, lines: Iterator[bytes]) -> int:
        if args.jsonl:
            for line in lines:
                if line.strip():
                    put(on_one_line(self.result_of_line(line)).decode() + "\n")
            return 0
        try:
            answer = self.answer(read_json(b"".join(lines)))
        except RecordError as error:
            if args.json:
                put(as_text(self.error_result(error)) + "\n")
            sys.stderr.write(f"bookboard: {self.message_of(error)}\n")
            return 2
        put((as_text(self.result_of(answer)) if args.json else self.table_of(answer)) + "\n")
        return 0

    def result_of_line(self, line: bytes) -> Json:
        """The result of one record, its error being one too."""
        try:
            return self.result_of(self.answer(read_json(line)))
        except RecordError as error:
            return self.error_result(error)


def read_json(text: bytes) -> Json:
    """Raises RecordError malformed for what is not JSON."""
    try:
        document: Json = msgspec.json.decode(text_of(text).removeprefix("\ufeff"))
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError("malformed") from error
    return document


def as_text(result: Json) -> str:
    return msgspec.json.format(on_one_line(result), indent=2).decode()


def on_one_line(result: Json) -> bytes:
    """JSON that every reader takes for one line: some split at these characters, which a name may hold."""
    text = msgspec.json.encode(result)
    for character in ("\x85", "\u2028", "\u2029"):
        text = text.replace(character.encode(), f"\\u{ord(character):04x}".encode())
    return text

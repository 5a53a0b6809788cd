"""What a command reads and prints. Trouble with the one is never blamed on the other."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path


class CannotRead(Exception):  # noqa: N818
    """The file that was named cannot be read; says which, and why."""


class CannotPrint(Exception):  # noqa: N818
    """Whoever reads what is printed has gone, or it goes to a disk that is full; the cause says which."""


def lines_of(file: str) -> Iterator[bytes]:
    """The file's lines, `-` being standard input. Raises CannotRead."""
    try:
        if file == "-":
            yield from sys.stdin.buffer
        else:
            with Path(file).open("rb") as source:
                yield from source
    except OSError as error:
        raise CannotRead(f"{file}: {error.strerror}") from error


def put(text: str) -> None:
    """Print it. Raises CannotPrint."""
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise CannotPrint from error


def put_all() -> None:
    """See that everything is out. Raises CannotPrint."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise CannotPrint from error


def put_no_more() -> None:
    """After CannotPrint: Python would try what is left once more when it ends, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The `bookboard` command: each subcommand adds itself and says what runs it."""

import argparse
import io
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn

from bookboard import backup, convert, pair, score, standings
from bookboard.config import BadOption, add_options, config_from
from bookboard.console import CannotPrint, put_all, put_no_more

CANNOT = 2
ENDED_BY_READER = 141
"""What a shell reports of a program whose reader went away, as `| head` does."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status: the subcommand's own, unless what it printed could not be written."""
    try:
        try:
            return run(argv)
        finally:
            put_all()
    except CannotPrint as error:
        put_no_more()
        if isinstance(error.__cause__, BrokenPipeError):
            return ENDED_BY_READER
        sys.stderr.write(f"bookboard: the result could not be written: {error.__cause__}\n")
        return CANNOT


def run(argv: Sequence[str] | None) -> int:
    parser: argparse.ArgumentParser = Parser(
        prog="bookboard", description="The live scoreboard for card-table league nights."
    )
    parser.add_argument("--version", action="version", version=f"bookboard {version('bookboard')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    serving = commands.add_parser("serve", help="serve scoreboards", description="Serve scoreboards.")
    add_options(serving)
    serving.set_defaults(run=serve)
    backup.add_to(commands)
    score.add_to(commands)
    standings.add_to(commands)
    pair.add_to(commands)
    convert.add_to(commands)
    args = parser.parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # names and signs go beyond what some terminals say they read
    try:
        status: int = args.run(args)
    except BadOption as error:
        sys.stderr.write(f"bookboard: {error}\n")
        return CANNOT
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"bookboard: The package {error.name} is missing; install Bookboard again, with all it needs.\n"
        )
        return CANNOT
    return status


class Parser(argparse.ArgumentParser):
    """What cannot be understood is said in one sentence, which repeats no value: one may be a password."""

    def __init__(self, **settings: object) -> None:
        super().__init__(allow_abbrev=False, **settings)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        _, colon, words = message.partition("unrecognized arguments: ")
        if colon:
            names = [word.partition("=")[0] for word in words.split() if word.startswith("-")]
            message = f"there is no option {names[0]}" if names else "there is a word too many"
        message = re.sub(r"\S*(://|@)\S*", "…", message)
        self.exit(CANNOT, f"bookboard: {message[:1].upper()}{message[1:]}; {self.prog} --help says what there is.\n")


def serve(args: argparse.Namespace) -> int:
    """The exit status; returns when a signal has ended it."""
    config = config_from(args)
    # Scoring a record need not wait for a server's imports.
    if config.workers > 1:
        from bookboard.hub.process.workers import run  # noqa: PLC0415
    else:
        from bookboard.hub.process.serve import run  # noqa: PLC0415
    return run(config)


if __name__ == "__main__":
    sys.exit(main())

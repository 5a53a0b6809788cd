"""The `bookboard` command: each subcommand adds itself and says what runs it."""

import argparse
import io
import sys
from collections.abc import Sequence

from bookboard import backup, convert, score
from bookboard.config import add_options
from bookboard.console import CannotPrint, put_all, put_no_more

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
        return 2


def run(argv: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="bookboard", description="The live scoreboard for card-table league nights.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    serving = commands.add_parser("serve", help="serve scoreboards", description="Serve scoreboards.")
    add_options(serving)
    serving.set_defaults(run=serve)
    backup.add_to(commands)
    score.add_to(commands)
    convert.add_to(commands)
    args = parser.parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # names and signs go beyond what some terminals say they read
    status: int = args.run(args)
    return status


def serve(args: argparse.Namespace) -> int:
    """The exit status; returns when a signal has ended it."""
    # Scoring a record need not wait for a server's imports.
    if args.workers > 1:
        from bookboard.hub.process.workers import run  # noqa: PLC0415
    else:
        from bookboard.hub.process.serve import run  # noqa: PLC0415
    return run(args)


if __name__ == "__main__":
    sys.exit(main())

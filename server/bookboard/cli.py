"""The `bookboard` command: each subcommand adds itself and says what runs it."""

import argparse
import io
import sys
from collections.abc import Sequence

from bookboard import backup, convert, score
from bookboard.config import add_options


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status; a subcommand's `run` gives it."""
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

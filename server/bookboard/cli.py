"""The `bookboard` command: each subcommand adds itself and says what runs it."""

import argparse
import sys
from collections.abc import Sequence

from bookboard import score


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status; a subcommand's `run` gives it."""
    parser = argparse.ArgumentParser(prog="bookboard", description="The live scoreboard for card-table league nights.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    score.add_to(commands)
    args = parser.parse_args(argv)
    status: int = args.run(args)
    return status


if __name__ == "__main__":
    sys.exit(main())

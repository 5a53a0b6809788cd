"""`bookboard` with counters in its catalogue: `python -m tests.hub.counting serve …`."""

import sys

from tests.hub.counters import COUNTER

from bookboard import cli
from bookboard.catalogue import KINDS
from bookboard.hub.process import serve

if __name__ == "__main__":
    vars(serve)["KINDS"] = (*KINDS, COUNTER)
    sys.exit(cli.main())

"""`python -m bookboard` is the `bookboard` command."""

import sys

from bookboard.cli import main

sys.exit(main())

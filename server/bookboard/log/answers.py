"""How a command is answered that would change nothing."""

from msgspec import Struct


class Already(Struct, frozen=True):
    """It would change nothing: `by` did the same at `at` (ms since 1970), in `version`."""

    by: str
    at: int
    version: int


def unchanged(version: int) -> Already:
    """It is so already, and it does not matter who made it so."""
    return Already("", 0, version)

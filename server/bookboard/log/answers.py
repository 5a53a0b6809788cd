"""How a command is answered that leads to no event."""

from msgspec import Struct

from bookboard.rules.model import Facts


class Rejected(Struct, frozen=True):
    """Understood and refused. `field` is the part of the entry it is about; `retry`: the same may be accepted later."""

    code: str
    facts: Facts = {}
    retry: bool = False
    field: str | None = None


class Already(Struct, frozen=True):
    """It would change nothing: `by` did the same at `at` (ms since 1970), in `version`."""

    by: str
    at: int
    version: int


def unchanged(version: int) -> Already:
    """It is so already, and it does not matter who made it so."""
    return Already("", 0, version)

"""The base of everything that is told apart by its `type`: commands and events here, messages in `protocol/`."""

import re
from functools import cache

from msgspec import Struct


@cache
def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Tagged(Struct, frozen=True, tag_field="type", tag=snake_case):
    """A member of a closed family; its tag is its name in snake_case."""

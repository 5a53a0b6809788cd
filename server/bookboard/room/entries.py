"""What is kept of an entry: what the rules read, and of a size that hands have. The rules say what is right in it."""

from collections.abc import Iterable

from bookboard.rules.model import Entry, RecordError
from bookboard.rules.shape import ABOUT_THE_ENTRY, lay_over

MAX_NAMED = 32
"""Names in one list or mapping of a hand: a renege for every book, from both sides, is fewer."""
LONGEST_KEY = 80


def sanitize_entry(entry: Entry) -> Entry:
    """Without who and when, which the log knows better. Raises malformed for more than any hand has."""
    given = {member: value for member, value in entry.items() if member not in ABOUT_THE_ENTRY}
    if _is_too_much(given):
        raise RecordError("malformed")
    for member, value in given.items():
        if isinstance(value, dict | list) and _is_too_much(value):
            raise RecordError("malformed", member, {"field": member})
    return given


def sanitize_complete_entry(entry: Entry) -> Entry:
    """The same of an entry that comes complete: without what is null as well."""
    return lay_over({}, sanitize_entry(entry))


def parts_in(entry: Entry, changed: set[str]) -> Entry:
    """Of a part that was laid over a hand, what made a difference: nothing else that was sent is kept."""
    kept: Entry = {}
    for member, value in entry.items():
        if isinstance(value, dict):
            inside = {name: inner for name, inner in value.items() if f"{member}.{name}" in changed}
            if inside:
                kept[member] = inside
        elif any(path == member or path.startswith(f"{member}.") for path in changed):
            kept[member] = value
    return kept


def _is_too_much(names: Iterable[object]) -> bool:
    named = list(names)
    return len(named) > MAX_NAMED or any(not isinstance(name, str) or len(name) > LONGEST_KEY for name in named)

"""Reading entries: what is a member and a name, and how a part is laid over a hand in play.

Null and absent are the same everywhere in a hand.
"""

from collections.abc import Container, Mapping

from bookboard.rules.model import Entry, Json, RecordError

ABOUT_THE_ENTRY = frozenset({"at", "by"})
"""Members of a hand that say who entered it and when: any value, never a point."""


def members(entry: Entry, known: Container[str]) -> Entry:
    """The entry's members that are given. Raises unknown_field."""
    given: Entry = {}
    for key, value in entry.items():
        if value is None or key in ABOUT_THE_ENTRY:
            continue
        if key not in known:
            raise RecordError("unknown_field", key, {"field": key})
        given[key] = value
    return given


def mapping(given: Entry, key: str) -> Mapping[str, Json]:
    """A member that maps names to values, without those that are null. Raises malformed."""
    value = given.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RecordError("malformed", key, {"field": key})
    if None in value.values():
        return {name: part for name, part in value.items() if part is not None}
    return value


def listed(given: Entry, key: str) -> list[Json]:
    """A member that lists names. Raises malformed."""
    value = given.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RecordError("malformed", key, {"field": key})
    return value


def unknown_side(field: str, name: Json) -> RecordError:
    """The error for a name that is not of the table; something that is no name at all is malformed."""
    if isinstance(name, dict | list):
        return RecordError("malformed", field, {"field": field})
    return RecordError("unknown_side", field, {"name": "nobody" if name is None else str(name)})


def lay_over(in_play: Entry, part: Entry) -> Entry:
    """The hand in play with a part laid over it: mappings merge, null removes, the rest replaces."""
    laid = dict(in_play)
    for key, value in part.items():
        below = laid.get(key)
        if isinstance(value, dict):
            merged = {**(below if isinstance(below, dict) else {}), **value}
            laid[key] = {name: inner for name, inner in merged.items() if inner is not None}
        else:
            laid[key] = value
    return {key: value for key, value in laid.items() if value not in (None, {}, [])}

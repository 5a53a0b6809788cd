"""Settings declared once: a struct whose fields carry what a person needs to know, turned into `Setting`s.

    class PackSettings(Struct, frozen=True):
        target: Annotated[int | None, Declared(label="Target", ...)] = None

Form, JSON schema, rules page and the reading of a record are all made from the one declaration.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar, get_type_hints

from msgspec import Struct, structs

from bookboard.rules.game import Choice, Setting
from bookboard.rules.model import Json, RecordError

S = TypeVar("S", bound=Struct)

ON_OFF = (Choice(True, "On"), Choice(False, "Off"))


class Declared(Struct, frozen=True, kw_only=True):
    """What a field of a settings struct says of itself; see `Setting` for each member."""

    label: str
    group: str
    help: str
    source: str
    choices: tuple[Choice, ...] = ON_OFF
    low: int | None = None
    high: int | None = None
    unit: str = ""
    hidden_when: tuple[Mapping[str, Json], ...] = ()
    idle_when: tuple[Mapping[str, Json], ...] | None = None
    text: str = ""


def numbers(*values: int) -> tuple[Choice, ...]:
    """Choices that are their own labels, with a true minus sign."""
    return tuple(Choice(value, str(value).replace("-", "\N{MINUS SIGN}")) for value in values)


def off_or(*values: int) -> tuple[Choice, ...]:
    return (Choice(None, "Off"), *numbers(*values))


def unlimited_or(*values: int) -> tuple[Choice, ...]:
    return (Choice(None, "Unlimited"), *numbers(*values))


def declared_settings(settings_type: type[Struct]) -> tuple[Setting, ...]:
    """The settings that the fields of a struct declare, in their order."""
    hints = get_type_hints(settings_type, include_extras=True)
    return tuple(
        Setting(key=field.name, default=field.default, **structs.asdict(_declaration_in(hints[field.name])))
        for field in structs.fields(settings_type)
    )


def _declaration_in(hint: object) -> Declared:
    (declared,) = (note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Declared))
    return declared


def settings_reader(
    settings_type: Callable[..., S], settings: tuple[Setting, ...]
) -> Callable[[Mapping[str, Json]], S]:
    """A function from the settings that differ to the complete struct, checked against what is offered."""
    by_key = {setting.key: setting for setting in settings}
    defaults = {setting.key: setting.default for setting in settings}

    def read_settings(given: Mapping[str, Json]) -> S:
        for key, value in given.items():
            if key not in by_key:
                raise RecordError("unknown_setting", key, {"setting": key})
            if not by_key[key].offers(value):
                raise RecordError("invalid_setting", key, {"setting": by_key[key].label})
        return settings_type(**(defaults | dict(given)))

    return read_settings

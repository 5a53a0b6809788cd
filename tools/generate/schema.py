"""The JSON Schema of a game's record, made from the declarations of its settings.

It knows the record's members and every setting. What a hand may hold depends on the settings and on the hands before
it, which a schema cannot say: the rules do.
"""

from bookboard.rules.catalogue import AnyGame
from bookboard.rules.game import Setting
from bookboard.rules.model import Json
from bookboard.rules.record import RECORD_FORMAT

Schema = dict[str, Json]


def record_schema(game: AnyGame) -> Schema:
    """A draft 2020-12 schema of one game's records."""
    properties: Schema = {
        "format": {"description": "The format of the record.", "enum": [RECORD_FORMAT, None]},
        "game": {"const": game.key},
        "settings": settings_schema(game),
        "hands": {"type": "array", "items": {"type": "object"}, "description": "Hand by hand, as they were entered."},
        "ended_by_host": {
            "type": ["boolean", "null"],
            "description": "Whether the host ended it before the rules did.",
        },
        "names": {"description": "What people call its sides and seats. It changes no point."},
        "started_at": {"description": "When it began. It changes no point."},
    }
    required: list[Json] = ["game", "hands"]
    if game.has_time_limit:
        properties["time_expired_after"] = {
            "type": ["integer", "null"],
            "minimum": 0,
            "description": "How many hands had been scored when the time ran out.",
        }
    if not game.seats:
        properties["players"] = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
        required.append("players")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A game of {game.title}",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def settings_schema(game: AnyGame) -> Schema:
    """The settings that differ from their defaults."""
    return {
        "description": "The settings that differ from their defaults.",
        "type": ["object", "null"],
        "properties": {setting.key: setting_schema(setting) for setting in game.settings},
        "additionalProperties": False,
    }


def setting_schema(setting: Setting) -> Schema:
    """The values that `Setting.offers`."""
    about: Schema = {"title": setting.label, "description": setting.help, "default": setting.default}
    values = [choice.value for choice in setting.choices]
    low, high = setting.low, setting.high
    if low is None or high is None:
        return {**about, "enum": values}
    others = [value for value in values if type(value) is not int or not low <= value <= high]
    in_range: Schema = {"type": "integer", "minimum": low, "maximum": high}
    return {**about, "anyOf": [{"enum": others}, in_range]} if others else {**about, **in_range}

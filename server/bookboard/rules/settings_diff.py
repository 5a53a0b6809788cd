"""What a table chose: every setting of its rules, and where two sets of rules differ."""

from collections.abc import Mapping

from msgspec import Struct

from bookboard.rules.catalogue import AnyGame
from bookboard.rules.model import Json

Settings = Mapping[str, Json]


class Difference(Struct, frozen=True):
    """One setting of which two sets of rules have different values."""

    key: str
    here: Json
    there: Json


def complete(game: AnyGame, settings: Settings) -> dict[str, Json]:
    """Every setting, in the order of the game; those not given have their default. Raises as `read_settings` does."""
    game.read_settings(settings)
    return {setting.key: settings.get(setting.key, setting.default) for setting in game.settings}


def differences(game: AnyGame, here: Settings, there: Settings) -> tuple[Difference, ...]:
    """The settings of which two sets of rules have different values, in the game's order; defaults may be left out."""
    ours, theirs = complete(game, here), complete(game, there)
    return tuple(Difference(key, ours[key], theirs[key]) for key in ours if not _is_same(ours[key], theirs[key]))


def non_default(game: AnyGame, settings: Settings) -> dict[str, Json]:
    """The settings that are not at their default: what a game record holds."""
    return {each.key: each.here for each in differences(game, settings, {})}


def holds(condition: Settings, chosen: Settings) -> bool:
    """Whether all settings that a condition names have the value it names."""
    return all(_is_same(chosen[key], value) for key, value in condition.items())


def _is_same(one: Json, other: Json) -> bool:
    """True is not 1."""
    return type(one) is type(other) and one == other

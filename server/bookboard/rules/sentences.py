"""A table's rules in plain sentences: one for each setting as it is set, after those that always hold.

The page of a game's rules, a table's own rules and the reason behind a line all come from here. A sentence is a text
under `rules` in the list of texts (`bag_penalty.on`, `basics.made`) and the facts that fill it.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from bookboard.rules.catalogue import AnyGame
from bookboard.rules.game import Setting
from bookboard.rules.model import Facts, Json
from bookboard.rules.settings_diff import complete, holds

Settings = Mapping[str, Json]


class Said(Struct, frozen=True):
    """A sentence about a setting, by its key, or about what always holds, by its name in the game's `basics`."""

    about: str
    text: str
    facts: Facts = {}


def sentences(game: AnyGame, settings: Settings) -> tuple[Said, ...]:
    """The rules in force, defaults included; a setting that changes nothing as the others are set is left out."""
    chosen = complete(game, settings)
    return (
        *(Said(name, f"basics.{name}") for name in game.basics),
        *(said_of(setting, chosen[setting.key]) for setting in game.settings if not is_idle(setting, chosen)),
    )


def said_of(setting: Setting, value: Json) -> Said:
    """What one value of a setting means."""
    facts: Facts = {}
    if type(value) is int:
        facts = {"value": value, "times_ten": 10 * value}
    return Said(setting.key, f"{setting.text or setting.key}.{form_of(value)}", facts)


def form_of(value: Json) -> str:
    """Which of a setting's sentences a value has: words have their own, numbers share one that names them."""
    if value is None or value is False:
        return "off"
    if isinstance(value, str):
        return value
    return "on" if value else "none"


def is_idle(setting: Setting, chosen: Settings) -> bool:
    """Whether the setting can change nothing, given all settings. Mostly it is then hidden too."""
    conditions = setting.hidden_when if setting.idle_when is None else setting.idle_when
    return any(holds(condition, chosen) for condition in conditions)


def why(game: AnyGame, settings: Settings, rules: Iterable[str]) -> dict[str, Said]:
    """The sentence of the table's own rules behind each line's rule or outcome's reason, where there is one."""
    said = {each.about: each for each in sentences(game, settings)}
    behind = {rule: (name for name in game.explained_by.get(rule, (rule,)) if name in said) for rule in rules}
    return {rule: said[name] for rule, names in behind.items() if (name := next(names, None)) is not None}

"""The reference of the rules, made from their declarations: `make rules-docs` writes `docs/rules/`.

With `--check` nothing is written; the exit status is 1 when a file is not what the declarations say.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.game import Setting
from bookboard.rules.model import Json
from tools.generate.schema import record_schema

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "rules"
TEXTS = ROOT / "web" / "i18n" / "en.json"
MADE = "Made by `make rules-docs` from the declarations in `server/bookboard/rules/`."

Texts = Mapping[str, Mapping[str, str]]


def settings_page(games: Iterable[AnyGame]) -> str:
    """`settings.md`: every setting of every game."""
    lines = ["# Settings", "", MADE, "", "`null` is Off or Unlimited; a game record holds only what differs.", ""]
    for game in games:
        lines += [f"## {game.title}", "", f"In a record: `{game.key}`.", ""]
        groups = dict.fromkeys(setting.group for setting in game.settings)
        for group in groups:
            lines += [f"### {group}", ""]
            for setting in game.settings:
                if setting.group == group:
                    lines += [*_setting(setting, game), ""]
    return "\n".join(lines)


def _setting(setting: Setting, game: AnyGame) -> Iterator[str]:
    yield f"**{setting.label}** · `{setting.key}`"
    yield ""
    yield setting.help
    yield ""
    yield f"- default: {_value(setting.default)}"
    yield f"- offered: {_offered(setting)}"
    for condition in setting.hidden_when:
        yield f"- hidden while {_condition(condition, game)}"
    yield f"- from: {setting.source}"


def _offered(setting: Setting) -> str:
    offered = ", ".join(
        f"{_value(choice.value)}{'' if _is_own_label(choice.value, choice.label) else f' ({choice.label})'}"
        for choice in setting.choices
    )
    between = "" if setting.low is None else f", any number from {setting.low} to {setting.high}"
    return f"{offered}{between}{f' – {setting.unit}' if setting.unit else ''}"


def _is_own_label(value: Json, label: str) -> bool:
    return label.replace("\N{MINUS SIGN}", "-") == str(value)


def _condition(condition: Mapping[str, Json], game: AnyGame) -> str:
    labels = {setting.key: setting.label for setting in game.settings}
    return " and ".join(f"*{labels[key]}* is {_value(value)}" for key, value in condition.items())


def _value(value: Json) -> str:
    return f"`{json.dumps(value)}`"


def lines_page(games: Iterable[AnyGame], texts: Texts) -> str:
    """`lines.md`: the stable names in results and errors, and the sentences they are said with."""
    lines = [
        "# Lines, ends and errors",
        "",
        MADE,
        "",
        "The names are stable: a stored result keeps its meaning. `{fact}` is one of the facts that come with it, and",
        "`{fact|one book|{fact} books}` a choice by its number; of three forms the first is for none.",
        "",
    ]
    for game in games:
        lines += [f"## {game.title}", "", *_names("line", game.line_rules, texts["lines"]), ""]
        lines += [*_names("end", (*game.reasons, "host"), texts["reasons"]), ""]
        if game.overrides:
            overrides = ", ".join(f"`{check}`" for check in game.overrides)
            lines += [f"Checks that a host may override, in a hand's `allowed`: {overrides}.", ""]
    errors = texts["record_errors"]
    return "\n".join([*lines, "## What is wrong with a record", "", *_names("code", errors, errors), ""])


def _names(kind: str, names: Iterable[str], sentences: Mapping[str, str]) -> Iterator[str]:
    yield f"| {kind} | sentence |"
    yield "| --- | --- |"
    for name in names:
        yield f"| `{name}` | {sentences[name].replace('|', chr(92) + '|')} |"


def made(games: Mapping[str, AnyGame], texts: Texts) -> dict[str, str]:
    """Every file of the reference by its name."""
    schemas = {f"{key}.schema.json": _json(record_schema(game)) for key, game in games.items()}
    return {
        "settings.md": settings_page(games.values()),
        "lines.md": lines_page(games.values(), texts),
        **schemas,
    }


def _json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """The exit status."""
    files = made(GAMES, json.loads(TEXTS.read_text(encoding="utf-8")))
    stale = [name for name, text in files.items() if _written(name) != text]
    for name in stale:
        if "--check" in arguments:
            sys.stderr.write(f"docs/rules/{name} is not what the rules declare: make rules-docs\n")
        else:
            (DOCS / name).write_text(files[name], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


def _written(name: str) -> str:
    path = DOCS / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Every code of a refusal has a text, documentation, a test, and a place that gives it."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from bookboard.log.refusals import HUB_CODES, TABLE_CODES, HubCode, RefusalCode, TableCode
from bookboard.rules.codes import GameRecordCode, LeagueRecordCode

ROOT = Path(__file__).parent.parent
TEXTS = json.loads((ROOT / "web" / "i18n" / "en.json").read_text(encoding="utf-8"))
CODES = sorted(set(get_args(RefusalCode)))
PAGE_CODES = {"other", "offline", "no_rules_in_file", "other_game"}
"""What pages say themselves: `Refusal` in `web/js/core/types.d.ts`."""


def arguments(source: Path) -> Iterator[str]:
    """The texts that are passed to a call anywhere in this module."""
    for call in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                for part in ast.walk(argument):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


GIVEN = {text for path in (ROOT / "server").rglob("*.py") for text in arguments(path)}
TESTED = "\n".join(
    path.read_text(encoding="utf-8")
    for pattern in ("*.py", "*.jsonl")
    for path in (ROOT / "tests").rglob(pattern)
    if path != Path(__file__)
)
DOCUMENTED = {
    family: (ROOT / "docs" / page).read_text(encoding="utf-8")
    for family, page in {"table": "protocol.md", "record": "rules/lines.md", "league": "league-record.md"}.items()
}


def documentation(code: str) -> Iterator[str]:
    """The pages that have to explain this code."""
    if code in (*get_args(TableCode), *get_args(HubCode)):
        yield DOCUMENTED["table"]
    if code in get_args(GameRecordCode):
        yield DOCUMENTED["record"]
    if code in get_args(LeagueRecordCode):
        yield DOCUMENTED["league"]


def sections(code: str) -> Iterator[str]:
    if code in (*get_args(TableCode), *get_args(HubCode)):
        yield "refusals"
    if code in get_args(GameRecordCode):
        yield "record_errors"
    if code in get_args(LeagueRecordCode):
        yield "league_errors"


@pytest.mark.parametrize("code", CODES)
def test_a_code_has_a_text_documentation_a_test_and_a_place_that_gives_it(code: str) -> None:
    assert [name for name in sections(code) if code not in TEXTS[name]] == [], "no text in web/i18n/en.json"
    assert all(f"`{code}`" in page for page in documentation(code)), "not documented"
    assert f'"{code}"' in TESTED, "no test expects it"
    assert code in GIVEN, "nobody gives it"


def test_no_text_is_left_over() -> None:
    whys = {f"{code}_by_{why}" for code in CODES for why in CODES}
    assert set(TEXTS["refusals"]) - whys - PAGE_CODES == {*get_args(TableCode), *get_args(HubCode)}
    assert set(TEXTS["record_errors"]) == set(get_args(GameRecordCode))
    assert set(TEXTS["league_errors"]) == set(get_args(LeagueRecordCode))


def test_every_code_of_tables_and_hubs_has_its_meaning() -> None:
    assert list(TABLE_CODES) == list(get_args(TableCode))
    assert list(HUB_CODES) == list(get_args(HubCode))


def test_only_codes_of_a_record_are_shared() -> None:
    families = [set(get_args(family)) for family in (TableCode, HubCode, GameRecordCode)]
    assert sum(map(len, families)) == len(set.union(*families)), "a code means two things"

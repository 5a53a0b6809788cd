"""Every rule of the documents has a test, and the index of their sentences is theirs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rules.rulebook import (
    DOCUMENTS,
    FILES,
    NOT_YET,
    NOT_YET_SENTENCES,
    READINGS,
    Sentence,
    read_documents,
    read_index,
)

ROOT = Path(__file__).parents[2]


def test_every_rule_has_a_test_and_the_table_shows_it() -> None:
    command = [sys.executable, "-m", "tests.coverage_table", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_index_holds_every_sentence_of_the_documents() -> None:
    if not all((DOCUMENTS / name).exists() for name in FILES.values()):
        pytest.skip("the rule documents are not here: they are kept outside the repository")
    said = [(each.document, each.section, each.number, each.digest, each.first_words) for each in read_documents()]
    assert [entry[:5] for entry in read_index()] == said


def test_a_sentence_that_changes_is_noticed() -> None:
    one, other = (Sentence("spades", "Nil", 3, f"A failed nil loses {value}.") for value in (50, 100))
    assert one.digest != other.digest


def test_what_is_not_built_yet_is_in_the_index() -> None:
    open_rules = {(entry.document, entry.section, entry.number) for entry in read_index() if not entry.no_test}
    assert set(NOT_YET_SENTENCES) <= open_rules
    assert set(NOT_YET_SENTENCES.values()) == set(NOT_YET) <= set(READINGS)


def test_every_reading_that_is_cited_stands_on_the_page_of_readings() -> None:
    sources = [path for folder in ("server", "web/i18n", "tests") for path in (ROOT / folder).rglob("*.*")]
    cited = {
        name
        for path in sources
        if path.suffix in {".py", ".json"}
        for name in re.findall(r"[Rr]eadings? ([STBP]\d+)\b", path.read_text(encoding="utf-8"))
    }
    assert cited
    assert cited <= set(READINGS)

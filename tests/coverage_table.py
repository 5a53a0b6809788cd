"""Which tests cite which rule: `python -m tests.coverage_table` writes `docs/rules/coverage.md`.

A test cites rules by `pytest.mark.rule`. The exit status is 1 when a rule has no test, when a test cites what is no
rule, and with `--check`, which writes nothing, when the document is not what the tests say.
"""

import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.rules.rulebook import NOT_YET, NOT_YET_SENTENCES, READINGS, Entry, read_index

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "rules" / "coverage.md"
Rule = tuple[str, str, int] | str
"""A sentence of a document, or a reading."""
TITLES = {
    "spades": "Spades",
    "tournament": "Tournament Spades",
    "bid whist": "Bid Whist",
    "pack": "Pack",
}


class _Collector:
    def __init__(self) -> None:
        self.cited: dict[Rule, list[str]] = defaultdict(list)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for rule in rules_cited(item):
                if item.nodeid not in self.cited[rule]:
                    self.cited[rule].append(item.nodeid)


def rules_cited(item: pytest.Item) -> Iterator[Rule]:
    for mark in item.iter_markers("rule"):
        document, *where = mark.args
        if where:
            section, *numbers = where
            yield from ((document, section, number) for number in numbers)
        else:
            yield document


def collect() -> dict[Rule, list[str]]:
    """Every rule that a test cites, with the tests."""
    collector = _Collector()
    with redirect_stdout(io.StringIO()) as said:
        status = pytest.main(["--collect-only", "-qqq", "-p", "no:randomly", *files_that_cite()], plugins=[collector])
    if status:
        raise SystemExit(said.getvalue())
    return collector.cited


def files_that_cite() -> list[str]:
    """Relative to the project, as the tests' names are."""
    cite = re.compile(r"mark\.rule\(|_rule\(|\brule\(\"")
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in paths if cite.search(path.read_text("utf-8"))]


def missing(cited: Iterable[Rule]) -> list[Rule]:
    """The rules that nothing cites, but for those not yet built."""
    found = set(cited)
    return [
        rule for rule in every_rule() if rule not in found and rule not in NOT_YET_SENTENCES and rule not in NOT_YET
    ]


def every_rule() -> list[Rule]:
    sentences = [(entry.document, entry.section, entry.number) for entry in read_index() if not entry.no_test]
    return [*sentences, *READINGS]


def table(cited: dict[Rule, list[str]]) -> str:
    """`docs/rules/coverage.md`."""
    index = read_index()
    rules = [entry for entry in index if not entry.no_test]
    open_sentences = len(NOT_YET_SENTENCES)
    lines = [
        "# Every rule and its tests",
        "",
        "Made by `make coverage-table` from the tests: each cites the sentences or the reading it is about. Sentences",
        "are numbered within their section, its heading being 0, and stand here with their first words.",
        "",
        f"- {len(index)} sentences: {len(rules) - open_sentences} have tests, {open_sentences} are not yet built,",
        f"  {len(index) - len(rules)} are no rules.",
        f"- {len(READINGS)} readings: {len(READINGS) - len(NOT_YET)} with tests, {len(NOT_YET)} not yet built.",
        f"- Rules without a test: {len(missing(cited))}.",
        "",
        "## Not yet",
        "",
        "| reading | what is open | sentences |",
        "| --- | --- | --- |",
        *(f"| {reading} | {why} | {_open_sentences(reading)} |" for reading, why in NOT_YET.items()),
        "",
    ]
    for document, title in TITLES.items():
        lines += [f"## {title}", ""]
        lines += _sections([entry for entry in index if entry.document == document], cited)
    lines += ["## Readings", "", "| reading | tests |", "| --- | --- |"]
    lines += [f"| {reading} | {_named(cited.get(reading, []), _not_yet(reading))} |" for reading in READINGS]
    return "\n".join(lines) + "\n"


def _open_sentences(reading: str) -> str:
    found = [f"{section} {number}" for (_, section, number), name in NOT_YET_SENTENCES.items() if name == reading]
    return ", ".join(found)


def _not_yet(reading: str | None) -> str:
    return f"*not yet: {reading}*" if reading in NOT_YET else "**none**"


def _sections(entries: list[Entry], cited: dict[Rule, list[str]]) -> Iterator[str]:
    for section in dict.fromkeys(entry.section for entry in entries):
        yield from (f"### {section}", "", "| | sentence | tests |", "| --- | --- | --- |")
        for entry in entries:
            if entry.section == section:
                rule = (entry.document, entry.section, entry.number)
                tests = cited.get(rule, [])
                shown = (
                    f"*no rule: {entry.no_test}*"
                    if entry.no_test
                    else _named(tests, _not_yet(NOT_YET_SENTENCES.get(rule)))
                )
                yield f"| {entry.number} | {entry.first_words.replace('|', '').strip() or 'a line'} … | {shown} |"
        yield ""


def _named(tests: list[str], if_none: str) -> str:
    return "<br>".join(map(_spoken, tests)) or if_none


def _spoken(nodeid: str) -> str:
    """A test as the sentence that its name is: file, test, row."""
    path, _, name = nodeid.partition("::")
    test, _, row = name.rstrip("]").partition("[")
    sentence = test.removeprefix("test_").replace("_", " ")
    row = row.encode("ascii", "backslashreplace").decode("unicode_escape") if "\\" in row else row
    return f"{sentence}{': ' if row else ''}{row} ({Path(path).stem.removeprefix('test_')})".replace("|", "\\|")


def main(arguments: list[str]) -> int:
    """The exit status."""
    cited = collect()
    wrong = [f"cited, but no rule: {rule}" for rule in cited if rule not in every_rule()]
    wrong += [f"cited, so no longer open: {rule}" for rule in cited if rule in NOT_YET or rule in NOT_YET_SENTENCES]
    wrong += [f"no test cites {rule}" for rule in missing(cited)]
    if wrong:
        sys.stderr.write("\n".join(wrong) + "\n")
        return 1
    made = table(cited)
    if DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == made:
        return 0
    if "--check" in arguments:
        sys.stderr.write("docs/rules/coverage.md is not what the tests say: make coverage-table\n")
        return 1
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

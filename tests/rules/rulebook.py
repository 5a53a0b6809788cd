"""The rule documents as numbered sentences. They are kept outside the repository; `rulebook.tsv` is the index.

A row of the index is document, section, number, a hash of the sentence, its first words, and, where no test is to
cite it, why. The documents are those in the folder that `BOOKBOARD_RULES_DIR` names, else, where it exists, in the
folder `shared/rules` beside the checkout.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import NamedTuple

INDEX = Path(__file__).parent / "rulebook.tsv"
DOCUMENTS = Path(os.environ.get("BOOKBOARD_RULES_DIR") or Path(__file__).parents[3] / "shared" / "rules")

FILES = {
    "spades": "spades.txt",
    "tournament": "tournament-spades.txt",
    "bid whist": "bid-whist.txt",
    "pack": "pack.txt",
}
READINGS_PAGE = Path(__file__).parents[2] / "docs" / "rules" / "readings.md"
READINGS = tuple(re.findall(r"^- \*\*([STBP]\d+)\b", READINGS_PAGE.read_text(encoding="utf-8"), re.MULTILINE))
NOT_YET = {
    "T4": "the play clock",
    "T5": "penalty cards",
}
"""Readings that nothing in the project does yet, so that nothing can test them."""
NOT_YET_SENTENCES = {
    **{("tournament", "Game Play", number): "T4" for number in (1, 2, 3)},
    **{("tournament", "Game Play", number): "T5" for number in range(5, 12)},
}
HEADINGS = {
    "tournament": ("Game Play", "Card Toss", "Racking Cards", "Sandbags", "Winning the Game", "Tiebreakers"),
    "bid whist": (
        "Bid Whist scoring",
        "What a contract actually promises",
        "Made, set, and the defenders",
        "No Trump doubles in both directions",
        "Winning the match",
        "Worked example",
        "Quick answers",
        "Skip the arithmetic",
    ),
    "pack": ("The Scoring",),
}
"""The lines that begin a section, where a document does not mark them: one that does gives its default below them."""


class Sentence(NamedTuple):
    document: str
    section: str
    number: int
    text: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(" ".join(self.text.split()).encode()).hexdigest()[:8]

    @property
    def first_words(self) -> str:
        return " ".join(self.text.split()[:3])


class Entry(NamedTuple):
    """A row of the index. `no_test` says why nothing cites the sentence; "" where it is a rule."""

    document: str
    section: str
    number: int
    digest: str
    first_words: str
    no_test: str


def read_index() -> list[Entry]:
    rows = (line.split("\t") for line in INDEX.read_text(encoding="utf-8").splitlines()[1:])
    return [Entry(document, section, int(number), *rest) for document, section, number, *rest in rows]


def read_documents() -> list[Sentence]:
    """Every sentence of the four documents, in their order; a line of a table or a list is one too."""
    return [sentence for document, name in FILES.items() for sentence in _read(document, DOCUMENTS / name)]


def _read(document: str, path: Path) -> list[Sentence]:
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    found: list[Sentence] = []
    section, number = "Title", 0
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        heading = _heading(document, line, below)
        if heading is not None:
            section, number = heading, 0
        for text in re.split(r"(?<!^[a-z]\.)(?<=[.?!])\s+(?=[A-Z“])", line):
            found.append(Sentence(document, section, number, text))
            number += 1
    return found


def _heading(document: str, line: str, below: str) -> str | None:
    """The section that the line begins; its heading is the section's sentence 0."""
    if below.startswith("Default:"):
        return line
    return next(
        (title for title in HEADINGS.get(document, ()) if re.fullmatch(rf"{re.escape(title)}( [-–] .*)?", line)), None
    )

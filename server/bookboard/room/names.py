"""Names as people type them, made safe to show: one spelling, no invisible characters, no end of length."""

import unicodedata

LONGEST_NAME = 40

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d"}
"""Format characters that scripts and emoji are spelled with; a bidirectional control never is."""


def clean_name(text: str) -> str:
    """The name in NFC, without control and bidirectional characters, spaces folded, at most 40 long, maybe empty."""
    kept = (
        c if c.isprintable() or c in _JOINERS else " " if c.isspace() else ""
        for c in text
        if c in _JOINERS or _shown(c)
    )
    return (
        unicodedata.normalize("NFC", " ".join("".join(kept).split()))[:LONGEST_NAME].rstrip().strip("".join(_JOINERS))
    )


def _shown(c: str) -> bool:
    return c.isspace() or unicodedata.category(c) not in _INVISIBLE

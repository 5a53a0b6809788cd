"""Names as people type them, made safe to show: one spelling, no invisible characters, no end of length.

A name is cut between what people take for characters (grapheme clusters), and what is newer than our tables is kept:
phones get new emoji before servers do.
"""

import unicodedata

import regex

LONGEST_NAME = 40
"""In characters as people count them: a family or a flag is one."""
MAX_BYTES = 400
LONGEST_CLUSTER = 16
"""In code points. The longest emoji has eleven; more are marks heaped on a letter."""

_FLAG = r"\U0001F3F4[\U000E0061-\U000E007A\U000E0030-\U000E0039]{3,6}\U000E007F"
"""The flag of a part of a country, England's for one, is spelled with characters that are invisible elsewhere."""
_JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji are spelled with; a bidirectional control never is."""
_HIDDEN = (
    r"(?V1)[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}"
    r"[\p{Cn}&&\p{Default_Ignorable_Code_Point}]]--[\u200c\u200d]--\s]"
)
_KEPT_OR_HIDDEN = regex.compile(rf"({_FLAG})|{_HIDDEN}")
_CLUSTER = regex.compile(r"\X")


def clean_name(text: str) -> str:
    """The name in NFC, without control and bidirectional characters, spaces folded, at most 40 long, maybe empty."""
    shown = _KEPT_OR_HIDDEN.sub(lambda found: found[1] or "", text)
    normal = unicodedata.normalize("NFC", " ".join(shown.split()))
    return _cut(normal.strip(_JOINERS)).rstrip().strip(_JOINERS)


def _cut(name: str) -> str:
    kept, size = list[str](), 0
    for found in _CLUSTER.finditer(name):
        cluster = found[0][:LONGEST_CLUSTER]
        size += len(cluster.encode())
        if len(kept) == LONGEST_NAME or size > MAX_BYTES:
            break
        kept.append(cluster)
    return "".join(kept)

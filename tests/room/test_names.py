import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bookboard.room.names import clean_name

FAMILY = "👨🏻\u200d👩🏻\u200d👧🏻"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Kings  &\tQueens ", "Kings & Queens"),
        ("Zoe\u0308", "Zoë"),
        ("\u202eevil\u202c", "evil"),
        ("a\u0000b\u001bc", "abc"),
        ("\u200b\u2066\u2069", ""),
        ("\u200d", ""),
        ("👩\u200d👧", "👩\u200d👧"),
        ("x" * 60, "x" * 40),
        ("x" * 39 + " y", "x" * 39),
        ("line\nbreak", "line break"),
        ("A" + FAMILY * 39 + "B", "A" + FAMILY * 13),
        ("A" * 39 + FAMILY + "B", "A" * 39 + FAMILY),
        ("é" * 60, "é" * 40),
        ("\U0001fae9 \U0001fadf \U0001fa8e", "\U0001fae9 \U0001fadf \U0001fa8e"),
        ("\U0001ffff", ""),
        (f"Team {ENGLAND}!", f"Team {ENGLAND}!"),
        ("x\U000e0067\U000e0062y", "xy"),
        ("\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4"),
        ("Z" + "\u0334" * 70, "Z" + "\u0334" * 15),
        ("क्षि" * 50, "क्षि" * 33),
    ],
)
def test_a_name_is_made_safe_to_show(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@given(st.text(max_size=80))
def test_a_name_is_bounded_and_clean_already(text: str) -> None:
    name = clean_name(text)
    assert len(name.encode()) <= 400
    assert len(regex.findall(r"\X", name)) <= 40
    assert clean_name(name) == name

import pytest

from bookboard.room.names import clean_name


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
    ],
)
def test_a_name_is_made_safe_to_show(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown

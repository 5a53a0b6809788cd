from hypothesis import given
from hypothesis import strategies as st

from bookboard.store import keys


def test_all_keys_of_a_room_share_one_tag() -> None:
    names = keys.room_keys("ABCDEF")
    tag = keys.tag(keys.partition("ABCDEF"))
    every = [*(getattr(names, field) for field in names.__struct_fields__), keys.archive("ABCDEF", 3)]
    assert all(name.startswith(tag) for name in every)
    assert len(set(every)) == len(every)


def test_a_partition_is_the_same_for_ever() -> None:
    assert keys.room_keys("ABCDEF").meta == "{p41}:r:ABCDEF:m"


@given(st.text())
def test_there_are_64_partitions(room: str) -> None:
    assert 0 <= keys.partition(room) < 64


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_two_commands_never_share_an_answer(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (keys.answer_field(*one) == keys.answer_field(*other)) == (one == other)

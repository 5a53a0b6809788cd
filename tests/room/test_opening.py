import pytest
from tests.room.table import Table

from bookboard.log.refusals import Refusal
from bookboard.room.opening import Hashes, Opening, open_table

HASHES = Hashes("a", "b", "c")


@pytest.mark.parametrize(
    ("opening", "code", "field"),
    [
        (Opening(name="T", host_name="Holly", key="hearts", settings={}), "unknown_game", "game"),
        (Opening(name="T", host_name="Holly", key="spades", settings={"nil": 7}), "invalid_setting", "nil"),
        (Opening(name="T", host_name=" ", key="spades", settings={}), "name_needed", "host_name"),
        (
            Opening(name="T", host_name="Holly", key="spades", settings={}, side_names={"up": "x"}),
            "unknown_side",
            "side_names",
        ),
        (Opening(name="T", host_name="Holly", key="pack", settings={}, players=["Ada"]), "invalid_players", "players"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_table_that_cannot_be_opened_says_why(opening: Opening, code: str, field: str) -> None:
    refused = open_table("K7F4MPQ", opening, HASHES)
    assert isinstance(refused, Refusal)
    assert refused.code == code
    assert field in (refused.field or "")


def test_sides_are_named_when_the_table_is_opened() -> None:
    table = Table(side_names={"north_south": " Kings ", "east_west": ""})
    assert table.room.state.side_names == {"north_south": "Kings"}


def test_a_table_without_a_name_is_called_a_table() -> None:
    opened = open_table("K7F4MPQ", Opening(name=" ", host_name="Holly", key="spades", settings={}), HASHES)
    assert not isinstance(opened, Refusal)
    assert opened.name == "Table"


def test_players_names_are_made_safe_to_show() -> None:
    table = Table({}, "pack", players=["Ann ", "B\u202eob", "Cy\n"])
    assert table.room.sheet.sides == ("Ann", "Bob", "Cy")

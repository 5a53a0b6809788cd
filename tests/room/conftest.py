import pytest
from tests.room.table import Table


@pytest.fixture
def table() -> Table:
    """A started game of Spades without time limit whose first hand has bids."""
    return Table({"first_hand_bids_itself": False}).start()


@pytest.fixture
def timed() -> Table:
    """The same with a time limit of an hour."""
    return Table({"first_hand_bids_itself": False, "time_limit_minutes": 60}).start()

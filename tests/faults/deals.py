"""Hands for as long a night as a test wants: the sides take turns in missing the same bid, so nobody ever wins."""

from random import Random
from typing import Any

SETTINGS: dict[str, Any] = {"score_limit": 5000}


class Deals:
    """`hand(n)` is what is entered for hand n: the same for the same seed, other books for neighbouring hands."""

    def __init__(self, rng: Random) -> None:
        self._seed = rng.getrandbits(32)

    def part(self, number: int) -> dict[str, Any]:
        pair, is_second = divmod(number, 2)
        north_south = 7 if Random(self._seed + pair).random() < 0.5 else 6
        if is_second:
            north_south = 13 - north_south
        books = {"north_south": north_south, "east_west": 13 - north_south}
        if number == 1:
            return {"books": books}
        return {"bids": {"north_south": 7, "east_west": 7}, "books": books}

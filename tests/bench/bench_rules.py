"""How fast the rules are: hands scored a second, a game replayed, ten thousand records in one process.

    python tests/bench/bench_rules.py

The first two are times of this process, so that a busy machine hardly shows in them. Prints, and asserts nothing.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Entry, Json
from bookboard.rules.sheet import open_sheet

VECTORS = Path(__file__).parent.parent / "vectors"
HANDS: list[Entry] = [
    {"bids": {"north_south": 5, "east": 4, "west": 2}, "books": {"north_south": 7, "east_west": 6}},
    {"bids": {"north": 4, "south": 2, "east": 3, "west": 3}, "books": {"north_south": 5, "east_west": 8}},
    {"bids": {"north": 4, "south": "nil", "east_west": 6}, "books": {"north_south": 6, "east_west": 7}},
    {"bids": {"north_south": 6, "east": "nil", "west": 4}, "books": {"north_south": 8, "east_west": 5}},
]
SETTINGS: dict[str, Json] = {"score_limit": 5000, "first_hand_bids_itself": False}


def hands_a_second(rounds: int = 50_000) -> float:
    game = GAMES["spades"]
    settings = game.read_settings(SETTINGS)
    carry = game.begin(settings, ("north_south", "east_west"))
    hands = [game.read_hand(settings, carry, entry) for entry in HANDS]
    best = 0.0
    for _ in range(5):
        state = carry
        start = time.process_time()
        for _ in range(rounds // len(hands)):
            for hand in hands:
                state = game.score(settings, state, hand).carry
                game.finish(settings, state, None)
        best = max(best, rounds / (time.process_time() - start))
    return best


def replay_ms(count: int = 30) -> float:
    best = float("inf")
    for _ in range(100):
        start = time.process_time()
        sheet = open_sheet("spades", SETTINGS)
        for number in range(count):
            sheet = sheet.add(HANDS[number % len(HANDS)], None)
        best = min(best, time.process_time() - start)
    return best * 1000


def process_s(records: int = 10_000) -> float:
    lines = [json.dumps(json.loads(line)["record"]) for line in (VECTORS / "random.jsonl").open(encoding="utf-8")]
    text = "\n".join(lines[number % len(lines)] for number in range(records))
    command = [sys.executable, "-m", "bookboard.cli", "score", "--jsonl", "-"]
    start = time.perf_counter()
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"score and finish    {hands_a_second():>12,.0f} hands a second")
    print(f"replay of 30 hands  {replay_ms():>12.2f} ms")
    print(f"10,000 records      {process_s():>12.1f} s")

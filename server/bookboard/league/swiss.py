"""The next Swiss round: the cheapest perfect matching, by the contract's costs one after another.

The costs of a pair are packed into one whole number. Each has more room than its largest sum over a round, so that no
number of small costs outweighs a greater one.
"""

from collections.abc import Callable
from itertools import combinations

import networkx as nx

from bookboard.league.rounds import History, Pair, Round, drawn_number

Cost = tuple[int, int, int, int, int]
"""Earlier meetings, earlier byes, the bye's points, the squared difference of points, chance."""
NOBODY = -1
"""Stands for the missing opponent of who has the bye."""


def pair_swiss(history: History, present: list[int], number: int, seed: str) -> Round:
    """`present` are at least two."""
    nodes = [*present, NOBODY] if len(present) % 2 else present
    costs = {(one, other): _cost(history, seed, one, other) for one, other in combinations(nodes, 2)}
    pack = _packing(list(costs.values()), len(nodes) // 2)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_weighted_edges_from((one, other, -pack(cost)) for (one, other), cost in costs.items())
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    assert len(matched) * 2 == len(nodes), "everybody is paired"
    bye = next((max(pair) for pair in matched if NOBODY in pair), None)
    pairs = [_by_dealer(seed, pair) for pair in matched if NOBODY not in pair]
    pairs.sort(key=lambda pair: (*sorted(-history.points[i] for i in pair), drawn_number(seed, *pair)))
    return Round(number, tuple(pairs), bye, history.broken(pairs, bye))


def _cost(history: History, seed: str, one: int, other: int) -> Cost:
    chance = drawn_number(seed, one, other)
    if other == NOBODY:
        return 0, history.byes[one], history.points[one], 0, chance
    return history.meetings(one, other), 0, 0, (history.points[one] - history.points[other]) ** 2, chance


def _packing(costs: list[Cost], pairs: int) -> Callable[[Cost], int]:
    bases = [pairs * max(parts) + 1 for parts in zip(*costs, strict=True)]

    def pack(cost: Cost) -> int:
        packed = 0
        for part, base in zip(cost, bases, strict=True):
            packed = packed * base + part
        return packed

    return pack


def _by_dealer(seed: str, pair: Pair) -> Pair:
    """Chance decides who deals first."""
    low, high = sorted(pair)
    return (low, high) if drawn_number(seed, high, low) % 2 else (high, low)

"""The cheapest way to pair everybody, by costs that count one after another."""

from collections.abc import Iterable, Mapping

from bookboard.league.rounds import Pair

Cost = tuple[int, ...]


def cheapest_matching(nodes: Iterable[int], costs: Mapping[Pair, Cost]) -> list[Pair] | None:
    """Everybody once, each pair as `costs` names it; None where not everybody can be paired.

    The costs of a pair are packed into one whole number. Each has more room than its largest sum over a round, so that
    no number of small costs outweighs a greater one.
    """
    import networkx as nx  # noqa: PLC0415 - it loads for longer than any other command runs

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(nodes)
    size = len(graph)
    if not costs:
        return None
    bases = [size // 2 * max(parts) + 1 for parts in zip(*costs.values(), strict=True)]
    for (one, other), cost in costs.items():
        packed = 0
        for part, base in zip(cost, bases, strict=True):
            packed = packed * base + part
        graph.add_edge(one, other, weight=-packed)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matched) < size:
        return None
    return [pair if pair in costs else pair[::-1] for pair in matched]

"""How a screen follows: an event's changes, as they are sent, laid over the view that it shows."""

from typing import Any

View = dict[str, Any]


def lay(view: View, changes: dict[str, Any]) -> View:
    """The view after them; the one before is left as it is."""
    after = {**view, **changes}
    if "hands" in changes:
        after["hands"] = _changed_hands(view["hands"], **changes["hands"])
    return after


def _changed_hands(
    shown: list[View], *, keep: int, hands: list[View], shifted: dict[str, Any] | None = None
) -> list[View]:
    known = {hand["id"]: hand for hand in shown}
    moved = [_shifted(known[each], shifted, place) for place, each in enumerate(shifted["ids"])] if shifted else []
    return [*shown[:keep], *sorted([*hands, *moved], key=lambda hand: int(hand["number"]))]


def _shifted(hand: View, to: dict[str, Any], place: int) -> View:
    after = dict(hand)
    for name in {"number", "dealer"} & to.keys():
        after[name] = to[name][place]
    after["sides"] = {side: dict(result) for side, result in hand["sides"].items()}
    for side, scores in to.get("score", {}).items():
        after["sides"][side]["score"] = scores[place]
    for side, lists in to.get("figures", {}).items():
        had = after["sides"][side]["figures"]
        after["sides"][side]["figures"] = {name: lists[name][place] if name in lists else had[name] for name in had}
    return after

"""A scored hand as screens are sent it, and what an event changed among the hands."""

from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType

from bookboard.room.state import KeptHand, Mark, Room
from bookboard.rules.model import Entry, Fact, SideResult
from bookboard.rules.sheet import ScoredHand

V = TypeVar("V")


class ByView(Struct, frozen=True):
    """Who, and when (ms since 1970)."""

    by: str
    at: int


class CorrectionView(Struct, frozen=True):
    """Who corrected the hand, when (ms since 1970), and what it was before."""

    by: str
    at: int
    before: Entry


class HandView(Struct, frozen=True):
    """`number` is where the hand stands in the game now; its `id` stays the same."""

    id: int
    number: int
    dealer: str
    entry: Entry
    sides: dict[str, SideResult]
    entered: ByView
    corrections: list[CorrectionView]
    """Oldest first."""
    reason: str
    """Why the host let pass what `allowed` in the entry says."""


class ShiftedHands(Struct, frozen=True, omit_defaults=True):
    """Hands with the entry, points and lines they had, whose place or running totals are others now.

    Each list holds the new values of these hands, in the order of `ids`; what has no list stayed as it was.
    """

    ids: list[int]
    number: list[int] = []
    dealer: list[str] = []
    score: dict[str, list[int]] = {}
    """By side."""
    figures: dict[str, dict[str, list[Fact]]] = {}
    """By side, and by the figure's name; a hand without that figure still has none."""


class HandsChange(Struct, frozen=True, omit_defaults=True):
    """The first `keep` hands stay as they are; the others are those in `hands` and `shifted`, by number."""

    keep: int
    hands: list[HandView]
    shifted: ShiftedHands | UnsetType = UNSET


def by_view(mark: Mark) -> ByView:
    return ByView(mark.by, mark.at)


def hands_of(room: Room) -> list[HandView]:
    pairs = zip(room.state.game.hands, room.sheet.hands, strict=True)
    return [hand_view(kept, scored) for kept, scored in pairs]


def hand_view(kept: KeptHand, scored: ScoredHand) -> HandView:
    return HandView(
        id=kept.id,
        number=scored.number,
        dealer=scored.dealer,
        entry=kept.entry,
        sides=scored.sides,
        entered=by_view(kept.entered),
        corrections=[CorrectionView(past.mark.by, past.mark.at, past.before) for past in kept.corrections],
        reason=kept.reason,
    )


def hands_change(before: Room, after: Room) -> HandsChange | UnsetType:
    """Of a hand that follows a corrected or removed one mostly the running totals alone are others."""
    old, new = before.state.game.hands, after.state.game.hands
    keep = _first_difference(before, after)
    if keep == len(old) == len(new):
        return UNSET
    known = {kept.id: (kept, scored) for kept, scored in zip(old[keep:], before.sheet.hands[keep:], strict=True)}
    hands: list[HandView] = []
    shifted: list[tuple[KeptHand, ScoredHand, ScoredHand]] = []
    for kept, scored in zip(new[keep:], after.sheet.hands[keep:], strict=True):
        known_as, was = known.get(kept.id, (None, None))
        if known_as is kept and was is not None and _is_explained_alike(was, scored):
            shifted.append((kept, was, scored))
        else:
            hands.append(hand_view(kept, scored))
    return HandsChange(keep, hands, _shifted(shifted) if shifted else UNSET)


def _first_difference(before: Room, after: Room) -> int:
    """How many hands from the first on are the same in both, entry and score."""
    if before.state.game.hands is after.state.game.hands and before.sheet is after.sheet:
        return len(before.state.game.hands)
    pairs = zip(before.state.game.hands, after.state.game.hands, before.sheet.hands, after.sheet.hands, strict=False)
    for index, (old_kept, new_kept, old_scored, new_scored) in enumerate(pairs):
        if not (old_kept is new_kept and (old_scored is new_scored or old_scored == new_scored)):
            return index
    return min(len(before.state.game.hands), len(after.state.game.hands))


def _is_explained_alike(was: ScoredHand, now: ScoredHand) -> bool:
    pairs = ((was.sides[side], result) for side, result in now.sides.items())
    return all(
        old.points == new.points and old.lines == new.lines and old.figures.keys() == new.figures.keys()
        for old, new in pairs
    )


def _shifted(hands: list[tuple[KeptHand, ScoredHand, ScoredHand]]) -> ShiftedHands:
    was, now = [each for _, each, _ in hands], [each for _, _, each in hands]
    score: dict[str, list[int]] = {}
    figures: dict[str, dict[str, list[Fact]]] = {}
    for side in now[0].sides:
        old, new = [hand.sides[side] for hand in was], [hand.sides[side] for hand in now]
        score[side] = _moved([result.score for result in old], [result.score for result in new])
        names = dict.fromkeys(name for result in new for name in result.figures)
        figures[side] = _filled(
            {
                name: _moved([result.figures.get(name) for result in old], [result.figures.get(name) for result in new])
                for name in names
            }
        )
    return ShiftedHands(
        ids=[kept.id for kept, _, _ in hands],
        number=_moved([hand.number for hand in was], [hand.number for hand in now]),
        dealer=_moved([hand.dealer for hand in was], [hand.dealer for hand in now]),
        score=_filled(score),
        figures=_filled(figures),
    )


def _moved(was: list[V], now: list[V]) -> list[V]:
    return [] if was == now else now


def _filled(columns: dict[str, V]) -> dict[str, V]:
    return {name: column for name, column in columns.items() if column}

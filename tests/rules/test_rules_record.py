"""The game record: what is wrong with a whole one, and the order in which it is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.play import EW, NS, ending, first_hand, hand, play, refused

from bookboard.rules.model import Json, RecordError
from bookboard.rules.record import score_record
from bookboard.score import message_of

VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("named.jsonl", "random.jsonl")
    for line in (Path(__file__).parent.parent / "vectors" / name).read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param([], ("malformed", None, None), id="no mapping"),
        pytest.param(None, ("malformed", None, None), id="null"),
        pytest.param({"hands": []}, ("unknown_game", None, "game"), id="no game"),
        pytest.param({"game": "hearts", "hands": []}, ("unknown_game", None, "game"), id="another game"),
        pytest.param({"game": ["spades"], "hands": []}, ("unknown_game", None, "game"), id="a list for a game"),
        pytest.param({"game": "spades"}, ("malformed", None, "hands"), id="hands left out"),
        pytest.param({"game": "spades", "hands": None}, ("malformed", None, "hands"), id="null for hands"),
        pytest.param({"game": "spades", "hands": 5}, ("malformed", None, "hands"), id="a number for hands"),
        pytest.param(
            {"game": "spades", "settings": [], "hands": []}, ("malformed", None, "settings"), id="a list for settings"
        ),
        pytest.param(
            {"game": "spades", "settings": {"x": 1}, "hands": []}, ("unknown_setting", None, "x"), id="unknown setting"
        ),
        pytest.param(
            {"game": "spades", "settings": {"boston": None}, "hands": []},
            ("invalid_setting", None, "boston"),
            id="inside settings null is a value",
        ),
        pytest.param(
            {"game": "spades", "hands": [], "players": ["Ada"]}, ("unknown_field", None, "players"), id="players"
        ),
        pytest.param({"game": "spades", "hands": [], "date": 1}, ("unknown_field", None, "date"), id="another member"),
        pytest.param(
            {"game": "spades", "hands": [], "ended_by_host": 1},
            ("malformed", None, "ended_by_host"),
            id="1 is not true",
        ),
        pytest.param(
            {"game": "spades", "hands": [], "time_expired_after": 0},
            ("no_time_limit", None, "time_expired_after"),
            id="time that cannot run out",
        ),
        pytest.param(
            {"game": "spades", "settings": {"time_limit_minutes": 5}, "hands": [], "time_expired_after": -1},
            ("malformed", None, "time_expired_after"),
            id="a time before the game",
        ),
        pytest.param(
            {"game": "spades", "settings": {"time_limit_minutes": 5}, "hands": [], "time_expired_after": True},
            ("malformed", None, "time_expired_after"),
            id="true is no number",
        ),
        pytest.param({"game": "spades", "hands": [], "format": 2}, ("malformed", None, "format"), id="a later format"),
        pytest.param({"game": "spades", "hands": [{}, 5]}, ("books_missing", 1, "books"), id="the first wrong hand"),
        pytest.param({"game": "spades", "hands": [first_hand(8), 5]}, ("malformed", 2, None), id="no hand at all"),
    ],
)
def test_a_wrong_record_is_named(record: Json, expected: tuple[str, int | None, str | None]) -> None:
    assert refused(record) == expected


def test_members_about_people_and_the_file_never_change_a_point() -> None:
    about: dict[str, Any] = {"format": 1, "names": {"north": "Ada"}, "started_at": "2026-01-01T20:00:00Z"}
    more = first_hand(8, at="20:05", by=["Ada"])
    assert play({}, more, bids_itself=True, **about).scores == {NS: 80, EW: 50}


def test_null_members_are_absent() -> None:
    record: Json = {"game": "spades", "settings": None, "hands": [], "time_expired_after": None, "players": None}
    assert score_record(record).scores == {NS: 0, EW: 0}


def test_not_ended_by_the_host() -> None:
    assert ending(play({}, hand(5, 4, 8), ended_by_host=False)) is None


# ── anything at all ──────────────────────────────────────────────────────────────────────────────────────────────

SCALARS = st.sampled_from([None, True, 0, 1, -1, 14, 5.0, 10**12, "", "nil", "north", NS, "Ada"])
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["north", NS, "x"]), inner)
)


def changed(value: Any, data: st.DataObject) -> Any:
    """The value with something else in one place."""
    if data.draw(st.integers(0, 5)) and isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: changed(value[key], data)}
    if data.draw(st.integers(0, 5)) and isinstance(value, list) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], changed(value[at], data), *value[at + 1 :]]
    return data.draw(ANYTHING)


@given(st.sampled_from(VECTORS), st.data())
@settings(max_examples=300, deadline=None)
def test_whatever_is_written_is_scored_or_named(vector: dict[str, Any], data: st.DataObject) -> None:
    try:
        scored = score_record(changed(vector["record"], data))
    except RecordError as error:
        assert "{" not in message_of(error)  # noqa: PT017 - either is fine, nothing else is
    else:
        assert set(scored.scores) >= {side for each in scored.hands for side in each.sides}


# ── the vectors ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("record", "expect"), [pytest.param(each["record"], each["expect"], id=each["id"]) for each in VECTORS]
)
def test_a_vector(record: Json, expect: dict[str, Any]) -> None:
    if "error" in expect:
        code, number, _ = refused(record)
        assert expect["error"] in (code, {"code": code, "hand": number})
        return
    scored = score_record(record)
    last = scored.hands[-1].sides if scored.hands else {}
    seen = {
        "game": scored.game,
        "scores": scored.scores,
        "dealers": [each.dealer for each in scored.hands],
        "outcome": scored.outcome and {"winner": scored.outcome.winner, "reason": scored.outcome.reason},
        "bags_total": {side: result.figures.get("bags_total") for side, result in last.items()},
        "set": {side: result.figures.get("set") for side, result in last.items()},
        "hands": [
            {
                "number": each.number,
                "dealer": each.dealer,
                "sides": {
                    side: {"points": result.points, "score": result.score, **result.figures}
                    for side, result in each.sides.items()
                },
            }
            for each in scored.hands
        ],
    }
    assert {name: seen.get(name) for name in expect} == expect

"""A set of rules: its presets, what differs from another, and the code to hand it on."""

import zlib
from base64 import urlsafe_b64encode
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookboard.rules.catalogue import GAMES
from bookboard.rules.game import Preset
from bookboard.rules.model import Json, RecordError
from bookboard.rules.settings_diff import Difference, complete, differences, non_default
from bookboard.rules.sharing import LONGEST, from_code, to_code

Rules = dict[str, Json]
SPADES = GAMES["spades"]
PRESETS = [
    pytest.param(key, preset, id=f"{key}: {preset.key}") for key, game in GAMES.items() for preset in game.presets
]


def packed(written: bytes, spaces: int = 100_000) -> str:
    """A code that grows when it is unpacked."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return "1" + urlsafe_b64encode(packer.compress(b" " * spaces + written) + packer.flush()).decode()


@st.composite
def rules(draw: st.DrawFn) -> tuple[str, Rules]:
    key = draw(st.sampled_from(sorted(GAMES)))
    chosen = {setting.key: draw(st.sampled_from(setting.choices)).value for setting in GAMES[key].settings}
    return key, chosen


# ── presets ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_a_preset_is_offered(key: str, preset: Preset) -> None:
    assert complete(GAMES[key], preset.settings)


@pytest.mark.parametrize("key", GAMES)
def test_presets_differ_from_each_other_and_one_is_as_the_document_has_it(key: str) -> None:
    game = GAMES[key]
    for one, other in combinations(game.presets, 2):
        assert differences(game, one.settings, other.settings), (one.key, other.key)
        assert one.label != other.label
    assert not differences(game, game.presets[0].settings, {})


def test_the_tournament_preset_of_spades_has_the_defaults_of_tournament_spades() -> None:
    (preset,) = (preset for preset in SPADES.presets if preset.key == "tournament")
    assert complete(SPADES, preset.settings) == complete(GAMES["tournament_spades"], {})


@pytest.mark.parametrize("key", ["spades", "tournament_spades"])
def test_a_league_game_takes_half_an_hour(key: str) -> None:
    assert 30 in [preset.settings.get("time_limit_minutes") for preset in GAMES[key].presets]


# ── what differs ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        pytest.param({}, {}, [], id="nothing"),
        pytest.param({"nil": 50}, {}, [], id="a default that is written down"),
        pytest.param({"nil": 100}, {}, [("nil", 100, 50)], id="one setting"),
        pytest.param(
            {"boston": True}, {"nil": None}, [("nil", 50, None), ("boston", True, False)], id="in their order"
        ),
    ],
)
def test_what_differs_is_named(here: Rules, there: Rules, expected: list[tuple[str, Json, Json]]) -> None:
    assert differences(SPADES, here, there) == tuple(Difference(*each) for each in expected)


def test_rules_that_are_not_offered_differ_in_nothing() -> None:
    with pytest.raises(RecordError, match="invalid_setting"):
        differences(SPADES, {"nil": True}, {})


@given(rules())
@settings(max_examples=30, deadline=None)
def test_what_differs_from_the_defaults_makes_the_same_rules(chosen: tuple[str, Rules]) -> None:
    key, settings_ = chosen
    left = non_default(GAMES[key], settings_)
    assert complete(GAMES[key], left) == settings_
    assert set(left) == {each.key for each in differences(GAMES[key], settings_, {})}


# ── the code ─────────────────────────────────────────────────────────────────────────────────────────────────────


@given(rules())
@settings(max_examples=30, deadline=None)
def test_rules_come_back_from_their_code(chosen: tuple[str, Rules]) -> None:
    key, settings_ = chosen
    code = to_code(GAMES[key], settings_)
    game, read = from_code(code)
    assert (game.key, complete(game, read)) == (key, settings_)
    assert len(code) < 800


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_a_code_fits_into_a_qr_code(key: str, preset: Preset) -> None:
    code = to_code(GAMES[key], {**preset.settings, **({"nil": 100, "boston": True} if key == "spades" else {})})
    assert len(code) < 200
    assert code.replace("-", "").replace("_", "").isalnum()


def test_rules_as_usual_have_the_shortest_code() -> None:
    assert to_code(SPADES, {"nil": 50}) == to_code(SPADES, {})


def test_a_setting_that_is_not_offered_has_no_code() -> None:
    with pytest.raises(RecordError, match="invalid_setting"):
        to_code(SPADES, {"nil": 75})


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("", id="nothing"),
        pytest.param("1", id="no rules"),
        pytest.param("2" + to_code(SPADES, {})[1:], id="a later format"),
        pytest.param(to_code(SPADES, {})[:-3], id="cut off"),
        pytest.param("1????", id="other letters"),
        pytest.param("1é", id="no ASCII"),
        pytest.param(to_code(SPADES, {}) + "A" * LONGEST, id="too long"),
        pytest.param(packed(b'["spades", {}]'), id="more than enough"),
        pytest.param(packed(b'["spades"]', 0), id="no settings"),
    ],
)
def test_what_is_no_code_is_malformed(code: str) -> None:
    with pytest.raises(RecordError, match="malformed"):
        from_code(code)


@given(st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_code_or_malformed(text: str) -> None:
    with pytest.raises(RecordError):
        from_code(f"1{text}")

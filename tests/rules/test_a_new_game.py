"""A game is its module, its line in the catalogue and its texts: all that handles games handles one it never saw."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct
from tests.rules.play import refused
from tools.generate import rules as reference
from tools.generate.schema import record_schema

from bookboard import score as score_command
from bookboard.log.refusals import Refusal
from bookboard.room.events import Recorded
from bookboard.room.evolve import evolve
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.room.views import view_of
from bookboard.rules import shape
from bookboard.rules.catalogue import GAMES
from bookboard.rules.declare import Declared, declared_settings, numbers, settings_reader
from bookboard.rules.game import Field, Game, HandResult, Preset
from bookboard.rules.model import Entry, Json, Line, Outcome, RecordError, SideResult
from bookboard.rules.pack import read_sides
from bookboard.rules.record import score_record
from bookboard.rules.sentences import Said, sentences, why
from bookboard.rules.settings_diff import differences
from bookboard.rules.sharing import from_code, to_code
from bookboard.rules.sheet import open_sheet
from bookboard.rules.spreadsheet import read_sheet, write_sheet
from bookboard.tables.api import offer

# ── the game: the lowest card of a hand drinks, and the first to have had enough wins ─────────────────────────────


class ToySettings(Struct, frozen=True):
    drinks: Annotated[
        int,
        Declared(
            label="Drinks",
            group="Game",
            help="How many drinks end the game.",
            source="toy.txt: Drinks",
            choices=numbers(3, 5),
            text="toy_drinks",
        ),
    ] = 3


class Carry(Struct, frozen=True):
    hands: int
    scores: dict[str, int]


def read_hand(_settings: ToySettings, carry: Carry, entry: Entry) -> str:
    given = shape.members(entry, ("lowest",))
    if given.get("lowest") not in carry.scores:
        raise shape.unknown_side("lowest", given.get("lowest"))
    return str(given["lowest"])


def note(settings: ToySettings, carry: Carry, in_play: Entry, part: Entry) -> Entry:
    laid = shape.lay_over(in_play, part)
    if laid:
        read_hand(settings, carry, laid)
    return laid


def score(_settings: ToySettings, carry: Carry, lowest: str) -> HandResult[Carry]:
    line = Line("drink", 1, {"player": lowest})
    sides = {
        side: SideResult(1, before + 1, (line,)) if side == lowest else SideResult(0, before, ())
        for side, before in carry.scores.items()
    }
    return HandResult(sides, Carry(carry.hands + 1, {side: result.score for side, result in sides.items()}))


def finish(settings: ToySettings, carry: Carry, _time_expired_after: int | None) -> Outcome | None:
    drunk = next((side for side, drinks in carry.scores.items() if drinks >= settings.drinks), None)
    return None if drunk is None else Outcome(drunk, "drunk")


SETTINGS = declared_settings(ToySettings)
TOY: Game[ToySettings, str, Carry] = Game(
    key="toy",
    version=1,
    title="Toy",
    settings=SETTINGS,
    presets=(Preset("standard", "Standard", {}), Preset("long", "Long", {"drinks": 5})),
    line_rules=("drink",),
    reasons=("drunk",),
    basics=("lowest_drinks",),
    fields=(Field(member="lowest", label="Lowest card", kind="side"),),
    explained_by={"drink": ("lowest_drinks",), "drunk": ("drinks",)},
    read_settings=settings_reader(ToySettings, SETTINGS),
    read_sides=read_sides,
    begin=lambda _settings, sides: Carry(0, dict.fromkeys(sides, 0)),
    read_hand=read_hand,
    score=score,
    finish=finish,
    note=note,
    dealer=lambda _settings, carry, _in_play: tuple(carry.scores)[carry.hands % len(carry.scores)],
    missing_members=lambda _settings, _carry, in_play: () if "lowest" in in_play else ("lowest",),
    standing=lambda _settings, carry: {side: {"drinks": drinks} for side, drinks in carry.scores.items()},
)
TEXTS = {
    "lines": {"drink": "{player} drinks"},
    "reasons": {"drunk": "was the first to have had enough"},
}

PLAYERS: Json = ["Ada", "Ben", "Cy"]
RECORD: Entry = {
    "game": "toy",
    "players": PLAYERS,
    "hands": [{"lowest": "Ada"}, {"lowest": "Ben"}, {"lowest": "Ada"}, {"lowest": "Ada"}],
}


@pytest.fixture(autouse=True)
def the_toy_is_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, TOY.key, TOY)
    texts = score_command._texts()  # noqa: SLF001 - the texts are a file, and the toy's are not in it
    for section, sentences_ in TEXTS.items():
        for key, sentence in sentences_.items():
            monkeypatch.setitem(texts[section], key, sentence)  # type: ignore[index]


def test_its_record_is_scored_and_told() -> None:
    scored = score_record(RECORD)
    assert scored.scores == {"Ada": 3, "Ben": 1, "Cy": 0}
    assert scored.outcome == Outcome("Ada", "drunk")
    table = score_command.table_of(scored)
    assert "Ada drinks" in table
    assert table.endswith("Ada wins: was the first to have had enough")


def test_its_mistakes_are_named() -> None:
    assert refused({**RECORD, "hands": [{"lowest": "Di"}]}) == ("unknown_side", 1, "lowest")
    assert refused({**RECORD, "settings": {"drinks": 4}}) == ("invalid_setting", None, "drinks")
    assert refused({**RECORD, "time_expired_after": 1}) == ("unknown_field", None, "time_expired_after")


def test_its_sheet_takes_hands_part_by_part() -> None:
    sheet = open_sheet("toy", {}, PLAYERS)
    assert (sheet.missing_members({}), sheet.dealer({}), sheet.possible({})) == (("lowest",), "Ada", ())
    in_play = sheet.note({}, {"lowest": "Cy"})
    assert sheet.missing_members(in_play) == ()
    after = sheet.add(in_play, None)
    assert after.standing()["Cy"] == {"drinks": 1}
    assert after.back_to(0) == sheet
    with pytest.raises(RecordError):
        sheet.note({}, {"lowest": "Di"})


def test_a_table_can_be_opened_for_it() -> None:
    opening = Opening(name="Bar", host_name="Holly", key="toy", settings={"drinks": 5}, players=["Ada", "Ben", "Cy"])
    opened = open_table("K7F4MPQ", opening, Hashes("a", "b", "c"))
    assert not isinstance(opened, Refusal)
    assert (opened.key, opened.version, opened.settings["drinks"]) == ("toy", 1, 5)
    view = view_of(evolve(None, Recorded(1, "id", 0, opened.host, opened)))
    assert [field.member for field in view.rules.fields] == list(view.in_play.wants)


def test_it_is_offered_to_the_pages() -> None:
    offered: Mapping[str, Any] = msgspec.json.decode(msgspec.json.encode(offer(TOY)))
    assert (offered["key"], offered["title"], offered["seats"]) == ("toy", "Toy", [])
    assert [setting["key"] for setting in offered["settings"]] == ["drinks"]
    assert [preset["key"] for preset in offered["presets"]] == ["standard", "long"]


def test_its_rules_are_said_and_handed_on() -> None:
    assert sentences(TOY, {"drinks": 5}) == (
        Said("lowest_drinks", "basics.lowest_drinks"),
        Said("drinks", "toy_drinks.on", {"value": 5, "times_ten": 50}),
    )
    assert why(TOY, {}, ["drink"]) == {"drink": Said("lowest_drinks", "basics.lowest_drinks")}
    assert from_code(to_code(TOY, {"drinks": 5})) == (TOY, {"drinks": 5})
    assert len(differences(TOY, {"drinks": 5}, {})) == 1


def test_its_reference_is_made() -> None:
    texts = {**TEXTS, "reasons": {**TEXTS["reasons"], "host": "the host ended the game"}, "record_errors": {}}
    files = reference.made({"toy": TOY}, texts)
    assert "**Drinks** · `drinks`" in files["settings.md"]
    assert "| `drink` | {player} drinks |" in files["lines.md"]
    assert "toy.schema.json" in files
    validator = Draft202012Validator(record_schema(TOY))
    assert validator.is_valid(RECORD)
    assert not validator.is_valid({**RECORD, "settings": {"drinks": 4}})


def test_its_record_goes_into_a_sheet_and_comes_back() -> None:
    assert score_record(read_sheet(write_sheet(RECORD))).scores == score_record(RECORD).scores


def test_whoever_has_the_lowest_score_leads_where_the_lowest_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    golf = msgspec.structs.replace(TOY, key="golf", best=min)
    monkeypatch.setitem(GAMES, "golf", golf)
    record: dict[str, Json] = {**RECORD, "game": "golf", "ended_by_host": True}
    record["hands"] = [{"lowest": "Ada"}, {"lowest": "Ben"}, {"lowest": "Ada"}]
    scored = score_record(record)
    assert scored.outcome == Outcome("Cy", "host")

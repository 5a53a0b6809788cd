"""A table's first event, and the rules of a game as people set them."""

from msgspec import Struct

from bookboard.log.actors import person_of
from bookboard.log.refusals import Refusal, from_rules
from bookboard.room.events import TableOpened
from bookboard.room.names import clean_name
from bookboard.room.state import Grant, Rules
from bookboard.rules.model import Json, RecordError
from bookboard.rules.sheet import Sheet, open_sheet


class Opening(Struct, frozen=True, kw_only=True):
    """What the one who opens a table says of it."""

    name: str
    host_name: str
    key: str
    settings: dict[str, Json]
    players: list[str] | None = None
    side_names: dict[str, str] = {}


class Hashes(Struct, frozen=True):
    """Of the host's token, of the one that invites players, and of the recovery phrase."""

    host: str
    invited: str
    recovery: str


def open_table(code: str, opening: Opening, hashes: Hashes) -> TableOpened | Refusal:
    checked = rules_from(opening.key, opening.settings, opening.players)
    if isinstance(checked, Refusal):
        return checked
    rules, sheet = checked
    host_name = clean_name(opening.host_name)
    if not host_name:
        return Refusal("name_needed", field="host_name")
    unknown = next((side for side in opening.side_names if side not in sheet.sides), None)
    if unknown is not None:
        return Refusal("unknown_side", {"side": unknown}, field="side_names")
    side_names = {side: clean_name(name) for side, name in opening.side_names.items()}
    host = person_of(hashes.host)
    return TableOpened(
        code=code,
        name=clean_name(opening.name) or "Table",
        host=host,
        host_name=host_name,
        grants={
            hashes.host: Grant("player", host),
            hashes.invited: Grant("invited"),
            hashes.recovery: Grant("recovery"),
        },
        key=rules.key,
        version=rules.version,
        settings=rules.settings,
        players=rules.players,
        side_names={side: name for side, name in side_names.items() if name},
    )


def rules_from(key: str, settings: dict[str, Json], players: list[str] | None) -> tuple[Rules, Sheet] | Refusal:
    """The rules and their empty sheet, or what is wrong with them."""
    names = None if players is None else [clean_name(player) for player in players]
    try:
        sheet = open_sheet(key, settings, None if names is None else [*names])
    except RecordError as error:
        return from_rules(error)
    return Rules(key, sheet.game.version, settings, names), sheet

"""The calls of the HTTP API that are about tables and their games."""

from collections.abc import Sequence

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from bookboard.hub.endpoints.calls import as_json, route
from bookboard.hub.endpoints.context import HubContext
from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.game import Preset, Setting
from bookboard.tables.opening import open_a_table, take_in_a_record
from bookboard.tables.records import record
from bookboard.tables.rulebook import rules_of_a_code, rules_of_settings


class GameOffer(Struct, frozen=True):
    key: str
    version: int
    title: str
    seats: tuple[str, ...]
    overrides: tuple[str, ...]
    settings: tuple[Setting, ...]
    presets: tuple[Preset, ...]


def routes(context: HubContext) -> Sequence[BaseRoute]:
    return [
        route(context, "/api/games", games),
        route(context, "/api/rules", rules_of_settings, "POST"),
        route(context, "/api/rules/{game}", rules_of_a_code),
        route(context, "/api/tables", open_a_table, "POST"),
        route(context, "/api/tables/import", take_in_a_record, "POST"),
        route(context, "/api/tables/{code}/record", record),
    ]


async def games(_: HubContext, __: Request) -> Response:
    return as_json([offer(game) for game in GAMES.values()])


def offer(game: AnyGame) -> GameOffer:
    return GameOffer(game.key, game.version, game.title, game.seats, game.overrides, game.settings, game.presets)

"""A table's rules as pages tell them: every sentence in force, the one behind each line, the code to hand them on."""

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from bookboard.hub.endpoints.calls import ApiRefusal, as_json, body_of, refused
from bookboard.hub.endpoints.context import HubContext
from bookboard.log.refusals import from_rules
from bookboard.room.commands import Short
from bookboard.room.views import fingerprint
from bookboard.rules.catalogue import GAMES, AnyGame
from bookboard.rules.model import Facts, Json, RecordError
from bookboard.rules.sentences import sentences, why
from bookboard.rules.settings_diff import Settings, complete
from bookboard.rules.sharing import from_code, to_code


class TellRules(Struct, frozen=True, forbid_unknown_fields=True):
    key: Short
    settings: dict[Short, Json]


class Sentence(Struct, frozen=True):
    """`text` is its place under `rules` in the texts; `group` is the setting's, empty for what always holds."""

    about: str
    group: str
    text: str
    facts: Facts


class RulesInWords(Struct, frozen=True, kw_only=True):
    key: str
    title: str
    settings: dict[str, Json]
    """Every setting, defaults included."""
    fingerprint: str
    code: str
    """For `?rules=` in links."""
    sentences: list[Sentence]
    why: dict[str, str]
    """By a line's rule or an outcome's reason: which sentence (`about`) is behind it."""


async def rules_of_a_code(_: HubContext, request: Request) -> Response:
    """The rules that `?rules=` hands on; without it the game's as they are by default."""
    key, code = request.path_params["game"], request.query_params.get("rules", "")
    if key not in GAMES:
        raise ApiRefusal(404, "unknown_game", {"game": key}, "game")
    try:
        game, settings = from_code(code) if code else (GAMES[key], {})
    except RecordError:
        raise ApiRefusal(422, "unknown_rules", field="rules") from None
    if game.key != key:
        raise ApiRefusal(422, "unknown_rules", field="rules")
    return as_json(in_words(game, settings))


async def rules_of_settings(context: HubContext, request: Request) -> Response:
    asked = await body_of(context, request, TellRules)
    if asked.key not in GAMES:
        raise ApiRefusal(422, "unknown_game", {"game": asked.key}, "key")
    try:
        return as_json(in_words(GAMES[asked.key], asked.settings))
    except RecordError as error:
        raise refused(from_rules(error)) from None


def in_words(game: AnyGame, settings: Settings) -> RulesInWords:
    """Raises unknown_setting, invalid_setting."""
    chosen = complete(game, settings)
    groups = {setting.key: setting.group for setting in game.settings}
    behind = why(game, chosen, (*game.line_rules, *game.reasons, "host"))
    return RulesInWords(
        key=game.key,
        title=game.title,
        settings=chosen,
        fingerprint=fingerprint(game.key, chosen),
        code=to_code(game, chosen),
        sentences=[Sentence(s.about, groups.get(s.about, ""), s.text, s.facts) for s in sentences(game, chosen)],
        why={rule: said.about for rule, said in behind.items()},
    )

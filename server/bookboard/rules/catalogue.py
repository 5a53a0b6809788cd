"""The games there are. Adding one is its module and its line here."""

from typing import Any, TypeAlias

from bookboard.rules.bid_whist import BID_WHIST
from bookboard.rules.game import Game
from bookboard.rules.pack import PACK
from bookboard.rules.spades import SPADES
from bookboard.rules.tournament import TOURNAMENT_SPADES

AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game whose settings, hands and carry are its own business."""

GAMES: dict[str, AnyGame] = {game.key: game for game in (SPADES, TOURNAMENT_SPADES, BID_WHIST, PACK)}

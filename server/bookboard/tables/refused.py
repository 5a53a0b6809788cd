"""A refusal of the room, as an answer of the API."""

from bookboard.hub.endpoints.calls import Trouble
from bookboard.log.answers import Rejected


def refused(rejected: Rejected) -> Trouble:
    return Trouble(422, rejected.code, rejected.facts, rejected.field)

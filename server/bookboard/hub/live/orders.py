"""Who gives a command: a client by its token, or another log by a letter."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from msgspec import Struct

from bookboard.hub.live.kind import AnyKind
from bookboard.log.actors import Actor, TokenHash


class Giver(Protocol):
    def actor(self, state: Any) -> Actor | None:  # noqa: ANN401 - the kind's own
        """Who it is in that state of the log; None for nobody."""

    def person(self, actor: Actor, command: Any) -> str:  # noqa: ANN401 - of the kind's own family
        """Whose command the log says it is."""


class TokenBearer(Struct, frozen=True):
    kind: AnyKind
    token_hash: TokenHash | None

    def actor(self, state: Any) -> Actor | None:  # noqa: ANN401
        return self.kind.role_of(state, self.token_hash)

    def person(self, actor: Actor, command: Any) -> str:  # noqa: ANN401
        return self.kind.person_behind(actor, self.token_hash, command)


class SendingLog(Struct, frozen=True):
    kind: AnyKind
    code: str

    def actor(self, state: Any) -> Actor | None:  # noqa: ANN401
        return self.kind.sender_of(state, self.code)

    def person(self, actor: Actor, command: Any) -> str:  # noqa: ANN401, ARG002
        return actor.person or f"log {self.code}"


class Order(Struct, frozen=True):
    """`is_waiting` says whether it is still to be carried out, now that the log's state is known."""

    cmd: str
    command: Any
    giver: Giver
    is_waiting: Callable[[], Awaitable[bool]] | None = None

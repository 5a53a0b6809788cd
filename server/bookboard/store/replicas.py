"""Waiting for replicas: a commit is answered once so many have it, and it is on the server's own disk.

WAIT looks at the writes of its own connection, so it follows the commit on the same one, after a write of its own: thus
it also covers a commit of before, whose answer is only repeated. WAITAOF, where the server has it, is asked for its own
disk alone: replicas tell of theirs once a second, which would be four hands a second and hub.
"""

from typing import Any

from msgspec import Struct
from redis.exceptions import RedisError, ResponseError

from bookboard.store import keys
from bookboard.store.contract import StoreUnavailable, StoreUnusable
from bookboard.store.link import Commands, Link, reason_of

WAIT_MS = 2000


class Replicas(Struct, frozen=True):
    """`count` replicas have to have a write; `on_disk`: the server can say what is in its append-only file."""

    count: int
    on_disk: bool

    @classmethod
    async def of(cls, link: Link, count: int) -> "Replicas":
        """Asks the server what it can do, unless nothing is to be waited for. Raises StoreUnusable."""
        if count == 0:
            return cls(0, on_disk=False)
        try:
            await link.call("WAITAOF", 1, 0, 1)
        except ResponseError:
            return cls(count, on_disk=False)  # Redis before 7.2, or one without an append-only file
        except (RedisError, OSError, StoreUnavailable) as error:
            raise StoreUnusable(f"The server went away at the start ({reason_of(error)}); start again.") from error
        return cls(count, on_disk=True)

    def commands(self, partition: int) -> Commands:
        """What has to follow a write on its connection; nothing if nothing is waited for."""
        if self.count == 0:
            return ()
        wait = (("SET", keys.writable(partition), "", "EX", 60), ("WAIT", self.count, WAIT_MS))
        return (*wait, ("WAITAOF", 1, 0, WAIT_MS)) if self.on_disk else wait

    def check(self, replies: list[Any]) -> Any:  # noqa: ANN401
        """The first reply, once those of `commands` say that enough replicas follow. Raises StoreUnavailable."""
        answer, *others = replies
        for reply in others:
            if isinstance(reply, Exception):
                raise StoreUnavailable(reason_of(reply))
        if others[1] < self.count:
            raise StoreUnavailable("no-replicas")
        if self.on_disk and not others[2][0]:
            raise StoreUnavailable("disk")
        return answer

"""Redis behind Sentinels: every new connection asks them which server is the master now.

After a failover, the Sentinels cut the old master's connections and a demoted one answers READONLY, which ends a
connection here too; so the next one finds the new master. Nothing is sent twice.
"""

import asyncio
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct
from redis.asyncio.connection import Connection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

Address = tuple[str, int]

SCHEME = "redis+sentinel"
PORT = 26379
ASK_S = 1.0


class Watched(Struct, frozen=True):
    """A master by the name that its Sentinels know it under."""

    sentinels: tuple[Address, ...]
    name: str


class MasterConnection(Connection):
    """A connection to whatever server is the master when it connects."""

    def __init__(self, *, watched: Watched, **settings: Any) -> None:  # noqa: ANN401 - redis-py's
        super().__init__(**settings)
        self._watched = watched

    async def find_master(self) -> None:
        """Points it at the master. Raises RedisError when no Sentinel knows one."""
        has_answered = False
        for host, port in self._watched.sentinels:
            try:
                async with asyncio.timeout(ASK_S):
                    self.host, self.port = await _ask(Connection(host=host, port=port, driver_info=None), self._watched)
            except LookupError:
                has_answered = True
            except (RedisError, OSError):
                continue
            else:
                return
        if has_answered:
            raise RedisConnectionError(f"no Sentinel knows a master named {self._watched.name}")
        raise RedisConnectionError("none of the Sentinels answers")


async def _ask(sentinel: Connection, watched: Watched) -> Address:
    try:
        await sentinel.connect()  # type: ignore[no-untyped-call]
        await sentinel.send_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", watched.name)
        found = await sentinel.read_response()
        if not found:
            raise LookupError(watched.name)
        return found[0].decode(), int(found[1])
    finally:
        await sentinel.disconnect(nowait=True)


def split_url(url: str) -> tuple[str, Watched]:
    """`redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/NAME/DB` as a plain URL and what is watched.

    User, password and number of the database are the master's. Raises ValueError, which repeats none of it.
    """
    _, _, rest = url.partition("://")
    rest, _, query = rest.partition("?")
    where, _, path = rest.partition("/")  # by hand: urlsplit takes a list of IPv6 addresses for a broken one
    user, at, hosts = where.rpartition("@")
    name, _, database = path.strip("/").partition("/")
    if not name:
        raise ValueError("the name of the master is missing")
    sentinels = tuple(_address(host) for host in hosts.split(","))
    return urlunsplit(("redis", f"{user}{at}master", database, query, "")), Watched(sentinels, name)


def _address(text: str) -> Address:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        raise ValueError("the address of a Sentinel cannot be read") from None
    if not host:
        raise ValueError("the address of a Sentinel is missing")
    return host, port

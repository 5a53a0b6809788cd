"""Whether a server will do, and if not, a sentence for the operator."""

import logging

from redis.exceptions import RedisError

from bookboard.store.contract import StoreUnusable
from bookboard.store.link import Link, reason_of

_log = logging.getLogger(__name__)


async def is_cluster(link: Link, url: str) -> bool:
    """Whether the server is one of a cluster. Raises StoreUnusable unless it answers and is new enough."""
    try:
        info = _fields(await link.call("INFO"))
    except (RedisError, OSError) as error:
        raise StoreUnusable(_why_unusable(url, reason_of(error), error)) from error
    version = info.get("redis_version", "?")
    major = version.partition(".")[0]
    if not major.isdigit() or int(major) < 7:
        raise StoreUnusable(f"{url} is Redis {version}, which is too old; use Redis 7.0 or later, or Valkey.")
    if info.get("maxmemory_policy", "noeviction") != "noeviction":
        _log.warning("%s evicts keys when it is full (%s): set noeviction", url, info["maxmemory_policy"])
    return info.get("cluster_enabled") == "1"


def _fields(info: bytes) -> dict[str, str]:
    lines = (line.partition(":") for line in info.decode(errors="replace").splitlines())
    return {name: value for name, colon, value in lines if colon}


def _why_unusable(url: str, reason: str, error: Exception) -> str:
    match reason:
        case "denied":
            return f"{url} does not let this user in ({error}); check the name, the password and the user's rights."
        case "loading":
            return f"{url} is still loading its data; start again in a moment."
        case "unreachable" | "timeout":
            return f"There is no Redis to be reached at {url} ({error}); start it, or check the address."
        case _:
            return f"{url} cannot be used: {error}."

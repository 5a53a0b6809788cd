"""Whether a server will do, and if not, a sentence for the operator."""

import logging

from redis.exceptions import RedisError

from bookboard.store.contract import StoreUnavailable, StoreUnusable
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
    return info.get("cluster_enabled") == "1"


async def evicting(link: Link) -> str | None:
    """The policy by which the server drops tables when it is full; None if it keeps them. Raises RedisError, OSError.

    Only keys that expire are dropped by the `volatile` policies, and a table's have no expiry.
    """
    info = _fields(await link.call("INFO", "memory"))
    policy = info.get("maxmemory_policy", "noeviction")
    return policy if policy.startswith("allkeys") and info.get("maxmemory", "0") != "0" else None


async def check_policy(link: Link, url: str) -> None:
    """Raises StoreUnusable if the server would drop tables when it is full."""
    try:
        policy = await evicting(link)
    except (RedisError, OSError) as error:
        raise StoreUnusable(_why_unusable(url, reason_of(error), error)) from error
    if policy is not None:
        raise StoreUnusable(
            f"{url} throws tables away when its memory is full (maxmemory-policy {policy});"
            " set maxmemory-policy noeviction there."
        )


def why_no_hands(url: str, error: StoreUnavailable) -> str | None:
    """What keeps hands from being entered, for the operator; None if it may pass by itself."""
    match error.reason:
        case "denied" | "refused":
            return f"No hand could be entered at {url} ({error.__cause__}); see the rights of this user and the server."
        case "no-replicas":
            return f"Fewer replicas follow {url} than --wait-replicas asks for; start them, or ask for fewer."
        case "readonly":
            return f"{url} is a replica, or read-only, so no hand could be entered; give the address of its master."
        case _:
            _log.warning("no hand can be entered at %s just now: %s", url, error.reason)
            return None


def _fields(info: bytes) -> dict[str, str]:
    lines = (line.partition(":") for line in info.decode(errors="replace").splitlines())
    return {name: value for name, colon, value in lines if colon}


def _why_unusable(url: str, reason: str, error: Exception) -> str:
    match reason:
        case "denied":
            return f"{url} does not let this user in ({error}); check the name, the password and the user's rights."
        case "loading":
            return f"{url} is still loading its data; start again in a moment."
        case "unreachable" | "timeout" if "SSL" in str(error) or "TLS" in str(error):
            return f"{url} does not answer with TLS that can be trusted: use redis:// if its port is a plain one."
        case "unreachable" | "timeout":
            other = "plain port wants redis" if url.startswith("rediss:") else "TLS port wants rediss"
            why = str(error) or f"no answer in time; a {other}://"
            return f"There is no Redis to be reached at {url} ({why}); start it, or check the address."
        case _:
            return f"{url} cannot be used: {error}."

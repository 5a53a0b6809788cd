"""Where other devices reach this machine."""

import ipaddress
import socket
from contextlib import closing, suppress

from bookboard.config import Config

# Documentation addresses: nothing is sent to them, the system only chooses the way it would take.
_SOMEWHERE = ("192.0.2.1", "198.51.100.1")


def origins(config: Config, port: int) -> list[str]:
    """The origins to give to phones, the best first; only this machine's own name where nothing else is open."""
    if config.url is not None:
        return [config.url]
    if config.host not in {"0.0.0.0", "::", ""}:  # noqa: S104 - asked, not bound
        host = f"[{config.host}]" if ":" in config.host else config.host
        return [f"http://{host}:{port}"]
    return [f"http://{address}:{port}" for address in lan_addresses()] or [f"http://localhost:{port}"]


def lan_addresses() -> list[str]:
    """The machine's IPv4 addresses that others can use, the one that leads outside first."""
    found: list[str] = []
    for somewhere in _SOMEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
            probe.connect((somewhere, 9))
            found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if is_usable(address)]


def is_usable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local)

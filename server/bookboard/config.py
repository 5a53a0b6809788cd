"""What `bookboard serve` is told, by its options."""

import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")


class Config(Struct, frozen=True, kw_only=True):
    host: str = "0.0.0.0"  # noqa: S104 - phones on the venue's network have to reach it
    port: int = 8000
    data: Path = Path("data")
    redis: str | None = None
    allow_origins: frozenset[str] = frozenset()
    url: str | None = None
    """The origin at which people reach the server, where it is not one of this machine's own."""
    trusted_proxies: tuple[str, ...] = ()
    most_connections: int = 20_000
    most_per_address: int | None = None
    most_bytes_a_second: int = 10_000
    """That the store keeps of what one address sends."""
    wait_replicas: int = 0
    workers: int = 1
    interface: str | None = None
    """The name or an address of the interface that invitations and QR codes use."""

    @property
    def origins(self) -> frozenset[str]:
        """The pages that may connect, whatever a proxy says the hub is called."""
        return self.allow_origins if self.url is None else self.allow_origins | {self.url}


def origin_from(text: str) -> str:
    """As a browser writes it: lower case, no default port, nothing behind. Raises ArgumentTypeError."""
    if "@" in text:
        raise ArgumentTypeError("an address of a site holds no user and no password")
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        parts, host, port = SplitResult("", "", "", "", ""), "", None
    if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host):
        raise ArgumentTypeError(f"{text!r} is no address of a site; write it as https://board.example")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ArgumentTypeError(
            f"{text!r} goes on after the name, but Bookboard's pages lie at the root of a site; give it a name or a "
            "port of its own"
        )
    named = f"[{host}]" if ":" in host else host
    shown = "" if port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{port}"
    return f"{parts.scheme}://{named}{shown}"


def proxy_from(text: str) -> str:
    """An address, a network, or `*` for any. Raises ArgumentTypeError."""
    try:
        return text if text == "*" else str(ip_network(text) if "/" in text else ip_address(text))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no address, as 127.0.0.1 or 10.0.0.0/8 are") from None


def default_data(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's programs keep what they need, by the platform's custom."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or ".")
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Bookboard"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Bookboard"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "bookboard"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--host", default=Config().host, help="address to listen on (default: %(default)s, all)")
    parser.add_argument("--port", type=int, default=Config().port, help="port to listen on (default: %(default)s)")
    parser.add_argument(
        "--interface",
        metavar="NAME",
        help="interface, or address of one, that invitations and QR codes use (wlan0); kept until another is chosen,"
        " or auto",
    )
    add_store_options(parser)
    parser.add_argument(
        "--wait-replicas",
        type=int,
        default=Config().wait_replicas,
        metavar="N",
        help="answer a hand only once N replicas of the Redis have it, too (default: %(default)s)",
    )
    parser.add_argument(
        "--workers",
        type=int,
        choices=range(1, 65),
        default=Config().workers,
        metavar="N",
        help="hubs that share the port, each a process of its own; more than 1 on Linux only (default: %(default)s)",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        type=origin_from,
        metavar="ORIGIN",
        help="let pages of this origin connect, too (https://league.example); may be given several times",
    )
    parser.add_argument(
        "--url",
        type=origin_from,
        help="the address that people use, if it is not one of this machine's own (https://board.example)",
    )
    parser.add_argument(
        "--trust-proxy",
        action="append",
        type=proxy_from,
        default=[],
        metavar="ADDRESS",
        help="believe what a reverse proxy at this address says of its clients; may be given several times",
    )
    parser.add_argument(
        "--most-per-address",
        type=int,
        metavar="N",
        help="take N connections from one address and no more; behind one router a whole club is one (default: any)",
    )
    parser.add_argument(
        "--most-bytes-a-second",
        type=int,
        default=Config().most_bytes_a_second,
        metavar="N",
        help="keep N bytes a second of what one address sends; a hundred tables at play make fewer"
        " (default: %(default)s)",
    )


def add_store_options(parser: ArgumentParser) -> None:
    """Where the tables are kept."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=default_data(),
        help="folder of the built-in store; not used with --redis (default: %(default)s)",
    )
    parser.add_argument(
        "--redis",
        metavar="URL",
        help="keep the tables in this Redis (7.0 or later) or Valkey, instead of the built-in store",
    )


def config_from(options: Namespace) -> Config:
    return Config(
        host=options.host,
        port=options.port,
        data=options.data,
        redis=options.redis,
        wait_replicas=options.wait_replicas,
        allow_origins=frozenset(options.allow_origin),
        url=options.url,
        trusted_proxies=tuple(options.trust_proxy),
        workers=options.workers,
        most_per_address=options.most_per_address,
        most_bytes_a_second=options.most_bytes_a_second,
        interface=options.interface,
    )

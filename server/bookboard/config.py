"""What `bookboard serve` is told, by its options."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct


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
        metavar="ORIGIN",
        help="let pages of this origin connect, too (https://league.example); may be given several times",
    )
    parser.add_argument(
        "--url",
        help="the address that people use, if it is not one of this machine's own (https://board.example)",
    )
    parser.add_argument(
        "--trust-proxy",
        action="append",
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
        allow_origins=frozenset(origin.rstrip("/") for origin in options.allow_origin),
        url=options.url.rstrip("/") if options.url else None,
        trusted_proxies=tuple(options.trust_proxy),
        workers=options.workers,
        most_per_address=options.most_per_address,
        most_bytes_a_second=options.most_bytes_a_second,
        interface=options.interface,
    )

"""What `bookboard serve` is told. Each option is declared once, here, and may come from the environment or a file, too:

    --wait-replicas 1      BOOKBOARD_WAIT_REPLICAS=1      BOOKBOARD_WAIT_REPLICAS_FILE=/run/secrets/replicas

The command line goes before the environment. A secret belongs into a file: everybody on a machine can read the options
of its processes.
"""

import os
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import platformdirs
from msgspec import Struct

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")


class BadOption(Exception):  # noqa: N818
    """The text is one sentence for whoever gave the option, and repeats no secret."""


class Config(Struct, frozen=True, kw_only=True):
    host: str = "0.0.0.0"  # noqa: S104 - phones on the venue's network have to reach it
    port: int = 8000
    data: Path = Path()
    """Of the built-in store; not used with `redis`."""
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


class Option(Struct, frozen=True, kw_only=True):
    """`read` takes the text, or raises ValueError that says what it has to be."""

    name: str
    read: Callable[[str], Any]
    help: str
    metavar: str
    default: Any = None
    many: bool = False
    is_secret: bool = False

    @property
    def variable(self) -> str:
        return f"BOOKBOARD_{self.name.upper().replace('-', '_')}"

    @property
    def attribute(self) -> str:
        return self.name.replace("-", "_")


# ── reading values ───────────────────────────────────────────────────────────────────────────────────────────────


def some_text(given: str) -> str:
    if not given.strip():
        raise ValueError("has to be given")
    return given.strip()


def whole_number(least: int, most: int) -> Callable[[str], int]:
    def read(given: str) -> int:
        if not (given.isascii() and given.isdecimal() and least <= int(given[:20]) <= most):
            raise ValueError(f"has to be a whole number from {least} to {most}")
        return int(given)

    return read


def listening_host(given: str) -> str:
    host = given.strip().removeprefix("[").removesuffix("]")
    if not host or any(sign in host for sign in " /@#?"):
        raise ValueError("has to be an address of this machine, such as 0.0.0.0 for all of them")
    return host


def folder(given: str) -> Path:
    if not given:
        raise ValueError("has to be a folder")
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise ValueError("has to be a folder without ~, for this user has no home") from error


def web_origin(given: str) -> str:
    """As a browser writes it: lower case, no default port, nothing behind."""
    if "@" in given:
        raise ValueError("has to be an address of a site, with no user and no password in it")
    try:
        parts = urlsplit(given)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        parts, host, port = SplitResult("", "", "", "", ""), "", None
    if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host):
        raise ValueError("has to be an address of a site, such as https://board.example")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError(
            "has to end after the name, for Bookboard's pages lie at the root of a site; give it a name or a port of"
            " its own"
        )
    named = f"[{host}]" if ":" in host else host
    shown = "" if port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{port}"
    return f"{parts.scheme}://{named}{shown}"


def proxy_address(given: str) -> str:
    """An address, a network, or `*` for any."""
    try:
        return given if given == "*" else str(ip_network(given) if "/" in given else ip_address(given))
    except ValueError:
        raise ValueError("has to be an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8") from None


# ── the options ──────────────────────────────────────────────────────────────────────────────────────────────────

STORE_OPTIONS = (
    Option(
        name="data",
        read=folder,
        metavar="DIR",
        help="folder of the built-in store; not used with --redis (default: among this user's program data)",
    ),
    Option(
        name="redis",
        read=some_text,
        metavar="URL",
        is_secret=True,
        help="keep the tables in this Redis (7.0 or later) or Valkey, instead of the built-in store",
    ),
)

SERVE_OPTIONS = (
    Option(
        name="host",
        read=listening_host,
        metavar="ADDRESS",
        default=Config().host,
        help="address to listen on; :: is IPv6 and IPv4 (default: 0.0.0.0, all of IPv4)",
    ),
    Option(
        name="port",
        read=whole_number(0, 65535),
        metavar="PORT",
        default=Config().port,
        help="port to listen on (default: 8000)",
    ),
    Option(
        name="interface",
        read=some_text,
        metavar="NAME",
        help="interface, or address of one, that invitations and QR codes use (wlan0); kept until another is chosen, or"
        " auto",
    ),
    *STORE_OPTIONS,
    Option(
        name="wait-replicas",
        read=whole_number(0, 100),
        metavar="N",
        default=Config().wait_replicas,
        help="answer a hand only once N replicas of the Redis have it, too (default: 0)",
    ),
    Option(
        name="workers",
        read=whole_number(1, 64),
        metavar="N",
        default=Config().workers,
        help="hubs that share the port, each a process of its own; more than 1 on Linux only (default: 1)",
    ),
    Option(
        name="allow-origin",
        read=web_origin,
        metavar="ORIGIN",
        many=True,
        help="let pages of this origin connect, too (https://league.example); may be given several times",
    ),
    Option(
        name="url",
        read=web_origin,
        metavar="URL",
        help="the address that people use, if it is not one of this machine's own (https://board.example)",
    ),
    Option(
        name="trust-proxy",
        read=proxy_address,
        metavar="ADDRESS",
        many=True,
        help="trust X-Forwarded-* headers from the reverse proxy at this address; may be given several times",
    ),
    Option(
        name="most-per-address",
        read=whole_number(1, 1_000_000),
        metavar="N",
        help="maximum connections per client address; behind one router a whole club is one (default: any)",
    ),
    Option(
        name="most-bytes-a-second",
        read=whole_number(1, 10**9),
        metavar="N",
        default=Config().most_bytes_a_second,
        help="keep N bytes a second of what one address sends; a hundred tables at play make fewer (default: 10000)",
    ),
)


def add_options(parser: ArgumentParser, options: tuple[Option, ...] = SERVE_OPTIONS) -> None:
    """As texts: `settle` reads them, together with the environment."""
    parser.set_defaults(options=options)
    parser.epilog = "Each option may also be set in the environment (BOOKBOARD_PORT=8001), or in a file whose name is"
    parser.epilog += " there (BOOKBOARD_REDIS_FILE=/run/secrets/redis)."
    for option in options:
        action = "append" if option.many else "store"
        parser.add_argument(f"--{option.name}", action=action, metavar=option.metavar, help=option.help)
        if option.is_secret:
            parser.add_argument(f"--{option.name}-file", metavar="FILE", help=f"read --{option.name} from this file")


def add_store_options(parser: ArgumentParser) -> None:
    """Where the tables are kept."""
    add_options(parser, STORE_OPTIONS)


def settle(given: Namespace, environ: Mapping[str, str] = os.environ) -> Namespace:
    """Every option with its value, from wherever it comes. Raises BadOption."""
    settled = Namespace(**vars(given))
    for option in given.options:
        setattr(settled, option.attribute, _value(option, given, environ))
    if settled.data is None and settled.redis is None:
        settled.data = default_data()
    return settled


def config_from(given: Namespace, environ: Mapping[str, str] = os.environ) -> Config:
    """Raises BadOption."""
    options = settle(given, environ)
    if options.wait_replicas and options.redis is None:
        raise BadOption("--wait-replicas needs a Redis with replicas; the built-in store has none: give --redis, too.")
    return Config(
        host=options.host,
        port=options.port,
        data=options.data or Config().data,
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


def default_data() -> Path:
    """Where this user's programs keep what they need, by the platform's custom. Raises BadOption."""
    if os.environ.get("HOME") == "":
        del os.environ["HOME"]  # which says nothing; the system's list of users does
    name = "Bookboard" if sys.platform in {"win32", "darwin"} else "bookboard"
    try:
        found = platformdirs.user_data_path(name, appauthor=False)
    except RuntimeError:
        found = None
    if found is None or not found.is_absolute():
        raise BadOption("This user has no home folder for the tables; say where to keep them with --data DIR.")
    return found


def _value(option: Option, given: Namespace, environ: Mapping[str, str]) -> Any:  # noqa: ANN401 - as it is declared
    named, texts = _texts(option, given, environ)
    if texts is None:
        return [] if option.many else option.default
    values = []
    for text in texts:
        try:
            values.append(option.read(text))
        except ValueError as error:
            # Who mixes up options, or writes a password into the wrong one, must not find it in a log.
            shown = f" ({text!r})" if text and not option.is_secret and not any(sign in text for sign in "@#") else ""
            raise BadOption(f"{named}{shown} {error}.") from None
    return values if option.many else values[-1]


def _texts(option: Option, given: Namespace, environ: Mapping[str, str]) -> tuple[str, list[str] | None]:
    """Where the option was given, and what was given there; None if it was not."""
    on_line = getattr(given, option.attribute)
    file = getattr(given, f"{option.attribute}_file", None)
    if on_line is not None and file is not None:
        raise BadOption(f"--{option.name} and --{option.name}-file are both given; leave out one.")
    if on_line is not None:
        return f"--{option.name}", on_line if option.many else [on_line]
    if file is not None:
        return f"The file of --{option.name}-file", [_read(f"--{option.name}-file", file)]
    text = environ.get(option.variable, "")
    file = environ.get(f"{option.variable}_FILE", "")
    if text.startswith("tcp://"):
        text = ""  # Kubernetes says so of a service that is named bookboard
    if text and file:
        raise BadOption(f"{option.variable} and {option.variable}_FILE are both set; leave out one.")
    named = f"{option.variable}_FILE" if file else option.variable
    text = _read(named, file) if file else text
    if not text and not file:
        return named, None
    return named, text.replace(",", " ").split() if option.many else [text]


def _read(named: str, file: str) -> str:
    reason = "it is no text"
    with suppress(UnicodeDecodeError):
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            reason = str(error.strerror)
    raise BadOption(f"The file that {named} names cannot be read ({reason}); look at its name and rights.")

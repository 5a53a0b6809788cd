"""What whoever started the server reads: what is kept where, how it is reached, and what keeps phones from it."""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version

import segno

from bookboard.config import Config
from bookboard.hub.process.addresses import Address

_ALL = {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound


class Operator:
    """Whoever started the server, and is told about it. This one wants to know nothing."""

    def up(self, config: Config, ways: Sequence[Address], tables: int | None) -> None:
        """It serves. `tables`: how many are kept, where that is known."""

    def moved(self, config: Config, ways: Sequence[Address]) -> None:
        """An interface has come up, has gone, or has another address."""

    def stopped(self) -> None:
        """Everybody has been sent away."""


class Terminal(Operator):
    """Reads standard output."""

    def up(self, config: Config, ways: Sequence[Address], tables: int | None) -> None:
        where = f" in {config.data}" if config.redis is None else " in Redis"
        kept = "its tables" if tables is None else "1 table" if tables == 1 else f"{tables} tables"
        say(f"Bookboard {version('bookboard')} is up, with {kept} kept{where}.", *places(config, ways))

    def moved(self, config: Config, ways: Sequence[Address]) -> None:
        say("This computer's addresses have changed.", *places(config, ways))

    def stopped(self) -> None:
        say("Bookboard has stopped. Phones and screens come back by themselves once it is started again.")


def say(*lines: str) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a log in an old encoding is no reason not to start
    with suppress(OSError):  # nobody reads it any more, which ends no league night
        sys.stdout.write("\n".join([*lines, ""]))
        sys.stdout.flush()


def places(config: Config, ways: Sequence[Address]) -> Iterator[str]:
    """The lines that say where to go; in a terminal, with a code that a phone can read."""
    yield "Open it at"
    best = ways[0]
    width = max(len(way.origin) for way in ways)
    for way in ways:
        about = " · ".join(part for part in (way.interface, "" if way.kind == "network" else way.kind) if part)
        use = "← invitations and QR codes" if way is best and len(ways) > 1 else ""
        yield f"  {way.origin:{width}}  {about}  {use}".rstrip()
    if config.host in _ALL and config.url is None and best.kind != "this computer":
        yield f"  http://localhost:{best.origin.rpartition(':')[2]}  on this computer"
    if config.interface is not None and config.interface not in {best.interface, best.ip}:
        yield f"NOTE: {config.interface}, which was chosen, has no address now; it is used again once it has one."
    elif len([way for way in ways if way.is_for_phones]) > 1 and config.interface is None:
        yield "If phones cannot open the first one, choose another with --interface NAME; it is kept."
    if best.is_for_phones or config.interface is not None:
        if sys.stdout.isatty():
            yield from ("", blocks(best.origin))
    else:
        yield f"ATTENTION: {why_no_phone_comes(config, best)}"


def why_no_phone_comes(config: Config, best: Address) -> str:
    match best.kind:
        case "this computer" if config.host not in _ALL:
            return f"No phone can reach this: --host {config.host} is this computer only; leave --host out."
        case "this computer":
            only = " with IPv4; if the network has IPv6 only, start with --host ::" if config.host != "::" else ""
            return f"No phone can reach this yet: this computer is in no network{only}. Join the Wi-Fi; it is noticed."
        case "VPN":
            return "Phones can reach this only inside the VPN: this computer is in no other network. Join the Wi-Fi."
        case _:
            return (
                "Phones can hardly reach this: the only addresses are those of containers on this computer."
                " Join the Wi-Fi, or give the address that people use with --url."
            )


def blocks(text: str) -> str:
    """A QR code in half blocks, for a light text on a dark ground; most readers take the reverse as well."""
    rows = [[*row] for row in segno.make(text, error="l", micro=False).matrix_iter(scale=1, border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    shown = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(shown[int(a > 0), int(b > 0)] for a, b in zip(*pair, strict=True)) for pair in pairs)

"""The interface whose address invitations and QR codes use: chosen once, kept in the data folder."""

from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from bookboard.config import Config
from bookboard.hub.process.addresses import interfaces, is_chosen, local_addresses

AUTOMATIC = "auto"


def is_there(name: str) -> bool:
    """Whether this machine has an interface or an address of that name, be it without a network just now."""
    return name in {AUTOMATIC, *interfaces()} or any(is_chosen(local, name) for local in local_addresses())


def with_kept_interface(config: Config) -> Config:
    """What was chosen now is kept for the next start, else what was kept is chosen again; `auto` forgets it."""
    chosen = None if config.interface == AUTOMATIC else config.interface
    if config.redis is not None:
        return replace(config, interface=chosen)
    kept = config.data / "interface"
    if config.interface is None:
        return replace(config, interface=_read(kept))
    with suppress(OSError):  # it serves this time, at least
        kept.write_text(f"{chosen or ''}\n", encoding="utf-8")
    return replace(config, interface=chosen)


def _read(kept: Path) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8").strip() or None
    return None

"""Which pages may connect: those that this server gave out, under whatever name it was reached, and those listed."""

from collections.abc import Iterable

Headers = Iterable[tuple[bytes, bytes]]


def header(headers: Headers, name: bytes) -> str | None:
    """A header's value. One that is sent twice is none of ours: it gives what no check accepts."""
    values = [value for key, value in headers if key.lower() == name]
    if len(values) > 1:
        return "null"
    return values[0].decode("latin-1") if values else None


def is_allowed(origin: str, host: str | None, listed: frozenset[str]) -> bool:
    """Whether a page of this origin (a browser's `Origin`) may connect to what the request calls `host`."""
    if origin.lower() in listed:
        return True
    return bool(host) and origin.lower() in {f"http://{host}".lower(), f"https://{host}".lower()}

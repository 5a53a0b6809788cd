"""The kinds of live log that Bookboard has. A new one is a package and its line here."""

from bookboard.hub.live.kind import AnyKind
from bookboard.tables.kind import TABLE

KINDS: tuple[AnyKind, ...] = (TABLE,)

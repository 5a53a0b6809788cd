"""What a sender may have a room do: bytes that the store keeps for it, and time of a processor."""

from typing import Protocol


class Budget(Protocol):
    def may_keep(self, count: int) -> bool:
        """Whether the store may keep so many bytes more, which are counted then."""

    def may_compute(self) -> bool:
        """Whether all that was computed before is paid off."""

    def computed(self, seconds: float) -> None: ...


class NoLimit:
    """For what no client asks for."""

    def may_keep(self, _: int) -> bool:
        return True

    def may_compute(self) -> bool:
        return True

    def computed(self, seconds: float) -> None: ...


NO_LIMIT = NoLimit()

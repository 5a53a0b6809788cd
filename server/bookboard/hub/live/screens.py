"""What the screens of one room on this hub are told, and what is kept of it for those that come and come back."""

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from bookboard.hub.wire.fanout import Audience
from bookboard.hub.wire.timer import OneShotTimer
from bookboard.protocol.codecs import Codec
from bookboard.protocol.messages import Forecast, LogEvent, SnapshotMessage, Status, Watching

log = logging.getLogger(__name__)

KEPT_EVENTS = 64
WATCHING_EVERY_S = 1.0
LOOK_AHEAD_AFTER_S = 0.25


class Screens:
    """`outlook`: what is known of the hand in play."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.audience = Audience(self._count_changed)
        self.recent: deque[LogEvent] = deque(maxlen=KEPT_EVENTS)
        self.lost: Status | None = None
        self.forecast: Any = {}
        self._snapshots: dict[Codec, bytes] = {}
        self._count, self._look = OneShotTimer(), OneShotTimer()

    def tell(self, event: LogEvent) -> None:
        self.recent.append(event)
        self._snapshots.clear()
        self.audience.publish(event)

    @property
    def is_lost(self) -> bool:
        return self.lost is not None

    def set_lost(self, *, now: int, is_lost: bool) -> None:
        """Whether the store has lost what these screens show. They keep it, and are told."""
        if is_lost is self.is_lost:
            return
        self.lost = Status("lost", now) if is_lost else None
        log.error(
            "the store has %s",
            f"lost {self.name}; its screens stay up" if is_lost else f"{self.name} again, which was lost",
        )
        self.audience.publish(self.lost or Status("ok", now))

    def tell_status(self, status: Status) -> None:
        """How the store is: screens of a lost table have been told worse."""
        if not self.is_lost:
            self.audience.publish(status)

    def begin_anew(self) -> None:
        """The room was taken over whole: no event leads to it from what was told before."""
        self.recent.clear()
        self._snapshots.clear()

    def look_ahead(self, look: Callable[[], Forecast[Any]]) -> None:
        """What the hand in play holds is worked out once it is left alone: nobody reads what the next tap changes."""
        self.forecast = {}
        self._look.call(LOOK_AHEAD_AFTER_S, lambda: self._show_forecast(look()))

    def _show_forecast(self, found: Forecast[Any]) -> None:
        self.forecast = found.outlook
        if self.forecast:
            self._snapshots.clear()
            self.audience.publish(found)

    def payload(self, codec: Codec, snapshot: Callable[[], SnapshotMessage[Any, Any]]) -> bytes:
        """The newest snapshot, encoded once a version however many ask."""
        payload = self._snapshots.get(codec)
        if payload is None:
            payload = self._snapshots[codec] = codec.encode(snapshot())
        return payload

    def _count_changed(self) -> None:
        if not self._count.is_waiting:
            self._count.call(WATCHING_EVERY_S, self._tell_count)

    def _tell_count(self) -> None:
        self.audience.publish(Watching(len(self.audience.members)))

    def stop(self) -> None:
        self._count.stop()
        self._look.stop()
        self.audience.on_count = lambda: None  # no circle with the room is left for the collector

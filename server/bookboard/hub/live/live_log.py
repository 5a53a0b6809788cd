"""A log that somebody watches on this hub: followed, written to, and shown to its subscribers."""

from typing import Any

from bookboard.hub.live.committing import Committing
from bookboard.protocol.codecs import Codec
from bookboard.protocol.messages import (
    Forecast,
    LogEvent,
    LogRewound,
    SnapshotMessage,
)


class LiveLog(Committing):
    """A log that somebody watches on this hub."""

    def snapshot(self) -> SnapshotMessage[Any, Any]:
        return SnapshotMessage(self.epoch, self.version, self.last, self.kind.view(self.state), self.screens.forecast)

    def snapshot_payload(self, codec: Codec) -> bytes:
        return self.screens.payload(codec, self.snapshot)

    def forecast(self) -> Forecast[Any]:
        return Forecast(self.epoch, self.version, self.screens.forecast or self.kind.forecast(self.state))

    def rewound_since(self, turn: int) -> LogRewound | None:
        """The last time the log went back, if a screen has not seen it that saw everything up to that turn."""
        return self.rewound if turn < self._rewound_turn else None

    def missed_since(self, epoch: int, version: int, last: str) -> list[LogEvent] | None:
        """The events a screen at that point has missed; None when only a snapshot can tell."""
        if epoch != self.epoch or version > self.version:
            return None
        if version == self.version:
            return [] if last == self.last else None
        missed = [event for event in self.screens.recent if event.version > version]
        return missed if missed and missed[0].prev == last else None

    def lose(self) -> None:
        self.screens.set_lost(now=self._clock.now(), is_lost=True)

    def stop(self) -> None:
        """No more timers; what is in flight goes on."""
        self._time_limit.stop()
        self.screens.stop()

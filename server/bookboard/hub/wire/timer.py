"""A call that is put off."""

import asyncio
from collections.abc import Callable


class OneShotTimer:
    """At most one call waits: a new one takes its place. After `stop` there is none any more."""

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None
        self._is_stopped = False

    @property
    def is_waiting(self) -> bool:
        return self._handle is not None

    def call(self, after_s: float, step: Callable[[], None]) -> None:
        self.cancel()
        if not self._is_stopped:
            self._handle = asyncio.get_running_loop().call_later(after_s, self._run, step)

    def cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def stop(self) -> None:
        self._is_stopped = True
        self.cancel()

    def _run(self, step: Callable[[], None]) -> None:
        self._handle = None
        step()

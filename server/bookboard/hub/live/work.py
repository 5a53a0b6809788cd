"""What a room has to do by and by: tasks that end when they are done, whoever goes away meanwhile."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from bookboard.store.contract import StoreUnavailable

log = logging.getLogger(__name__)


OnFailure = Callable[[StoreUnavailable], None]


class Gone(Exception):  # noqa: N818
    """The store has no such room any more."""


class Member(Protocol):
    """A connection that said hello to this room."""

    def role_may_have_changed(self) -> None: ...


class Work:
    """The tasks of a room; `on_failure` hears that the store failed one."""

    def __init__(self, on_failure: OnFailure) -> None:
        self._on_failure = on_failure
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreUnavailable as error:
            self._on_failure(error)
        except Gone:
            self.lose()
        except Exception:
            log.exception("work on a room failed")

    def lose(self) -> None:
        """The store has no such room any more; who watches keeps what is known here, and is told."""
        raise NotImplementedError

    @property
    def is_busy(self) -> bool:
        return bool(self._tasks)

    async def finish(self) -> None:
        """Wait for what is in flight."""
        while self._tasks:
            await asyncio.wait(self._tasks)

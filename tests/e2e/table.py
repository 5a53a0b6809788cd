"""A table with all its screens: who holds what, and whether all of them show what the record is worth."""

import asyncio
import contextlib
import io
import json
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.screens import Display, Phone, Screen, Watch
from tests.hub.serving import HubProcess

from bookboard.cli import main

Scored = dict[str, Any]


def scored_by_command(record: bytes, folder: Path) -> Scored:
    """What `bookboard score --json` says of a record."""
    path = folder / "record.json"
    path.write_bytes(record)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = main(["score", "--json", str(path)])
    assert status == 0, said.getvalue()
    scored: Scored = json.loads(said.getvalue())
    return scored


@dataclass
class Table:
    code: str
    hubs: Sequence[HubProcess]
    phones: dict[str, Phone]
    """By seat."""
    display: Display
    watch: Watch
    folder: Path
    invitation: str
    """The players' link, without the origin."""

    @property
    def screens(self) -> list[Screen]:
        return [*self.phones.values(), self.display, self.watch]

    @contextlib.contextmanager
    def all_at_once(self) -> Iterator[None]:
        """The hubs hold still meanwhile: whatever phones send reaches them together."""
        for hub in self.hubs:
            _signal(hub, signal.SIGSTOP)
        try:
            yield
        finally:
            for hub in self.hubs:
                _signal(hub, signal.SIGCONT)

    def record(self, hub: HubProcess, game: int | None = None) -> bytes:
        asked = "" if game is None else f"?game={game}"
        status, body, _ = hub.get(f"/api/tables/{self.code}/record{asked}")
        assert status == 200, body
        return body

    async def at_hand(self, hands: int, hub: HubProcess | None = None) -> Scored:
        """The record, exported once it holds so many scored hands, and scored by the command."""
        hub = hub or self.hubs[0]
        async with asyncio.timeout(30):
            while len(json.loads(record := self.record(hub))["hands"]) != hands:  # noqa: ASYNC110 - a hub's
                await asyncio.sleep(0.02)
        return scored_by_command(record, self.folder)

    async def agrees(self, hands: int, hub: HubProcess | None = None) -> Scored:
        """All six screens show what `bookboard score` makes of the exported record."""
        scored = await self.at_hand(hands, hub)
        await self.show(scored["scores"])
        return scored

    async def show(self, scores: dict[str, int]) -> None:
        seen = await asyncio.gather(*(screen.shows(scores) for screen in self.screens))
        if not all(seen):
            told = {screen.name: await screen.scores() for screen in self.screens}
            pytest.fail(f"the record is worth {scores}, the screens show {told}")


def _signal(hub: HubProcess, number: signal.Signals) -> None:
    assert hub.process is not None
    hub.process.send_signal(number)

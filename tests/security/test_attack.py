"""Strangers of every kind against a hub with four tables at play: nothing changes, nothing is learnt, nobody waits.

`make test` lets them all loose together, `make attack` each kind by itself as well. What hands took, with strangers and
without, in windows that take turns, is printed at the end; nothing fails on a time that a busy machine makes.
Attackers come from the address that everybody comes from.
"""

import asyncio
import gc
import json
import os
import secrets
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.faults.clients import Screen
from tests.faults.club import Club, Table, running_club
from tests.faults.ledger import Ledger
from tests.faults.tally import Tally
from tests.hub.serving import HOST_TOKEN, HubProcess, joined
from tests.security.attackers import KINDS, SECRET
from tests.security.conftest import ATTACK, complaints_of
from tests.security.test_floods import resident_mb
from tests.servers import running_redis

IS_LONG = os.environ.get("BOOKBOARD_ATTACK") == "each"
ROUNDS, WINDOW_S = (3, 4.0) if IS_LONG else (2, 2.0)
TABLES, PHONES, SCREENS = 4, 2, 6
ROOT = Path(__file__).parents[2]
DIED = '{"done": {}, "learnt": {"nothing: it died": 1}, "answers": {}}'
LONGEST_ACCOUNT = 2**24
MAX_MB = 300
SLOWER = 10
"""So many times slower is not the machine any more."""


class Outcome:
    """What attackers did, and what they learnt."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.learnt: Counter[str] = Counter()
        self.answers: dict[str, list[tuple[str, float]]] = {"private": [], "absent": []}

    def add(self, told: dict[str, Any]) -> None:
        self.done.update(told["done"])
        self.learnt.update(told["learnt"])
        for what, answers in told["answers"].items():
            self.answers[what] += [(heard, took) for heard, took in answers]


@asynccontextmanager
async def attackers(kinds: list[str], target: list[str], outcome: Outcome) -> AsyncIterator[None]:
    """As nice as can be to the other processes of this machine: what they cost is to be the hub's.

    They may take long to come and to go: the clients of this process answer beats meanwhile.
    """
    process = await asyncio.create_subprocess_exec(
        *("nice", "-n", "10", sys.executable, "-m", "tests.security.attackers", ",".join(kinds), *target),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        limit=LONGEST_ACCOUNT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"ready\n"
        process.stdin.write(b"go\n")
        try:
            yield
        finally:
            process.stdin.close()
            outcome.add(json.loads(await process.stdout.readline() or DIED))
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Night:
    """Four tables whose hands are timed from the phone to the last screen, and a private one that nobody plays at."""

    def __init__(self, club: Club, hub: HubProcess, private: Table) -> None:
        self.club = club
        self.hub = hub
        self.private = private
        self.tables: list[Table] = []

    async def window(self) -> list[float]:
        """What each hand took, in ms."""
        until = asyncio.get_running_loop().time() + WINDOW_S
        return flat(await asyncio.gather(*(self._play(table, until) for table in self.tables)))

    async def _play(self, table: Table, until: float) -> list[float]:
        loop, times = asyncio.get_running_loop(), list[float]()
        while loop.time() < until:
            await asyncio.sleep(self.club.rng.uniform(0.05, 0.11))  # within what a phone may send
            started = loop.time()
            answer = await table.play()
            await asyncio.gather(*(client.reach(1, answer["version"]) for client in table.clients))
            times.append(1000 * (max(seen_at(client, answer["version"]) for client in table.clients) - started))
        return times


def seen_at(client: Screen, version: int) -> float:
    """When a screen heard of a version. Raises StopIteration if it never did."""
    return next(at for at, message in client.heard if message["type"] == "event" and message["version"] == version)


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Night]:
    async with AsyncExitStack() as opened:
        redis = opened.enter_context(running_redis(tmp_path / "redis"))
        club = await opened.enter_async_context(running_club(tmp_path, Random(1), Tally("attack")))
        await club.look_behind(redis.url)
        (hub,) = await club.hubs_on(redis.url)
        night = Night(club, hub, await club.table(hub))
        host = night.private.phone([hub], HOST_TOKEN)
        await host.do("name_table", name=SECRET)
        await host.do("set_privacy", private=True)
        for _ in range(TABLES):
            night.tables.append(await club.table(hub))
            await night.tables[-1].sit_down([hub], phones=PHONES, screens=SCREENS)
        yield night


def together() -> list[Any]:
    kinds = [pytest.param(list(KINDS), id="all together")]
    return [*kinds, *(pytest.param([kind], id=kind) for kind in KINDS)] if IS_LONG else kinds


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kinds", together())
async def test_strangers_change_nothing_learn_nothing_and_slow_nobody(
    night: Night, kinds: list[str], request: pytest.FixtureRequest
) -> None:
    target = [str(night.hub.port), night.tables[0].code, night.private.code, secrets.token_urlsafe(16)]
    before = await night.private.ledger()
    outcome, quiet, loud, memory = Outcome(), list[list[float]](), list[list[float]](), list[float]()
    await night.window()
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        quiet.append(await night.window())
        async with attackers(kinds, target, outcome):
            await asyncio.sleep(0.5)
            loud.append(await night.window())
            memory.append(resident_mb(night.hub))
            await somebody_new_is_let_in(night)
        await asyncio.sleep(1)
    request.node.user_properties.append((ATTACK, row(request.node.callspec.id, quiet, loud, memory, outcome)))
    await nothing_has_changed(night, before)
    nothing_was_learnt(outcome)
    assert max(memory) < MAX_MB
    assert statistics.median(flat(loud)) < SLOWER * statistics.median(flat(quiet))


async def somebody_new_is_let_in(night: Night) -> None:
    async with asyncio.timeout(30), joined(night.hub, night.tables[0].code, HOST_TOKEN):
        pass


async def nothing_has_changed(night: Night, before: Ledger) -> None:
    """Each log holds what its own people did, every screen shows that, and none had to come back for it."""
    for table in night.tables:
        ledger = await table.check()
        mine = sum(phone.tally is night.club.tally and len(phone.sent) for phone in table.phones)
        assert len(ledger.log) == 1 + mine, "an opening, and what phones sent"
        assert [client.connections for client in table.clients] == [1] * (PHONES + SCREENS)
        assert not any(client.close_codes for client in table.clients)
    after = await night.private.ledger()
    assert (after.version, after.last) == (before.version, before.last)
    tally = night.club.tally
    assert (tally.lost, tally.doubled, tally.wrong) == (0, 0, 0)
    assert night.hub.get("/readyz")[0] == 200
    assert not complaints_of(night.hub), night.hub.log.read_text()


def nothing_was_learnt(outcome: Outcome) -> None:
    assert not +outcome.learnt
    private, absent = outcome.answers["private"], outcome.answers["absent"]
    if len(private) > 10:
        assert {heard for heard, _ in private} == {heard for heard, _ in absent}
        assert all(took > 0.29 for _, took in (*private, *absent))
        slow, quick = sorted(statistics.median(took for _, took in answers) for answers in (private, absent))[::-1]
        assert slow < 1.5 * quick


# ── what is printed ──────────────────────────────────────────────────────────────────────────────────────────────


def row(
    name: str, quiet: list[list[float]], loud: list[list[float]], memory: list[float], outcome: Outcome
) -> list[str]:
    figures = [name]
    for share in (0.5, 0.99):
        before, during = (at(flat(windows), share) for windows in (quiet, loud))
        ratios = [at(one, share) / at(other, share) for one, other in zip(loud, quiet, strict=True)]
        figures.append(f"{before:.1f} → {during:.1f} ms, {statistics.median(ratios):.1f} ×")
    did = ", ".join(f"{many} {what}" for what, many in outcome.done.most_common(3))
    return [*figures, f"{max(memory):.0f} MB", did]


def flat(windows: list[list[float]]) -> list[float]:
    return [took for window in windows for took in window]


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]

"""Two counters that write to each other while hubs are killed and the store is paused: no letter is lost or doubled."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random

import pytest
from tests.faults.arrangements import KeptRedis
from tests.faults.club import in_thread
from tests.faults.tally import Tally
from tests.hub.counters import COUNTER, Counter
from tests.hub.serving import HubProcess, joined
from tests.servers import RedisServer, until
from tests.store.rooms import insist
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bookboard.store.redis_store import RedisStore

KEEPER, ADDER = "keeper-token-keeper-token", "adder-token-adder-token-1"
CODES = ("100", "200")


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[RedisServer]:
    async with AsyncExitStack() as opened:
        server = KeptRedis(tmp_path / "redis")
        opened.callback(server.kill)
        server.start()
        yield server


@pytest.fixture
async def hubs(tmp_path: Path, redis: RedisServer) -> AsyncIterator[list[HubProcess]]:
    """Two with counters in their catalogue."""
    hubs = [HubProcess(tmp_path / f"hub{n}", "--redis", redis.url, module="tests.hub.counting") for n in range(2)]
    await asyncio.gather(*(in_thread(hub.start) for hub in hubs))
    for code in CODES:
        assert hubs[0].get("/api/counters", {"code": code, "keeper": KEEPER, "adder": ADDER})[0] == 201
    yield hubs
    for hub in hubs:
        hub.kill()


async def write(hubs: list[HubProcess], rng: Random, code: str, to: str, *, most: int, tally: Tally) -> None:
    """Passes numbers on in order, each of which comes back; each again with its cmd until it is answered."""
    number, first = 1, int(code) * 1000
    while number <= most:
        with suppress(OSError, ConnectionClosed, InvalidStatus, TimeoutError):
            async with joined(rng.choice(hubs), code, ADDER) as client:
                while number <= most:
                    answer = await client.do("pass", cmd=f"pass-{number}", to=to, number=first + number, times=1)
                    if answer["type"] == "done":
                        number += 1
                        tally.acknowledged += 1
                        tally.recovered()
                    await asyncio.sleep(0.02)
        await asyncio.sleep(0.05)


async def disturb(hubs: list[HubProcess], redis: RedisServer, rng: Random, faults: int, tally: Tally) -> None:
    """Kills a hub, or pauses the store; whatever it is comes back."""
    for _ in range(faults):
        await asyncio.sleep(rng.uniform(0.1, 0.6))
        tally.fault()
        if rng.random() < 0.6:
            hub = rng.choice(hubs)
            hub.kill()
            await in_thread(hub.start)
        else:
            redis.signal(signal.SIGSTOP)
            await asyncio.sleep(rng.uniform(0.1, 1.0))
            redis.signal(signal.SIGCONT)


async def counter(store: RedisStore, code: str) -> Counter:
    loaded = await insist(lambda: store.load(code, after=0))
    assert loaded is not None
    state: Counter | None = None
    for entry in loaded.entries:
        state = COUNTER.evolve(state, COUNTER.read_entry(entry))
    assert state is not None
    return state


@pytest.mark.failure("1 killed between two logs")
@pytest.mark.parametrize(
    ("most", "faults"),
    [pytest.param(12, 2, id="short", marks=pytest.mark.quick_fault), pytest.param(250, 25, id="long")],
)
async def test_every_letter_is_taken_once_and_in_order(  # noqa: PLR0917
    hubs: list[HubProcess], redis: RedisServer, rng: Random, tally: Tally, most: int, faults: int
) -> None:
    one, other = CODES
    tally.sent = 2 * most
    await asyncio.gather(
        write(hubs, rng, one, other, most=most, tally=tally),
        write(hubs, rng, other, one, most=most, tally=tally),
        disturb(hubs, redis, rng, faults, tally),
    )
    store = await RedisStore.connect(redis.url)

    async def is_settled() -> bool:
        return await insist(store.senders) == []

    await until(is_settled, within_s=120)
    for code, sender in ((one, other), (other, one)):
        taken = (await counter(store, code)).taken[sender]
        sent = {first: range(int(first) * 1000 + 1, int(first) * 1000 + most + 1) for first in CODES}
        for first in CODES:  # from where they came first: from that counter, or from here and back
            came = [number for number in taken if number in sent[first]]
            tally.lost += len(set(sent[first]) - set(came))
            tally.doubled += len(came) - len(set(came))
            assert came == list(sent[first])
        assert await store.refused_letters(code) == []
    await store.close()

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from tests.hub.memory_store import MemoryStore
from tests.hub.serving import HubProcess, running_hub_process

from bookboard.catalogue import KINDS
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.rooms import Rooms
from bookboard.log.actors import hash_token
from bookboard.protocol.messages import Done, Refused
from bookboard.room.commands import AnyCommand
from bookboard.room.events import TableOpened
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.rules.model import Json
from bookboard.tables.planning import opening_of_table

CODE = "K7F4MPQ"
HOST = "host-token-host-token-host"
INVITED = "invited-token-invited-token"
PHRASE = "babab dodod fufuf gigig hahah jojoj kukuk lilil"


class Hub:
    """A hub without sockets. Its clock is the store's, as read last."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.rooms = Rooms(store, KINDS, StoreClock(lambda: store.time))

    async def live(self) -> LiveLog:
        live = await self.rooms.enter(CODE)
        assert live is not None
        return live

    async def do(self, command: AnyCommand, cmd: str = "", token: str | None = HOST) -> Done | Refused:
        live = await self.live()
        token_hash = None if token is None else hash_token(token)
        answer = await live.do(token_hash, cmd or f"cmd-{live.version}-{type(command).__name__}", command)
        self.rooms.leave(CODE)
        return answer

    async def done(self, command: AnyCommand, cmd: str = "", token: str | None = HOST) -> Done:
        answer = await self.do(command, cmd, token)
        assert isinstance(answer, Done), answer
        return answer


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


async def open_in(store: MemoryStore, settings: dict[str, Json] | None = None) -> None:
    opening = Opening(name="Table 4", host_name="Holly", key="spades", settings=settings or {})
    opened = open_table(CODE, opening, Hashes(hash_token(HOST), hash_token(INVITED), hash_token(PHRASE)))
    assert isinstance(opened, TableOpened), opened
    await store.create(opening_of_table(opened))


@pytest.fixture
async def hub(store: MemoryStore) -> AsyncIterator[Hub]:
    async with running_hub(store) as running:
        yield running


@pytest.fixture
async def other_hub(store: MemoryStore) -> AsyncIterator[Hub]:
    async with running_hub(store) as running:
        yield running


@asynccontextmanager
async def running_hub(store: MemoryStore) -> AsyncIterator[Hub]:
    hub = Hub(store)
    await hub.rooms.start()
    yield hub
    await hub.rooms.stop()


async def settle() -> None:
    """Let everything that can run without time passing run."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A real hub on loopback, shared by all tests that do not stop it."""
    with running_hub_process(tmp_path_factory.mktemp("hub")) as running:
        yield running
        log = running.log.read_text()
        assert "Traceback" not in log, log


@pytest.fixture
def code(served: HubProcess) -> str:
    return served.open_table()["code"]

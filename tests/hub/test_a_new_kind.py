"""A kind is its package and its line in the catalogue: the hub follows a log of a kind it never saw like any other."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from http.client import HTTPConnection

import pytest
from redis.asyncio import Redis
from tests.hub.counters import COUNTER
from tests.hub.serving import SUBPROTOCOLS, Client, joined
from tests.hub.test_socket import LocalHub, served_by
from tests.servers import RedisServer, running_redis, until
from websockets.exceptions import ConnectionClosed

from bookboard.catalogue import KINDS
from bookboard.config import Config
from bookboard.hub.endpoints.context import HubContext
from bookboard.hub.live.planning import SNAPSHOT_EVERY
from bookboard.hub.live.rooms import Rooms
from bookboard.hub.live.screens import KEPT_EVENTS
from bookboard.hub.process.serve import HubServer
from bookboard.store.keys import room_keys
from bookboard.store.redis_store import RedisStore

KEEPER, ADDER = "keeper-token-keeper-token", "adder-token-adder-token-1"


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@asynccontextmanager
async def counting_hub(redis: RedisServer) -> AsyncIterator[LocalHub]:
    """A hub with the counter in its catalogue, and everything else as ever."""
    store = await RedisStore.connect(redis.url)
    rooms = Rooms(store, (*KINDS, COUNTER))
    await rooms.start()
    context = HubContext(rooms, Config(), [])
    async with served_by(HubServer(context, Config()), 0) as at:
        yield LocalHub(context, int(at.partition(":")[2]))
    await rooms.stop()
    await store.close()


@pytest.fixture
async def hub(redis: RedisServer) -> AsyncIterator[LocalHub]:
    async with counting_hub(redis) as running:
        yield running


@pytest.fixture
async def other_hub(redis: RedisServer) -> AsyncIterator[LocalHub]:
    async with counting_hub(redis) as running:
        yield running


@pytest.fixture
async def code(redis: RedisServer, hub: LocalHub) -> str:
    """A counter that lasts."""
    async with Redis.from_url(redis.url) as raw:
        await raw.flushall()
    await opened(hub, "100", lasts_ms=3_600_000)
    return "100"


async def opened(hub: LocalHub, code: str, *, lasts_ms: int) -> None:
    def post() -> int:
        with closing(HTTPConnection(hub.at, timeout=30)) as made:
            asked = {"code": code, "keeper": KEEPER, "adder": ADDER, "lasts_ms": lasts_ms}
            made.request("POST", "/api/counters", json.dumps(asked))
            return made.getresponse().status

    assert await asyncio.to_thread(post) == 201


def value(client: Client) -> object:
    assert client.view is not None
    return client.view["value"]


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_a_commit_reaches_every_screen_of_every_hub(
    hub: LocalHub, other_hub: LocalHub, code: str, subprotocol: str
) -> None:
    async with (
        joined(hub, code, ADDER, subprotocol=subprotocol) as adder,
        joined(hub, code) as watcher,
        joined(other_hub, code, subprotocol=subprotocol) as elsewhere,
    ):
        assert (await adder.do("add", number=3))["type"] == "done"
        assert (await adder.do("add", cmd="once", number=4))["version"] == 3
        again = await adder.do("add", cmd="once", number=4)
        assert (again["version"], again["repeated"]) == (3, True)
        for client in (adder, watcher, elsewhere):
            await client.reach(3)
            assert client.view == {"value": 7, "is_over": False}


async def test_a_refusal_says_why_and_each_role_may_do_its_own(hub: LocalHub, code: str) -> None:
    async with joined(hub, code, KEEPER) as keeper, joined(hub, code, ADDER) as adder, joined(hub, code) as watcher:
        assert [client.heard[0]["role"] for client in (keeper, adder, watcher)] == ["keeper", "adder", "spectator"]
        refused = await adder.do("add", number=2000)
        assert (refused["code"], refused["facts"], refused["field"]) == ("bad_score", {"most": 1000}, "number")
        assert (await adder.do("reset"))["code"] == "host_only"
        assert (await watcher.do("add", number=1))["code"] == "read_only"
        assert (await keeper.do("reset"))["repeated"] is True  # it stands at nothing already
        await adder.do("add", number=1)
        assert (await keeper.do("reset"))["version"] == 3


async def test_a_strange_token_is_not_let_in_and_a_strange_command_not_understood(hub: LocalHub, code: str) -> None:
    with pytest.raises(ConnectionClosed, match="not_found"):
        async with joined(hub, code, "a-token-of-no-one-at-all-x"):
            pass
    async with joined(hub, code, ADDER) as adder:
        await adder.send({"type": "do", "cmd": "1", "command": {"type": "enter_hand"}})
        assert (await adder.closed())[1] == {"type": "bye", "code": "malformed", "reconnect_in": None}


async def test_a_preview_commits_nothing(hub: LocalHub, code: str) -> None:
    async with joined(hub, code, ADDER) as adder:
        await adder.send({"type": "preview", "id": "p", "command": {"type": "add", "number": 5}})
        assert await adder.until("preview") == {"type": "preview", "id": "p", "value": 5}
        await adder.send({"type": "preview", "id": "q", "command": {"type": "add", "number": 5000}})
        assert (await adder.until("refused"))["code"] == "bad_score"
        await adder.send({"type": "sync"})
        assert (await adder.until("snapshot"))["version"] == 1


async def test_whoever_comes_back_gets_what_it_missed_or_a_snapshot(
    hub: LocalHub, other_hub: LocalHub, code: str
) -> None:
    async with joined(hub, code) as first:
        pass
    async with joined(hub, code, ADDER) as adder:
        for number in range(1, 4):
            await adder.do("add", number=number)
        async with joined(hub, code, back_from=first) as back:
            await back.reach(4)
            assert value(back) == 6
            assert "snapshot" not in [message["type"] for message in back.heard]
        async with joined(other_hub, code, back_from=first) as back:  # that hub has seen none of it happen
            await back.reach(4)
            assert value(back) == 6
            assert [message["type"] for message in back.heard] == ["welcome", "snapshot"]


async def test_a_hub_that_comes_later_reads_the_state_that_was_stored(
    hub: LocalHub, other_hub: LocalHub, code: str
) -> None:
    async with joined(hub, code, ADDER) as adder:
        for _ in range(SNAPSHOT_EVERY + 2):
            await adder.do("add", number=1)
    loaded = await hub.context.rooms.store.load(code)
    assert loaded is not None
    assert loaded.snapshot is not None
    async with joined(other_hub, code) as elsewhere:
        assert value(elsewhere) == SNAPSHOT_EVERY + 2
    assert SNAPSHOT_EVERY + 2 < KEPT_EVENTS


@pytest.mark.parametrize("is_watched", [True, False])
async def test_time_expires_watched_or_not(hub: LocalHub, other_hub: LocalHub, code: str, is_watched: bool) -> None:  # noqa: FBT001
    del code
    await opened(hub, "200", lasts_ms=300)
    async with joined(hub, "200", ADDER) as adder:
        await adder.do("add", number=1)
        if is_watched:
            async with joined(other_hub, "200") as watcher:
                await watcher.reach(3)
                assert watcher.view == {"value": 1, "is_over": True}
    store = hub.context.rooms.store

    async def is_over() -> bool:
        head = await store.head("200", "", "")
        return head is not None and head.version == 3

    await until(is_over)
    assert await store.due(2**52) == []
    async with joined(other_hub, "200", ADDER) as adder:
        assert (await adder.do("add", number=1))["code"] == "time_is_up"


async def test_a_log_that_went_back_begins_a_new_epoch_and_says_what_is_lost(
    redis: RedisServer, hub: LocalHub, code: str
) -> None:
    async with joined(hub, code, ADDER) as adder, joined(hub, code) as watcher, Redis.from_url(redis.url) as raw:
        await adder.do("add", number=1)
        names = room_keys(code)
        kept = {name: await raw.dump(name) for name in (names.meta, names.log, names.answers)}
        await adder.do("add", number=20)
        await watcher.reach(3)
        for name, dumped in kept.items():
            await raw.restore(name, 0, dumped, replace=True)  # type: ignore[arg-type]
        await adder.send({"type": "do", "cmd": "after", "command": {"type": "add", "number": 300}})
        assert await watcher.until("rewound") == {"type": "rewound", "epoch": 2, "lost": 20}
        await adder.until("done", cmd="after")
        while value(watcher) != 301:
            await watcher.receive()


async def test_tables_and_counters_are_told_apart_by_their_codes(hub: LocalHub, code: str) -> None:
    rooms = hub.context.rooms
    live = await rooms.enter(code)
    assert live is not None
    assert live.kind is COUNTER
    rooms.leave(code)
    assert await rooms.enter("not a code of any kind") is None

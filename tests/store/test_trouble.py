"""What a store says when its server is away, full, read-only, or not the one it needs."""

import asyncio
import gc
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisError, ResponseError
from tests.servers import free_port, running_proxy, running_redis
from tests.store.conftest import OpenStore
from tests.store.rooms import commit, insist

from bookboard.store.contract import Committed, Repeated, StoreUnavailable, StoreUnusable
from bookboard.store.keys import CLOCK, room_keys
from bookboard.store.link import LANES, MAX_WAITING, Link, connector, reason_of, without_password
from bookboard.store.redis_store import RedisStore


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), "disk"),
        (ResponseError("BUSY Redis is busy running a script"), "busy"),
        (ResponseError("NOREPLICAS Not enough good replicas to write."), "no-replicas"),
        (ResponseError("TRYAGAIN Multiple keys request during rehashing of slot"), "moved"),
        (ResponseError("The cluster is down", status_code="CLUSTERDOWN"), "cluster-down"),
        (ResponseError("ERR unknown command"), "refused"),
        (RedisConnectionError("Connection refused"), "unreachable"),
        (ConnectionResetError(), "unreachable"),
        (TimeoutError(), "timeout"),
    ],
    ids=str,
)
def test_every_error_has_a_stable_word(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


async def test_a_full_server_is_read_only_until_there_is_room(store: RedisStore, raw: Redis) -> None:
    await store.create(commit(0))
    await raw.config_set("maxmemory", "1")
    with pytest.raises(StoreUnavailable, match="full"):
        await store.commit(commit(1))
    with pytest.raises(StoreUnavailable, match="full"):
        await store.check_writable()
    loaded = await store.load("ABCDEF")
    assert loaded is not None
    assert loaded.version == 1
    assert await raw.xlen(room_keys("ABCDEF").log) == 1
    await raw.config_set("maxmemory", "0")
    assert isinstance(await store.commit(commit(1)), Committed)


async def test_a_replica_is_read_only(store: RedisStore, raw: Redis) -> None:
    await store.create(commit(0))
    await raw.replicaof("127.0.0.1", str(free_port()))
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.commit(commit(1))
    assert await store.load("ABCDEF") is not None
    assert await store.load("NOROOM") is None
    await raw.replicaof("NO", "ONE")
    assert isinstance(await store.commit(commit(1)), Committed)


@pytest.mark.parametrize("missing", ["-xadd", "-hset", "-hdel", "-zadd", "-zrem", "-del", "-spublish", "-set"])
async def test_a_user_who_may_not_do_all_of_it_does_none_of_it(
    open_store: OpenStore, raw: Redis, url: str, missing: str
) -> None:
    user = "ACL", "SETUSER", "hub", "on", ">secret", "~*", "&*", "+@all"
    await raw.execute_command(*user)  # type: ignore[no-untyped-call]
    store = await open_store(url.replace("://", "://hub:secret@"))
    await raw.execute_command(*user, missing)  # type: ignore[no-untyped-call]
    for attempt in (store.create(commit(0, archive=(1, b""))), store.check_writable()):
        with pytest.raises(StoreUnavailable, match="denied"):
            await attempt
    assert await raw.keys() == [CLOCK.encode()]
    with pytest.raises(StoreUnusable, match=f"No hand could be entered at .*may not {missing[1:].upper()}"):
        await open_store(url.replace("://", "://hub:secret@"))


@pytest.mark.parametrize("missing", ["-evalsha", "-@scripting", "-@write", "-@all +info +ping"])
async def test_a_start_says_that_no_hand_can_be_entered(
    open_store: OpenStore, raw: Redis, url: str, missing: str
) -> None:
    user = "ACL", "SETUSER", "hub", "on", ">secret", "~*", "&*", "+@all", *missing.split()
    await raw.execute_command(*user)  # type: ignore[no-untyped-call]
    with pytest.raises(StoreUnusable, match="No hand could be entered"):
        await open_store(url.replace("://", "://hub:secret@"))


async def test_a_replica_is_refused_at_the_start(open_store: OpenStore, raw: Redis) -> None:
    await raw.replicaof("127.0.0.1", str(free_port()))
    with pytest.raises(StoreUnusable, match="is a replica"):
        await open_store()


async def test_a_stalled_server_gets_a_commit_once(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis:
        store = await RedisStore.connect(redis.url, read_timeout_s=1)
        await insist(partial(store.create, commit(0)))
        redis.signal(signal.SIGSTOP)
        with pytest.raises(StoreUnavailable, match="timeout"):
            await store.commit(commit(1, "hand"))
        redis.signal(signal.SIGCONT)
        assert await insist(partial(store.commit, commit(1, "hand"))) == Repeated(b"answer to hand")
        loaded = await insist(partial(store.load, "ABCDEF"))
        assert loaded is not None
        assert [entry.id for entry in loaded.entries] == ["e1", "hand"]
        await store.close()


async def on_all_lanes(store: RedisStore, version: int) -> set[type]:
    """Commits that are sent one turn of the loop after another, so that each takes the next lane; their answers."""
    sent = []
    for number in range(LANES):
        new = commit(version, room=f"ROOM{number}")
        sent.append(asyncio.ensure_future(store.commit(new) if version else store.create(new)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    return {type(answer) for answer in await asyncio.gather(*sent)}


async def test_no_commit_waits_for_a_lane_that_was_dropped_while_it_was_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_redis(tmp_path / "redis") as redis:
        async with running_proxy(redis.port) as proxy:
            # Whoever waits for a dead lane waits for ever.
            store = await RedisStore.connect(f"redis://127.0.0.1:{proxy.port}", read_timeout_s=1e6)
            for version in range(3):
                if version:
                    monkeypatch.setattr("bookboard.store.link.IDLE_S", 0)
                    proxy.darken()
                async with asyncio.timeout(60):
                    assert await on_all_lanes(store, version) == {Committed}
            assert proxy.accepted >= 3 * LANES
            await store.close()


async def test_no_reply_ever_reaches_another_caller(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis:
        store = await RedisStore.connect(redis.url, read_timeout_s=1)
        rooms = [f"ROOM{number}" for number in range(100)]
        for room in rooms:
            await insist(partial(store.create, commit(0, f"of-{room}", room=room, cmd="x")))
        for _ in range(3):
            redis.signal(signal.SIGSTOP)
            tasks = [asyncio.create_task(store.load(room)) for room in rooms]
            await asyncio.sleep(0.05)
            for task in tasks[::3]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            redis.signal(signal.SIGCONT)
            found = await asyncio.gather(*(insist(partial(store.load, room)) for room in rooms))
            assert [loaded and loaded.last for loaded in found] == [f"of-{room}" for room in rooms]
        await store.close()


async def test_a_server_that_comes_back_is_used_at_once(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "always") as redis:
        store = await RedisStore.connect(redis.url)
        await store.create(commit(0))
        redis.kill()
        with pytest.raises(StoreUnavailable, match="unreachable"):
            await store.commit(commit(1))
        redis.start()
        assert isinstance(await store.commit(commit(1)), Committed)
        await store.close()


async def test_what_failed_leaves_nothing_to_the_garbage_collector(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis:
        link = Link(connector(redis.url), read_timeout_s=1)
        gc.collect()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            with suppress(NoScriptError):
                await link.call("EVALSHA", "0" * 40, 0)
            redis.signal(signal.SIGSTOP)
            with suppress(TimeoutError):
                await link.call("PING")
            redis.signal(signal.SIGCONT)
            redis.kill()
            with suppress(RedisConnectionError):
                await link.call("PING")
            await link.close()
            gc.collect()
            assert [left for left in gc.garbage if isinstance(left, RedisError | OSError | asyncio.Future)] == []
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()


async def test_too_much_that_waits_is_refused_at_once() -> None:
    link = Link(connector(f"redis://127.0.0.1:{free_port()}"))
    waiting = [link.submit(("PING",)) for _ in range(MAX_WAITING)]
    with pytest.raises(StoreUnavailable, match="busy"):
        link.submit(("PING",))
    await asyncio.gather(*waiting, return_exceptions=True)
    await link.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        link.submit(("PING",))


class FakeServer:
    """Answers one thing to whatever it is asked."""

    def __init__(self, reply: bytes) -> None:
        self._reply = reply
        self._served: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._served[task] = writer
        while await reader.read(4096):
            writer.write(self._reply)

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        return f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._served.values():
            writer.close()
        await asyncio.gather(*self._served, return_exceptions=True)
        await self._server.wait_closed()


def info(**fields: str) -> bytes:
    text = "# Server\r\n" + "".join(f"{name}:{value}\r\n" for name, value in fields.items())
    return f"${len(text)}\r\n{text}\r\n".encode()


UNUSABLE = [
    (info(redis_version="6.2.14"), r"is Redis 6\.2\.14, which is too old; use Redis 7\.0 or later, or Valkey"),
    (info(redis_version="7.2.4", cluster_enabled="1"), "The cluster at .* is not whole"),
    (b"-LOADING Redis is loading the dataset in memory\r\n", "is still loading its data; start again"),
    (b"-NOAUTH Authentication required.\r\n", "does not let this user in"),
    (b"-ERR no\r\n", "cannot be used"),
    (b"HTTP/1.1 400 Bad Request\r\n", "There is no Redis to be reached"),
]


@pytest.mark.parametrize(("reply", "sentence"), UNUSABLE, ids=[sentence for _, sentence in UNUSABLE])
async def test_a_server_that_will_not_do_is_told_in_a_sentence(reply: bytes, sentence: str) -> None:
    async with FakeServer(reply) as url:
        with pytest.raises(StoreUnusable, match=sentence):
            await RedisStore.connect(url)


async def test_a_server_that_is_not_there_is_told_in_a_sentence() -> None:
    with pytest.raises(
        StoreUnusable, match=r"There is no Redis to be reached at redis://127\.0\.0\.1:\d+/3 .*start it"
    ):
        await RedisStore.connect(f"redis://west:secret@127.0.0.1:{free_port()}/3")


async def test_what_is_no_address_is_told_in_a_sentence() -> None:
    with pytest.raises(StoreUnusable, match="is not a Redis URL"):
        await RedisStore.connect("127.0.0.1:6379")


def test_a_password_is_never_shown() -> None:
    assert without_password("rediss://west:s@cret@example.org:6380/1") == "rediss://example.org:6380/1"


@pytest.mark.parametrize("policy", ["allkeys-lru", "allkeys-lfu", "allkeys-random"])
async def test_a_server_that_throws_tables_away_is_refused(open_store: OpenStore, raw: Redis, policy: str) -> None:
    await raw.config_set("maxmemory", "0")
    await raw.config_set("maxmemory-policy", policy)
    store = await open_store()  # without a limit it throws nothing away
    await store.check_writable()
    await raw.config_set("maxmemory", "1gb")
    with pytest.raises(StoreUnusable, match=f"maxmemory-policy {policy}.*set maxmemory-policy noeviction"):
        await open_store()
    assert await store.evicting() == policy


async def test_a_server_that_throws_away_what_expires_will_do(open_store: OpenStore, raw: Redis) -> None:
    await raw.config_set("maxmemory-policy", "volatile-lru")
    await raw.config_set("maxmemory", "1gb")
    assert await (await open_store()).evicting() is None

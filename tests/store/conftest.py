from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.servers import running_redis

from bookboard.store.embedded import EmbeddedServer
from bookboard.store.redis_store import RedisStore

OpenStore = Callable[..., Awaitable[RedisStore]]


@pytest.fixture(params=["redis", "embedded"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A server of each kind, fresh for the test."""
    if request.param == "redis":
        with running_redis(tmp_path / "redis") as redis:
            yield redis.url
    else:
        embedded = await EmbeddedServer.start(tmp_path / "embedded")
        yield embedded.url
        await embedded.stop()


@pytest.fixture
async def open_store(url: str) -> AsyncIterator[OpenStore]:
    """Opens stores on the server, as many hubs would; they are closed after the test."""
    stores = []

    async def connect(at: str = url, **options: float) -> RedisStore:
        stores.append(await RedisStore.connect(at, **options))  # type: ignore[arg-type]
        return stores[-1]

    yield connect
    for store in stores:
        await store.close()


@pytest.fixture
async def store(open_store: OpenStore) -> RedisStore:
    return await open_store()


@pytest.fixture
async def raw(url: str) -> AsyncIterator["Redis"]:
    """The server's own commands, to look behind the store and to cause trouble."""
    async with Redis.from_url(url, protocol=2) as client:
        yield client

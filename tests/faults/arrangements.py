"""A Redis Cluster with a replica for each master, and a master with its replica under three Sentinels."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from tests.servers import RedisServer, free_port, running_redis, until
from tests.store.test_cluster import LAST_SLOT, Cluster
from tests.store.test_sentinel import says

ALWAYS = ("--appendonly", "yes", "--appendfsync", "always")
SYNC_SOON = ("--repl-diskless-sync-delay", "0")


class KeptRedis(RedisServer):
    """A Redis that keeps what it answered, started as `deploy/` starts one: a half-written end is cut off first."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, *ALWAYS, "--aof-load-truncated", "no")

    def start(self) -> None:
        for manifest in self._folder.glob("appendonlydir/*.manifest"):
            mend = ["/usr/bin/redis-check-aof", "--fix", str(manifest)]
            subprocess.run(mend, input=b"y\n", stdout=subprocess.DEVNULL, check=True)
        super().start()


class WholeCluster(Cluster):
    """Three masters, then their replicas."""

    async def build(self) -> None:
        bounds = [0, 5461, 10923, LAST_SLOT + 1]
        everybody = range(len(self.servers))
        for number in range(3):
            await self.ask(number, "CLUSTER", "ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            await self.ask(number, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for server, bus in zip(self.servers[1:], self.buses[1:], strict=True):
            await self.ask(0, "CLUSTER", "MEET", "127.0.0.1", server.port, bus)
        for number in everybody:
            await until(partial(self.says, number, "cluster_known_nodes:6", "CLUSTER", "INFO"), within_s=60)
        for number in range(3):
            await self.ask(number + 3, "CLUSTER", "REPLICATE", await self.name(number))
        for number in range(3):
            await until(partial(self.says, number + 3, "master_link_status:up", "INFO", "replication"), within_s=60)
        for number in everybody:
            await until(partial(self.says, number, "cluster_state:ok", "CLUSTER", "INFO"), within_s=60)


@asynccontextmanager
async def running_cluster(folder: Path) -> AsyncIterator[WholeCluster]:
    with ExitStack() as stack:
        options = (*ALWAYS, *SYNC_SOON, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
        buses = [free_port() for _ in range(6)]
        servers = [
            stack.enter_context(running_redis(folder / f"node{number}", *options, "--cluster-port", str(bus)))
            for number, bus in enumerate(buses)
        ]
        cluster = WholeCluster(servers, buses)
        await cluster.build()
        yield cluster


class Watched:
    """`servers[0]` is the master at first; `url` names the Sentinels."""

    def __init__(self, servers: list[RedisServer], sentinels: list[RedisServer]) -> None:
        self.servers = servers
        self.sentinels = sentinels
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in sentinels)
        self.url = f"redis+sentinel://{hosts}/night"

    async def has_replica(self, master: int) -> None:
        await until(partial(says, self.servers[master], "state=online", "INFO", "replication"), within_s=60)


@asynccontextmanager
async def running_sentinels(folder: Path) -> AsyncIterator[Watched]:
    with ExitStack() as stack:
        master = stack.enter_context(running_redis(folder / "master", *ALWAYS, *SYNC_SOON))
        follow = ("--replicaof", f"127.0.0.1 {master.port}")
        replica = stack.enter_context(running_redis(folder / "replica", *ALWAYS, *SYNC_SOON, *follow))
        await until(partial(says, replica, "master_link_status:up", "INFO", "replication"), within_s=60)
        sentinels = list(_sentinels(stack, folder, master.port))
        for sentinel in sentinels:
            await until(partial(says, sentinel, "slaves=1,sentinels=3", "INFO", "sentinel"), within_s=60)
        yield Watched([master, replica], sentinels)


def _sentinels(stack: ExitStack, folder: Path, port: int) -> Iterator[RedisServer]:
    for number in range(3):
        place = folder / f"sentinel{number}"
        place.mkdir(parents=True)
        (place / "sentinel.conf").write_text(
            f"sentinel monitor night 127.0.0.1 {port} 2\n"
            "sentinel down-after-milliseconds night 1000\nsentinel failover-timeout night 5000\n"
        )
        yield stack.enter_context(running_redis(place, config="sentinel.conf"))

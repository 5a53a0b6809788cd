"""The server that comes with the hub: what was answered is there again, and no two ever share a folder."""

import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.servers import until
from tests.store.rooms import commit, insist

from bookboard.store import embedded, folder
from bookboard.store.contract import Committed, StoreUnusable
from bookboard.store.embedded import EmbeddedServer
from bookboard.store.redis_store import RedisStore

# A hub that commits one hand, says so, and waits to be killed.
HUB = """
import asyncio, sys
from pathlib import Path
from bookboard.store.embedded import EmbeddedServer
from bookboard.store.redis_store import RedisStore
from tests.store.rooms import commit, insist

async def serve():
    server = await EmbeddedServer.start(Path(sys.argv[1]))
    store = await RedisStore.connect(server.url)
    print(await store.create(commit(0)), flush=True)
    await asyncio.sleep(60)

asyncio.run(serve())
"""


@contextmanager
def running_hub(data: Path) -> Iterator[subprocess.Popen[str]]:
    hub = subprocess.Popen([sys.executable, "-c", HUB, str(data)], stdout=subprocess.PIPE, text=True)
    assert hub.stdout is not None
    try:
        assert hub.stdout.readline().startswith("Committed")
        yield hub
    finally:
        hub.kill()
        hub.wait()
        hub.stdout.close()


@asynccontextmanager
async def running_store(data: Path) -> AsyncIterator[tuple[EmbeddedServer, RedisStore]]:
    server = await EmbeddedServer.start(data)
    try:
        store = await RedisStore.connect(server.url)
        yield server, store
        await store.close()
    finally:
        await server.stop()


async def process_of(url: str) -> int:
    async with Redis.from_url(url) as client:
        process: int = (await client.info("server"))["process_id"]
        return process


def socket_of(server: EmbeddedServer) -> Path:
    return Path(server.url.removeprefix("unix://"))


def is_running(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


async def test_what_was_committed_is_there_after_a_clean_stop(tmp_path: Path) -> None:
    async with running_store(tmp_path / "data") as (server, store):
        await store.create(commit(0))
        process = await process_of(server.url)
    assert not is_running(process)
    assert not socket_of(server).exists()
    async with running_store(tmp_path / "data") as (_, store):
        assert isinstance(await store.commit(commit(1)), Committed)


async def test_it_listens_on_a_private_socket_only_and_keeps_all(tmp_path: Path) -> None:
    async with running_store(tmp_path / "data") as (server, _):
        async with Redis.from_url(server.url, decode_responses=True) as client:
            settings = await client.config_get("port", "appendonly", "appendfsync", "maxmemory-policy", "save")
        assert settings == {
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
        }
        socket = socket_of(server)
        assert socket.stat().st_mode & 0o077 == 0
        assert socket.parent.stat().st_mode & 0o077 == 0
        assert os.getsid(await process_of(server.url)) != os.getsid(0)


async def test_a_killed_hub_leaves_its_server_to_the_next(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running_hub(data) as hub:
        hub.kill()
        hub.wait()
        async with running_store(data) as (server, store):
            process = await process_of(server.url)
            assert isinstance(await store.commit(commit(1)), Committed)
        await until(lambda: not is_running(process))


async def test_an_adopted_server_is_kept_running_too(tmp_path: Path) -> None:
    with running_hub(tmp_path / "data") as hub:
        hub.kill()
        hub.wait()
        async with running_store(tmp_path / "data") as (server, store):
            os.kill(await process_of(server.url), signal.SIGKILL)
            await until(lambda: server.restarts == 1)
            assert isinstance(await insist(partial(store.commit, commit(1))), Committed)


async def test_a_killed_server_starts_again_with_all_it_answered(tmp_path: Path) -> None:
    async with running_store(tmp_path / "data") as (server, store):
        await store.create(commit(0))
        version = 1
        for restarts in (1, 2):
            os.kill(await process_of(server.url), signal.SIGKILL)
            await until(lambda restarts=restarts: server.restarts == restarts)  # type: ignore[misc]
            for _ in range(20):
                assert isinstance(await insist(partial(store.commit, commit(version))), Committed)
                version += 1
        loaded = await store.load("ABCDEF", after=0)
        assert loaded is not None
        assert [entry.version for entry in loaded.entries] == list(range(1, version + 1))


async def test_a_server_whose_socket_was_removed_makes_a_new_one(tmp_path: Path) -> None:
    async with running_store(tmp_path / "data") as (server, store):
        await store.create(commit(0))
        socket_of(server).unlink()
        await until(lambda: server.restarts == 1)
        assert isinstance(await insist(partial(store.commit, commit(1))), Committed)


async def test_an_adopted_server_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_hub(tmp_path / "data") as hub:
        hub.kill()
        hub.wait()
        server = await EmbeddedServer.start(tmp_path / "data")
        process = await process_of(server.url)
        os.kill(process, signal.SIGSTOP)
        monkeypatch.setattr(embedded, "STOP_S", 0.3)
        await server.stop()
        await until(lambda: not is_running(process))


async def test_a_folder_that_vanishes_does_not_keep_the_server_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "STOP_S", 0.5)
    async with running_store(tmp_path / "data") as (server, _), Redis.from_url(server.url) as connected:
        process = await process_of(server.url)
        await connected.ping()
        shutil.rmtree(tmp_path / "data")
        await until(lambda: server._is_lost)  # noqa: SLF001 - nothing else tells
        assert await connected.ping(), "whoever was connected still is"
    await until(lambda: not is_running(process))


@pytest.mark.parametrize("torn", [1, 40, 300, 1500])
async def test_a_commit_that_a_power_cut_tore_is_not_there_at_all(tmp_path: Path, torn: int) -> None:
    data = tmp_path / "data"
    async with running_store(data) as (_, store):
        await store.create(commit(0))
        for version in range(1, 9):
            await store.commit(commit(version))
    [log] = (data / "log").glob("*.incr.aof")
    os.truncate(log, log.stat().st_size - torn)
    async with running_store(data) as (_, store):
        loaded = await store.load("ABCDEF", after=0)
        assert loaded is not None
        assert loaded.version < 9
        assert [entry.version for entry in loaded.entries] == list(range(1, loaded.version + 1))
        head = await store.head("ABCDEF", "west", f"cmd-e{loaded.version + 1}")
        assert head is not None
        assert head.answer is None
        assert isinstance(await store.commit(commit(loaded.version, "after")), Committed)
    # Nothing of it comes back with what was written after it, either.
    async with running_store(data) as (_, store):
        again = await store.load("ABCDEF", after=0)
        assert again is not None
        assert again.entries[:-1] == loaded.entries
        assert (again.last, again.entries[-1].id, again.entries[-1].prev) == ("after", "after", loaded.last)


async def test_a_folder_in_use_is_refused_and_named(tmp_path: Path) -> None:
    async with running_store(tmp_path / "data") as (_, store):
        with pytest.raises(StoreUnusable, match=f"data is in use by process {os.getpid()}; stop that hub"):
            await EmbeddedServer.start(tmp_path / "data")
        await store.check_writable()


async def test_a_server_that_neither_answers_nor_ends_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    with running_hub(data) as hub:
        running = folder.running_server(data)
        assert running is not None
        process = await process_of(f"unix://{running.socket}")
        assert process == running.process
        hub.kill()
        hub.wait()
        os.kill(process, signal.SIGSTOP)
        monkeypatch.setattr(embedded, "START_S", 0.2)
        monkeypatch.setattr(embedded, "STOP_S", 0.2)
        try:
            with pytest.raises(StoreUnusable, match="of an earlier run still holds"):
                await EmbeddedServer.start(data)
        finally:
            os.kill(process, signal.SIGKILL)
            folder.clear_away(Path(running.socket))
        await until(lambda: not is_running(process))


@pytest.mark.parametrize(
    "name",
    ["with space", "dätä-数据", "quote'\"$(x)#;\\n", "/".join(["a long part of a path that is long"] * 12), "-dash"],
    ids=["space", "unicode", "quotes", "long", "dash"],
)
async def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    async with running_store(tmp_path / name) as (_, store):
        await store.create(commit(0))
    async with running_store(tmp_path / name) as (_, store):
        assert await store.load("ABCDEF") is not None
    assert any((tmp_path / name / "log").iterdir())


def far_folder(tmp_path: Path) -> Path:
    """One whose path is too long for a socket."""
    far = tmp_path / ("x" * 100)
    far.mkdir()
    return far


@pytest.mark.parametrize("place", ["TMPDIR", "XDG_RUNTIME_DIR"])
async def test_a_socket_goes_to_a_short_and_plain_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    awkward = tmp_path / "long and odd" / ("x" * 100)
    awkward.mkdir(parents=True)
    monkeypatch.setenv(place, str(awkward))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert len(str(folder.socket_path(far_folder(tmp_path)))) < 90
    assert not any(awkward.iterdir())


async def test_a_place_that_others_can_enter_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Path("/tmp") / f"bb-test-{os.getpid()}"
    short.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    far = far_folder(tmp_path)
    try:
        taken = folder.socket_path(far).parent
        taken.mkdir(mode=0o755)
        with pytest.raises(StoreUnusable, match="is not a private folder of this user; remove it"):
            folder.socket_path(far)
        taken.rmdir()
        taken.symlink_to(tmp_path)
        with pytest.raises(StoreUnusable, match="remove it"):
            folder.make_way(far, taken / "s.sock")
        taken.unlink()
    finally:
        short.rmdir()


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnusable, match=r"file/data cannot be written \(Not a directory\)"):
        await EmbeddedServer.start(tmp_path / "file" / "data")


async def test_a_log_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "appendonly.aof.manifest").write_text("this is no manifest\n")
    with pytest.raises(StoreUnusable, match=r"did not start; the end of .*server\.log says why"):
        await EmbeddedServer.start(tmp_path)
    with pytest.raises(StoreUnusable, match="did not start"):
        await EmbeddedServer.start(tmp_path)


@pytest.mark.parametrize(("system", "machine"), [("Windows", "AMD64"), ("Linux", "armv7l"), ("Linux", "riscv64")])
async def test_a_machine_without_a_server_is_told_what_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, machine: str
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    with pytest.raises(StoreUnusable, match=rf"no embedded server for {system} on {machine}; start Redis .* --redis"):
        await EmbeddedServer.start(tmp_path)


async def test_a_binary_that_does_not_run_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = tmp_path / "valkey-server"
    binary.write_bytes(b"\x7fELF not for this machine")
    binary.chmod(0o755)
    monkeypatch.setattr(embedded, "server_binary", lambda: binary)
    with pytest.raises(StoreUnusable, match=r"does not run here .* --redis"):
        await EmbeddedServer.start(tmp_path / "data")

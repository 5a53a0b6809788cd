"""`bookboard backup` and `restore` as they are called: from cron, by root, after a kill, and into what is no file."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.hub.serving import running_hub_process
from tests.servers import until

from bookboard.store.embedded import server_binary
from bookboard.store.folder import running_server

BARE = {"PATH": "/usr/bin:/bin"}
"""What cron gives a command."""
NOBODY, STRANGER = 65534, 65533


def command(*words: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    call = [sys.executable, "-m", "bookboard.cli", *map(str, words)]
    given: dict[str, object] = {"capture_output": True, "timeout": 60, "env": BARE, **options}
    return subprocess.run(call, check=False, **given)  # type: ignore[call-overload, no-any-return]


def sentence(ended: subprocess.CompletedProcess[bytes]) -> str:
    assert ended.returncode == 2, ended
    (said,) = ended.stderr.decode().splitlines()
    assert said.startswith("bookboard: ")
    return str(said)


@contextmanager
def login() -> Iterator[None]:
    """The variables that a login sets, and cron does not."""
    before = dict(os.environ)
    for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
        place = Path(tempfile.mkdtemp(prefix="bb-", dir="/tmp"))
        os.environ[name] = str(place)
    try:
        yield
    finally:
        for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
            shutil.rmtree(os.environ[name], ignore_errors=True)
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture(params=["short", "x" * 100], ids=["socket in the folder", "socket elsewhere"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


async def test_a_running_hub_is_backed_up_from_cron_and_found_again_after_a_kill(folder: Path) -> None:
    data, file = folder / "data", folder / "night"
    with login(), running_hub_process(folder) as hub:
        hub.open_table()
        assert command("backup", "--data", data, file).stdout == f"{file} has 1 tables and 0 finished games.\n".encode()
        before = running_server(data)
        hub.kill()
        assert command("backup", "--data", data, file).returncode == 0
        for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
            del os.environ[name]
        hub.start()  # by another login
        assert running_server(data) == before
        assert hub.get("/readyz")[0] == 200
        os.environ["XDG_RUNTIME_DIR"] = os.environ["TMPDIR"] = "/nowhere"


async def test_a_server_that_nobody_can_reach_any_more_is_replaced(tmp_path: Path) -> None:
    far = tmp_path / ("x" * 100)
    with running_hub_process(far) as hub:
        table = hub.open_table()
        hub.kill()
        before = running_server(far / "data")
        assert before is not None
        shutil.rmtree(Path(before.socket).parent)  # temporary folders are swept
        hub.start()
        assert running_server(far / "data") != before
        assert hub.get(f"/api/tables/{table['code']}/record")[0] == 200
        await until(lambda: not Path(f"/proc/{before.process}").exists())


def as_user(number: int) -> list[str]:
    """Starts a command as that user, who may read Python wherever it is, and write as little as others."""
    who = ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups"]
    return [*who, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several users")
def test_root_backs_up_another_users_tables_and_leaves_them_theirs() -> None:
    try:
        subprocess.run([server_binary(), "--version"], user=NOBODY, check=True, capture_output=True)
    except PermissionError:
        pytest.skip("the embedded server is installed where other users cannot start it")
    folder = Path(tempfile.mkdtemp(prefix="bb-", dir="/tmp"))
    data = folder / "data"
    data.mkdir(mode=0o700)
    for path in (folder, data):
        os.chown(path, NOBODY, NOBODY)
    serve = [sys.executable, "-m", "bookboard.cli", "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]

    @contextmanager
    def running() -> Iterator[None]:
        with subprocess.Popen([*as_user(NOBODY), *serve], stdout=subprocess.PIPE, text=True, env=BARE) as hub:
            assert hub.stdout is not None
            try:
                assert "is up" in hub.stdout.readline()
                yield
            finally:
                hub.terminate()
                assert hub.wait(60) == 0

    try:
        with running():
            assert command("backup", "--data", data, folder / "1").returncode == 0
        assert command("backup", "--data", data, folder / "2").returncode == 0
        assert command("restore", "--data", data, folder / "2").returncode == 0
        assert {path.stat().st_uid for path in data.rglob("*")} == {NOBODY}
        with running():
            backup = [sys.executable, "-m", "bookboard.cli", "backup", "--data", str(data), "never"]
            ended = subprocess.run([*as_user(STRANGER), *backup], capture_output=True, check=False, timeout=60)
            assert "which this user cannot open" in sentence(ended)
    finally:
        shutil.rmtree(folder)


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a hub that has one table and has stopped."""
    folder = tmp_path_factory.mktemp("kept")
    with running_hub_process(folder) as hub:
        hub.open_table()
    return folder / "data"


def test_what_is_no_plain_file_is_left_as_it_is(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a letter")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = {path: path.lstat() for path in tmp_path.iterdir()}
    for name in ("link", "dangling", "folder", "pipe"):
        said = sentence(command("backup", "--data", kept, tmp_path / name))
        assert said == f"bookboard: {tmp_path / name} is not a plain file and is left as it is; give another name."
    assert "is not a plain file" in sentence(command("backup", "--data", kept, "/dev/null"))
    assert {path: path.lstat().st_mode for path in tmp_path.iterdir()} == {p: s.st_mode for p, s in before.items()}
    assert (tmp_path / "file").read_text() == "a letter"


def test_a_backup_goes_through_pipes(kept: Path, tmp_path: Path) -> None:
    made = command("backup", "--data", kept, "-", cwd=tmp_path)
    assert made.returncode == 0
    assert made.stderr == b"The backup has 1 tables and 0 finished games.\n"
    assert list(tmp_path.iterdir()) == []
    back = command("restore", "--data", tmp_path / "data", "-", input=made.stdout)
    assert b"1 tables" in back.stderr
    cut = command("restore", "--data", tmp_path / "other", "-", input=made.stdout[:-3])
    assert "is not whole" in sentence(cut)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["/bin/sh", "-c", 'cat > "$0"', tmp_path / "pipe"], stdin=subprocess.PIPE) as writer:
        writer_in = writer.stdin
        assert writer_in is not None
        writer_in.write(made.stdout)
        writer_in.close()
        assert command("restore", "--data", tmp_path / "third", tmp_path / "pipe").returncode == 0


def test_a_backup_that_fails_leaves_the_one_before(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "night"
    assert command("backup", "--data", kept, file).returncode == 0
    before = file.read_bytes()
    small = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
    call = f"{small}from bookboard.cli import main; sys.exit(main(sys.argv[1:]))"
    with running_hub_process(tmp_path / "hub") as hub:
        hub.open_table()
        ended = subprocess.run(
            [sys.executable, "-c", call, "backup", "--data", str(tmp_path / "hub" / "data"), str(file)],
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert "File too large" in sentence(ended)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["night"]


def test_a_file_in_a_folder_that_is_not_there(kept: Path, tmp_path: Path) -> None:
    assert "No such file" in sentence(command("backup", "--data", kept, tmp_path / "no" / "night"))
    assert "No such file" in sentence(command("restore", "--data", kept, tmp_path / "no" / "night"))

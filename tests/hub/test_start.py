"""Starting `bookboard serve`, and what it says when it cannot."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.hub.serving import HubProcess
from tests.servers import free_port, running_redis

from bookboard.cli import main
from bookboard.config import SERVE_OPTIONS, BadOption, Config, Option, add_options, config_from

SERVE = [sys.executable, "-m", "bookboard", "serve"]


def cannot_start(*options: str, start: Sequence[str] = SERVE, **environ: str) -> str:
    """The one sentence on stderr; it must be one, with exit status 2."""
    ended = subprocess.run(
        [*start, *([] if "--host" in options else ["--host", "127.0.0.1"]), *options],
        capture_output=True,
        timeout=60,
        check=False,
        text=True,
        env={**os.environ, **environ},
    )
    assert ended.returncode == 2, ended
    assert ended.stdout == ""
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("bookboard: ")
    assert sentence.endswith(".")
    return str(sentence)


def test_a_port_in_use(served: HubProcess) -> None:
    assert f"Port {served.port} is in use" in cannot_start("--port", str(served.port))


def test_a_port_there_is_not() -> None:
    assert "--port ('70000') has to be a whole number from 0 to 65535" in cannot_start("--port", "70000")


def test_an_address_of_another_machine() -> None:
    assert "192.0.2.1 is no address of this machine" in cannot_start("--host", "192.0.2.1", "--port", "0")


def test_a_data_folder_in_use(served: HubProcess) -> None:
    assert "is in use" in cannot_start("--port", "0", "--data", str(served.folder / "data"))


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    assert "cannot be written" in cannot_start("--port", "0", "--data", str(tmp_path / "data"))


def test_a_redis_that_is_not_there() -> None:
    assert "no Redis to be reached" in cannot_start("--port", "0", "--redis", f"redis://127.0.0.1:{free_port()}")


def test_a_password_is_told_to_nobody(tmp_path: Path) -> None:
    with running_redis(tmp_path) as redis:
        url = redis.url.replace("redis://", "redis://:wrong-secret@")
        assert "wrong-secret" not in cannot_start("--port", "0", "--redis", url)


def test_something_that_is_no_redis_url() -> None:
    assert "is not a Redis URL: it begins with redis://" in cannot_start("--port", "0", "--redis", "postgres://x")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--workers", "0"], "--workers ('0') has to be a whole number from 1 to 64"),
        (["--workers", "many"], "--workers ('many') has to be"),
        (["--port", "-1"], "--port"),
        (["--port", "8_000"], "has to be a whole number from 0 to 65535"),
        (["--host", ""], "--host has to be an address of this machine"),
        (["--host", "http://0.0.0.0"], "has to be an address of this machine"),
        (["--data", ""], "--data has to be a folder"),
        (["--redis", ""], "--redis has to be given"),
        (["--url", "nonsense"], "--url ('nonsense') has to be an address of a site"),
        (["--url", "ftp://board.example"], "--url ('ftp://board.example') has to be an address of a site"),
        (["--url", "https://board.example:port"], "has to be an address of a site"),
        (["--url", "https://"], "has to be an address of a site"),
        (["--trust-proxy", "nonsense"], "--trust-proxy ('nonsense') has to be an IP address or a network"),
        (["--allow-origin", "nonsense"], "--allow-origin ('nonsense') has to be an address of a site"),
        (["--allow-origin", "*"], "--allow-origin ('*') has to be an address of a site"),
        (["--most-per-address", "0"], "--most-per-address ('0') has to be"),
        (["--wait-replicas", "1"], "--wait-replicas needs a Redis with replicas"),
        (["--wait-replicas", "-1"], "--wait-replicas"),
        (["--interface", "no-such-interface"], "There is no interface 'no-such-interface' here"),
        (["--redis-file", "/no/such/file"], "--redis-file names cannot be read (No such file or directory)"),
        (["--redis-file", "/dev/null"], "--redis-file has to be given"),
        (["--wokers", "2"], "There is no option --wokers"),
        (["--port"], "expected one argument"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_nonsense_is_refused_before_anything_is_started(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [] if "--data" in options else ["--data", str(tmp_path / "data")]
    try:
        status: object = main(["serve", *where, *options])
    except SystemExit as end:
        status = end.code
    assert status == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith("bookboard: ")
    assert said in sentence
    assert not (tmp_path / "data").exists()


def test_a_redis_that_cannot_do_what_is_asked(tmp_path: Path) -> None:
    with running_redis(tmp_path) as redis:
        plain = redis.url.removeprefix("redis://")
        options = ("--port", "0", "--redis")
        for workers in ("1", "2"):
            said = cannot_start(*options, redis.url, "--wait-replicas", "1", "--workers", workers)
            assert f"Fewer replicas follow {redis.url} than --wait-replicas asks for" in said
        assert "a plain port wants redis://" in cannot_start(*options, f"rediss://{plain}")
        nobody = f"redis+sentinel://127.0.0.1:{free_port()}/m"
        assert "none of the Sentinels answers" in cannot_start(*options, nobody)
        assert "An option behind the ?" in cannot_start(*options, f"{redis.url}?ssl=yes")


def limited(setting: str, *, code: str = "") -> list[str]:
    """`bookboard serve` after a line of Python has made its machine a worse one."""
    program = f"import resource, sys; {setting}; {code}from bookboard.cli import main; sys.exit(main())"
    return [sys.executable, "-c", program, "serve"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_too_few_files(tmp_path: Path, workers: str) -> None:
    for most in (64, 128):
        start = limited(f"resource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))")
        said = cannot_start("--port", "0", "--data", str(tmp_path), "--workers", workers, start=start)
        assert f"Only {most} files may be open here, and every screen is one" in said


def test_a_package_that_is_missing(tmp_path: Path) -> None:
    start = limited("sys.modules['uvloop'] = None")
    assert "The package uvloop is missing" in cannot_start("--port", "0", "--data", str(tmp_path), start=start)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk(tmp_path: Path) -> None:
    full = tmp_path / "disk"
    full.mkdir()
    fill = f'mount -t tmpfs -o size=64k tmpfs {full} && head -c 100000 /dev/zero > {full}/songs 2>/dev/null; exec "$@"'
    start = ["unshare", "--mount", "/bin/sh", "-c", fill, "sh", *SERVE]
    said = cannot_start("--port", "0", "--data", str(full / "data"), start=start)
    assert "cannot be written (No space left on device); make room on its disk" in said


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can be a user without a home")
def test_a_user_without_a_home() -> None:
    """The data never goes into whatever folder is the current one."""
    code = (
        "import os; os.environ.pop('HOME', None); import bookboard.cli, bookboard.hub.process.serve; os.setuid(54321); "
    )
    start = limited("import platformdirs.unix, pwd", code=code)
    said = cannot_start("--port", "0", start=start, XDG_DATA_HOME="")
    assert "This user has no home folder for the tables; say where to keep them with --data DIR." in said


@pytest.mark.parametrize(
    "start", [[sys.executable, "-m", "bookboard"], [str(Path(sys.executable).with_name("bookboard"))]]
)
def test_the_version(start: list[str]) -> None:
    shown = subprocess.run([*start, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown == f"bookboard {version('bookboard')}\n"


# ── options ──────────────────────────────────────────────────────────────────────────────────────────────────────


def config(*options: str, **environ: str) -> Config:
    parser = ArgumentParser()
    add_options(parser)
    return config_from(parser.parse_args(options), environ)


def test_options_become_the_configuration() -> None:
    chosen = config("--port", "80", "--allow-origin", "https://a.example/", "--allow-origin", "https://b.example")
    assert chosen.port == 80
    assert chosen.allow_origins == {"https://a.example", "https://b.example"}
    assert config("--url", "https://board.example/").url == "https://board.example"
    assert config("--url", "https://board.example").origins == {"https://board.example"}
    assert config("--trust-proxy", "192.0.2.1").trusted_proxies == ("192.0.2.1",)
    assert config("--most-per-address", "600").most_per_address == 600


VALUES = {
    "host": "::1",
    "port": "81",
    "interface": "wlan0",
    "data": "/tables",
    "redis": "redis://:secret@redis:6379/0",
    "wait-replicas": "2",
    "workers": "3",
    "allow-origin": "https://a.example",
    "url": "https://board.example",
    "trust-proxy": "10.0.0.0/8",
    "most-per-address": "9",
    "most-bytes-a-second": "9",
}


@pytest.mark.parametrize("option", SERVE_OPTIONS, ids=lambda option: option.name)
def test_every_option_comes_from_the_environment_and_from_a_file_as_well(option: Option, tmp_path: Path) -> None:
    value = VALUES[option.name]
    others = () if option.name in {"data", "redis"} else ("--redis", "redis://localhost")
    on_line = config(*others, f"--{option.name}", value)
    assert on_line != config(*others)
    assert config(*others, **{option.variable: value}) == on_line
    (tmp_path / "file").write_text(f"{value}\n")
    assert config(*others, **{f"{option.variable}_FILE": str(tmp_path / "file")}) == on_line
    assert config(*others, f"--{option.name}", value, **{option.variable: "overruled"}) == on_line
    assert config(*others, **{option.variable: ""}) == config(*others)


def test_lists_in_the_environment() -> None:
    chosen = config(
        BOOKBOARD_TRUST_PROXY="10.0.0.0/8, 127.0.0.1", BOOKBOARD_ALLOW_ORIGIN="https://a.example https://b.example"
    )
    assert chosen.trusted_proxies == ("10.0.0.0/8", "127.0.0.1")
    assert chosen.allow_origins == {"https://a.example", "https://b.example"}


def test_what_is_wrong_in_the_environment_is_named() -> None:
    with pytest.raises(BadOption, match=r"BOOKBOARD_PORT \('x'\) has to be a whole number"):
        config(BOOKBOARD_PORT="x")
    with pytest.raises(BadOption, match="BOOKBOARD_REDIS and BOOKBOARD_REDIS_FILE are both set; leave out one"):
        config(BOOKBOARD_REDIS="redis://localhost", BOOKBOARD_REDIS_FILE="/run/secrets/redis")
    with pytest.raises(BadOption, match="--redis and --redis-file are both given"):
        config("--redis", "redis://localhost", "--redis-file", "/run/secrets/redis")


def test_what_kubernetes_says_of_a_service_is_no_option() -> None:
    assert config(BOOKBOARD_PORT="tcp://10.0.0.1:80").port == 8000


@pytest.mark.skipif(sys.platform != "linux", reason="the custom of Linux")
def test_data_lies_where_the_platform_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/holly")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert config().data == Path("/home/holly/.local/share/bookboard")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert config().data == Path("/data/bookboard")
    assert config("--data", "~/tables").data == Path("/home/holly/tables")


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://board.example", "https://board.example"),
        ("HTTPS://Board.Example:443/", "https://board.example"),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_an_address_is_taken_as_a_browser_writes_it(given: str, origin: str) -> None:
    chosen = config("--url", given, "--allow-origin", given)
    assert chosen.url == origin
    assert chosen.allow_origins == chosen.origins == {origin}


@pytest.mark.parametrize("option", ["--url", "--allow-origin"])
@pytest.mark.parametrize(
    "given",
    [
        *("nonsense", "", "board.example", "ftp://x", "https://", "https://x/board", "https://x?y", "https://x:nine"),
        *("https://u:secret@x", "https://a b", "https://[1", "null", "*"),
    ],
)
def test_what_is_no_address_of_a_site_is_refused_at_the_start(
    option: str, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", option, given]) == 2
    said = capsys.readouterr().err
    assert f"bookboard: {option}" in said
    assert "secret" not in said


@pytest.mark.parametrize("given", ["nonsense", "", "10.0.0.0/40", "10.0.0.1/8", "localhost"])
def test_what_is_no_address_of_a_proxy_is_refused_at_the_start(given: str) -> None:
    assert main(["serve", "--trust-proxy", given]) == 2

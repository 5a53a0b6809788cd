"""Starting `bookboard serve`, and what it says when it cannot."""

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest
from tests.hub.serving import HubProcess
from tests.servers import free_port, running_redis

from bookboard.cli import main
from bookboard.config import Config, add_options, config_from, default_data


def cannot_start(*options: str) -> str:
    """The one sentence on stderr; it must be one, with exit status 2."""
    ended = subprocess.run(
        [sys.executable, "-m", "bookboard.cli", "serve", "--host", "127.0.0.1", *options],
        capture_output=True,
        timeout=30,
        check=False,
        text=True,
    )
    assert ended.returncode == 2, ended
    assert ended.stdout == ""
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("bookboard: ")
    return sentence


def test_a_port_in_use(served: HubProcess) -> None:
    assert f"Port {served.port} is in use" in cannot_start("--port", str(served.port))


def test_a_port_there_is_not() -> None:
    assert "There is no port 70000" in cannot_start("--port", "70000")


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
    assert "is not a Redis URL" in cannot_start("--port", "0", "--redis", "postgres://x")


# ── options ──────────────────────────────────────────────────────────────────────────────────────────────────────


def config(*options: str) -> Config:
    parser = ArgumentParser()
    add_options(parser)
    return config_from(parser.parse_args(options))


def test_options_become_the_configuration() -> None:
    chosen = config("--port", "80", "--allow-origin", "https://a.example/", "--allow-origin", "https://b.example")
    assert chosen.port == 80
    assert chosen.allow_origins == {"https://a.example", "https://b.example"}
    assert config("--url", "https://board.example/").url == "https://board.example"
    assert config("--url", "https://board.example").origins == {"https://board.example"}
    assert config("--trust-proxy", "192.0.2.1").trusted_proxies == ("192.0.2.1",)
    assert config("--most-per-address", "600").most_per_address == 600


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/home/holly"}, "linux", "/home/holly/.local/share/bookboard"),
        ({"HOME": "/home/holly", "XDG_DATA_HOME": "/data"}, "linux", "/data/bookboard"),
        ({"HOME": "/Users/holly"}, "darwin", "/Users/holly/Library/Application Support/Bookboard"),
        ({"USERPROFILE": "/u", "LOCALAPPDATA": "/u/local"}, "win32", "/u/local/Bookboard"),
        ({}, "linux", ".local/share/bookboard"),
    ],
)
def test_data_lies_where_the_platform_keeps_it(environ: dict[str, str], platform: str, folder: str) -> None:
    assert default_data(environ, platform) == Path(folder)


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
    with pytest.raises(SystemExit) as ended:
        main(["serve", option, given])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"argument {option}: " in said
    assert "secret" not in said


@pytest.mark.parametrize("given", ["nonsense", "", "10.0.0.0/40", "10.0.0.1/8", "localhost"])
def test_what_is_no_address_of_a_proxy_is_refused_at_the_start(given: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--trust-proxy", given])
    assert ended.value.code == 2

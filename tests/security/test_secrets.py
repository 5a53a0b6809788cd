"""What must not be read: secrets in logs and in the store, names that are more than text, what a page may load."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from redis import Redis
from tests.hub.serving import SUBPROTOCOLS, HubProcess, dialled, joined, running_hub_process
from tests.security.raw import answer_to, frame, handshake, request, websocket
from tests.servers import running_redis

from bookboard.cli import main
from bookboard.hub.endpoints.pages import PAGES
from bookboard.web_root import web_root

CANARY = "canary-7f3Kq9-canary-7f3Kq9"
ELSEWHERE = "sparrow-8g4Lr0-sparrow-8g4Lr0"


async def test_no_secret_reaches_a_log_or_the_store(tmp_path: Path) -> None:
    """`CANARY` is sent where tokens belong, `ELSEWHERE` everywhere that people may put them by mistake."""
    with running_hub_process(tmp_path) as hub:
        opening = {"name": "Table 4", "host_name": "Holly", "key": "spades", "settings": {}, "host_token": CANARY}
        table = json.loads(hub.get("/api/tables", opening)[1])
        async with joined(hub, table["code"], CANARY) as host:
            await host.do("start_game", game=1)
            await host.do("invite_players", token=f"{CANARY}-invite")
        async with joined(hub, table["code"], f"{CANARY}-invite", subprotocol=SUBPROTOCOLS[1]) as phone:
            await phone.do("claim_seat", seat="west", name="Wes", token=f"{CANARY}-player")
            await phone.do("claim_seat", seat="attic", name="Wes", token=f"{CANARY}-player")
        async with dialled(hub) as wrong:
            await wrong.send({"type": "hello", "room": table["code"], "token": f"{CANARY}-wrong"})
            await wrong.closed()
        for path in (f"/?token={ELSEWHERE}", f"/{ELSEWHERE}", f"/api/tables/{ELSEWHERE}/record?t={ELSEWHERE}"):
            hub.get(path, Authorization=f"Bearer {ELSEWHERE}", Cookie=ELSEWHERE, Origin=ELSEWHERE)
        hub.get("/api/tables", {**opening, ELSEWHERE: ELSEWHERE})
        hub.get("/api/tables", ELSEWHERE.encode())
        answer_to(hub, f"{ELSEWHERE}\r\n\r\n".encode())
        answer_to(hub, request(hub, f"GET /{ELSEWHERE}", "Transfer-Encoding: chunked", body=ELSEWHERE.encode()))
        answer_to(hub, handshake(hub, f"Origin: {ELSEWHERE}", path=f"/ws?token={ELSEWHERE}"))
        for sent in ({"type": ELSEWHERE}, {"type": "hello", "room": "A", ELSEWHERE: ELSEWHERE}, ELSEWHERE):
            with websocket(hub) as client:
                client.sendall(frame(json.dumps(sent)))
                client.recv(100)
        secrets = [table["player_token"], table["recovery_phrase"], CANARY, ELSEWHERE]
        hub.stop()
    for secret in secrets:
        assert where_it_is_written(secret, tmp_path) == []
    assert "Traceback" not in hub.log.read_text()


def where_it_is_written(secret: str, folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"hub.lock", "server.log"} < {path.name for path in files}
    assert any(path.suffix == ".aof" for path in files)
    return [path.name for path in files if secret.encode() in path.read_bytes()]


PASSWORD = "hunter2"


@pytest.mark.parametrize(
    "url",
    [
        "redis://:{}#x@h:1",
        "redis://:{}?x@h:1",
        "redis://:{}/x@h:1",
        "redis://:{}[x@h:1",
        "redis://:{}]x@h:1",
        "redis://:x[{}@h:1",
        "redis://:a@{}@h:port",
        "redis://user:{}",
        "redis://:{}",
        "redis:/:{}@h:1",
        "redis::{}@h:1",
        "redis//:{}@h:1",
        "reddis://:{}@h:1",
        ":{}@h:1",
        "postgres://user:{}@h:1",
        "redis://user:{}@h:1?ssl=yes",
        "redis://h:1?password={}&nothing=1",
        "redis://user:{}@h:99999",
        "redis://user:{}@127.0.0.1:1/x",
        "rediss://user:{}@127.0.0.1:1",
        "redis+sentinel://user:{}@",
        "redis+sentinel://user:{}@127.0.0.1:1",
        "redis+sentinel://user:{}@127.0.0.1:1/name",
        "redis+sentinel://user:{}#@[::1:26379/name",
        "unix://user:{}@/nowhere/s.sock?db=x",
        "redis://user: {}@h:1",
    ],
)
@pytest.mark.parametrize("way", ["serve", "backup", "environment", "file", "misspelt option", "in the wrong place"])
def test_no_password_is_printed_however_its_url_is_wrong(
    url: str, way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = url.format(PASSWORD)
    (tmp_path / "secret").write_text(given)
    serve = ["serve", "--host", "127.0.0.1", "--port", "0"]
    match way:
        case "serve":
            options = [*serve, "--redis", given]
        case "backup":
            options = ["backup", "--redis", given, str(tmp_path / "backup")]
        case "environment":
            monkeypatch.setenv("BOOKBOARD_REDIS", given)
            options = serve
        case "file":
            options = [*serve, "--redis-file", str(tmp_path / "secret")]
        case "misspelt option":
            options = [*serve, f"--reids={given}"]
        case _:
            options = [given]
    try:
        status: object = main(options)
    except SystemExit as end:
        status = end.code
    assert status == 2
    printed = "".join(capsys.readouterr())
    (sentence,) = printed.splitlines()
    assert sentence.startswith("bookboard: ")
    assert PASSWORD not in sentence


def test_a_password_from_a_file_is_seen_by_no_other_user_and_in_no_log(tmp_path: Path) -> None:
    password = "correct-horse-battery"
    with running_redis(tmp_path / "redis") as redis:
        with Redis.from_url(redis.url) as raw:
            raw.config_set("requirepass", password)
        (tmp_path / "secret").write_text(redis.url.replace("redis://", f"redis://:{password}@") + "\n")
        options = ("--redis-file", str(tmp_path / "secret"), "--workers", "2")
        with running_hub_process(tmp_path / "hub", *options) as hub:
            assert hub.process is not None
            for pid in family(hub.process.pid):
                assert password.encode() not in Path(f"/proc/{pid}/cmdline").read_bytes()
            hub.open_table()
        assert password not in hub.log.read_text()


def family(pid: int) -> list[int]:
    """The process and all that it has started."""
    found = [pid]
    for parent in found:
        found += [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return found


HOSTILE = [
    "=HYPERLINK(1)",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\u202eevil\u202c",
    "a\nb: c",
    "a\r\n2026-11-30 ERROR root: forged",
    "\x1b[31mred",
    "\u200b\u2066Wes\u2069",
    "<script>alert(1)</script>",
    "'=1",
    "Zoe\u0308" * 9,
]


async def test_names_are_text_and_nothing_else(hub: HubProcess) -> None:
    for name in HOSTILE:
        opening = {"name": name, "host_name": f"H{name}", "key": "pack", "players": [name, "Bo", "Cy"], "settings": {}}
        status, body, _ = hub.get("/api/tables", {**opening, "host_token": "t" * 22})
        assert status == 201, body
        code = json.loads(body)["code"]
        async with joined(hub, code, "t" * 22) as host:
            assert host.view is not None
            view = host.view
            shown = [view["table"]["name"], *view["people"]["names"].values(), *view["game"]["sides"]]
            for text in shown:
                assert text.isprintable()
                assert len(text) <= 40
                assert not re.search(r"[\u200b\u202a-\u202e\u2066-\u2069]", text)
            await host.do("start_game", game=1)
            cards = dict.fromkeys(view["game"]["sides"], 1)
            entered = await host.do("enter_hand", game=1, hand=1, revision=99, part={"cards": cards})
            assert entered["type"] == "done"
        sheet = hub.get(f"/api/tables/{code}/record?format=csv")[1].decode("utf-8-sig")
        for row in csv.reader(io.StringIO(sheet)):
            for cell in row:
                assert not cell.startswith(("=", "@", "\t", "\r", "+"))
                assert not cell.startswith("-") or re.fullmatch(r"-\d+", cell)


async def test_the_record_of_a_private_table_is_for_its_people(hub: HubProcess) -> None:
    code = hub.open_table()["code"]
    async with joined(hub, code, "host-token-host-token-host") as host:
        await host.do("start_game", game=1)
        await host.do("end_game", game=1, hand=1)
        await host.do("next_game", game=1)
        await host.do("set_privacy", private=True)
    for query in ("", "?game=1", "?game=2", "?format=csv", "?game=1&format=csv"):
        assert hub.get(f"/api/tables/{code}/record{query}")[0] == 404


@pytest.mark.parametrize("path", [*PAGES, "/api/here", "/nothing", "/js/nothing.js", "/healthz"])
def test_every_answer_says_what_a_page_may_do(hub: HubProcess, path: str) -> None:
    headers = hub.get(path.replace("{code}", "K7F4MPQ"))[2]
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_pages_hold_no_script_of_their_own() -> None:
    for page in web_root().glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|javascript:", text), page.name
    for script in (web_root() / "js").rglob("*.js"):
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|document\.write|\beval\(", text), (
            script
        )

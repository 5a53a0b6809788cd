"""Pages and the API's few calls, by a real hub."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import convert
from starlette.datastructures import Headers
from tests.hub.memory_store import MemoryStore
from tests.hub.serving import HOST_TOKEN, HubProcess, joined

from bookboard.catalogue import KINDS
from bookboard.config import Config
from bookboard.hub.endpoints.context import HubContext
from bookboard.hub.endpoints.pages import CSP, FOLDERS, PAGES, cached_file_response
from bookboard.hub.live.rooms import Rooms
from bookboard.rules.catalogue import GAMES
from bookboard.rules.model import Json
from bookboard.rules.spreadsheet import write_lines, write_sheet
from bookboard.tables import records
from bookboard.tables.api import GameOffer
from bookboard.tables.records import HANDS_A_TURN, sheet_of
from bookboard.web_root import web_root

OPENING = {"name": "Table 4", "host_name": "Holly", "key": "spades", "settings": {}, "host_token": HOST_TOKEN}


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_table_is_opened_with_all_it_takes(served: HubProcess) -> None:
    status, body, headers = served.get("/api/tables", {**OPENING, "side_names": {"north_south": "Owls"}})
    table = json.loads(body)
    assert status == 201
    assert headers["content-type"] == "application/json"
    assert headers["cache-control"] == "no-store"
    roles = {}
    for token in (HOST_TOKEN, table["player_token"], table["recovery_phrase"], table["recovery_phrase"].upper(), None):
        async with joined(served, table["code"], token) as client:
            roles[token] = client.heard[0]["role"]
    assert list(roles.values()) == ["host", "invited", "host", "host", "spectator"]
    assert client.view is not None
    assert client.view["people"]["sides"] == {"north_south": "Owls"}


PLAYED = {
    "game": "spades",
    "settings": {"time_limit_minutes": 60},
    "names": {"north_south": "Owls"},
    "hands": [{"books": {"north_south": 8, "east_west": 5}}],
}


async def test_a_game_goes_from_one_table_to_another_as_record_and_as_sheet(served: HubProcess) -> None:
    about = {"name": "Table 5", "host_name": "Holly", "host_token": HOST_TOKEN}
    _, body, _ = served.get("/api/tables/import", {**about, "record": PLAYED})
    first = json.loads(body)["code"]
    _, sheet, headers = served.get(f"/api/tables/{first}/record?format=csv")
    assert headers["content-type"].startswith("text/csv")
    _, body, _ = served.get("/api/tables/import", {**about, "sheet": sheet.decode().removeprefix("\ufeff")})
    async with joined(served, json.loads(body)["code"], None) as client:
        assert client.view is not None
        assert client.view["game"]["scores"] == {"north_south": 80, "east_west": 50}
        assert client.view["people"]["sides"] == {"north_south": "Owls"}
        assert client.view["clock"]["deadline"] is not None


async def test_many_long_sheets_hold_nobody_up(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    context = HubContext(Rooms(store, KINDS), Config(), [])
    made, turns = Counter[int](), 0
    hand: Json = {"cards": {"a": 1, "b": 2, "c": 3}, "bonus": {"a": 1}}
    long: Json = {"game": "pack", "players": ["a", "b", "c"], "hands": [hand] * 60}

    def counted(record: Json) -> Iterator[str]:
        for line in write_lines(record):
            made[turns] += 1
            yield line

    monkeypatch.setattr(records, "write_lines", counted)
    sheets = asyncio.gather(*(sheet_of(context, json.dumps(long).encode()) for _ in range(5)))
    while not sheets.done():
        await asyncio.sleep(0)
        turns += 1
    assert await sheets == [write_sheet(long)] * 5
    assert max(made.values()) <= 2 * HANDS_A_TURN


async def test_a_private_tables_record_is_for_those_with_a_token(served: HubProcess) -> None:
    code = served.open_table()["code"]
    async with joined(served, code, HOST_TOKEN) as host:
        await host.do("set_privacy", private=True)
    assert served.get(f"/api/tables/{code}/record")[0] == 404
    assert served.get(f"/api/tables/{code}/record", Authorization="Bearer wrong")[0] == 404
    assert served.get(f"/api/tables/{code}/record", Authorization=f"Bearer {HOST_TOKEN}")[0] == 200


@pytest.mark.parametrize(
    ("taken", "code"),
    [
        ({}, "malformed"),
        ({"record": {"game": "hearts", "hands": []}}, "unknown_game"),
        (
            {"record": {"game": "spades", "hands": [{"books": {"north_south": 8, "east_west": 4}}]}},
            "books_do_not_add_up",
        ),
        ({"record": {"game": "spades", "hands": [], "format": 99}}, "malformed"),
        ({"sheet": "this is no sheet"}, "malformed"),
        ({"sheet": "game,spades\r\nhand,books.north_south\r\n1,8\r\n"}, "books_missing"),
    ],
)
def test_a_record_that_cannot_be_taken_in_says_why(served: HubProcess, taken: dict[str, object], code: str) -> None:
    about = {"name": "Table 5", "host_name": "Holly", "host_token": HOST_TOKEN}
    status, body, _ = served.get("/api/tables/import", {**about, **taken})
    assert (status, json.loads(body)["code"]) == (422, code)


@pytest.mark.parametrize(
    ("change", "status", "code", "field"),
    [
        ({"host_token": "short"}, 422, "weak_token", "host_token"),
        ({"host_name": " \u202e "}, 422, "name_needed", "host_name"),
        ({"key": "whist"}, 422, "unknown_game", "game"),
        ({"settings": {"nil": 7}}, 422, "invalid_setting", "nil"),
        ({"settings": {"luck": 7}}, 422, "unknown_setting", "luck"),
        ({"side_names": {"up": "Owls"}}, 422, "unknown_side", "side_names"),
        ({"name": 7}, 400, "malformed", None),
        ({"name": "x" * 81}, 400, "malformed", None),
        ({"surprise": 1}, 400, "malformed", None),
        ({"settings": {"nil": [[[[[[[[[[1]]]]]]]]]]}}, 400, "malformed", None),
    ],
)
def test_a_table_that_cannot_be_opened(
    served: HubProcess, change: dict[str, object], status: int, code: str, field: str | None
) -> None:
    answered, body, _ = served.get("/api/tables", {**OPENING, **change})
    told = json.loads(body)
    assert (answered, told["code"]) == (status, code)
    assert field is None or field in told["field"]


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 400), (b"{", 400), (b"[]", 400), (b"\xff", 400), (b"[" * 9000, 400), (b" " * 17000, 413)]
)
@pytest.mark.parametrize("path", ["/api/tables", "/api/qr"])
def test_a_body_that_is_not_understood(served: HubProcess, path: str, body: bytes, status: int) -> None:
    answered, told, _ = served.get(path, body)
    assert (answered, json.loads(told)["code"]) == (status, "malformed")


@pytest.mark.parametrize(("origin", "status"), [("http://evil.example", 403), ("null", 403), ("", 201)])
def test_only_our_own_pages_open_tables(served: HubProcess, origin: str, status: int) -> None:
    answered, told, _ = served.get("/api/tables", OPENING, Origin=origin or f"http://{served.at}")
    assert answered == status
    assert (json.loads(told)["code"] == "other_origin") is (status == 403)


async def test_a_games_record_can_be_taken_away(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host:
        await host.do("start_game", game=1)
        await host.do("enter_hand", game=1, hand=1, revision=9, part={"books": {"north_south": 8, "east_west": 5}})
        status, body, _ = served.get(f"/api/tables/{code.lower()}/record")
        assert status == 200
        assert len(json.loads(body)["hands"]) == 1
        await host.do("end_game", game=1, hand=2)
        await host.do("next_game", game=1)
    first = json.loads(served.get(f"/api/tables/{code}/record?game=1")[1])
    assert (len(first["hands"]), first["ended_by_host"]) == (1, True)
    assert json.loads(served.get(f"/api/tables/{code}/record?game=2")[1])["hands"] == []


@pytest.mark.parametrize(
    ("room", "game", "status"),
    [
        ("AAAAAAA", "", 404),
        ("%2e%2e", "", 404),
        ("CODE", "?game=7", 404),
        ("CODE", "?game=x", 400),
        ("CODE", "?game=²", 400),
    ],
)
def test_a_record_that_is_not_there(served: HubProcess, code: str, room: str, game: str, status: int) -> None:
    path = f"/api/tables/{room.replace('CODE', code)}/record{game}".replace("²", "%C2%B2")
    assert served.get(path)[0] == status


# ── what there is ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_games_are_offered_with_their_settings(served: HubProcess) -> None:
    offers = convert(json.loads(served.get("/api/games")[1]), list[GameOffer])
    assert [offer.key for offer in offers] == list(GAMES)
    assert offers[0].settings == GAMES["spades"].settings


def test_the_hub_says_where_it_is(served: HubProcess) -> None:
    here = json.loads(served.get("/api/here")[1])
    assert here["addresses"] == [f"http://{served.at}"]
    assert here["version"]


def test_a_text_is_drawn_as_a_qr_code(served: HubProcess) -> None:
    status, body, headers = served.get("/api/qr", {"text": "http://192.0.2.7:8000/t/K7F4MPQ/play#" + "t" * 22})
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert ET.fromstring(body).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("text", ["", "x" * 901])
def test_a_text_too_long_or_empty_is_not_drawn(served: HubProcess, text: str) -> None:
    assert served.get("/api/qr", {"text": text})[0] == 400


def test_health_and_readiness(served: HubProcess) -> None:
    assert served.get("/healthz")[0] == 200
    assert served.get("/readyz")[0] == 200


# ── pages ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_page_has_its_file_and_every_file_its_page() -> None:
    assert {page.name for page in web_root().glob("*.html")} == set(PAGES.values())


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_asked_about_each_time_and_sent_once(served: HubProcess, path: str) -> None:
    path = path.replace("{code}", "K7F4MPQ").replace("{game}", "spades")
    status, body, headers = served.get(path)
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert headers["cache-control"] == "no-cache"
    status, body, again = served.get(path, **{"If-None-Match": headers["etag"]})
    assert (status, body, again["etag"]) == (304, b"", headers["etag"])


def files_shown() -> list[str]:
    found = (path for folder in FOLDERS for path in sorted((web_root() / folder).glob("*.*"))[:1])
    return [f"/{path.relative_to(web_root())}" for path in found]


@pytest.mark.parametrize("path", files_shown())
def test_a_file_is_asked_about_each_time_and_sent_once(served: HubProcess, path: str) -> None:
    status, _, headers = served.get(path)
    assert (status, headers["cache-control"]) == (200, "no-cache")
    assert served.get(path, **{"If-None-Match": headers["etag"]})[0] == 304


def test_scripts_and_fonts_have_the_types_that_browsers_insist_on(served: HubProcess) -> None:
    assert served.get("/js/core/store.js")[2]["content-type"].startswith("text/javascript")
    for font in sorted((web_root() / "fonts").glob("*.woff2")):
        assert served.get(f"/fonts/{font.name}")[2]["content-type"] == "font/woff2"


@pytest.mark.parametrize(
    "path", ["/js/../../pyproject.toml", "/js/%2e%2e/%2e%2e/pyproject.toml", "/js//etc/passwd", "/js/"]
)
def test_nothing_outside_is_shown(served: HubProcess, path: str) -> None:
    assert served.get(path)[0] == 404


@pytest.mark.parametrize("path", ["/", "/nowhere", "/js/nothing.js", "/api/games", "/api/tables", "/healthz", "/ws"])
def test_every_answer_has_the_security_headers(served: HubProcess, path: str) -> None:
    headers = served.get(path)[2]
    assert headers["content-security-policy"] == CSP
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_the_policy_allows_nothing_unsafe() -> None:
    assert "unsafe" not in CSP
    assert CSP.startswith("default-src 'none'; script-src 'self';")


def test_a_file_that_has_changed_is_seen_at_once(tmp_path: Path) -> None:
    page = tmp_path / "page.js"
    page.write_text("let old;")
    first = cached_file_response(str(page), page.stat(), Headers())
    assert (first.body, first.headers["cache-control"]) == (b"let old;", "no-cache")
    asked = Headers({"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert cached_file_response(str(page), page.stat(), asked).status_code == 304
    page.write_text("let changed;")
    again = cached_file_response(str(page), page.stat(), asked)
    assert (again.status_code, again.body) == (200, b"let changed;")
    assert again.headers["content-type"].startswith("text/javascript")

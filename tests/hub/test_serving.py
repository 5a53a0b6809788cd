"""A real hub on loopback, real sockets, a real store."""

import asyncio
import json
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.hub.serving import (
    HOST_TOKEN,
    SUBPROTOCOLS,
    HubProcess,
    counts_of,
    dialled,
    joined,
    running_hub_process,
)
from tests.servers import RedisServer, running_redis, until
from websockets.exceptions import InvalidStatus

PHONE = "phone-token-phone-token-phone"


BOOKS = {"north_south": 8, "east_west": 5}
HAND: dict[str, Any] = {"game": 1, "hand": 1, "revision": 99, "part": {"books": BOOKS}}

# ── a game ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_a_hand_is_entered_on_a_phone_and_seen_on_every_screen(served: HubProcess, subprotocol: str) -> None:
    table = served.open_table()
    code = table["code"]
    async with (
        joined(served, code, HOST_TOKEN) as host,
        joined(served, code, table["player_token"], subprotocol=subprotocol) as phone,
        joined(served, code, subprotocol=subprotocol) as screen,
    ):
        claimed = await phone.do("claim_seat", seat="west", name="Wes", token=PHONE)
        assert claimed["type"] == "done"
        assert (await phone.until("welcome"))["role"] == "player"
        await host.do("start_game", game=1)
        entered = await phone.do("enter_hand", **HAND)
        assert (entered["type"], entered["version"]) == ("done", 4)
        for client in (host, phone, screen):
            await client.reach(4)
        assert host.view == phone.view == screen.view
        assert screen.view is not None
        assert [hand["entry"]["books"] for hand in screen.view["hands"]] == [BOOKS]
        async with joined(served, code) as late:
            assert late.view == screen.view


async def test_a_cmd_sent_again_gets_its_first_answer(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host:
        first = await host.do("start_game", cmd="start", game=1)
    async with joined(served, code, HOST_TOKEN) as host:
        again = await host.do("start_game", cmd="start", game=1)
    assert (again["version"], again["repeated"]) == (first["version"], True)


async def test_a_stale_correction_is_a_conflict_with_the_hand_as_recorded(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host:
        await host.do("start_game", game=1)
        await host.do("enter_hand", **HAND)
        late = {**HAND, "revision": 2, "part": {"books": {"north_south": 7, "east_west": 6}}}
        refused = await host.do("enter_hand", **late)
    assert (refused["code"], refused["retry"]) == ("conflict", False)
    assert refused["current"]["scored"]["entry"]["books"] == BOOKS


async def test_a_preview_is_answered_by_id(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host:
        await host.do("start_game", game=1)
        await host.send({"type": "preview", "id": "p1", "command": {"type": "enter_hand", **HAND}})
        shown = await host.until("preview", id="p1")
        assert shown["hand"]["entry"]["books"] == BOOKS
        await host.send({"type": "preview", "id": "p2", "command": {"type": "start_game", "game": 9}})
        assert (await host.until("refused", cmd="p2"))["code"] == "conflict"


# ── resuming ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_comes_back_gets_what_it_missed(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host, joined(served, code) as screen:
        await host.do("start_game", game=1)
        await screen.reach(2)
        at = screen.at
        await host.do("enter_hand", **HAND)
        async with joined(served, code, back_from=screen, at=at) as back:
            assert (await back.receive())["type"] == "event"
        await screen.reach(3)
        assert back.view == screen.view
        async with joined(served, code, back_from=screen) as back:
            assert (await back.receive())["type"] in {"watching", "beat"}, "nothing was missed"
        async with joined(served, code, back_from=screen, at={"epoch": 1, "version": 2, "last": "fork"}) as back:
            assert (await back.receive())["type"] == "rewound", "what it showed is in no log"
            assert (await back.receive())["type"] == "snapshot"


async def test_the_path_may_carry_the_code(served: HubProcess, code: str) -> None:
    async with dialled(served, path=f"/ws/{code}") as screen:
        await screen.send({"type": "hello", "room": code})
        assert (await screen.receive())["type"] == "welcome"


async def test_sync_brings_the_newest_snapshot(served: HubProcess, code: str) -> None:
    async with joined(served, code) as screen:
        before = screen.at
        await screen.send({"type": "sync"})
        await screen.until("snapshot")
        assert screen.at == before


# ── who may not ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_spectators_only_watch(served: HubProcess, code: str) -> None:
    async with joined(served, code) as screen:
        assert (await screen.do("start_game", game=1))["code"] == "read_only"


@pytest.mark.parametrize("token", [None, "wrong-token-wrong-token-wrong"])
async def test_an_unknown_room_and_a_wrong_token_look_alike(served: HubProcess, code: str, token: str | None) -> None:
    endings = []
    for room in ("AAAAAAA", code if token else "nonsense"):
        async with dialled(served) as client:
            await client.send({"type": "hello", "room": room, "token": token})
            endings.append((await client.closed(), client.heard))
    assert endings[0] == endings[1]
    assert endings[0][0] == (3502, {"type": "bye", "code": "not_found", "reconnect_in": None})


async def test_without_an_origin_a_token_is_needed(served: HubProcess, code: str) -> None:
    for room in (code, "AAAAAAA"):  # it is told of no code whether there is such a table
        async with dialled(served, origin=False) as client:
            await client.send({"type": "hello", "room": room})
            bye = {"type": "bye", "code": "token_or_origin_needed", "reconnect_in": None}
            assert (await client.closed(), client.heard) == ((3501, bye), [bye])
    async with joined(served, code, HOST_TOKEN, origin=False) as host:
        assert host.heard[0]["role"] == "host"


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "https://127.0.0.1", "file://", "http://127.0.0.1:1", "http://["]
)
async def test_pages_of_other_origins_are_turned_away(served: HubProcess, origin: str) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        async with dialled(served, origin=origin):
            pass


async def test_an_unknown_subprotocol_is_turned_away(served: HubProcess) -> None:
    with pytest.raises(InvalidStatus, match="400"):
        async with dialled(served, subprotocol="bookboard.v9.xml"):
            pass


# ── what is not a message ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
@pytest.mark.parametrize(
    "payload", ["no json", b"\x00\xff", "[]", '{"type":"hello","room":"X"}', "\N{PLAYING CARD BACK}", b"\x81\xa4type"]
)
async def test_only_the_one_who_talks_nonsense_is_closed(
    served: HubProcess, code: str, subprotocol: str, payload: str | bytes
) -> None:
    async with joined(served, code) as screen:
        async with joined(served, code, subprotocol=subprotocol) as client:
            await client._socket.send(payload)  # noqa: SLF001 - what a client cannot send by itself
            ended, bye = await client.closed()
        assert ended == 3500
        assert bye == {"type": "bye", "code": "malformed", "reconnect_in": None}
        await screen.send({"type": "sync"})
        await screen.until("snapshot")


async def test_text_that_is_no_utf8_is_malformed(served: HubProcess, code: str) -> None:
    async with joined(served, code) as client:
        await client._socket.send(b"\xff\xfe", text=True)  # noqa: SLF001
        assert (await client.closed())[0] == 3500


async def test_a_message_past_16_kib_is_too_big(served: HubProcess, code: str) -> None:
    async with joined(served, code) as client:
        await client._socket.send("x" * (16 * 1024 + 1))  # noqa: SLF001
        assert (await client.closed())[0] == 1009


async def test_a_hello_is_the_first_message(served: HubProcess) -> None:
    async with dialled(served) as client:
        await client.send({"type": "sync"})
        assert (await client.closed())[0] == 3500


async def test_who_says_nothing_is_closed(served: HubProcess) -> None:
    async with dialled(served) as client:
        assert (await client.closed())[0] == 3005


async def test_too_many_messages_are_refused_and_then_closed(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host:
        for number in range(300):
            await host.send({"type": "do", "cmd": f"c{number}", "command": {"type": "start_game", "game": 1}})
        assert (await host.closed())[0] == 3004
        codes = [message.get("code") for message in host.heard if message["type"] == "refused"]
        assert codes.count("too_fast") > 100


# ── the life of a hub ────────────────────────────────────────────────────────────────────────────────────────────


async def test_after_kill_9_everything_that_was_acknowledged_is_there(tmp_path: Path) -> None:
    with running_hub_process(tmp_path / "a folder with spaces") as hub:
        code = hub.open_table()["code"]
        async with joined(hub, code, HOST_TOKEN) as host:
            await host.do("start_game", game=1)
            done = await host.do("enter_hand", cmd="hand", **HAND)
            await host.reach(done["version"])
        before, at = host.view, host.at
        hub.kill()
        hub.start()
        async with joined(hub, code, HOST_TOKEN) as host:
            assert host.view == before
            assert host.at == at
            again = await host.do("enter_hand", cmd="hand", **HAND)
            assert (again["version"], again["repeated"]) == (3, True)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with running_redis(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


async def test_two_hubs_on_one_redis_are_one(tmp_path: Path, redis: RedisServer) -> None:
    with (
        running_hub_process(tmp_path / "one", "--redis", redis.url) as one,
        running_hub_process(tmp_path / "two", "--redis", redis.url) as two,
    ):
        code = one.open_table()["code"]
        async with joined(one, code, HOST_TOKEN) as host, joined(two, code, HOST_TOKEN) as far:
            await far.do("start_game", game=1)
            hands = (host.do("enter_hand", cmd="hand", **HAND), far.do("enter_hand", cmd="hand", **HAND))
            answers = await asyncio.gather(*hands)
            assert sorted(answer["repeated"] for answer in answers) == [False, True]
            assert {answer["version"] for answer in answers} == {3}
            await host.reach(3)
            await far.reach(3)
            assert host.view == far.view


async def test_the_store_lost_and_found(tmp_path: Path, redis: RedisServer) -> None:
    with running_hub_process(tmp_path / "one", "--redis", redis.url) as hub:
        code = hub.open_table()["code"]
        async with joined(hub, code, HOST_TOKEN) as host:
            redis.kill()
            refused = await host.do("start_game", cmd="start", game=1)
            assert (refused["code"], refused["retry"]) == ("unavailable", True)
            await host.has_heard("status", store="readonly")
            assert hub.get("/readyz")[0] == 503
            assert hub.get("/healthz")[0] == 200
            redis.start()
            await host.until("status", store="ok")
            assert (await host.do("start_game", cmd="start", game=1))["type"] == "done"


async def test_a_hub_is_not_ready_while_hands_cannot_be_committed_or_kept(tmp_path: Path, redis: RedisServer) -> None:
    async with Redis.from_url(redis.url, protocol=2) as raw:
        with running_hub_process(tmp_path / "one", "--redis", redis.url) as hub:
            for right in ("xadd", "spublish", "evalsha"):
                await raw.acl_setuser("default", enabled=True, nopass=True, commands=["+@all", f"-{right}"])
                await until(lambda: hub.get("/readyz")[0] == 503)
                await raw.acl_setuser("default", enabled=True, nopass=True, commands=["+@all"])
                await until(lambda: hub.get("/readyz")[0] == 200)
            await raw.config_set("maxmemory", "1gb")
            await raw.config_set("maxmemory-policy", "allkeys-lru")
            await until(lambda: hub.get("/readyz")[0] == 503)
            assert b"set noeviction" in hub.get("/readyz")[1]


async def test_no_table_is_opened_in_a_store_that_is_nearly_full(tmp_path: Path, redis: RedisServer) -> None:
    opening = {"name": "T", "host_name": "H", "key": "spades", "settings": {}, "host_token": HOST_TOKEN}
    async with Redis.from_url(redis.url, protocol=2) as raw:
        with running_hub_process(tmp_path / "one", "--redis", redis.url) as hub:
            hub.open_table()
            await raw.config_set("maxmemory", (await raw.info("memory"))["used_memory"] * 100 // 95)
            status, told, _ = hub.get("/api/tables", opening)
            assert (status, json.loads(told)["code"]) == (503, "server_full")


async def test_who_is_served_when_the_hub_goes_down_is_told_when_to_come_back(tmp_path: Path) -> None:
    with running_hub_process(tmp_path) as hub:
        code = hub.open_table()["code"]
        async with joined(hub, code, HOST_TOKEN) as host:
            stopping = asyncio.get_running_loop().run_in_executor(None, hub.stop)
            ended, bye = await host.closed()
            assert await stopping == 0
    assert ended == 3000
    assert bye is not None
    assert bye["code"] == "restarting"
    assert 0 < bye["reconnect_in"] < 5000
    assert "Traceback" not in hub.log.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGUSR1")
async def test_a_hub_that_is_asked_counts_what_a_leak_would_show_in(tmp_path: Path) -> None:
    with running_hub_process(tmp_path) as hub:
        before = counts_of(hub)
        assert (before.connections, before.rooms) == (0, 0)
        code = hub.open_table()["code"]
        async with joined(hub, code, HOST_TOKEN), joined(hub, code):
            during = counts_of(hub)
            assert (during.connections, during.rooms) == (2, 1)
            assert during.tasks > before.tasks
            assert "screens: {'watch': 2}" in hub.log.read_text()
        await until(lambda: counts_of(hub).connections == 0 and counts_of(hub).tasks <= before.tasks)


async def test_a_reader_that_does_not_read_holds_nobody_up(served: HubProcess, code: str) -> None:
    async with joined(served, code, HOST_TOKEN) as host:
        with socket.create_connection(("127.0.0.1", served.port)) as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            head = f"GET /ws HTTP/1.1\r\nHost: {served.at}\r\nOrigin: http://{served.at}\r\n"
            head += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            stalled.sendall(f"{head}Sec-WebSocket-Protocol: bookboard.v1.json\r\n{key}\r\n".encode())
            assert stalled.recv(1000).startswith(b"HTTP/1.1 101")
            hello = json.dumps({"type": "hello", "room": code}).encode()
            stalled.sendall(bytes((0x81, 0x80 | len(hello), 0, 0, 0, 0)) + hello)
            for turn in range(30):
                answer = await host.do("claim_seat", seat=("west", "east")[turn % 2], name="W" * 40)
                await asyncio.sleep(0.1)
                assert answer["type"] == "done"


def test_a_stop_waits_for_nobody_who_has_sent_half_a_request(tmp_path: Path) -> None:
    halves = [b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", b"GET /api/he", b""]
    with running_hub_process(tmp_path) as hub, ExitStack() as opened:
        for half in halves * 2:
            client = opened.enter_context(socket.create_connection(("127.0.0.1", hub.port)))
            client.sendall(half)
        assert hub.get("/api/here")[0] == 200  # what came before that has been read
        assert hub.stop() == 0
        # uvicorn cuts off whoever has not ended after its time for that, and logs a traceback for each.
        assert "Traceback" not in hub.log.read_text()


def test_a_client_that_has_said_all_it_wants_is_answered(tmp_path: Path) -> None:
    with running_hub_process(tmp_path) as hub:
        for path in ("/api/here", "/healthz", "/"):
            with socket.create_connection(("127.0.0.1", hub.port)) as client:
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
                client.shutdown(socket.SHUT_WR)
                with client.makefile("rb") as answer:
                    assert b" 200 " in answer.readline()
        body = json.dumps({"text": "a long text " * 50}).encode()  # drawn beside the loop
        head = f"POST /api/qr HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", hub.port)) as client:
            client.sendall(head.encode() + body)
            client.shutdown(socket.SHUT_WR)
            with client.makefile("rb") as answer:
                assert answer.read().endswith(b"</svg>")

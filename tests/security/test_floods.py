"""Nobody costs more than they weigh: neither the loop nor memory nor a place for longer than it takes."""

import json
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pytest
from tests.hub.serving import HOST_TOKEN, SUBPROTOCOLS, HubProcess, dialled, joined
from tests.security.raw import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    answer_to,
    connection,
    frame,
    handshake,
    hello,
    pour,
    request,
    websocket,
)

from bookboard.hub.endpoints.requests import MESSAGES_BURST, MESSAGES_PER_SECOND
from bookboard.protocol.codecs import MSGPACK, Malformed
from bookboard.room.corrections import HANDS_A_MESSAGE

MEGABYTE = 1_000_000
HELD_UP_S = 1.0
PATIENCE_S = 60
"""For what takes 10 s where nothing else runs."""
MANY = 60
RECORD = {"name": "x", "host_name": "x", "host_token": HOST_TOKEN}


@contextmanager
def waits(hub: HubProcess) -> Iterator[list[float]]:
    """How long the hub computes while others wait for an answer, in s, whatever else this machine has to do."""
    taken: list[float] = []
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            before = computed_s(hub)
            assert hub.get("/healthz")[0] == 200
            taken.append(computed_s(hub) - before)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield taken
    finally:
        is_over.set()
        asking.join()


def computed_s(hub: HubProcess) -> float:
    """The time that the hub's main thread, where its loop runs, has had of a processor."""
    assert hub.process is not None
    return int(Path(f"/proc/{hub.process.pid}/schedstat").read_text().split()[0]) / 1e9


# ── what a connection can make the loop do ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "frames",
    [
        frame(b"x", PONG) * 5000,
        frame(b"x", PING) * 5000,
        frame(b"x" * 125, PING) * 500,
        frame(b"", fin=False) + frame(b"", CONTINUATION, fin=False) * 5000,
        frame("{}") * 5000,
        frame('{"type":"sync"}') * 2000,
    ],
    ids=["pongs", "pings", "long pings", "empty fragments", "messages", "syncs"],
)
@pytest.mark.parametrize("says_hello", [False, True])
def test_a_flood_of_frames_is_cut_off_and_holds_nobody_up(
    hub: HubProcess, code: str, frames: bytes, *, says_hello: bool
) -> None:
    with waits(hub) as taken, websocket(hub) as flood:
        if says_hello:
            flood.sendall(hello(code))
        assert pour(flood, frames, most=20 * MEGABYTE) < 20 * MEGABYTE
    assert max(taken) < HELD_UP_S


@pytest.mark.parametrize(
    ("head", "data"),
    [
        ("Transfer-Encoding: chunked", b"1\r\na\r\n" * 20_000),
        ("Transfer-Encoding: chunked", b"8000\r\n" + b"a" * 0x8000 + b"\r\n"),
        ("Content-Length: 99999999999", b"a" * 50_000),
    ],
    ids=["tiny chunks", "large chunks", "an endless body"],
)
@pytest.mark.parametrize("line", ["POST /api/tables", "GET /"])
def test_a_flood_in_a_body_is_cut_off_and_holds_nobody_up(hub: HubProcess, line: str, head: str, data: bytes) -> None:
    with waits(hub) as taken, connection(hub, request(hub, line, head)) as flood:
        assert pour(flood, data, most=40 * MEGABYTE) < 40 * MEGABYTE
    assert max(taken) < HELD_UP_S


def test_a_reader_that_does_not_read_is_read_no_more(hub: HubProcess, code: str) -> None:
    with websocket(hub) as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.sendall(hello(code))
        stalled.settimeout(1)
        assert pour(stalled, frame('{"type":"sync"}'), most=MEGABYTE) < MEGABYTE
    assert resident_mb(hub) < 150


def resident_mb(hub: HubProcess) -> float:
    assert hub.process is not None
    status = Path(f"/proc/{hub.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@pytest.mark.parametrize(
    "payload",
    [b"\xdc\x40\x00" * 5461, b"\xdd\x00\x00\x40\x00" * 3276, b"\xdc\x02\x00" * 5461, b"\xde\x40\x00\xa1a" * 3000],
    ids=["lists", "long lists", "allowed lists", "mappings"],
)
def test_announced_lengths_take_no_room(payload: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(Malformed):
        MSGPACK.decode(payload)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * MEGABYTE


def test_a_long_qr_code_holds_nobody_up(hub: HubProcess) -> None:
    with waits(hub) as taken, ThreadPoolExecutor(8) as at_once:
        answers = set(at_once.map(lambda number: hub.get("/api/qr", {"text": "x" * 296 + str(number)})[0], range(60)))
    assert answers <= {200, 429}
    assert max(taken) < HELD_UP_S


# ── what a connection can keep ───────────────────────────────────────────────────────────────────────────────────


def test_who_takes_too_long_is_closed(hub: HubProcess) -> None:
    """Slow heads, slow bodies and silent sockets, all at once."""

    def trickle(first: bytes) -> float:
        started = time.monotonic()
        with connection(hub, first) as slow:
            slow.settimeout(1)
            while time.monotonic() - started < PATIENCE_S:
                try:
                    slow.sendall(b"a")
                    if not slow.recv(4096):
                        break
                except TimeoutError:
                    continue
                except ConnectionError:
                    break
        return time.monotonic() - started

    slow = [
        b"",
        b"GET / HTTP/1.1\r\n",
        b"GET / HTTP/1.1\r\nX: ",
        request(hub, "POST /api/tables", "Content-Length: 9999"),
        request(hub, "GET /", "Content-Length: 9999"),
        handshake(hub)[:-2] + b"X: ",
        handshake(hub),
    ]
    with ThreadPoolExecutor(len(slow)) as at_once:
        assert max(at_once.map(trickle, slow)) < PATIENCE_S


@pytest.mark.parametrize(
    "header",
    ["Content-Length: 5", "X: " + "a" * 9000, *["\r\n".join(f"X-{number}: y" for number in range(200))]],
    ids=["a body", "a long header", "many headers"],
)
def test_a_handshake_that_is_none_is_answered_and_closed(hub: HubProcess, header: str) -> None:
    assert answer_to(hub, handshake(hub, f"Origin: http://{hub.at}", header)).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("hosts", [b"", b"Host: one\r\nHost: two\r\n"], ids=["no host", "two hosts"])
def test_a_handshake_names_one_host(hub: HubProcess, hosts: bytes) -> None:
    line, _, rest = handshake(hub, "X: y").partition(b"\r\n")
    assert answer_to(hub, line + b"\r\n" + hosts + rest.partition(b"\r\n")[2]).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("cut", [1, 20, -3, -1])
def test_a_handshake_may_come_in_pieces(hub: HubProcess, cut: int) -> None:
    whole = handshake(hub)
    with connection(hub, whole[:cut]) as made:
        time.sleep(0.05)
        made.sendall(whole[cut:])
        assert made.recv(4096).startswith(b"HTTP/1.1 101")


def test_a_handshake_may_come_after_a_request(hub: HubProcess) -> None:
    with connection(hub, request(hub, "HEAD /healthz")) as made:
        assert made.recv(4096).endswith(b"\r\n\r\n")
        made.sendall(handshake(hub))
        assert made.recv(4096).startswith(b"HTTP/1.1 101")


def test_what_follows_a_handshake_before_its_answer_is_no_frame(hub: HubProcess, code: str) -> None:
    with connection(hub, handshake(hub) + hello(code)) as made:
        assert made.recv(4096).startswith(b"HTTP/1.1 101")
        made.settimeout(0.5)
        with pytest.raises(TimeoutError):
            made.recv(4096)


# ── what breaks WebSocket, or the protocol ───────────────────────────────────────────────────────────────────────

SYNC = '{"type":"sync"}'
BROKEN: list[tuple[str, bytes, int]] = [
    ("no mask", frame(SYNC, masked=False), 1002),
    ("compressed", frame(SYNC, rsv=4), 1002),
    ("a reserved bit", frame(SYNC, rsv=1), 1002),
    ("a reserved opcode", frame(SYNC, 3), 1002),
    ("a fragmented ping", frame("x", PING, fin=False), 1002),
    ("a long ping", frame("x" * 126, PING), 1002),
    ("a continuation of nothing", frame("x", CONTINUATION), 1002),
    ("a message in a message", frame("x", fin=False) + frame("x"), 1002),
    ("too big", frame("x" * 16385), 1009),
    ("too big in fragments", frame("x" * 9000, fin=False) + frame("x" * 9000, CONTINUATION), 1009),
    ("a length of 2^62", bytes((0x81, 0xFF)) + (2**62).to_bytes(8, "big") + bytes(4), 1009),
    ("half a close code", frame(b"\x03", CLOSE), 1002),
    ("a close code that is none", frame((999).to_bytes(2, "big"), CLOSE), 1002),
    ("no UTF-8", frame(b"\xff\xfe"), 3500),
    ("no UTF-8 in fragments", frame(b"\xe2", fin=False) + frame(b"(", CONTINUATION), 3500),
    ("binary frames of JSON", frame(SYNC, BINARY), 3500),
    ("a binary pong", frame('{"type":"pong"}', BINARY), 3500),
    ("nothing", frame(""), 3500),
    ("too deep", frame("[" * 16000), 3500),
    ("no number", frame('{"type":"hello","room":NaN}'), 3500),
    ("half a character", frame('{"type":"hello","room":"\\ud800"}'), 3500),
    ("a second hello", hello("AAAAAAA"), 3500),
]


@pytest.mark.parametrize(("name", "sent", "closed"), BROKEN, ids=[name for name, _, _ in BROKEN])
def test_what_is_no_message_closes_its_sender_alone(
    hub: HubProcess, code: str, name: str, sent: bytes, closed: int
) -> None:
    with websocket(hub) as client:
        client.sendall(hello(code) + sent)
        client.settimeout(15)
        heard = b""
        wanted = closed.to_bytes(2, "big")
        while heard.rpartition(b"\x88")[2][1:3] != wanted:
            data = client.recv(65536)
            assert data, f"{name}: closed without {closed}: {heard[-80:]!r}"
            heard += data


async def test_text_on_messagepack_is_malformed(hub: HubProcess, code: str) -> None:
    async with dialled(hub, subprotocol=SUBPROTOCOLS[1]) as client:
        await client._socket.send(json.dumps({"type": "hello", "room": code}))  # noqa: SLF001
        assert (await client.closed())[0] == 3500


@pytest.mark.parametrize(
    "value",
    [msgpack.ExtType(5, b"x"), msgpack.Timestamp(1), 2**63, float("nan"), {1: 2}, b"bytes", -(2**60)],
    ids=str,
)
async def test_values_that_json_does_not_have_are_malformed(hub: HubProcess, code: str, value: object) -> None:
    async with joined(hub, code, subprotocol=SUBPROTOCOLS[1]) as client:
        part = {"bids": {"west": value}}
        await client.send({"type": "do", "cmd": "c", "command": {"type": "note_hand", "game": 1, "part": part}})
        assert (await client.closed())[0] == 3500


async def test_commands_past_what_people_can_make_are_refused_and_then_closed(hub: HubProcess, code: str) -> None:
    async with joined(hub, code, HOST_TOKEN) as host:
        for number in range(280):
            await host.send({"type": "do", "cmd": f"c{number}", "command": {"type": "start_game", "game": 1}})
        assert (await host.closed())[0] == 3004


# ── what HTTP can be made to do ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path",
    [
        "/js/../../../etc/passwd",
        "/js/%2e%2e/%2e%2e/etc/passwd",
        "/js/..%5c..%5cetc",
        "/js/%00",
        "/js/%ff",
        "//js//etc/passwd",
        "http://evil.example/",
        "*",
        "/js/" + "a" * 5000,
        "/api/tables/AAAA%0d%0aX-Evil:%201/record",
        "/api/tables/%ED%A0%80/record",
    ],
)
def test_no_path_leads_out(hub: HubProcess, path: str) -> None:
    answer = answer_to(hub, request(hub, f"GET {path}", "Connection: close"))
    assert answer.startswith(b"HTTP/1.1 404"), answer
    assert b"x-evil" not in answer.lower()
    assert b"content-security-policy" in answer


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "BREW"])
def test_other_methods_do_nothing(hub: HubProcess, method: str) -> None:
    for path in ("/", "/api/tables", "/api/qr", "/js/nothing.js"):
        answer = answer_to(hub, request(hub, f"{method} {path}", "Connection: close", "Content-Length: 0"))
        assert answer.split(b" ")[1] in ({b"200", b"405", b"404"} if method == "HEAD" else {b"405"})
        assert method != "TRACE" or b"Host:" not in answer


@pytest.mark.parametrize(
    "sent",
    [
        lambda hub: request(
            hub, "POST /api/qr", "Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\nGET /"
        ),
        lambda hub: request(hub, "POST /api/qr", "Transfer-Encoding: chunked", body=b"zz\r\n"),
        lambda hub: request(hub, "POST /api/qr", "Content-Length: -1"),
        lambda hub: request(hub, "GET /", "X: " + "a" * 100_000),
        lambda hub: request(hub, "GET /", "Host: evil.example"),
        lambda _: b"GET / HTTP/1.1\r\n\r\n",
        lambda _: b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    ],
    ids=["smuggled", "a bad chunk", "a negative length", "a large head", "two hosts", "no host", "TLS"],
)
def test_what_is_no_request_is_refused_and_closed(hub: HubProcess, sent: Callable[[HubProcess], bytes]) -> None:
    assert answer_to(hub, sent(hub)).split(b" ")[1] in {b"400", b"411"}


def test_who_leaves_in_the_middle_of_a_body_is_no_exception(hub: HubProcess) -> None:
    with connection(hub, request(hub, "POST /api/tables", "Content-Length: 100", body=b"{")):
        pass


@pytest.mark.parametrize(
    ("sheet", "status"),
    [
        ("game,spades\r\nname,north_south," + "[" * 9_000 + "\r\nhand\r\n", 422),
        ("game,spades\r\nname,north_south," + "[" * 60_000 + "\r\nhand\r\n", 400),
        ("settings,5\nsetting,nil,5\nhand\n", 422),
        ("game,spades\r\nhand," + "a," * 60_000 + "\r\n" + "1," * 60_000, 422),
    ],
    ids=["a deep cell", "a cell of brackets", "settings that are a number", "a row without end"],
)
def test_a_hostile_sheet_is_malformed(hub: HubProcess, sheet: str, status: int) -> None:
    answered, body, _ = hub.get("/api/tables/import", {**RECORD, "sheet": sheet})
    assert (answered, json.loads(body)["code"]) == (status, "malformed")


@pytest.mark.parametrize(
    "value", [b"{}," * 80_000 + b"{}", b"[[[[[]]]]]," * 22_000 + b"[]"], ids=["many mappings", "nested lists"]
)
def test_a_body_of_nothing_but_brackets_is_refused_before_it_is_decoded(hub: HubProcess, value: bytes) -> None:
    answers = [hub.get("/api/tables/import", b'{"a":[' + value + b"]}")[0] for _ in range(30)]
    assert set(answers) == {400, 429}, "its bytes are paid for, and so is what is not understood"
    assert answers[0] == 400


# ── what players can ask for ─────────────────────────────────────────────────────────────────────────────────────


async def test_scoring_a_long_game_anew_counts_as_many_messages(hub: HubProcess) -> None:
    books = [{"north_south": 7, "east_west": 6}, {"north_south": 6, "east_west": 7}]
    hands = [{"bids": {"north_south": 7, "east_west": 7}, "books": books[number % 2]} for number in range(200)]
    settings = {"score_limit": 5000, "first_hand_bids_itself": False}
    record = {"format": 1, "game": "spades", "settings": settings, "hands": hands}
    status, body, _ = hub.get("/api/tables/import", {**RECORD, "record": record})
    assert status == 201, body
    entry = {"bids": {"north_south": 6, "east_west": 7}, "books": books[0]}
    async with joined(hub, json.loads(body)["code"], HOST_TOKEN) as host:
        started = time.monotonic()
        for number in range(MANY):
            command = {"type": "correct_hand", "game": 1, "hand": 1, "revision": 2**40, "entry": entry}
            await host.send({"type": "preview", "id": f"{number}", "command": command})
        answers: list[str] = []
        while len(answers) < MANY:
            message = await host.receive()
            if message["type"] in {"preview", "refused"}:
                answers.append(message.get("code", "shown"))
        paid_for = MESSAGES_BURST + MESSAGES_PER_SECOND * (time.monotonic() - started)
        assert answers.count("shown") >= 3
        assert answers.count("shown") * len(hands) / HANDS_A_MESSAGE <= paid_for
        assert set(answers) <= {"shown", "too_fast"}

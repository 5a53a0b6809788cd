"""What nobody thought of: random and spoiled input to codecs, records and HTTP. `make fuzz` looks longer.

Of `corpus/`, `*.json` and `*.msgpack` are messages, `*.csv` sheets, `*.record.json` game records, each of which was or
might have been trouble.
"""

import asyncio
import json
import logging
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.hub.memory_store import MemoryStore
from tests.security.conftest import fuzzed

from bookboard.catalogue import KINDS
from bookboard.config import Config
from bookboard.hub.endpoints.app import make_app
from bookboard.hub.endpoints.context import HubContext, Message
from bookboard.hub.live.clock import StoreClock
from bookboard.hub.live.rooms import Rooms
from bookboard.hub.wire.throttle import Bucket, PerAddress
from bookboard.log.refusals import Refusal
from bookboard.protocol.codecs import CODECS, JSON, MAX_MESSAGE_BYTES, MSGPACK, Codec, Malformed
from bookboard.protocol.messages import FromClient
from bookboard.room.events import Recorded, TableOpened
from bookboard.room.evolve import evolve
from bookboard.room.importing import events_of, opening_of
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.rules.model import RecordError
from bookboard.rules.record import score_record
from bookboard.rules.spreadsheet import read_sheet, write_sheet
from bookboard.tables.serialization import encode_state

CORPUS = Path(__file__).parent / "corpus"
MEGABYTE = 1_000_000


def corpus(*patterns: str) -> list[Path]:
    return [path for pattern in patterns for path in sorted(CORPUS.glob(pattern))]


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────

WORDS = st.sampled_from(
    """
    type hello do preview sync pong cmd id command room token resume epoch version last part entry bids books west
    north_south east_west game hand revision note_hand enter_hand correct_hand claim_seat set_rules settings seat name
    nil blind_nil reneges allowed hands players format names spades pack bid_whist time_expired_after
    """.split()  # noqa: SIM905 - fifty words
)
TEXTS = WORDS | st.text(max_size=8)
NUMBERS = (
    st.integers(-3, 20)
    | st.sampled_from([2**31, 2**40, 2**40 + 1, 2**53 - 1, 2**53, 2**63, 2**64 - 1, -(2**53), -(2**63)])
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=16,
)
COMMANDS: dict[str, dict[str, Any]] = {
    "claim_seat": {"seat": "west", "name": "Wes", "token": "t" * 22, "replace": True},
    "name_sides": {"names": {"north_south": "Owls"}},
    "set_rules": {"game": 1, "key": "pack", "settings": {"target": 5}, "players": ["A", "B", "C"]},
    "note_hand": {"game": 1, "hand": 1, "revision": 1, "part": {"bids": {"west": 4, "east": None}}},
    "enter_hand": {"game": 1, "hand": 1, "revision": 1, "part": {"books": {"north_south": 8}}, "reason": "x"},
    "correct_hand": {"game": 1, "hand": 1, "revision": 1, "entry": {"reneges": ["north"]}},
    "extend_clock": {"game": 1, "minutes": 5, "revision": 1},
}
MESSAGES: list[dict[str, Any]] = [
    {"type": "sync"},
    {"type": "hello", "room": "K7F4MPQ", "token": "t" * 22, "resume": {"epoch": 1, "version": 2, "last": "x"}},
    *({"type": "do", "cmd": "c", "command": {"type": kind, **members}} for kind, members in COMMANDS.items()),
    *({"type": "preview", "id": "p", "command": {"type": kind, **members}} for kind, members in COMMANDS.items()),
]
RECORDS: list[dict[str, Any]] = [
    {
        "game": "spades",
        "settings": {"time_limit_minutes": 60},
        "hands": [{"books": {"north_south": 8, "east_west": 5}}],
    },
    {"game": "pack", "players": ["A", "B", "C"], "hands": [{"cards": {"A": 3, "B": 0, "C": 1}, "declarer": "A"}]},
    {"game": "bid_whist", "hands": [], "names": {"north_south": "Owls"}, "ended_by_host": True},
]


@st.composite
def spoiled(draw: st.DrawFn, wholes: list[dict[str, Any]]) -> Any:
    """One of these with some of its values replaced, dropped or added to."""
    whole = json.loads(json.dumps(draw(st.sampled_from(wholes))))
    for _ in range(draw(st.integers(0, 3))):
        inside = whole
        while isinstance(inside, dict | list) and inside:
            keys: list[Any] = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            key = draw(st.sampled_from(keys))
            if not isinstance(inside[key], dict | list) or not inside[key] or draw(st.booleans()):
                _spoil(draw, inside, key)
                break
            inside = inside[key]
    return whole


def _spoil(draw: st.DrawFn, inside: Any, key: Any) -> None:
    match draw(st.sampled_from(["replace", "drop", "add"])):
        case "replace":
            inside[key] = draw(VALUES)
        case "drop":
            del inside[key]
        case _ if isinstance(inside, dict):
            inside[draw(TEXTS)] = draw(VALUES)
        case _:
            inside.append(draw(VALUES))


# ── codecs ───────────────────────────────────────────────────────────────────────────────────────────────────────


def fate(payload: bytes, codec: Codec) -> FromClient | None:
    try:
        message: FromClient = codec.decode(payload)
    except Malformed:
        return None
    return message


def packed(value: object) -> bytes | None:
    """None for what MessagePack has no way to write."""
    try:
        written: bytes = msgpack.packb(value)
    except (OverflowError, UnicodeEncodeError):
        return None
    return written


@fuzzed
@given(spoiled(MESSAGES) | VALUES)
def test_both_codecs_accept_exactly_the_same(value: object) -> None:
    binary = packed(value)
    as_json = fate(json.dumps(value).encode(), JSON)
    assert as_json == (None if binary is None else fate(binary, MSGPACK))
    if as_json is not None:
        again = msgspec.to_builtins(as_json)
        assert fate(msgspec.json.encode(again), JSON) == fate(msgpack.packb(again), MSGPACK) == as_json


@fuzzed
@given(st.binary(max_size=400))
def test_noise_is_malformed_and_nothing_else(payload: bytes) -> None:
    for codec in CODECS:
        fate(payload, codec)


@fuzzed
@given(spoiled(MESSAGES), st.data())
def test_bytes_gone_wrong_are_malformed_or_what_the_other_codec_reads_as_well(
    value: object, data: st.DataObject
) -> None:
    for codec, written in ((JSON, json.dumps(value).encode()), (MSGPACK, packed(value) or b"")):
        at = data.draw(st.integers(0, len(written)))
        bad = written[:at] + data.draw(st.binary(max_size=4)) + written[at + data.draw(st.integers(0, 3)) :]
        message = fate(bad, codec)
        if message is not None:
            other = JSON if codec is MSGPACK else MSGPACK
            builtins = msgspec.to_builtins(message)
            assert fate(msgspec.json.encode(builtins) if other is JSON else msgpack.packb(builtins), other) == message


@pytest.mark.parametrize("path", corpus("*.msgpack", "*.json"), ids=lambda path: path.name)
def test_no_message_of_the_corpus_takes_much_memory(path: Path) -> None:
    payload = path.read_bytes()[:MAX_MESSAGE_BYTES]
    tracemalloc.start()
    for codec in CODECS:
        fate(payload, codec)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * MEGABYTE


@pytest.mark.parametrize("name", ["duplicate-key", "surrogate", "not-a-number"])
def test_what_one_codec_refuses_the_other_refuses(name: str) -> None:
    payloads = ((CORPUS / f"{name}.{codec}").read_bytes() for codec in ("json", "msgpack"))
    as_json, as_msgpack = (fate(payload, codec) for payload, codec in zip(payloads, CODECS, strict=True))
    assert as_json == as_msgpack


# ── game records and sheets ──────────────────────────────────────────────────────────────────────────────────────


def take_in(record: Any) -> None:
    """As at a table: refused, or played to the end, and no larger than its hands."""
    try:
        score_record(record)
    except RecordError:
        assert isinstance(opening_of(record, "Table", "Holly"), Refusal)
        return
    opening, events = opening_of(record, "Table", "Holly"), events_of(record)
    if not isinstance(opening, Opening) or not isinstance(events, list):
        return
    opened = open_table("K7F4MPQ", opening, Hashes("h", "i", "r"))
    if not isinstance(opened, TableOpened):
        return
    room = evolve(None, Recorded(1, "", 0, "", opened))
    for version, event in enumerate(events, 2):
        room = evolve(room, Recorded(version, "", 0, "", event))
    assert len(encode_state(room.state)) < 3000 + 3000 * len(room.state.game.hands)
    assert isinstance(read_sheet(write_sheet(record)), dict)


@fuzzed
@given(spoiled(RECORDS) | VALUES)
def test_a_record_is_refused_or_taken_in(record: object) -> None:
    take_in(record)


@pytest.mark.parametrize("path", corpus("*.record.json"), ids=lambda path: path.name)
def test_a_record_of_the_corpus_is_refused_or_taken_in(path: Path) -> None:
    take_in(json.loads(path.read_bytes()))


def read(text: str) -> None:
    try:
        record = read_sheet(text)
    except RecordError:
        return
    take_in(record)


@fuzzed
@given(st.lists(st.lists(TEXTS | VALUES.map(json.dumps), max_size=5), max_size=8), st.sampled_from(['"', ""]))
def test_a_sheet_is_malformed_or_read(rows: list[list[str]], quote: str) -> None:
    read("\n".join(",".join(quote + cell.replace('"', quote * 2) + quote for cell in row) for row in rows))


@fuzzed
@given(st.text(alphabet="hand,games\"'[]{}0=1\r\n\x00.", max_size=200))
@example("setting,nil\n'hand\nhand,")
def test_noise_is_no_sheet_or_one(text: str) -> None:
    read(f"game,spades\n{text}")


@pytest.mark.parametrize("path", corpus("*.csv"), ids=lambda path: path.name)
def test_a_sheet_of_the_corpus_is_malformed_or_read(path: Path) -> None:
    read(path.read_bytes().decode())


# ── HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────────────


Headers = list[tuple[bytes, bytes]]


class Inside:
    """A hub without sockets or throttles; what it raises, raises here."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._run = runner.run
        store = MemoryStore()
        self._rooms = Rooms(store, KINDS, StoreClock(lambda: store.time))
        self._run(self._rooms.start())
        context = HubContext(self._rooms, Config(), ["http://192.0.2.7:8000"])
        for throttle in ("calls", "failures", "openings"):
            setattr(context, throttle, PerAddress(lambda: Bucket(1e9, 1e9), Bucket(1e9, 1e9)))
        self._app = make_app(context)

    def stop(self) -> None:
        self._run(self._rooms.stop())

    def ask(self, method: str, path: str, query: str, headers: Headers, body: bytes) -> int:
        return self._run(self._ask(method, path, query, headers, body))

    async def _ask(self, method: str, path: str, query: str, headers: Headers, body: bytes) -> int:
        sent: list[Message] = []
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("192.0.2.9", 5),
            "server": ("192.0.2.7", 8000),
        }

        incoming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return incoming.pop() if incoming else await asyncio.Future()

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        status: int = sent[0]["status"]
        return status


@pytest.fixture(scope="module")
def inside() -> Iterator[Inside]:
    with asyncio.Runner() as runner:
        hub = Inside(runner)
        yield hub
        hub.stop()


OPENING = {"name": "T", "host_name": "H", "key": "spades", "settings": {"nil": 100}, "host_token": "t" * 22}
ABOUT = {"name": "T", "host_name": "H", "host_token": "t" * 22}
TAKEN_IN = [{**ABOUT, "record": record} for record in RECORDS] + [{**ABOUT, "sheet": "game,spades\nhand\n"}]
BODIES = (
    (spoiled([OPENING, {**OPENING, "key": "pack", "players": ["A", "B", "C"]}, *TAKEN_IN, {"text": "x"}])).map(
        lambda value: json.dumps(value).encode()
    )
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=60)
    | st.sampled_from([path.read_bytes() for path in corpus("*.json", "*.msgpack")])
)
PATHS = st.sampled_from(
    ["/api/tables", "/api/tables/import", "/api/qr", "/api/games", "/api/here", "/", "/t/x/play", "/js/x", "/healthz"]
) | TEXTS.map(lambda text: "/" + text)
HEADERS = st.lists(
    st.tuples(
        st.sampled_from([b"origin", b"host", b"authorization", b"if-none-match", b"range", b"content-type", b"cookie"]),
        st.binary(max_size=12) | st.sampled_from([b"Bearer x", b"bytes=0-1,5-", b"http://x", b"x", b"null"]),
    ),
    max_size=3,
)


CALLS = st.tuples(
    st.sampled_from(["GET", "POST", "HEAD", "PUT", "BREW"]),
    PATHS,
    st.text("game=1&fortcsv%\xe9²", max_size=9),
    HEADERS,
    BODIES,
)


@fuzzed
@given(CALLS)
def test_every_call_is_answered(inside: Inside, call: tuple[str, str, str, Headers, bytes]) -> None:
    assert inside.ask(*call) < 500


@fuzzed
@given(st.sampled_from(["/api/tables", "/api/tables/import", "/api/qr"]), BODIES)
def test_every_body_is_answered_and_nothing_is_logged(inside: Inside, path: str, body: bytes) -> None:
    heard: list[logging.LogRecord] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = heard.append  # type: ignore[method-assign, assignment]
    logging.getLogger().addHandler(handler)
    try:
        assert inside.ask("POST", path, "", [], body) in {200, 201, 400, 413, 422}
    finally:
        logging.getLogger().removeHandler(handler)
    assert heard == []

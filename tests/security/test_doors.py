"""Who may connect: origins, tokens, codes, and how often one may be wrong."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from tests.addresses import addresses
from tests.hub.serving import HOST_TOKEN, HubProcess, dialled, joined, running_hub_process
from tests.security.raw import answer_to, connection, handshake
from tests.servers import until

from bookboard.hub.endpoints.connection import REFUSED_AFTER_MANY_S
from bookboard.hub.endpoints.context import address_of
from bookboard.hub.live.ids import CODE_LENGTH, new_recovery_phrase, new_room_code, new_token
from bookboard.hub.wire.throttle import Bucket, PerAddress, failures, openings
from bookboard.log.actors import hash_token, is_strong
from bookboard.log.codes import CODE_ALPHABET

LONGER_THAN_A_GUESS_S, MAX_TRIES = 0.6, 20
"""A busy machine draws some answers out, not so many in a row."""

# ── origins ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "headers",
    [
        ("Origin: null",),
        ("Origin: http://evil.example",),
        ("Origin: http://{at}.evil.example",),
        ("Origin: http://{at}@evil.example",),
        ("Origin: http://evil.example/http://{at}",),
        ("Origin: http://{at}/",),
        ("Origin: http://{at}, http://evil.example",),
        ("Origin: ws://{at}",),
        ("Origin: ",),
        ("Origin: http://{at}", "Origin: http://evil.example"),
    ],
    ids=" ".join,
)
def test_an_origin_is_checked_before_anything_is_accepted(hub: HubProcess, headers: tuple[str, ...]) -> None:
    answer = answer_to(hub, handshake(hub, *(header.format(at=hub.at) for header in headers)))
    assert answer.split(b" ")[1] in {b"403", b"400"}


def test_no_cookie_is_set_and_none_lets_anybody_in(hub: HubProcess) -> None:
    answer = answer_to(hub, handshake(hub, "Origin: http://evil.example", f"Cookie: token={HOST_TOKEN}"))
    assert answer.startswith(b"HTTP/1.1 403")
    assert "set-cookie" not in hub.get("/")[2]


async def test_a_token_in_the_address_is_good_for_nothing(hub: HubProcess) -> None:
    private = hub.open_table()["code"]
    async with joined(hub, private, HOST_TOKEN) as host:
        await host.do("set_privacy", private=True)
    assert hub.get(f"/api/tables/{private}/record?token={HOST_TOKEN}")[0] == 404
    assert hub.get(f"/api/tables/{private}/record", Authorization=f"Basic {HOST_TOKEN}")[0] == 404


# ── tokens ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_tokens_and_phrases_have_128_random_bits_and_codes_30() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert all(is_strong(new_token()) and len(new_token()) == 22 for _ in range(100))
    assert len(new_recovery_phrase().split()) * 16 == 128
    assert len(CODE_ALPHABET) ** CODE_LENGTH > 2**30
    assert not set("01258IO") & set(CODE_ALPHABET)
    assert new_room_code() != new_room_code()


def test_a_token_is_known_by_its_hash_alone() -> None:
    assert HOST_TOKEN not in hash_token(HOST_TOKEN)
    assert len(hash_token(HOST_TOKEN)) == 64
    assert hash_token(HOST_TOKEN) != hash_token(HOST_TOKEN.upper())


# ── wrong guesses ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_unknown_and_forbidden_look_and_take_alike(hub: HubProcess) -> None:
    private = hub.open_table()["code"]
    async with joined(hub, private, HOST_TOKEN) as host:
        await host.do("set_privacy", private=True)

    async def refused(room: str, token: str | None) -> tuple[object, float]:
        addresses.move_on()
        async with dialled(hub) as client:
            started = time.monotonic()
            await client.send({"type": "hello", "room": room, "token": token})
            return (await client.closed(), client.heard), time.monotonic() - started

    tries = [(new_room_code(), None), (private, None), (private, "t" * 22), ("nonsense", None), (private.lower(), None)]
    ends = [await _as_long_as_a_guess(partial(refused, *one)) for one in tries]
    assert all(end == ends[0] for end in ends)

    async def refused_over_http(room: str) -> tuple[object, float]:
        addresses.move_on()
        started = time.monotonic()
        answer = await asyncio.to_thread(hub.get, f"/api/tables/{room}/record")
        return answer[:2], time.monotonic() - started

    unknown, forbidden = [
        await _as_long_as_a_guess(partial(refused_over_http, room)) for room in (new_room_code(), private)
    ]
    assert unknown == forbidden


async def _as_long_as_a_guess(refused: Callable[[], Awaitable[tuple[object, float]]]) -> object:
    """How it is refused each time: never sooner than the hub's own 0.3 s, nor later unless the machine was busy."""
    answers, shortest = list[object](), 1.0
    while len(answers) < 3 or (shortest > LONGER_THAN_A_GUESS_S and len(answers) < MAX_TRIES):
        answer, took = await refused()
        assert took > 0.29
        shortest = min(shortest, took)
        answers.append(answer)
    assert shortest <= LONGER_THAN_A_GUESS_S
    assert all(answer == answers[0] for answer in answers)
    return answers[0]


async def test_who_guesses_waits_and_who_knows_does_not(tmp_path: Path) -> None:
    with running_hub_process(tmp_path) as hub:
        code = hub.open_table()["code"]

        async def guess() -> float:
            async with dialled(hub) as client:
                started = time.monotonic()
                await client.send({"type": "hello", "room": new_room_code()})
                assert (await client.closed())[0] == 3502
                return time.monotonic() - started

        waits = asyncio.gather(*(guess() for _ in range(90)))
        await asyncio.sleep(1)
        taken = []
        for _ in range(20):
            started = time.monotonic()
            async with joined(hub, code):
                taken.append(time.monotonic() - started)
        assert statistics.median(taken) < REFUSED_AFTER_MANY_S / 2
        assert sum(wait > REFUSED_AFTER_MANY_S for wait in await waits) > 5


def test_ten_thousand_guesses_are_counted_for_an_address_and_together() -> None:
    throttle = failures()
    assert sum(throttle.take("192.0.2.1") for _ in range(10_000)) < 80
    assert sum(throttle.take(f"192.0.2.{number % 250}") for number in range(10_000)) < 1100


def test_an_address_that_was_quiet_may_be_wrong_again() -> None:
    now = 0.0
    throttle = PerAddress(lambda: Bucket(1, 60, lambda: now), Bucket(50, 1000, lambda: now))
    assert sum(throttle.take("192.0.2.1") for _ in range(100)) == 60
    now = 10
    assert sum(throttle.take("192.0.2.1") for _ in range(100)) == 10


def test_tables_are_opened_by_an_address_no_faster_than_venues_do() -> None:
    throttle = openings()
    assert sum(throttle.take("192.0.2.1") for _ in range(10_000)) < 210


@pytest.mark.parametrize(
    ("peers", "alike"),
    [
        (("2001:db8::1", "2001:db8::ffff:1"), True),
        (("2001:db8::1", "2001:db8:0:1::1"), False),
        (("::ffff:192.0.2.1", "192.0.2.1"), True),
        (("fe80::1%eth0", "fe80::2"), True),
        (("192.0.2.1", "192.0.2.2"), False),
    ],
    ids=str,
)
def test_an_ipv6_network_counts_as_one_address(peers: tuple[str, str], *, alike: bool) -> None:
    one, other = (address_of({"client": (peer, 1)}) for peer in peers)
    assert (one == other) is alike


@pytest.mark.parametrize("throttle", [failures, openings])
def test_hubs_that_share_a_port_share_what_an_address_may_do(throttle: Callable[[int], PerAddress]) -> None:
    alone, shares = throttle(1), [throttle(4) for _ in range(4)]
    taken = sum(alone.take("192.0.2.1") for _ in range(10_000))
    assert abs(sum(share.take("192.0.2.1") for share in shares for _ in range(2500)) - taken) < 8


async def test_an_address_that_is_everywhere_gets_no_more_places_where_that_is_asked_for(tmp_path: Path) -> None:
    with running_hub_process(tmp_path, "--most-per-address", "3") as hub:
        code = hub.open_table()["code"]
        async with joined(hub, code), joined(hub, code):
            async with joined(hub, code):
                assert answer_to(hub, handshake(hub)).startswith(b"HTTP/1.1 503")
                assert hub.get("/")[0] == 200
            await until(lambda: asyncio.to_thread(lambda: not _is_refused(hub)))


def _is_refused(hub: HubProcess) -> bool:
    with connection(hub, handshake(hub)) as made:
        return made.recv(12) == b"HTTP/1.1 503"


# ── proxies ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("options", "is_believed"), [((), False), (("--trust-proxy", "127.0.0.0/8"), True)])
def test_proxy_headers_are_believed_from_listed_proxies_only(
    tmp_path: Path, options: tuple[str, ...], *, is_believed: bool
) -> None:
    with running_hub_process(tmp_path, *options) as hub, ThreadPoolExecutor(40) as at_once:

        def wrong(number: int) -> int:
            header = {"X-Forwarded-For": f"203.0.113.{number}"}
            return hub.get(f"/api/tables/{new_room_code()}/record", **header)[0]

        answers = list(at_once.map(wrong, range(80)))
        assert (429 not in answers) is is_believed

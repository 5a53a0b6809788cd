"""How much one address can have the store keep."""

import asyncio
import json
import socket
import time
from pathlib import Path

import pytest
from tests.addresses import addresses
from tests.hub.serving import HOST_TOKEN, HubProcess, joined, running_hub_process
from tests.security.raw import all_of, connection, request

from bookboard.hub.endpoints.pace import APART_S, Pace

A_SECOND = 1000
SETTINGS = {"first_hand_bids_itself": False}


async def spam(hub: HubProcess, code: str) -> list[str]:
    """Notes a bid and another one in turn, as fast as they are taken, until one is refused for what it would fill."""
    heard = list[str]()
    async with joined(hub, code, HOST_TOKEN) as host:
        await host.do("start_game", game=1)
        assert host.view is not None
        hand = host.view["in_play"]["id"]
        while "stored_too_fast" not in heard and len(heard) < 2000:
            part = {"bids": {"west": 3 + len(heard) % 2}, "x" * 80: None}
            answer = await host.do("note_hand", game=1, hand=hand, revision=2**40, part=part)
            heard.append(answer.get("code", answer["type"]))
    return heard


async def test_an_address_fills_the_store_no_faster_than_tables_at_play_do(tmp_path: Path) -> None:
    with running_hub_process(tmp_path, "--most-bytes-a-second", str(A_SECOND)) as hub:
        codes = [hub.open_table(**SETTINGS)["code"] for _ in range(4)]
        spent = await asyncio.gather(*(spam(hub, code) for code in codes))
        assert all(answers[-1] == "stored_too_fast" for answers in spent)
        noted = sum(answers.count("done") for answers in spent)
        opening = {"name": "T", "host_name": "H", "key": "spades", "settings": {}, "host_token": HOST_TOKEN}
        status, body, _ = hub.get("/api/tables", opening)
        assert (status, json.loads(body)["code"]) == (429, "stored_too_fast")
        assert 20 < noted < 400
        addresses.move_on()
        assert hub.open_table()["code"]


async def test_who_asks_for_pages_without_end_is_slowed_down_alone() -> None:
    pace, loop = Pace(), asyncio.get_running_loop()
    turns = [loop.create_task(pace.wait_for_turn("192.0.2.1")) for _ in range(2300)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting = [turn for turn in turns if not turn.done()]
    assert 200 < len(waiting) < 301
    async with asyncio.timeout(0):
        await pace.wait_for_turn("192.0.2.2")
    started = loop.time()
    await asyncio.gather(*waiting)
    assert loop.time() - started > len(waiting) * APART_S * 0.9


@pytest.mark.parametrize("path", ["/", "/api/here", "/nowhere"])
@pytest.mark.parametrize("pause_s", [0, 0.05], ids=["at once", "a moment later"])
def test_who_has_said_everything_is_answered_all_the_same(hub: HubProcess, path: str, pause_s: float) -> None:
    with connection(hub, request(hub, f"GET {path}")) as made:
        time.sleep(pause_s)
        made.shutdown(socket.SHUT_WR)
        assert all_of(made).startswith(b"HTTP/1.1 404" if path == "/nowhere" else b"HTTP/1.1 200")


def test_who_has_said_half_of_it_is_not_waited_for(hub: HubProcess) -> None:
    with connection(hub, request(hub, "POST /api/tables", "Content-Length: 100", body=b"{")) as made:
        made.shutdown(socket.SHUT_WR)
        all_of(made)


def test_a_body_before_the_end_is_read_and_answered(hub: HubProcess) -> None:
    body = b'{"text":"x"}'
    with connection(hub, request(hub, "POST /api/qr", f"Content-Length: {len(body)}", body=body)) as made:
        made.shutdown(socket.SHUT_WR)
        assert all_of(made).startswith(b"HTTP/1.1 200")

"""How much one address can have the store keep."""

import asyncio
import json
from pathlib import Path

from tests.addresses import addresses
from tests.hub.serving import HOST_TOKEN, HubProcess, joined, running_hub_process

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

"""What each token is good for, on every command and while connections are open."""

from typing import Any

import pytest
from tests.hub.serving import HOST_TOKEN, SUBPROTOCOLS, Client, HubProcess, dialled, joined

PLAYER = "player-token-player-token-1"
OTHER = "another-token-another-token"
NEW = "a-new-token-a-new-token-000"

HAND: dict[str, Any] = {"game": 1, "hand": 1, "revision": 99}
BOOKS = {"north_south": 8, "east_west": 5}
HOST_ONLY: dict[str, dict[str, Any]] = {
    "hand_over": {"person": "x"},
    "invite_players": {"token": NEW},
    "remove_person": {"person": "x"},
    "set_privacy": {"private": True},
    "name_table": {"name": "Mine"},
    "set_rules": {"game": 1, "key": "spades", "settings": {}},
    "start_game": {"game": 1},
    "end_game": {"game": 1, "hand": 1},
    "reopen_game": {"game": 1},
    "next_game": {"game": 1},
    "pause_clock": {"game": 1},
    "resume_clock": {"game": 1},
    "extend_clock": {"game": 1, "minutes": 5, "revision": 99},
}
FOR_PLAYERS: dict[str, dict[str, Any]] = {
    "leave_seat": {"seat": "west"},
    "name_sides": {"names": {"north_south": "Mine"}},
    "note_hand": {**HAND, "part": {}},
    "enter_hand": {**HAND, "part": {"books": BOOKS}},
    "correct_hand": {**HAND, "entry": {"books": BOOKS}},
    "take_back_hand": HAND,
    "remove_hand": HAND,
}


async def seated(hub: HubProcess, table: dict[str, str], token: str = PLAYER, seat: str | None = "west") -> None:
    async with joined(hub, table["code"], table["player_token"]) as phone:
        assert (await phone.do("claim_seat", seat=seat, name="Wes", token=token))["type"] == "done"


async def codes(client: Client, commands: dict[str, dict[str, Any]]) -> set[str]:
    return {(await client.do(kind, **members)).get("code", "done") for kind, members in commands.items()}


async def test_a_spectator_only_watches(hub: HubProcess, code: str) -> None:
    async with joined(hub, code) as screen:
        claim = {"claim_seat": {"seat": None, "name": "Eve", "token": NEW}}
        assert await codes(screen, {**HOST_ONLY, **FOR_PLAYERS, **claim}) == {"read_only"}
        await screen.send({"type": "preview", "id": "p", "command": {"type": "start_game", "game": 1}})
        assert (await screen.until("refused", cmd="p"))["code"] == "read_only"


async def test_an_invitation_is_good_for_claiming_a_seat_and_nothing_else(hub: HubProcess) -> None:
    table = hub.open_table()
    async with joined(hub, table["code"], table["player_token"]) as invited:
        assert await codes(invited, {**HOST_ONLY, **FOR_PLAYERS}) == {"seat_needed"}


async def test_a_player_gives_no_hosts_orders(hub: HubProcess) -> None:
    table = hub.open_table()
    await seated(hub, table)
    async with joined(hub, table["code"], PLAYER) as player:
        assert await codes(player, HOST_ONLY) == {"host_only"}
        waived = {"note_hand": {**HAND, "part": {"allowed": ["bid_below_minimum"]}}}
        async with joined(hub, table["code"], HOST_TOKEN) as host:
            await host.do("start_game", game=1)
        assert await codes(player, waived) == {"host_only"}


@pytest.mark.parametrize("token", ["the invitation", "the phrase", "the host's"])
async def test_a_claim_with_a_token_that_is_something_else_is_refused(hub: HubProcess, token: str) -> None:
    table = hub.open_table()
    await seated(hub, table)
    known = {
        "the invitation": table["player_token"],
        "the phrase": table["recovery_phrase"].replace(" ", "-"),
        "the host's": HOST_TOKEN,
    }
    async with joined(hub, table["code"], PLAYER) as player:
        refused = await player.do("claim_seat", seat="east", name="Eve", token=known[token])
        assert refused["code"] == "token_taken"


async def test_a_cmd_of_one_person_answers_no_other(hub: HubProcess) -> None:
    table = hub.open_table()
    await seated(hub, table)
    await seated(hub, table, OTHER, "east")
    async with joined(hub, table["code"], PLAYER) as one, joined(hub, table["code"], OTHER) as other:
        done = await one.do("name_sides", cmd="same", names={"north_south": "Owls"})
        assert done["type"] == "done"
        replayed = await other.do("name_sides", cmd="same", names={"north_south": "Rooks"})
        assert (replayed["type"], replayed["repeated"]) == ("done", False)
        assert replayed["version"] > done["version"]


async def test_a_removed_persons_connections_lose_their_say_at_once(hub: HubProcess) -> None:
    table = hub.open_table()
    await seated(hub, table)
    async with joined(hub, table["code"], HOST_TOKEN) as host, joined(hub, table["code"], PLAYER) as player:
        person = player.heard[0]["person"]
        assert (await host.do("remove_person", person=person))["type"] == "done"
        assert (await player.closed())[0] == 3502
    async with joined(hub, table["code"], table["player_token"]) as again:
        assert again.heard[0]["role"] == "invited"


async def test_who_was_removed_comes_back_by_the_invitation_until_there_is_a_new_one(hub: HubProcess) -> None:
    table = hub.open_table()
    async with joined(hub, table["code"], HOST_TOKEN) as host:
        for _ in range(2):
            await seated(hub, table)
            async with joined(hub, table["code"], PLAYER) as player:
                await host.do("remove_person", person=player.heard[0]["person"])
        await host.do("invite_players", token=NEW)
    for token in (table["player_token"], PLAYER):
        async with dialled(hub) as again:
            await again.send({"type": "hello", "room": table["code"], "token": token})
            assert (await again.closed())[0] == 3502


async def test_an_earlier_invitation_is_good_for_nothing_at_once(hub: HubProcess) -> None:
    table = hub.open_table()
    async with joined(hub, table["code"], HOST_TOKEN) as host:
        async with joined(hub, table["code"], table["player_token"]) as invited:
            assert (await host.do("invite_players", token=NEW))["type"] == "done"
            assert (await invited.closed())[0] == 3502
        async with joined(hub, table["code"], NEW) as invited:
            assert invited.heard[0]["role"] == "invited"


async def test_who_watches_a_table_that_turns_private_sees_no_more(hub: HubProcess, code: str) -> None:
    async with joined(hub, code, HOST_TOKEN) as host, joined(hub, code) as screen:
        assert (await host.do("set_privacy", private=True, token=NEW))["type"] == "done"
        assert (await screen.closed())[0] == 3502
        assert not any(message["type"] == "event" for message in screen.heard)
        async with joined(hub, code, NEW) as watcher:
            assert watcher.heard[0]["role"] == "spectator"
            assert await codes(watcher, HOST_ONLY) == {"read_only"}


async def test_a_host_who_handed_over_is_a_player_at_once(hub: HubProcess) -> None:
    table = hub.open_table()
    await seated(hub, table)
    async with joined(hub, table["code"], HOST_TOKEN) as host, joined(hub, table["code"], PLAYER) as player:
        await host.do("hand_over", person=player.heard[0]["person"])
        assert await codes(host, HOST_ONLY) == {"host_only"}
        assert [message["role"] for message in host.heard if message["type"] == "welcome"] == ["host", "player"]


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_what_a_player_notes_makes_no_table_grow(hub: HubProcess, subprotocol: str) -> None:
    table = hub.open_table(first_hand_bids_itself=False)
    await seated(hub, table)
    parts: list[dict[str, Any]] = [
        {"at": ["x" * 1000] * 5, "by": {"x": "y" * 9000}},
        {"reneges": ["north"] * 500},
        {"bids": {f"seat {number}": None for number in range(500)}},
        {"bids": {"west": "9" * 12_000}},
        {"books": {f"side {number}": 1 for number in range(500)}},
        {f"member {number}": number for number in range(500)},
        {"blind": [{"north_south": ["x"] * 500}]},
        {"first_seven": "x" * 12_000},
    ]
    async with joined(hub, table["code"], HOST_TOKEN) as host:
        await host.do("start_game", game=1)
    async with joined(hub, table["code"], PLAYER, subprotocol=subprotocol) as player:
        before = len(str(player.view))
        for part in parts:
            for kind in ("note_hand", "enter_hand"):
                await player.do(kind, **HAND, part=part)
        await player.do("claim_seat", seat="west", name="x" * 80)
        await player.do("name_sides", names={"north_south": "y" * 80})
        await player.send({"type": "sync"})
        await player.until("snapshot")
        assert len(str(player.view)) < before + 1500


async def test_a_table_keeps_so_many_people(hub: HubProcess) -> None:
    table = hub.open_table()
    answers = []
    for number in range(66):
        async with joined(hub, table["code"], table["player_token"]) as phone:
            claim = await phone.do("claim_seat", seat=None, name=f"Guest {number}", token=f"{number:022d}")
            answers.append(claim.get("code", "done"))
    assert answers == ["done"] * 63 + ["table_full"] * 3

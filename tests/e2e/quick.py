"""A table that is ready for its first hand, without a walk through the home page."""

import json

from tests.e2e.devices import Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.screens import Phone
from tests.hub.serving import HOST_TOKEN, HubProcess


class QuickTable:
    """`phones` by seat, the first one being the host's."""

    def __init__(self, opened: dict[str, str], hub: HubProcess) -> None:
        self.code = opened["code"]
        self.recovery_phrase = opened["recovery_phrase"]
        self.player_token = opened["player_token"]
        self.at = f"http://{hub.at}/t/{self.code}"
        self.phones: dict[str, Phone] = {}
        self._hub = hub

    def record(self) -> dict[str, object]:
        status, body, _ = self._hub.get(f"/api/tables/{self.code}/record")
        assert status == 200, body
        record: dict[str, object] = json.loads(body)
        return record

    def hands(self) -> list[dict[str, object]]:
        hands = self.record()["hands"]
        assert isinstance(hands, list)
        return hands


async def quick_table(hub: HubProcess, devices: Devices, *seats: str, **settings: object) -> QuickTable:
    """The game has started. The host has the first seat; the sides have their names."""
    host, *others = seats
    opening = {"name": "Table 4", "host_name": PLAYERS[host], "key": "spades", "settings": settings}
    status, body, _ = hub.get("/api/tables", {**opening, "side_names": SIDES, "host_token": HOST_TOKEN})
    assert status == 201, body
    table = QuickTable(json.loads(body), hub)
    first = Phone(host, await devices.open(host, f"{table.at}/play#{HOST_TOKEN}"), SIDES, PLAYERS)
    await first.sit_here(host)
    table.phones[host] = first
    for seat in others:
        phone = Phone(seat, await devices.open(seat, f"{table.at}/play#{table.player_token}"), SIDES, PLAYERS)
        await phone.sit_down(PLAYERS[seat], seat)
        table.phones[seat] = phone
    await first.start_game(1)
    return table

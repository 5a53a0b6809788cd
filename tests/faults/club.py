"""Hubs and tables of one test, and the clients at them: started, ended and checked together."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from tests.faults.clients import Phone, Screen
from tests.faults.deals import SETTINGS, Deals
from tests.faults.ledger import Ledger
from tests.faults.tally import Tally
from tests.hub.serving import HOST_TOKEN, HubProcess, Somewhere
from tests.servers import Env, until
from tests.store.rooms import insist

from bookboard.store.redis_store import RedisStore

T = TypeVar("T")


def slack() -> float:
    """How much longer than promised anything may take here: the machine may have others to serve."""
    return max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


async def in_thread(work: Callable[..., T], *arguments: object) -> T:
    """What blocks, while wires and clients of this process go on."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments))


class Table:
    """A table with phones and screens. `gone` are the hands that were named as rewound and not entered again."""

    def __init__(self, club: "Club", code: str, player_token: str) -> None:
        self.club = club
        self.code = code
        self.player_token = player_token
        self.phones: list[Phone] = []
        self.screens: list[Screen] = []
        self.hand = 0
        self.game = 1
        self.gone: set[int] = set()
        self.deals = Deals(club.rng)

    @property
    def clients(self) -> list[Screen]:
        return [*self.phones, *self.screens]

    async def sit_down(self, hubs: Sequence[Somewhere], *, phones: int = 2, screens: int = 2) -> None:
        """The host and other phones, with seats of their own, and screens; half of each with the other codec."""
        for number in range(phones):
            phone = self.phone(hubs, HOST_TOKEN if number == 0 else self.player_token, codec=number % 2)
            if number:
                token = secrets.token_urlsafe(16)
                seat = ("west", "north", "east")[number - 1]
                await phone.do("claim_seat", seat=seat, name=f"Phone {number}", token=token)
                phone.token = token
        await self.phones[0].do("start_game", game=1)
        for number in range(screens):
            self.screen(hubs, codec=number % 2)
        for client in self.clients:
            await client.until(lambda client: client.position is not None)

    def phone(self, hubs: Sequence[Somewhere], token: str, *, codec: int = 0) -> Phone:
        phone = Phone(hubs, self.code, token, codec=codec, rng=self.club.rng, tally=self.club.tally)
        self.phones.append(phone)
        self.club.clients.append(phone)
        phone.start()
        return phone

    def screen(self, hubs: Sequence[Somewhere], *, codec: int = 0, first: int | None = None) -> Screen:
        screen = Screen(hubs, self.code, codec=codec, rng=self.club.rng, first=first)
        self.screens.append(screen)
        self.club.clients.append(screen)
        screen.start()
        return screen

    def next_hand(self) -> dict[str, Any]:
        self.hand += 1
        part = self.deals.part(self.hand)
        return {"game": self.game, "hand": self.hand, "revision": 2**40, "part": part}

    async def play(self, hands: int = 1, phone: Phone | None = None) -> dict[str, Any]:
        """Enters hand after hand, each on another phone, until it is acknowledged; the last answer."""
        answer: dict[str, Any] = {}
        for _ in range(hands):
            hand = self.next_hand()
            by = phone or self.phones[self.hand % len(self.phones)]
            answer = await by.do("enter_hand", **hand)
            assert answer["type"] == "done", (hand, answer)
        return answer

    async def ledger(self) -> Ledger:
        return await insist(partial(Ledger.read, self.club.store, self.code), within_s=60)

    async def settle(self, *, within_s: float = 60) -> Ledger:
        """Waits until every client is where the log is, neither behind nor ahead of it, and gives the log."""
        ledger = await self.ledger()
        try:
            async with asyncio.timeout(within_s):
                while not all(client.is_at(ledger.epoch, ledger.version, ledger.last) for client in self.clients):
                    await asyncio.sleep(0.05)
                    ledger = await self.ledger()
        except TimeoutError:
            print(f"not at {ledger.epoch}.{ledger.version}: {[str(client.position) for client in self.clients]}")
        return ledger

    async def check(self, *, within_s: float = 60) -> Ledger:
        """Waits until every client is at the head of the log, then compares."""
        ledger = await self.settle(within_s=within_s)
        ledger.check(self.club.tally, self.phones, self.clients, gone=self.gone)
        return ledger


class Club:
    """`store` looks behind the hubs. What is opened here is closed at the end of the test."""

    def __init__(self, folder: Path, rng: Random, tally: Tally, opened: AsyncExitStack) -> None:
        self.folder = folder
        self.rng = rng
        self.tally = tally
        self.opened = opened
        self.hubs: list[HubProcess] = []
        self.clients: list[Screen] = []
        self.tables: list[Table] = []
        self._store: RedisStore | None = None

    @property
    def store(self) -> RedisStore:
        assert self._store is not None, "look_behind comes first"
        return self._store

    async def look_behind(self, url: str) -> None:
        self._store = await RedisStore.connect(url)
        self.opened.push_async_callback(self._store.close)

    async def hub(self, *options: str, folder: str | None = None, env: Env | None = None) -> HubProcess:
        hub = HubProcess(self.folder / (folder or f"hub{len(self.hubs)}"), *options, env=env)
        self.hubs.append(hub)
        await in_thread(hub.start)
        return hub

    async def hubs_on(self, *urls: str) -> list[HubProcess]:
        """A hub on each of these servers, started together."""
        return list(await asyncio.gather(*(self.hub("--redis", url) for url in urls)))

    async def table(self, hub: HubProcess, **settings: object) -> Table:
        opened = await in_thread(lambda: hub.open_table(**SETTINGS, **settings))
        table = Table(self, opened["code"], opened["player_token"])
        self.tables.append(table)
        return table

    def kill(self, hub: HubProcess) -> None:
        self.tally.fault()
        hub.kill()

    async def close(self) -> None:
        await asyncio.gather(*(client.stop() for client in self.clients))
        for hub in self.hubs:
            if hub.process is not None and hub.process.poll() is None:
                await in_thread(hub.stop if hub.has_own_store else hub.kill)  # a store outlives the hub that is killed


@asynccontextmanager
async def running_club(folder: Path, rng: Random, tally: Tally) -> AsyncIterator[Club]:
    async with AsyncExitStack() as opened:
        club = Club(folder, rng, tally, opened)
        opened.push_async_callback(club.close)
        yield club
        assert_no_secret_is_logged(folder, club)


def is_past(table: Table, hand: int, _: Screen) -> bool:
    """A condition for `Screen.until`: the table is at a later hand."""
    return table.hand > hand


def assert_no_secret_is_logged(folder: Path, club: Club) -> None:
    """No token that was used is in any log of a hub or a store."""
    used = {client.token for client in club.clients} | {table.player_token for table in club.tables}
    secrets_used = [token.encode() for token in used if token]
    for log in folder.rglob("*.log"):
        written = log.read_bytes()
        assert not [token for token in secrets_used if token in written], f"{log.name} tells a token"


async def readiness(hub: HubProcess, status: int, *, within_s: float) -> None:
    """Returns once the hub answers /readyz with that status."""

    async def answers() -> bool:
        return (await in_thread(hub.get, "/readyz"))[0] == status

    await until(answers, within_s=within_s)

"""Failure 17: numbers move. Every accepted command did to its hand what its sender saw, by a fold that knows no ids."""

import asyncio
from contextlib import AsyncExitStack
from copy import deepcopy
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from tests.faults.club import Club
from tests.faults.ledger import Ledger
from tests.hub.serving import HOST_TOKEN, Client, joined
from tests.servers import RedisServer

from bookboard.room import events as e
from bookboard.room.events import Recorded
from bookboard.rules.model import Entry

Json = dict[str, Any]
CLIENTS = 8


class Stage(Struct, frozen=True):
    """The hands at one version, each with a mark of this test's own: `hands` are scored, `in_play` comes next."""

    hands: tuple[tuple[int, Entry], ...]
    in_play: int


def stages_of(log: tuple[Recorded, ...]) -> list[Stage]:
    """By version. A hand's mark is made when it comes into play for the first time, and used for no other."""
    marks = count(1)
    stages = [Stage((), next(marks))]
    for recorded in log:
        hands, in_play = list(stages[-1].hands), stages[-1].in_play
        match recorded.event:
            case e.HandScored(entry=entry):
                hands.append((in_play, entry))
                in_play = next(marks)
            case e.HandCorrected(hand=number, entry=entry):
                hands[number - 1] = (hands[number - 1][0], entry)
            case e.HandTakenBack():
                in_play, _ = hands.pop()
            case e.HandRemoved(hand=number):
                del hands[number - 1]
        stages.append(Stage(tuple(hands), in_play))
    return stages


class Sent(Struct, frozen=True):
    """A command, where its sender saw the hand (None: in play), at which version, and what it was answered."""

    kind: str
    place: int | None
    revision: int
    entry: Entry
    answer: Json


def seen_as(sent: Sent, stages: list[Stage]) -> tuple[int, Entry | None]:
    """The hand that the sender saw."""
    stage = stages[sent.revision]
    return (stage.in_play, None) if sent.place is None else stage.hands[sent.place]


def did_what_was_seen(sent: Sent, stages: list[Stage], log: tuple[Recorded, ...]) -> bool:
    mark, seen = seen_as(sent, stages)
    version = sent.answer["version"]
    before, after = stages[version - 1], stages[version]
    if sent.answer["repeated"]:
        return was_so_already(sent, mark, after)
    event = log[version - 1].event
    match event:
        case e.HandScored():
            return sent.kind == "enter_hand" and after.hands[-1] == (mark, sent.entry)
        case e.HandCorrected(hand=number):
            is_that_hand = before.hands[number - 1] == (mark, seen)
            return sent.kind == "correct_hand" and is_that_hand and after.hands[number - 1] == (mark, sent.entry)
        case e.HandTakenBack():
            return sent.kind == "take_back_hand" and before.hands[-1] == (mark, seen) and after.in_play == mark
        case e.HandRemoved(hand=number):
            return sent.kind == "remove_hand" and before.hands[number - 1] == (mark, seen)
        case _:
            return False


def was_so_already(sent: Sent, mark: int, stage: Stage) -> bool:
    hands = dict(stage.hands)
    match sent.kind:
        case "enter_hand" | "correct_hand":
            return hands.get(mark) == sent.entry
        case "take_back_hand":
            return stage.in_play == mark
        case _:
            return mark not in hands


def whole(rng: Random) -> Entry:
    books = rng.randint(0, 13)
    bids: Json = {"north_south": rng.randint(4, 6), "east_west": rng.randint(4, 6)}
    return {"bids": bids, "books": {"north_south": books, "east_west": 13 - books}}


async def use_the_phone(client: Client, rng: Random, commands: int) -> list[Sent]:
    """Open a form or a question, leave it open while others go on, and send it as it was opened."""
    done: list[Sent] = []
    for _ in range(commands):
        assert client.view is not None
        assert client.at is not None
        view, revision = deepcopy(client.view), client.at["version"]
        for _ in range(rng.choice((0, 0, 1, 3))):
            await client.do("name_table", name=f"Table {rng.random()}")
        kinds = ["enter_hand"] * (3 if len(view["hands"]) < 5 else 1)
        kinds += ["correct_hand", "correct_hand", "remove_hand", "take_back_hand"] if view["hands"] else []
        kind = rng.choice(kinds)
        place = rng.randrange(len(view["hands"])) if view["hands"] else None
        if kind == "take_back_hand":
            place = len(view["hands"]) - 1
        entry = whole(rng) if kind in {"enter_hand", "correct_hand"} else {}
        members: Json = {"entry": entry} if kind == "correct_hand" else {}
        if kind == "enter_hand":
            place, members = None, {"part": entry}
        hand = view["in_play"]["id"] if place is None else view["hands"][place]["id"]
        answer = await client.do(kind, game=1, hand=hand, revision=revision, **members)
        assert answer["type"] == "done" or answer["code"] in {"conflict", "game_over", "too_fast"}, answer
        if answer["type"] == "done":
            done.append(Sent(kind, place, revision, entry, answer))
    return done


async def play(club: Club, redis: RedisServer, rng: Random, commands: int) -> None:
    hubs = await club.hubs_on(redis.url, redis.url)
    code = hubs[0].open_table(first_hand_bids_itself=False, score_limit=1000)["code"]
    async with AsyncExitStack() as opened:
        clients = [
            await opened.enter_async_context(joined(hubs[number % 2], code, HOST_TOKEN)) for number in range(CLIENTS)
        ]
        assert (await clients[0].do("start_game", game=1))["type"] == "done"
        phones = [use_the_phone(client, Random(rng.random()), commands) for client in clients]
        done = [sent for mine in await asyncio.gather(*phones) for sent in mine]
    ledger = await Ledger.read(club.store, code)
    stages = stages_of(ledger.log)
    club.tally.sent += CLIENTS * commands
    club.tally.acknowledged += len(done)
    wrong = [sent for sent in done if not did_what_was_seen(sent, stages, ledger.log)]
    assert not wrong, wrong
    assert done


@pytest.mark.quick_fault
@pytest.mark.failure("17 numbers move")
async def test_every_accepted_command_did_what_its_sender_saw(club: Club, redis: RedisServer, rng: Random) -> None:
    await play(club, redis, rng, commands=10)


@pytest.mark.failure("17 numbers move, for long")
async def test_a_long_evening_of_accepted_commands(club: Club, redis: RedisServer, rng: Random) -> None:
    await play(club, redis, rng, commands=60)

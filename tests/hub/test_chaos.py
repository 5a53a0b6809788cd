"""Two hubs, a feed that loses messages and a store that loses answers: the log has each accepted command once, and
every screen equals a replay of the log."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hub.conftest import CODE, HOST, Hub, open_in, running_hub, settle
from tests.hub.memory_store import MemoryStore

from bookboard.hub.live.live_log import LiveLog
from bookboard.hub.live.planning import OPENING
from bookboard.log.actors import hash_token
from bookboard.protocol.messages import Done, EventMessage, ServerMessage
from bookboard.room.commands import AnyCommand, ClaimSeat, EnterHand, NameTable, StartGame, TakeBackHand
from bookboard.room.evolve import evolve
from bookboard.room.state import Room
from bookboard.tables.serialization import decode_entry

COMMANDS: list[AnyCommand] = [
    StartGame(1),
    EnterHand(1, 1, 99, {"books": {"north_south": 8, "east_west": 5}}),
    EnterHand(1, 2, 99, {"bids": {"north_south": 5, "east_west": 5}, "books": {"north_south": 8, "east_west": 5}}),
    TakeBackHand(1, 1, 99),
    ClaimSeat("west", "Wes"),
    ClaimSeat("east", "Wes"),
    NameTable("Table 5"),
    NameTable("Table 6"),
]
FAULTS = ["deaf", "hearing", "loses answers", "answers", "down", "up", "gap"]

STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(COMMANDS), st.integers(0, 15)) | st.sampled_from(FAULTS), max_size=40
)


def replayed(store: MemoryStore) -> Room:
    room: Room | None = None
    for entry in store.rooms[CODE].entries:
        room = evolve(room, decode_entry(entry))
    assert room is not None
    return room


def befall(fault: str, store: MemoryStore) -> None:
    match fault:
        case "deaf" | "hearing":
            store.feeds[0].is_deaf = fault == "deaf"
        case "loses answers" | "answers":
            store.loses_answers = fault == "loses answers"
        case "down" | "up":
            store.down = "timeout" if fault == "down" else None
        case "gap":
            for feed in store.feeds:
                feed.on_gap()


def screen_of(live: LiveLog) -> list[int]:
    """The versions that a screen of this room was told, in order."""
    told: list[int] = []
    publish = live.audience.publish

    def listen(message: ServerMessage) -> None:
        if isinstance(message, EventMessage):
            told.append(message.version)
        publish(message)

    live.audience.publish = listen  # type: ignore[method-assign]
    return told


async def play(hubs: list[Hub], store: MemoryStore, steps: list[tuple[int, AnyCommand, int] | str]) -> None:
    accepted: dict[str, int] = {}
    for step in steps:
        if isinstance(step, str):
            befall(step, store)
            await settle()
            continue
        number, command, cmd = step
        before = len(store.rooms[CODE].entries)
        answer = await (await hubs[number].live()).do(hash_token(HOST), f"{cmd}", command)
        if isinstance(answer, Done) and answer.by is None:
            assert accepted.setdefault(answer.cmd, answer.version) == answer.version
        elif store.down is None and not store.loses_answers:
            assert len(store.rooms[CODE].entries) == before
    for heal in ("hearing", "answers", "up", "gap"):
        befall(heal, store)
    await settle()


@given(STEPS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_nothing_is_lost_doubled_or_out_of_order(steps: list[tuple[int, AnyCommand, int] | str]) -> None:
    store = MemoryStore()
    await open_in(store)
    async with running_hub(store) as one, running_hub(store) as other:
        screens = [screen_of(await hub.live()) for hub in (one, other)]
        await play([one, other], store, steps)
        head = len(store.rooms[CODE].entries)
        for hub, told in zip((one, other), screens, strict=True):
            live = await hub.live()
            assert live.state == replayed(store)
            assert told == list(range(2, head + 1))
        answered = [room_answer for room_answer in store.rooms[CODE].answers if room_answer[1] != OPENING]
        assert len(answered) == head - 1, "one event a command, each command once"

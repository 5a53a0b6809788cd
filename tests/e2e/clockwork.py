"""Moving a time limit up: a commit like any other, so that nobody has to wait for it."""

from bookboard.hub.live.planning import Head, Sender, plan
from bookboard.room.events import ClockExtended
from bookboard.room.evolve import evolve, room_of
from bookboard.store.contract import Committed, Stale
from bookboard.store.redis_store import RedisStore
from bookboard.tables.kind import TABLE
from bookboard.tables.serialization import decode_entry, decode_state


async def let_time_run_out(url: str, code: str, *, in_ms: int) -> None:
    """The deadline is `in_ms` from now, by the store's clock; the host has taken the rest of the time away."""
    store = await RedisStore.connect(url)
    try:
        while True:
            answer = await _shorten(store, code, in_ms)
            if not isinstance(answer, Stale):
                break
        assert isinstance(answer, Committed), answer
    finally:
        await store.close()


async def _shorten(store: RedisStore, code: str, in_ms: int) -> object:
    loaded = await store.load(code)
    assert loaded is not None
    room = None if loaded.snapshot is None else room_of(decode_state(loaded.snapshot.body))
    for entry in loaded.entries:
        room = evolve(room, decode_entry(entry))
    assert room is not None
    deadline = room.state.game.clock.deadline
    assert deadline is not None
    now = await store.now()
    head = Head(TABLE, code, loaded.epoch, loaded.version, room, loaded.snapshot.version if loaded.snapshot else 0)
    sender = Sender(room.state.host, f"shorten-{loaded.version}", room.state.host)
    return await store.commit(plan(head, [ClockExtended(now + in_ms - deadline)], sender, now))

"""A hub as `bookboard serve` runs it, with tables opened beforehand and a second port that publishes at the word.

    python tests/bench/hub_under_load.py PORT CONTROL_PORT REDIS ROOMS_FILE [shared] [stopwatch=FILE] [samples=FILE]

A trigger on the control port (room's number and a count, each 4 bytes) publishes an event that many times to the room's
audience: the fan-out stage alone. Commands over sockets go the whole way. ROOMS_FILE lists the tables; those that are
not in the store are opened there first, with their first game started. Several hubs can share a port, as those of
`--workers` do. With a stopwatch or a sampler (see there) the hub is measured from within, which is never done where it
is compared with anything.
"""

import asyncio
import struct
import sys
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import sampler, stopwatch  # noqa: E402
from tests.bench.evening import opened_table, typical_event  # noqa: E402

from bookboard.config import Config  # noqa: E402
from bookboard.hub.live.rooms import Rooms  # noqa: E402
from bookboard.hub.process import serve  # noqa: E402
from bookboard.hub.process.greeting import Operator  # noqa: E402
from bookboard.protocol.messages import EventMessage  # noqa: E402
from bookboard.room.events import GameStarted  # noqa: E402
from bookboard.store.redis_store import RedisStore  # noqa: E402
from bookboard.tables.planning import opening_of_table  # noqa: E402

TRIGGER = struct.Struct("=II")


class Control(asyncio.Protocol):
    def __init__(self, rooms: Rooms, codes: list[str], event: EventMessage) -> None:
        self._rooms = rooms
        self._codes = codes
        self._event = event
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        whole = len(data) - len(data) % TRIGGER.size
        self._rest = data[whole:]
        for number, count in TRIGGER.iter_unpack(data[:whole]):
            audience = self._rooms._live[self._codes[number]].audience  # noqa: SLF001
            for _ in range(count):
                audience.publish(self._event)


async def open_tables(store: RedisStore, codes: list[str]) -> None:
    for at in range(0, len(codes), 200):
        await asyncio.gather(*(open_one(store, code) for code in codes[at : at + 200]))


async def open_one(store: RedisStore, code: str) -> None:
    opened = opened_table(code)
    await store.create(opening_of_table(opened, (GameStarted(),)))


async def main(port: int, control_port: int, redis: str, codes: list[str], *, shared: bool) -> None:
    store = await RedisStore.connect(redis)
    await open_tables(store, codes)
    await store.close()

    class RoomsUnderLoad(Rooms):
        async def start(self) -> None:
            await super().start()
            loop = asyncio.get_running_loop()
            await loop.create_server(lambda: Control(self, codes, typical_event()), "127.0.0.1", control_port)
            sys.stdout.write('{"ready": true}\n')
            sys.stdout.flush()

    vars(serve)["Rooms"] = RoomsUnderLoad
    config = Config(host="127.0.0.1", port=port, redis=redis, most_bytes_a_second=10**9)
    await serve.serve(config, serve.listen_on(config.host, config.port, shared=shared), operator=Operator())


if __name__ == "__main__":
    names = Path(sys.argv[4]).read_text().split()
    options = dict(option.partition("=")[::2] for option in sys.argv[5:])
    with asyncio.Runner(loop_factory=serve.loop_factory()) as runner, ExitStack() as stack:
        if "stopwatch" in options:
            stack.enter_context(stopwatch.running(Path(options["stopwatch"])))
        if "samples" in options:
            stack.enter_context(sampler.running(Path(options["samples"])))
        runner.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], names, shared="shared" in options))

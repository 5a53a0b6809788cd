"""Where a command's time goes in a hub: each part alone, over all the commands of an evening, in this process's CPU.

    python tests/bench/bench_parts.py

What is left out is what the parts are strung together with: the loop, tasks, futures, sockets. So it stands beside what
a command costs in all (bench_fanout.py, 200 x 8). It fails on no time.
"""

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import hiredis
import msgspec

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.evening import AT, BEGUN, HOST_TOKEN, commands, filled, opened_table  # noqa: E402
from tests.bench.rig import write  # noqa: E402

from bookboard.hub.live.planning import Head, Sender, plan  # noqa: E402
from bookboard.hub.wire.frames import message_frame  # noqa: E402
from bookboard.log.actors import hash_token  # noqa: E402
from bookboard.protocol.codecs import JSON  # noqa: E402
from bookboard.protocol.messages import Do  # noqa: E402
from bookboard.room.access import role_of  # noqa: E402
from bookboard.room.decide import decide  # noqa: E402
from bookboard.room.events import GameStarted, Recorded  # noqa: E402
from bookboard.room.evolve import evolve  # noqa: E402
from bookboard.room.views import forecast_of  # noqa: E402
from bookboard.store import keys  # noqa: E402
from bookboard.store.contract import Entry, FeedMessage  # noqa: E402
from bookboard.tables.kind import TABLE  # noqa: E402
from bookboard.tables.replies import event_message  # noqa: E402
from bookboard.tables.serialization import decode_entry  # noqa: E402

V = TypeVar("V")
ROUNDS = 60
spent: dict[str, float] = defaultdict(float)
read_feed = msgspec.msgpack.Decoder(FeedMessage).decode


def timed(part: str, work: Callable[[], V]) -> V:
    began = time.thread_time()
    result = work()
    spent[part] += time.thread_time() - began
    return result


def play(code: str) -> None:
    opened, token_hash = opened_table(code), hash_token(HOST_TOKEN)
    room = evolve(None, Recorded(1, "m" * 16, AT, opened.host, opened))
    room = evolve(room, Recorded(BEGUN, "n" * 16, AT, opened.host, GameStarted()))
    for version, text in enumerate(commands(), start=BEGUN):
        said = filled(text, version).encode()
        message = timed("decode", lambda: JSON.decode(said))  # noqa: B023
        assert isinstance(message, Do)
        now, command = room, message.command
        actor = timed("role", lambda: role_of(now.state, token_hash))  # noqa: B023
        assert actor is not None
        decided = timed("decide", lambda: decide(now, command, actor, AT))  # noqa: B023
        assert isinstance(decided, list)
        sender = Sender(opened.host, message.cmd, opened.host)
        commit = timed("plan", lambda: plan(Head(TABLE, code, 1, version, now, version), decided, sender, AT))  # noqa: B023
        entry = Entry(version + 1, commit.entries[0].id, "n" * 16, AT, commit.entries[0].body)
        arguments = (*vars_of(code), commit.answer, entry.id, entry.body)
        timed("pack", lambda: hiredis.pack_command(arguments))  # type: ignore[arg-type]  # noqa: B023
        heard = msgspec.msgpack.encode(FeedMessage(code, 1, (entry,)))
        timed("feed", lambda: read_feed(heard))  # noqa: B023
        recorded = timed("feed", lambda: decode_entry(entry))  # noqa: B023
        room = timed("evolve", lambda: evolve(now, recorded))  # noqa: B023
        after = room
        event = timed("changes", lambda: event_message(1, entry, recorded, before=now, after=after))  # noqa: B023
        timed("encode", lambda: message_frame(JSON.encode(event), JSON))  # noqa: B023
        timed("look", lambda: forecast_of(after))  # noqa: B023


def vars_of(code: str) -> tuple[str, ...]:
    names = keys.room_keys(code)
    return ("EVALSHA", "a" * 40, "5", names.meta, names.snapshot, names.log, names.answers, names.due)


def main() -> None:
    rounds: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        spent.clear()
        play("K7F4MPQ")
        for part, seconds in spent.items():
            rounds[part].append(1e6 * seconds / len(commands()))
    each = {part: statistics.median(micros) for part, micros in rounds.items()}
    for part, micros in each.items():
        print(f"{part:10} {micros:7.1f} us")
    print(f"{'together':10} {sum(each.values()):7.1f} us a command")
    write("parts", each)


if __name__ == "__main__":
    main()

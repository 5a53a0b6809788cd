"""Where a hub's CPU goes: its Python stack after every few milliseconds of CPU, without waiting for the interpreter.

`faulthandler` writes the stack from within the signal's C handler. A handler in Python would run at the next byte code
instead, and blame that for what the event loop did in C. There are two clocks: SIGPROF goes by all CPU, SIGVTALRM by
what is spent outside the kernel, so the difference is the kernel's.
"""

import faulthandler
import linecache
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

EVERY_S = 0.005
"""Not less than a tick of the kernel (at most 4 ms nearly everywhere): what is late is never made up for."""
ENCODING = "codec.encode"
"""The encoders are C: only the line that calls them shows."""
PHASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("look ahead", ("live_log.py forecast",)),
    ("what changes on screens", ("replies.py event_message",)),
    ("apply the event", ("following.py _advance",)),
    ("plan the commit", ("planning.py plan",)),
    ("decide", ("decide.py decide", "access.py role_of")),
    ("decode", ("requests.py _decode",)),
    ("encode and frame", (ENCODING, "frames.py message_frame", "frames.py frame")),
    ("send to the screens", ("fanout.py _flush",)),
    ("hear the feed", ("feed.py",)),
    ("commit", ("redis_store.py", "scripts.py", "link.py", "cluster.py", "streams.py")),
    ("read from sockets", ("wsproto.py", "websockets_sansio_impl.py", "server.py", "protocol.py")),
    (
        "tasks and answers",
        (
            "live_log.py",
            "following.py",
            "committing.py",
            "requests.py",
            "connection.py",
            "rooms.py",
            "screens.py",
            "fanout.py",
            "tasks.py",
        ),
    ),
)
"""Of a stack, the first of these that is anywhere in it. What none is in is the event loop's own."""
STACK = "Stack (most recent call first):"
LOOP = "event loop"


class Profile(Struct):
    """Shares of all CPU."""

    phases: dict[str, float]
    kernel: dict[str, float]
    """Of these, what the kernel took."""
    samples: int


@contextmanager
def running(file: Path) -> Iterator[None]:
    """Stacks go to `file`, those outside the kernel to another one beside it."""
    clocks = ((signal.SIGPROF, signal.ITIMER_PROF, file), (signal.SIGVTALRM, signal.ITIMER_VIRTUAL, beside(file)))
    files = []
    for number, timer, path in clocks:
        files.append(path.open("w"))
        faulthandler.register(number, file=files[-1], all_threads=False)
        signal.setitimer(timer, EVERY_S, EVERY_S)
    try:
        yield
    finally:
        for number, timer, _ in clocks:
            signal.setitimer(timer, 0)
            signal.signal(number, signal.SIG_IGN)
        for each in files:
            each.close()


def beside(file: Path) -> Path:
    return file.with_suffix(".outside")


def phase_of(stack: str) -> str:
    frames = []
    for line in stack.splitlines():
        if line.startswith('  File "'):
            path, _, rest = line.removeprefix('  File "').partition('", line ')
            number, _, function = rest.partition(" in ")
            name = path.rpartition("/")[2]
            is_encoding = name == "fanout.py" and number.isdigit() and ENCODING in linecache.getline(path, int(number))
            frames.append(ENCODING if is_encoding else f"{name} {function}")
    for phase, marks in PHASES:
        if any(mark == frame or mark == frame.partition(" ")[0] for frame in frames for mark in marks):
            return phase
    return LOOP


def counted(text: str) -> Counter[str]:
    return Counter(phase_of(stack) for stack in text.split(STACK)[1:])


def profile(everywhere: str, outside: str) -> Profile:
    """Of what was written while the load ran."""
    spent, user = counted(everywhere), counted(outside)
    total = max(sum(spent.values()), 1)
    names = [*(phase for phase, _ in PHASES), LOOP]
    return Profile(
        {name: spent[name] / total for name in names},
        {name: max(spent[name] - user[name], 0) / total for name in names},
        total,
    )

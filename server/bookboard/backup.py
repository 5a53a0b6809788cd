"""`bookboard backup` and `bookboard restore`: every table in one file, and back.

    bookboard backup --redis redis://HOST:PORT FILE
    bookboard restore FILE

FILE may be `-`, standard output or input. Both work while hubs run. Exit status: 0 done, 2 it could not be done, with
a sentence why.
"""

import argparse
import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from bookboard.config import add_store_options, settle
from bookboard.console import put

if TYPE_CHECKING:
    from bookboard.store.redis_store import RedisStore

Work = Callable[[argparse.Namespace], Awaitable[str]]


def add_to(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add both commands to the program's subcommands; `run` carries them out."""
    for name, work, help_text in (
        ("backup", save, "write all tables to a file"),
        ("restore", restore, "put back the tables of a backup that are gone or behind it"),
    ):
        parser = subparsers.add_parser(name, help=help_text, description=f"{help_text.capitalize()}.")
        add_store_options(parser)
        parser.add_argument("file", type=Path, metavar="FILE", help="the backup; - for standard output or input")
        parser.set_defaults(run=run, work=work)


def run(args: argparse.Namespace) -> int:
    """The exit status. Raises BadOption."""
    args = settle(args)
    from bookboard.store.backup import BadBackup, NoPlainFile  # noqa: PLC0415 - scoring a record need not wait for a store's imports
    from bookboard.store.contract import StoreUnavailable, StoreUnusable  # noqa: PLC0415

    try:
        done = asyncio.run(args.work(args)) + "\n"
        if args.file == Path("-"):
            sys.stderr.write(done)  # what is on standard output is the backup
        else:
            put(done)
    except BadBackup as error:
        sys.stderr.write(f"bookboard: {args.file} {error}.\n")
    except OSError as error:
        sys.stderr.write(f"bookboard: {error.filename or args.file}: {error.strerror}\n")
    except (NoPlainFile, StoreUnusable) as error:
        sys.stderr.write(f"bookboard: {error}\n")
    except StoreUnavailable as error:
        sys.stderr.write(f"bookboard: The store is not responding correctly ({error.reason}); check the server.\n")
    else:
        return 0
    return 2


async def save(args: argparse.Namespace) -> str:
    from bookboard.store.backup import write_backup  # noqa: PLC0415
    from bookboard.store.contract import StoreUnusable  # noqa: PLC0415

    if args.redis is None and not (args.data / "log").is_dir():
        raise StoreUnusable(f"There are no tables in {args.data}; say where they are with --data or --redis.")
    async with opened(args) as store:
        end = await write_backup(store, args.file)
    name = "The backup" if args.file == Path("-") else args.file
    return f"{name} has {end.rooms} tables and {end.games} finished games."


async def restore(args: argparse.Namespace) -> str:
    from bookboard.store.backup import check, restore_backup  # noqa: PLC0415

    with lasting(args.file) as file:
        check(file)
        async with opened(args) as store:
            done = await restore_backup(store, file)
    kept = f" {done.kept} had all of it already and are left as they are." if done.kept else ""
    return f"{done.rooms} tables and {done.games} finished games are put back.{kept}"


@contextmanager
def lasting(file: Path) -> Iterator[Path]:
    """A file that can be read twice: standard input and pipes are copied first."""
    if file != Path("-") and not file.is_fifo():
        yield file
        return
    with NamedTemporaryFile(prefix="bookboard-") as copy:
        with sys.stdin.buffer if file == Path("-") else file.open("rb") as source:
            shutil.copyfileobj(source, copy)
        copy.flush()
        yield Path(copy.name)


@asynccontextmanager
async def opened(args: argparse.Namespace) -> AsyncIterator["RedisStore"]:
    """The store, also when a hub is running on it. Raises StoreUnusable."""
    from bookboard.store.contract import StoreUnusable  # noqa: PLC0415
    from bookboard.store.embedded import EmbeddedServer  # noqa: PLC0415
    from bookboard.store.folder import is_in_use, running_server  # noqa: PLC0415
    from bookboard.store.redis_store import RedisStore  # noqa: PLC0415

    async with AsyncExitStack() as stack:
        url = args.redis
        running = running_server(args.data) if url is None and is_in_use(args.data) else None
        if running is not None:
            if not os.access(running.socket, os.W_OK):
                raise StoreUnusable(
                    f"The hub on {args.data} keeps its tables through {running.socket}, which this user cannot open;"
                    " run this as the hub's user, or as root."
                )
            url = f"unix://{running.socket}"
        elif url is None:
            embedded = await EmbeddedServer.start(args.data)
            stack.push_async_callback(embedded.stop)
            url = embedded.url
        store = await RedisStore.connect(url)
        stack.push_async_callback(store.close)
        yield store

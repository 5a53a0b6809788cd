"""The data folder of an embedded server: who holds it, and where its socket is.

Two locks. `hub.lock` is held by the hub, and falls with it. `server.lock` is handed on to the server and stays locked
as long as it runs, whatever became of the hub: so two servers never write to one log, and an orphan is known for one.
"""

import os
import re
import stat
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from bookboard.store.contract import StoreUnusable

if sys.platform != "win32":
    import fcntl

# sockaddr_un holds 104 bytes on macOS and 108 on Linux; valkey-server adds its own suffix while it binds.
LONGEST_SOCKET = 90
_PLAIN = re.compile(r"[A-Za-z0-9/._-]+")


def open_folder(folder: Path) -> Path:
    """The folder's real path, made if it was not there, private to its user. Raises StoreUnusable."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        real = folder.resolve(strict=True)
        probe = real / f".write-test-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise StoreUnusable(
            f"The data folder {folder} cannot be written ({error.strerror}); use another, or give this user the rights."
        ) from error
    return real


def try_lock(path: Path) -> int | None:
    """A file descriptor that holds the lock, None if another process does. Raises StoreUnusable."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be opened ({error.strerror}); give its rights to this user.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError as error:
        os.close(lock)
        raise StoreUnusable(f"{path} cannot be locked ({error.strerror}); use a folder on a local disk.") from error
    return lock


def lock_for_hub(folder: Path) -> int:
    """The hub's hold on its folder, as a file descriptor; StoreUnusable if another hub has it."""
    path = folder / "hub.lock"
    lock = try_lock(path)
    if lock is None:
        holder = path.read_text(errors="replace").strip()
        by = f" by process {holder}" if holder.isdigit() else ""
        raise StoreUnusable(f"The data folder {folder} is in use{by}; stop that hub, or give this one another folder.")
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def is_in_use(folder: Path) -> bool:
    """Whether a hub runs on this folder."""
    if not (folder / "hub.lock").exists():
        return False
    lock = try_lock(folder / "hub.lock")
    if lock is not None:
        os.close(lock)
    return lock is None


def socket_path(folder: Path) -> Path:
    """Where the server of this folder listens: always the same for it, short, and in a folder of this user alone.

    Nothing is made yet. Raises StoreUnusable if somebody else has that place.
    """
    name = f"bookboard-{os.getuid()}-{sha256(os.fsencode(folder)).hexdigest()[:16]}"
    for base in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - checked below
        if not base or not _PLAIN.fullmatch(base) or not os.access(base, os.W_OK | os.X_OK):
            continue
        place = Path(base) / name
        if len(os.fsencode(place)) + len("/s.sock") <= LONGEST_SOCKET:
            _check_private(place)
            return place / "s.sock"
    raise StoreUnusable(
        "There is no short folder for a socket; set TMPDIR to one that this user can write, such as /tmp."
    )


def make_way(socket: Path) -> None:
    """The socket's folder is there, private, and nothing of an earlier server is in the way. Raises StoreUnusable."""
    try:
        socket.parent.mkdir(mode=0o700, exist_ok=True)
        _check_private(socket.parent)
        socket.unlink(missing_ok=True)
    except OSError as error:
        raise StoreUnusable(f"{socket.parent} cannot be made ({error.strerror}); remove what is there.") from error


def clear_away(socket: Path) -> None:
    """Removes what a server that has ended may have left."""
    with suppress(OSError):
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()


def _check_private(place: Path) -> None:
    try:
        found = place.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreUnusable(f"{place} is not a private folder of this user; remove it.")

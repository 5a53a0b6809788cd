"""The data folder of an embedded server: who holds it, and where its socket is.

Two locks. `hub.lock` is held by the hub, and falls with it. `server.lock` is handed on to the server and stays locked
as long as it runs, whatever became of the hub: so two servers never write to one log, and an orphan is known for one.
`server.json` says where that server listens, so that nobody has to guess it from an environment that may be another.
"""

import errno
import os
import re
import socket
import stat
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import MsgspecError, Struct
from msgspec.json import decode, encode

from bookboard.store.contract import StoreUnusable

if sys.platform != "win32":
    import fcntl

# sockaddr_un holds 104 bytes on macOS and 108 on Linux; valkey-server adds its own suffix while it binds.
LONGEST_SOCKET = 90
PROBE = 65_536
SOCKET = "s.sock"
_PLAIN = re.compile(r"[A-Za-z0-9/._-]+")


def open_folder(folder: Path) -> Path:
    """The folder's real path, made if it was not there, private to its user. Raises StoreUnusable."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        real = folder.resolve(strict=True)
        probe = real / f".write-test-{os.getpid()}"
        try:
            probe.write_bytes(bytes(PROBE))  # an empty file is made on a full disk, too
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        raise StoreUnusable(
            f"The data folder {folder} cannot be written ({error.strerror}); {_remedy(error.errno)}."
        ) from error
    return real


def _remedy(number: int | None) -> str:
    if number in {errno.ENOSPC, errno.EDQUOT}:
        return "make room on its disk, or use another"
    return "use another, or give this user the rights"


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


class Running(Struct, frozen=True):
    """The server of a folder: the path of its socket, and its process."""

    socket: str
    process: int


def is_in_use(folder: Path) -> bool:
    """Whether a server runs on this folder, with its hub or without. True as well where this user may not find out."""
    for name in ("hub.lock", "server.lock"):
        path = folder / name
        try:
            lock = try_lock(path) if path.exists() else -1
        except StoreUnusable:
            return running_server(folder) is not None
        if lock is None:
            return True
        if lock >= 0:
            os.close(lock)
    return False


def running_server(folder: Path) -> Running | None:
    """What the folder says of its server, which may have ended."""
    with suppress(OSError, MsgspecError):
        return decode((folder / "server.json").read_bytes(), type=Running)
    return None


def write_running(folder: Path, running: Running) -> None:
    """Raises StoreUnusable."""
    path = folder / "server.json"
    unfinished = path.with_suffix(f".{os.getpid()}")
    try:
        unfinished.write_bytes(encode(running))
        give_to_owner(folder, unfinished)
        unfinished.replace(path)
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be written ({error.strerror}); make room, or give its rights.") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def owner_of(folder: Path) -> tuple[int, int] | None:
    """User and group of a folder that root works on for somebody else: what is made in it has to stay theirs."""
    found = folder.stat()
    return (found.st_uid, found.st_gid) if os.geteuid() == 0 and found.st_uid != 0 else None


def give_to_owner(folder: Path, path: Path) -> None:
    owner = owner_of(folder)
    if owner is not None:
        os.chown(path, *owner, follow_symlinks=False)


def socket_permissions(folder: Path) -> str:
    """Whoever may write to the folder may connect: its user, and its group where that may."""
    return "770" if folder.stat().st_mode & stat.S_IRWXG == stat.S_IRWXG else "700"


def socket_path(folder: Path) -> Path:
    """Where a server that is started now will listen: in the folder, or in a short one of this user alone.

    Nothing is made yet. Raises StoreUnusable if somebody else has that place.
    """
    if _takes_sockets(folder):
        return folder / SOCKET
    user = (owner_of(folder) or (os.getuid(),))[0]
    name = f"bookboard-{user}-{sha256(os.fsencode(folder)).hexdigest()[:16]}"
    for base in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - checked below
        if not base or not _PLAIN.fullmatch(base) or not os.access(base, os.W_OK | os.X_OK):
            continue
        place = Path(base) / name
        if len(os.fsencode(place / SOCKET)) <= LONGEST_SOCKET:
            _check_private(place, user)
            return place / SOCKET
    raise StoreUnusable(
        "There is no short folder for a socket; set TMPDIR to one that this user can write, such as /tmp."
    )


def _takes_sockets(folder: Path) -> bool:
    """A path may be too long for a socket, and not every file system has them."""
    probe = folder / f"{SOCKET}.{os.getpid()}"
    if not _PLAIN.fullmatch(str(probe)) or len(os.fsencode(probe)) > LONGEST_SOCKET:
        return False
    try:
        with socket.socket(socket.AF_UNIX) as tried:
            tried.bind(str(probe))
    except OSError:
        return False
    finally:
        probe.unlink(missing_ok=True)
    return True


def make_way(folder: Path, socket: Path) -> None:
    """The socket's folder is there, private, and nothing of an earlier server is in the way. Raises StoreUnusable."""
    try:
        if socket.parent != folder:
            owner = owner_of(folder)
            socket.parent.mkdir(mode=0o700, exist_ok=True)
            give_to_owner(folder, socket.parent)
            _check_private(socket.parent, owner[0] if owner else os.getuid())
        socket.unlink(missing_ok=True)
    except OSError as error:
        raise StoreUnusable(f"{socket.parent} cannot be made ({error.strerror}); remove what is there.") from error


def clear_away(socket: Path) -> None:
    """Removes what a server that has ended may have left."""
    with suppress(OSError):
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()  # which the data folder is too full for


def _check_private(place: Path, user: int) -> None:
    try:
        found = place.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != user or found.st_mode & 0o077:
        raise StoreUnusable(f"{place} is not a private folder of this user; remove it.")

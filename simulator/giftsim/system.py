"""What giftsim takes from the operating system: clocks, threads, sockets, files and their descriptors."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

BACKLOG = 1024
WANTED_DESCRIPTORS = 4_096
UNLIMITED = 1_000_000
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. A name with several addresses, such as localhost, gets the one of IPv4."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    listening = socket.socket(family, kind, protocol)
    try:
        _share_port(listening)
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening


def _share_port(listening: socket.socket) -> None:
    """Take a port that an earlier process has just left. On Windows that option would let others take it too."""
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def start_thread(run: Callable[[], None], name: str) -> None:
    """Run a function in a thread that does not keep the process alive."""
    threading.Thread(target=run, name=name, daemon=True).start()


def now_ms() -> int:
    """The current time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class File:
    """An open file to which lines are appended. OSError wherever the system refuses."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def write(self, data: bytes) -> int:
        """Append bytes, or the first of them; how many."""
        return os.write(self._fd, data)

    def read(self, size: int, at: int) -> bytes:
        """At most `size` bytes from byte `at` on; none at the end."""
        return os.pread(self._fd, size, at)

    def size(self) -> int:
        """The number of bytes."""
        return os.fstat(self._fd).st_size

    def truncate(self, size: int) -> None:
        """Cut off what follows the first `size` bytes."""
        os.ftruncate(self._fd, size)

    def keep_private(self) -> None:
        """Let only the owner read it, also if it was there before."""
        os.fchmod(self._fd, 0o600)

    def sync(self) -> None:
        """Wait until what was written is on the disk, where a power failure leaves it."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file. What has been written stays."""
        os.close(self._fd)


class NotRegular(Exception):
    """A pipe, a device or a folder, not a file."""


class Locked(Exception):
    """Another process has the file."""


def open_file(path: Path) -> File:
    """Open a file to append to, or make it, for this process and its owner only. NotRegular, Locked, OSError."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise NotRegular
        _lock_file(fd)
    except BaseException:
        os.close(fd)
        raise
    return File(fd)


def _lock_file(fd: int) -> None:
    """Keep other processes from opening the same file, where the system has such locks."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Locked from None


def state_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's programs keep what is theirs and outlives them: giftsim's folder there, which may not exist."""
    if folder := environment.get("GIFTSIM_STATE"):
        return Path(folder)
    home = Path(environment.get("HOME") or Path.home())
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "giftsim"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "giftsim"
    folder = environment.get("XDG_STATE_HOME", "")
    return (Path(folder) if folder.startswith("/") else home / ".local" / "state") / "giftsim"


class System(NamedTuple):
    """The operating system as giftsim sees it; a simulation (tests/simulation) replaces each part.

    `monotonic` is in seconds and never goes back, `now_ms` is in milliseconds since the Unix epoch.
    """

    monotonic: Callable[[], float] = time.monotonic
    now_ms: Callable[[], int] = now_ms
    lock: Callable[[], threading.Lock] = threading.Lock
    condition: Callable[[], threading.Condition] = threading.Condition
    event: Callable[[], threading.Event] = threading.Event
    queue: Callable[[], SimpleQueue[None]] = SimpleQueue
    thread_id: Callable[[], int] = threading.get_ident
    start_thread: Callable[[Callable[[], None], str], None] = start_thread
    listen: Callable[[str, int], socket.socket] = listen
    socketpair: Callable[[], tuple[socket.socket, socket.socket]] = socket.socketpair
    selector: Callable[[], selectors.BaseSelector] = selectors.DefaultSelector
    resolve: Callable[..., Any] = socket.getaddrinfo
    socket: Callable[[int, int, int], socket.socket] = socket.socket
    open_file: Callable[[Path], File] = open_file


SYSTEM: Final = System()


def descriptor_limit() -> int:
    """How many file descriptors the process may have open. Each connection needs one."""
    resource = _resource()
    if resource is None:
        return UNLIMITED
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else int(soft)


def raise_descriptor_limit() -> None:
    """Raise the descriptor limit of this process to what the server may need, as far as the system allows."""
    if descriptor_limit() >= WANTED_DESCRIPTORS:
        return
    resource = _resource()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(WANTED_DESCRIPTORS, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _resource() -> Any:
    """The module `resource` of POSIX systems, or None: Windows has no such limit."""
    try:
        return import_module("resource")
    except ImportError:
        return None

"""What giftsim takes from the operating system: clocks, threads, sockets, files and their descriptors.

What Windows and macOS do otherwise is here too, and nowhere else. tests/system/test_platforms.py stands in for each.
"""

from __future__ import annotations

import errno
import os
import selectors
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from subprocess import Popen

BACKLOG = 1024
WANTED_DESCRIPTORS = 4_096
UNLIMITED = 1_000_000
OF_SELECT = 512  # sockets that Windows can wait for at once
LOCKED_BYTE = 1 << 40
MORE = "; --large-files reads more"  # the end of a message about a limit that this option raises
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


class Platform(NamedTuple):
    """What an operating system has of the standard library: `find` raises ImportError for a module that it lacks."""

    os: Any = os
    find: Callable[[str], Any] = import_module

    def module(self, name: str) -> Any:
        """A module, or None."""
        try:
            return self.find(name)
        except ImportError:
            return None


HERE: Final = Platform()


class File:
    """An open file to which lines are appended. OSError wherever the system refuses."""

    def __init__(self, fd: int, platform: Platform = HERE) -> None:
        self._fd, self._platform = fd, platform

    def write(self, data: bytes) -> int:
        """Append bytes, or the first of them; how many."""
        return os.write(self._fd, data)

    def read(self, size: int, at: int) -> bytes:
        """At most `size` bytes from byte `at` on; none at the end."""
        if hasattr(self._platform.os, "pread"):
            return bytes(self._platform.os.pread(self._fd, size, at))
        os.lseek(self._fd, at, os.SEEK_SET)  # on Windows; what is written goes to the end all the same
        return os.read(self._fd, size)

    def size(self) -> int:
        """The number of bytes."""
        return os.fstat(self._fd).st_size

    def truncate(self, size: int) -> None:
        """Cut off what follows the first `size` bytes."""
        os.ftruncate(self._fd, size)

    def keep_private(self) -> None:
        """Let only the owner read it, also if it was there before."""
        if hasattr(self._platform.os, "fchmod"):  # on Windows, the folder decides
            self._platform.os.fchmod(self._fd, 0o600)

    def sync(self) -> None:
        """Wait until what was written is on the disk, where a power failure leaves it."""
        fcntl = self._platform.module("fcntl")
        if hasattr(fcntl, "F_FULLFSYNC"):  # on macOS, where fsync leaves it in the disk's own memory
            with suppress(OSError):  # not every file system has it
                fcntl.fcntl(self._fd, fcntl.F_FULLFSYNC)
                return
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file. What has been written stays."""
        os.close(self._fd)


class TooLarge(OSError):
    """A file has more bytes than are read; its `strerror` says how many."""

    def __init__(self, path: Path, size: int, most: int) -> None:
        has = f"{size:,} bytes; the limit is {most:,}" if size > most else f"more than {most:,} bytes"
        super().__init__(errno.EFBIG, f"the file has {has}{MORE}", str(path))


def read_file(path: Path, most: int) -> bytes:
    """The content of a file. Of one that is larger than `most` bytes only the size is read: TooLarge. OSError."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        content = b"" if size > most else file.read((size or most) + 1)  # a pipe or a device has no size
    if max(size, len(content)) > most:
        raise TooLarge(path, size, most)
    return content


class NotRegular(Exception):
    """A pipe, a device or a folder, not a file."""


class Locked(Exception):
    """Another process has the file."""


def open_file(path: Path, platform: Platform = HERE) -> File:
    """Open a file to append to, or make it, for this process and its owner only. NotRegular, Locked, OSError."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _as_it_is(platform), 0o600)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise NotRegular
        _lock_file(fd, platform)
    except BaseException:
        os.close(fd)
        raise
    return File(fd, platform)


def open_to_read(path: Path, platform: Platform = HERE) -> int:
    """The descriptor of a file that another process may be writing. OSError."""
    return os.open(path, os.O_RDONLY | _as_it_is(platform))


def _as_it_is(platform: Platform) -> int:
    """The flag without which Windows writes two bytes for the end of a line."""
    return getattr(platform.os, "O_BINARY", 0)


def _lock_file(fd: int, platform: Platform) -> None:
    """Keep other processes from opening the same file to append to."""
    fcntl, msvcrt = platform.module("fcntl"), platform.module("msvcrt")
    try:
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:  # a byte far behind the end, because nobody could read one that is locked
            os.lseek(fd, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
    except OSError:
        raise Locked from None


@contextmanager
def started_group(command: str | Sequence[str], **options: Any) -> Iterator[Popen[Any]]:
    """A process in a new session. An error in the block ends it, with those that it started. OSError."""
    import subprocess

    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            yield process
        except BaseException:
            end_group(process, at_once=True)
            raise


def end_group(
    process: Popen[Any], platform: Platform = HERE, *, at_once: bool = False, number: int = signal.SIGTERM
) -> None:
    """End a process that was started in a new session, with those that it started; on Windows, itself alone."""
    with suppress(ProcessLookupError):
        if hasattr(platform.os, "killpg"):
            platform.os.killpg(process.pid, getattr(signal, "SIGKILL", number) if at_once else number)
        elif at_once:
            process.kill()
        else:
            process.terminate()


class NoHome(Exception):
    """Neither the environment nor the system knows a home folder of this user."""


def state_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's programs keep what is theirs and outlives them: giftsim's folder there, which may not exist.

    Raises NoHome if no variable names the folder, and the user has no home.
    """
    if folder := environment.get("GIFTSIM_STATE"):
        return Path(folder)
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else _home(environment) / "AppData" / "Local") / "giftsim"
    if platform == "darwin":
        return _home(environment) / "Library" / "Application Support" / "giftsim"
    folder = environment.get("XDG_STATE_HOME", "")
    return (Path(folder) if folder.startswith("/") else _home(environment) / ".local" / "state") / "giftsim"


def _home(environment: Mapping[str, str]) -> Path:
    try:
        return Path(environment.get("HOME") or Path.home())
    except RuntimeError:  # containers run programs as users that the system does not list
        raise NoHome from None


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


def descriptor_limit(platform: Platform = HERE) -> int:
    """How many file descriptors the process may have open. Each connection needs one."""
    resource = platform.module("resource")
    if resource is None:
        return OF_SELECT
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else int(soft)


def raise_descriptor_limit(platform: Platform = HERE) -> None:
    """Raise the descriptor limit of this process to what the server may need, as far as the system allows."""
    resource = platform.module("resource")
    if resource is None or descriptor_limit(platform) >= WANTED_DESCRIPTORS:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(WANTED_DESCRIPTORS, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

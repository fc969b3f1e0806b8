"""What the server takes from the operating system: clocks, sockets, threads and file descriptors."""

from __future__ import annotations

import errno
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

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


def start_thread(run: Callable[[], None]) -> None:
    """Run a function in a thread that does not keep the process alive."""
    threading.Thread(target=run, name="server", daemon=True).start()


class System(NamedTuple):
    """The operating system as the server sees it; a simulation can replace each part.

    `monotonic` is in seconds and never goes back, `now_ms` is in milliseconds since the Unix epoch.
    """

    monotonic: Callable[[], float]
    now_ms: Callable[[], int]
    listen: Callable[[str, int], socket.socket] = listen
    socketpair: Callable[[], tuple[socket.socket, socket.socket]] = socket.socketpair
    selector: Callable[[], selectors.BaseSelector] = selectors.DefaultSelector
    start_thread: Callable[[Callable[[], None]], None] = start_thread


def descriptor_limit() -> int:
    """How many file descriptors the process may have open. Each connection needs one."""
    resource = _resource()
    if resource is None:
        return UNLIMITED
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else int(soft)


def raise_descriptor_limit() -> None:
    """Raise the limit of this process to what the server may need, or as far as the system allows."""
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

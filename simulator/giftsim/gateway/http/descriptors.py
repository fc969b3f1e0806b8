"""The process's limit of file descriptors, each of which a connection needs."""

from __future__ import annotations

import errno
from contextlib import suppress
from importlib import import_module
from typing import Any

WANTED = 4_096
UNLIMITED = 1_000_000
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def descriptor_limit() -> int:
    """How many file descriptors the process may have open."""
    resource = _resource()
    if resource is None:
        return UNLIMITED
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else int(soft)


def raise_descriptor_limit() -> None:
    """Raise the limit as far as the system allows, up to what the simulator may need."""
    if descriptor_limit() >= WANTED:
        return
    resource = _resource()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _resource() -> Any:
    """The module of POSIX systems, or None: Windows has no such limit."""
    try:
        return import_module("resource")
    except ImportError:
        return None

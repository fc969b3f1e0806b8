"""Refuses connections to routed hosts, by whatever client, before they leave the process.

An audit hook sees every name that Python resolves and every address that it connects to. It cannot be removed, so it
does nothing while no route is active. It also sees what is imported meanwhile. It cannot see clients that are written
in C and do both themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routes import ACTIVE, check_address

__tracebackhide__ = expected_errors


def _check_connect(args: tuple[Any, ...]) -> None:
    address = args[1]
    if isinstance(address, tuple) and len(address) >= 2:
        check_address(address[0], address[1])


CHECKS: Final[Mapping[str, Callable[[tuple[Any, ...]], None]]] = {
    "socket.getaddrinfo": lambda args: check_address(args[0], args[1]),
    "socket.gethostbyname": lambda args: check_address(args[0], None),
    "socket.connect": _check_connect,
}
_installed: list[Callable[[str], None]] = []


def install(on_import: Callable[[str], None]) -> None:
    """Watch this process, from the first route on. `on_import` gets the name of each module before its import."""
    if not _installed:
        _installed.append(on_import)
        sys.addaudithook(_watch)


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not ACTIVE:
        return
    if event == "import":
        _installed[0](args[0])
        return
    check = CHECKS.get(event)
    if check is not None:
        check(args)

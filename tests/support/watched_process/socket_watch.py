"""Refuses whatever would leave this machine, and writes it to a file: one line for each, with the test's name.

This module stands alone, since it is loaded at the start of every Python process that a test starts.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from ipaddress import ip_address
from typing import Any

VARIABLE = "GIFTSIM_TEST_DIALLED"  # the path of the file
CURRENT_TEST = "PYTEST_CURRENT_TEST"
SENT = frozenset(("socket.connect", "socket.sendto", "socket.sendmsg"))
LOOKED_UP = frozenset(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"))


class DialledOutside(RuntimeError):
    """A test tried to reach another machine than this one."""


@cache
def watch(file: str) -> None:
    """Watch this process from now on, to its end; once, however often this is called."""

    def refuse_outside(event: str, arguments: tuple[Any, ...]) -> None:
        if event in SENT:
            target, stays = arguments[1], is_local_address(arguments[1])
        elif event in LOOKED_UP:
            target, stays = arguments[0], is_local_name(arguments[0])
        else:
            return
        if not stays:
            test = os.environ.get(CURRENT_TEST, "no test").rpartition(" (")[0] or "no test"
            note(file, f"{test}: {event} {target!r}")
            raise DialledOutside(f"{test} reaches for {target!r}; tests dial only this machine")

    sys.addaudithook(refuse_outside)


def note(file: str, line: str) -> None:
    """Append one line, whole, also when several processes do so."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, line.encode("utf-8", "backslashreplace") + b"\n")
    os.close(descriptor)


def is_local_address(address: Any) -> bool:
    """Whether the address of a socket is on this machine: loopback, a path, or the peer that it is connected to."""
    if not isinstance(address, tuple):
        return True
    return is_local_name(address[0]) and not is_literal(address[0], loopback=False)


def is_local_name(host: Any) -> bool:
    """Whether a look-up of this host asks no name server: a literal address, localhost, or none."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    return (
        host is None or host in ("", "localhost") or is_literal(host, loopback=True) or is_literal(host, loopback=False)
    )


def is_literal(host: Any, *, loopback: bool) -> bool:
    """Whether a text is an address of loopback, or of any other place."""
    try:
        return ip_address(host.partition("%")[0]).is_loopback == loopback
    except (ValueError, AttributeError):
        return False

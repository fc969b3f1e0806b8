"""Free ports in a row."""

from __future__ import annotations

import socket
from contextlib import suppress

from giftsim.engine.worlds import system_clock

FIRST, LAST = 20_000, 32_000  # Linux gives none of these to outgoing connections


def free_ports(many: int) -> int:
    """The first of so many ports of 127.0.0.1 in a row on which nothing listens."""
    while True:
        first = FIRST + system_clock.fresh_seed() % (LAST - FIRST - many)
        with suppress(OSError):
            for port in range(first, first + many):
                socket.create_server(("127.0.0.1", port)).close()
            return first

"""A simulator that listens on a free port, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from giftsim import Simulator
from giftsim.gateway.http.server import Server


@contextmanager
def listening(simulator: Simulator, **options: Any) -> Iterator[Server]:
    """Serve a simulator in a background thread; at the end both are closed. Options are those of `listen`."""
    server = simulator.listen("127.0.0.1", 0, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        simulator.close()

"""Servers in this process: of a simulator, or of any WSGI application, each on a free port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from giftsim import Simulator
from giftsim.engine.gateway.call import ConnectionDropped
from giftsim.engine.gateway.json_body import MAX_BYTES
from giftsim.engine.gateway.repeated_headers import separator
from giftsim.engine.gateway.wsgi_app import WsgiCallable
from giftsim.engine.server import Server
from giftsim.engine.server.connection import Application
from giftsim.engine.system import SYSTEM


def application(app: WsgiCallable) -> Application:
    """A WSGI application with the rules of the simulator's."""
    return Application(app, ConnectionDropped, MAX_BYTES, separator, "/_sim/v1/", lambda: "req_of_the_server")


def server_of(app: WsgiCallable) -> Server:
    """A server of a WSGI application, not started yet."""
    return Server(application(app), "127.0.0.1", 0, SYSTEM)


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

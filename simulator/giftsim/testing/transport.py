"""The transport of a test's calls, and the one in process; the one over HTTP is in another module."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Client, Response
from giftsim.engine.webhooks.url_rules import printable_url

if TYPE_CHECKING:
    from giftsim.build import Simulator

__all__ = ["InProcess", "Response", "Transport"]


class Transport(Client, Protocol):
    """Sends calls to the simulator at `origin`.

    A broken connection raises the builtin ConnectionError, a late response the builtin TimeoutError. `timeout_s` is in
    real seconds; None waits without limit.
    """

    @property
    def origin(self) -> str:
        """The origin of links in responses: scheme, host and port."""

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Send one request. Bytes and text are sent unchanged, any other body as JSON; `path` may have a query."""


class CallNotRouted(RuntimeError):
    """A call that cannot reach its world: no route takes it, or its process has only a copy. It left no process.

    This is not an OSError, so that no client takes it for a broken connection and tries again.
    """

    def __str__(self) -> str:
        return f"{super().__str__()} (see docs/reference/pytest-plugin.md, Routes)"


class InProcess(InProcessClient):
    """Calls a simulator in this process, without a socket. A forked process gets CallNotRouted."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator.wsgi_app)
        self.simulator = simulator
        self._process = os.getpid()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        environ: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Make one call."""
        if os.getpid() != self._process:
            raise CallNotRouted(
                f"{method} {path.partition('?')[0]} was not sent: this process was forked from that of the test, and"
                " would change a copy of the world. Use giftsim_server: all processes share the worlds of a server"
            )
        return super().call(method, path, body=body, headers=headers, environ=environ, timeout_s=timeout_s)

    @property
    def origin(self) -> str:
        """The simulator's origin in links. No such host exists."""
        return self.simulator.registry.runtime.origin


def check_origin(origin: str) -> str:
    """The origin of a server without a slash at its end; ValueError unless it is http with only a host and a port."""
    parts = urlsplit(origin)
    try:
        is_address = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if parts.scheme != "http" or not is_address or "@" in parts.netloc or parts.path.strip("/") or parts.query:
        raise ValueError(f"{printable_url(origin)} is not the address of a server, like http://127.0.0.1:8080")
    return origin.rstrip("/")

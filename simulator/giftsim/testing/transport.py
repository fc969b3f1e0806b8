"""The transport of a test's calls, and the one in process; the one over HTTP has a module of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from giftsim.client.in_process import InProcessClient
from giftsim.client.response import Client, Response
from giftsim.webhooks.url_rules import printable

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


class InProcess(InProcessClient):
    """Calls a simulator in this process, without a socket."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator.wsgi_app)
        self.simulator = simulator

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
        raise ValueError(f"{printable(origin)} is not the address of a server, like http://127.0.0.1:8080")
    return origin.rstrip("/")

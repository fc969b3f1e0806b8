"""Clients of a world: those of `requests`, `httpx` and Werkzeug, none of which sends anything to the network."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from giftsim.testing.control_client import Control
from giftsim.testing.router import Door, Missing
from giftsim.testing.transport import InProcess

if TYPE_CHECKING:
    from httpx import AsyncClient
    from httpx import Client as HttpxClient
    from werkzeug.test import Client

    from giftsim.testing.requests_adapter import WorldSession
    from giftsim.testing.wsgi_adapter import Porch


class Clients(Control):
    """Each speaks for a named credential where a call brings none of its own, and takes paths below its base URL.

    `base` gives it another base URL, say the one an application knows the service by, and `to` a path of the simulator
    that it stands for. Redirects, bodies, time-outs and broken connections are those of the library.
    """

    def requests(
        self, credential: str | None = "partner.prepaid", *, base: str | None = None, to: str = ""
    ) -> WorldSession:
        """A `requests.Session`; a dropped answer is `requests.ConnectionError`."""
        try:
            from giftsim.testing.requests_adapter import WorldSession
        except ModuleNotFoundError:
            raise Missing("requests") from None
        return WorldSession(self.door(credential, base, to))

    def httpx(
        self, credential: str | None = "partner.prepaid", *, base: str | None = None, to: str = ""
    ) -> HttpxClient:
        """An `httpx.Client`; a dropped answer is `httpx.RemoteProtocolError`."""
        try:
            from httpx import Client

            from giftsim.testing.httpx_adapter import Transport
        except ModuleNotFoundError:
            raise Missing("httpx") from None
        door = self.door(credential, base, to)
        return Client(transport=Transport(door), base_url=door.base, trust_env=False)

    def httpx_async(
        self, credential: str | None = "partner.prepaid", *, base: str | None = None, to: str = ""
    ) -> AsyncClient:
        """An `httpx.AsyncClient`, likewise."""
        try:
            from httpx import AsyncClient

            from giftsim.testing.httpx_adapter import AsyncTransport
        except ModuleNotFoundError:
            raise Missing("httpx") from None
        door = self.door(credential, base, to)
        return AsyncClient(transport=AsyncTransport(door), base_url=door.base, trust_env=False)

    def werkzeug(self, credential: str | None = "partner.prepaid") -> Client:
        """Werkzeug's test client; a dropped answer is the builtin ConnectionError. In process alone."""
        from werkzeug.test import Client

        return Client(self.wsgi(credential))

    def wsgi(self, credential: str | None = "partner.prepaid") -> Porch:
        """The world as a WSGI application; TypeError where it is served by another process."""
        from giftsim.testing.wsgi_adapter import Porch

        if not isinstance(self.passage, InProcess):
            raise TypeError("this world is on a server: a WSGI client needs the fixture giftsim, in process")
        return Porch(self.passage.simulator.front, self._spoken(credential))

    def route(self, base: str, credential: str | None = None, *, to: str = "") -> AbstractContextManager[None]:
        """Meanwhile an application's own `requests` and `httpx` calls to URLs below `base` reach the world."""
        from giftsim.testing.patching import detour

        return detour(self.door(credential, base, to))

    def door(self, credential: str | None, base: str | None = None, to: str = "") -> Door:
        """Where a base URL leads, for a client library of your own."""
        return Door(self.passage, base, to, self._spoken(credential))

    def _spoken(self, credential: str | None) -> dict[str, str]:
        return self.headers(credential) if credential else {"X-Sim-World": self.world}

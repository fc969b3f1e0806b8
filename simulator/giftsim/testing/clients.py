"""Clients of `requests`, `httpx` and Werkzeug that call a world. None of them uses the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from giftsim.engine.gateway.call import ConnectionDropped
from giftsim.testing.control_client import ControlClient
from giftsim.testing.routing import Router
from giftsim.testing.transport import InProcess, Transport

if TYPE_CHECKING:
    from httpx import AsyncClient
    from httpx import Client as HttpxClient
    from werkzeug.test import Client

    from giftsim.engine.gateway.wsgi_app import WsgiCallable
    from giftsim.testing.call_notes import CallNotes
    from giftsim.testing.requests_adapter import WorldSession


class LibraryNotInstalled(ImportError):
    """A client library is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__(
            f"giftsim.{library}() needs {library}, which is not installed: pip install {library}", name=library
        )


class WsgiWorld:
    """The simulator's WSGI app with default credential headers; a dropped response raises ConnectionError."""

    def __init__(self, wsgi_app: WsgiCallable, headers: Mapping[str, str], notes: CallNotes | None = None) -> None:
        self._wsgi_app, self._notes = wsgi_app, notes
        self._headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        headers = {} if "HTTP_AUTHORIZATION" in environ else self._headers
        if self._notes is not None:
            self._notes.end(self._notes.begin(environ["REQUEST_METHOD"], environ["PATH_INFO"]), None)
        try:
            return self._wsgi_app({**environ, **headers, "giftsim.in_process": True}, start_response)
        except ConnectionDropped as lost:
            raise ConnectionError(f"the connection was closed without a response ({lost})") from None


class Clients(ControlClient):
    """Each client sends a named credential where a request has none, and takes paths relative to its base URL.

    `base` replaces the base URL, for example by the one in an application's settings, and `to` is the path of the
    simulator that it maps to. Redirects, bodies, time-outs and connection errors are those of the library.
    """

    def __init__(self, transport: Transport, description: Mapping[str, Any]) -> None:
        super().__init__(transport, description)
        self._notes: Counter[str] = Counter()

    def requests(
        self, credential: str | None = "partner.prepaid", *, base: str | None = None, to: str = ""
    ) -> WorldSession:
        """A `requests.Session`; a dropped response is `requests.ConnectionError`."""
        try:
            from giftsim.testing.requests_adapter import WorldSession
        except ModuleNotFoundError:
            raise LibraryNotInstalled("requests") from None
        return WorldSession(self.router(credential, base, to))

    def httpx(
        self, credential: str | None = "partner.prepaid", *, base: str | None = None, to: str = ""
    ) -> HttpxClient:
        """An `httpx.Client`; a dropped response is `httpx.RemoteProtocolError`."""
        try:
            from httpx import Client

            from giftsim.testing.httpx_adapter import WorldTransport
        except ModuleNotFoundError:
            raise LibraryNotInstalled("httpx") from None
        router = self.router(credential, base, to)
        return Client(transport=WorldTransport(router), base_url=router.base, trust_env=False)

    def httpx_async(
        self, credential: str | None = "partner.prepaid", *, base: str | None = None, to: str = ""
    ) -> AsyncClient:
        """An `httpx.AsyncClient`; a dropped response is `httpx.RemoteProtocolError`."""
        try:
            from httpx import AsyncClient

            from giftsim.testing.httpx_adapter import AsyncWorldTransport
        except ModuleNotFoundError:
            raise LibraryNotInstalled("httpx") from None
        router = self.router(credential, base, to)
        return AsyncClient(transport=AsyncWorldTransport(router), base_url=router.base, trust_env=False)

    def werkzeug(self, credential: str | None = "partner.prepaid") -> Client:
        """Werkzeug's test client; a dropped response is the builtin ConnectionError. Only in process."""
        from werkzeug.test import Client

        return Client(self.wsgi(credential))

    def wsgi(self, credential: str | None = "partner.prepaid") -> WsgiWorld:
        """The world as a WSGI application; TypeError if the world is on a server."""

        if not isinstance(self.transport, InProcess):
            raise TypeError("this world is on a server; a WSGI client needs the fixture giftsim, in process")
        headers, notes = self._default_headers(credential), getattr(self.transport, "notes", None)
        return WsgiWorld(self.transport.simulator.wsgi_app, headers, notes)

    def route(
        self, base: str, credential: str | None = None, *, to: str = "", replace_key: bool = False
    ) -> AbstractContextManager[None]:
        """Inside the block, the application's own calls of URLs below `base` go to the world, and nothing to that host.

        That holds for requests, httpx, httpx2, httpcore, aiohttp, pyreqwest, urllib, urllib3 and all that is built on
        http.client. Any other client gets CallNotRouted when it connects to the host. Calls without a credential get
        the given one; `replace_key` puts it in place of the application's own too.
        """
        from giftsim.testing.patching import routed

        if replace_key and credential is None:
            raise TypeError("route(replace_key=True) needs a credential, such as route(url, 'partner.prepaid', ...)")
        return routed(self.router(credential, base, to, replace_key=replace_key))

    def router(
        self, credential: str | None, base: str | None = None, to: str = "", *, replace_key: bool = False
    ) -> Router:
        """Map a base URL to the world, to connect another client library."""
        headers = self._default_headers(credential)
        return Router(self.transport, self.world, base, to, headers, replace_key=replace_key, notes=self._notes)

    def door(self, credential: str | None, base: str | None = None, to: str = "") -> Router:
        """The former name of `router`, kept for one release."""
        return self.router(credential, base, to)

    def _default_headers(self, credential: str | None) -> dict[str, str]:
        return self.headers(credential) if credential else self._control.headers_of(None)

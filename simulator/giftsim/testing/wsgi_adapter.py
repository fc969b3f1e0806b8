"""A world as a WSGI application, for Werkzeug's test client and other WSGI callers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.wsgi_app import WsgiCallable


class WsgiWorld:
    """The simulator's WSGI app with default credential headers; a dropped response raises ConnectionError."""

    def __init__(self, wsgi_app: WsgiCallable, headers: Mapping[str, str]) -> None:
        self._wsgi_app = wsgi_app
        self._headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        headers = {} if "HTTP_AUTHORIZATION" in environ else self._headers
        try:
            return self._wsgi_app({**environ, **headers, "giftsim.in_process": True}, start_response)
        except ConnectionDropped as lost:
            raise ConnectionError(f"the connection was closed without a response ({lost})") from None

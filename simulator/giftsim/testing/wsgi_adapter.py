"""A world as a WSGI application of its own, for Werkzeug's test client and whatever else calls WSGI."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from giftsim.gateway.call import Dropped
from giftsim.gateway.wsgi_app import Wsgi


class Porch:
    """The simulator's front, with a credential for calls that have none; a dropped answer is ConnectionError."""

    def __init__(self, front: Wsgi, headers: Mapping[str, str]) -> None:
        self._front = front
        self._headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        told = {} if "HTTP_AUTHORIZATION" in environ else self._headers
        try:
            return self._front({**environ, **told, "giftsim.in_process": True}, start_response)
        except Dropped as lost:
            raise ConnectionError(f"the connection was closed without an answer ({lost})") from None

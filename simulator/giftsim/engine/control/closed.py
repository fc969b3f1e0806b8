"""A closed simulator: over a socket, who lacks the control token reaches what is simulated, and nothing else (G394)."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import JSON, encode
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse, WsgiApp, WsgiCallable

OWN_HEADERS: Final = "HTTP_X_SIM_"
UNAUTHORIZED: Final = "401 Unauthorized"
PAGE: Final = "docs/how-to/is-my-integration-right.md"  # which this address does not serve


def closed(app: WsgiApp, token: str, pages: tuple[str, ...], mounts: Collection[str]) -> WsgiCallable:
    """The application for callers over a socket: those without the token get 401 for everything that is not simulated.

    Simulated are the interfaces of services, what begins with one of `pages`, and `mounts`. Headers of giftsim's own
    (`X-Sim-Fault`, `X-Sim-World`) are dropped from calls without the token.
    """

    def call(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if _has_token(environ, token):
            return app(environ, start_response)
        if path.startswith(pages) or path in mounts or _is_simulated(app, path):
            return app(_without_own_headers(environ), start_response)
        return _refuse(environ, start_response, app.registry.next_request_id)

    return call


def _is_simulated(app: WsgiApp, path: str) -> bool:
    place = app.place(path)
    return place is not None and place[0].simulated


def _has_token(environ: Mapping[str, Any], token: str) -> bool:
    scheme, _, sent = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode(), token.encode())


def _without_own_headers(environ: Environ) -> Environ:
    return {name: value for name, value in environ.items() if not name.startswith(OWN_HEADERS)}


def _refuse(environ: Environ, start_response: StartResponse, new_request_id: Callable[[], str]) -> Iterable[bytes]:
    request_id = new_request_id()
    error = {"code": "unauthorized", "message": "this address needs a token", "request_id": request_id}
    error["page"] = PAGE
    content = encode({"error": error})
    headers = [
        ("WWW-Authenticate", 'Bearer realm="giftsim"'),
        ("X-Request-Id", request_id),
        ("Content-Type", JSON),
        ("Content-Length", str(len(content))),
    ]
    start_response(UNAUTHORIZED, headers)
    return () if environ["REQUEST_METHOD"] == "HEAD" else (content,)

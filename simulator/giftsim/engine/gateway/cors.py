"""Pages of other origins: those that are allowed by name may call and read everything, all others stay out (G102)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from giftsim.engine.gateway.wsgi_app import Environ, StartResponse, WsgiCallable


def is_same_origin(origin: str, host: str) -> bool:
    """Whether an `Origin` has the host and port of a `Host` header; False for an origin that is none."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:  # such as `http://[`
        return False


Headers = list[tuple[str, str]]

ALLOWED = "giftsim.allowed_origin"  # environ key of calls by an allowed page; no request can set it
METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
MAX_AGE_S = 600
DEFAULT_PORTS = {"http": "80", "https": "443"}

_ORIGIN = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?", re.ASCII)


def read_origin(text: str) -> str:
    """An origin as browsers send it: in lower case, without the scheme's own port; ValueError if it is none."""
    match = _ORIGIN.fullmatch(text.lower())
    if match is None or not 0 < int(match[3] or 1) < 65536:
        raise ValueError(f"the origin of a page, like http://localhost:3000, not {text!r}")
    scheme, host, port = match.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and port != DEFAULT_PORTS[scheme] else "")


def is_from_own_page(environ: Mapping[str, Any]) -> bool:
    """Whether a call comes from no page, from one of the host that is called, or from one that is allowed by name."""
    origin = environ.get("HTTP_ORIGIN")
    return origin is None or ALLOWED in environ or is_same_origin(origin, environ.get("HTTP_HOST", ""))


def with_cors(app: WsgiCallable, origins: Collection[str]) -> WsgiCallable:
    """The application, with answers that pages of these origins may read; the application itself if there are none."""
    if not origins:
        return app

    def call(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        origin: str = environ.get("HTTP_ORIGIN", "")
        if origin not in origins:
            return app(environ, _adding(start_response, lambda _: [("Vary", "Origin")]))
        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start_response("204 No Content", _preflight_headers(origin, environ))
            return ()
        return app({**environ, ALLOWED: True}, _adding(start_response, lambda headers: _headers(origin, headers)))

    return call


def _adding(
    start_response: StartResponse, more: Callable[[list[tuple[str, str]]], list[tuple[str, str]]]
) -> StartResponse:
    def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
        return start_response(status, [*headers, *more(headers)], *rest)

    return start


def _headers(origin: str, sent: Headers | None = None) -> Headers:
    """The headers of an answer that let its page read all other headers."""
    headers = [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Credentials", "true"),
        ("Vary", "Origin"),
    ]
    names = list(dict.fromkeys(name for name, _ in sent or ()))
    return [*headers, ("Access-Control-Expose-Headers", ", ".join(names))] if names else headers


def _preflight_headers(origin: str, environ: Environ) -> Headers:
    """The answer to a preflight: every method and header, so that the call itself gets to say what is wrong with it."""
    headers = [*_headers(origin), ("Access-Control-Allow-Methods", METHODS), ("Access-Control-Max-Age", str(MAX_AGE_S))]
    if asked := environ.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS"):
        headers.append(("Access-Control-Allow-Headers", asked))
    if environ.get("HTTP_ACCESS_CONTROL_REQUEST_PRIVATE_NETWORK") == "true":
        headers.append(("Access-Control-Allow-Private-Network", "true"))
    return headers

"""A client that calls the application in this process: the same path as HTTP, without a socket."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

import msgspec

from giftsim.gateway.call import ConnectionDropped

if TYPE_CHECKING:
    from giftsim.gateway.wsgi_app import WsgiCallable

NAME = "giftsim.example"
_NO_BODY = io.BytesIO(b"")
_SAME_IN_ALL: Mapping[str, Any] = {
    "SCRIPT_NAME": "",
    "SERVER_NAME": NAME,
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.errors": _NO_BODY,
    "wsgi.multithread": True,
    "wsgi.multiprocess": False,
    "wsgi.run_once": False,
    "giftsim.in_process": True,
}


class Response(msgspec.Struct, frozen=True):
    """A response as the client receives it; header names are lower-case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return msgspec.json.decode(self.body)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


class InProcessClient:
    """Calls a WSGI application. A dropped connection raises ConnectionError, as it does over HTTP."""

    def __init__(self, app: WsgiCallable, headers: Mapping[str, str] | None = None) -> None:
        self._app = app
        own = {_environ_key(name): value for name, value in {"Host": NAME, **(headers or {})}.items()}
        self._environ_of_all = {**_SAME_IN_ALL, **own}

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        environ: Mapping[str, Any] | None = None,
    ) -> Response:
        """Make one call. `body` is sent as JSON unless it is bytes or text; `path` may have a query string.

        `environ` is merged over the WSGI environ.
        """
        content = body if type(body) is bytes else _bytes(body)
        started: list[Any] = []

        def start_response(status: str, fields: list[tuple[str, str]], _exc_info: Any = None) -> None:
            started[:] = [status, fields]

        request = self._environ(method, path, content, headers or {})
        try:
            chunks = self._app({**request, **environ} if environ else request, start_response)
            response_body = b"".join(chunks)
        except ConnectionDropped as error:
            raise ConnectionError(f"the connection was closed without a response ({error})") from None
        if close := getattr(chunks, "close", None):
            close()
        status, fields = started
        return Response(int(status[:3]), {name.lower(): value for name, value in fields}, response_body)

    def _environ(self, method: str, path: str, content: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        path, _, query = path.partition("?")
        plain = path.isascii() and "%" not in path
        environ = self._environ_of_all.copy()
        environ["REQUEST_METHOD"] = method
        environ["PATH_INFO"] = path if plain else unquote_to_bytes(path).decode("latin-1")
        environ["QUERY_STRING"] = query
        environ["wsgi.input"] = io.BytesIO(content) if content else _NO_BODY
        environ["CONTENT_LENGTH"] = str(len(content))
        for name, value in headers.items():
            environ[_environ_key(name)] = value
        if content and "CONTENT_TYPE" not in environ:
            environ["CONTENT_TYPE"] = "application/json"
        return environ


@lru_cache(256)
def _environ_key(header: str) -> str:
    """The key of a header in a WSGI environ."""
    key = header.upper().replace("-", "_")
    return key if key == "CONTENT_TYPE" else f"HTTP_{key}"


def _bytes(body: Any) -> bytes:
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else msgspec.json.encode(body)

"""A client that calls an application in this process: the same path as HTTP, without a socket."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine.client.response import Response, encode_request_body, parse_response
from giftsim.engine.gateway.call import JSON, Application, ConnectionDropped
from giftsim.engine.url_paths import decode_path

if TYPE_CHECKING:
    from giftsim.engine.gateway.wsgi_app import WsgiCallable

NAME = "giftsim.example"
NOTHING: Final[Mapping[str, Any]] = {}
_NO_BODY = io.BytesIO(b"")
_WSGI: Mapping[str, Any] = {
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
}


class InProcessClient:
    """Calls a WSGI application. A dropped connection raises ConnectionError, as it does over HTTP.

    `headers` and `environ` are sent with every call; `environ` is merged over the WSGI environ. Calls of the
    simulator's interfaces go past WSGI: they need few members of the environ.
    """

    def __init__(
        self, app: WsgiCallable, headers: Mapping[str, str] | None = None, environ: Mapping[str, Any] = NOTHING
    ) -> None:
        self._app = app
        own = {_environ_key(name): value for name, value in {"Host": NAME, **(headers or {})}.items()}
        self._of_all = {"giftsim.in_process": True, **own, **environ}

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
        """Make one call. `body` is sent as JSON unless it is bytes or text; `path` may have a query string.

        `environ` is merged over the WSGI environ. TimeoutError after `timeout_s` real seconds; such a call runs in
        another thread, so that the caller can stop waiting.
        """
        content = body if type(body) is bytes else encode_request_body(body)
        request = self._of_all.copy()
        if content:
            request["CONTENT_TYPE"] = JSON
        if headers:
            for name, value in headers.items():
                request[_environ_key(name)] = value
        if environ:
            request.update(environ)
        if timeout_s is None:
            return self._call_app(method, path, content, request)
        return _within(timeout_s, lambda: self._call_app(method, path, content, request))

    def _call_app(self, method: str, path: str, content: bytes, environ: dict[str, Any]) -> Response:
        path, _, query = path.partition("?")
        if "%" in path or not path.isascii():
            path = decode_path(path)
        app = self._app
        try:
            if not isinstance(app, Application) or (place := app.place(path)) is None:
                return self._respond_by_wsgi(_wsgi_environ(method, path, query, content, environ))
            answer = app.answer(place, method, query, environ, content)
        except ConnectionDropped as error:
            raise ConnectionError(f"the connection was closed without a response ({error})") from None
        body = answer.content if answer.stream is None else b"".join(answer.stream)
        if answer.sends_for is not None:
            answer.sends_for.deliveries.send_in_background()
        return parse_response(answer.status, answer.headers, b"" if method == "HEAD" else body)

    def _respond_by_wsgi(self, environ: dict[str, Any]) -> Response:
        started: list[Any] = []

        def start_response(status: str, fields: list[tuple[str, str]], _exc_info: Any = None) -> None:
            started[:] = [status, fields]

        chunks = self._app(environ, start_response)
        body = b"".join(chunks)
        if close := getattr(chunks, "close", None):
            close()
        status, fields = started
        return parse_response(int(status[:3]), fields, body)


def _wsgi_environ(method: str, path: str, query: str, content: bytes, request: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_WSGI,
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "wsgi.input": io.BytesIO(content) if content else _NO_BODY,
        "CONTENT_LENGTH": str(len(content)),
        **request,
    }


@lru_cache(256)
def _environ_key(header: str) -> str:
    """The key of a header in a WSGI environ."""
    key = header.upper().replace("-", "_")
    return key if key == "CONTENT_TYPE" else f"HTTP_{key}"


def _within(timeout_s: float, work: Callable[[], Response]) -> Response:
    results: SimpleQueue[Response | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            results.put(error)

    threading.Thread(target=run, name="giftsim call", daemon=True).start()
    try:
        result = results.get(timeout=timeout_s)
    except Empty:
        raise TimeoutError(f"no response within {timeout_s:g} s") from None
    if isinstance(result, BaseException):
        raise result
    return result

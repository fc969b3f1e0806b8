"""One application, called by both clients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.over_http import HttpClient
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse
from tests.support.listening import server_of


class App:
    """An application that remembers its last request and answers as it is told."""

    def __init__(self) -> None:
        self.environ: Environ = {}
        self.body = b""
        self.status, self.fields = "200 OK", [("Content-Type", "application/json")]
        self.content: Iterable[bytes] = (b"{}",)
        self.before: Callable[[], object] = lambda: None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        self.environ = environ
        self.body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        self.before()
        start_response(self.status, self.fields)
        return self.content


@pytest.fixture
def app() -> App:
    """An application that answers `{}`."""
    return App()


@pytest.fixture(params=["in process", "over HTTP"])
def client(request: pytest.FixtureRequest, app: App) -> Iterator[Any]:
    """A client of the application."""
    if request.param == "in process":
        yield InProcessClient(app)
        return
    server = server_of(app)
    server.start()
    with ExitStack() as stack:
        stack.callback(server.stop)
        yield stack.enter_context(closing(HttpClient(server.origin)))

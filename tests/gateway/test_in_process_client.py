"""The in-process client: what the application sees of a call, and what the client gets back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.in_process_client import InProcessClient, Response
from giftsim.gateway.wsgi_app import Environ, StartResponse


class Recorder:
    """An application that remembers its last environ and answers with a fixed response."""

    def __init__(self, chunks: Iterable[bytes] = (b"{}",), status: str = "200 OK") -> None:
        self.chunks, self.status = chunks, status
        self.environ: Environ = {}
        self.body = b""

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        self.environ, self.body = environ, environ["wsgi.input"].read()
        start_response(self.status, [("Content-Type", "text/plain"), ("X-Request-Id", "r1")])
        return self.chunks


@pytest.fixture
def app() -> Recorder:
    """An application that answers `{}`."""
    return Recorder()


def test_the_application_sees_method_path_query_and_headers(app: Recorder) -> None:
    InProcessClient(app, {"X-Caller": "ada"}).call("PATCH", "/a%20b/%C3%A4?x=1&y=%20", headers={"X-Request-Id": "r7"})
    environ = app.environ
    assert (environ["REQUEST_METHOD"], environ["QUERY_STRING"]) == ("PATCH", "x=1&y=%20")
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/a b/ä"
    assert (environ["HTTP_X_CALLER"], environ["HTTP_X_REQUEST_ID"]) == ("ada", "r7")
    assert environ["HTTP_HOST"] == "giftsim.example"


def test_headers_of_a_call_come_before_those_of_the_client(app: Recorder) -> None:
    client = InProcessClient(app, {"X-Caller": "ada", "Host": "localhost"})
    client.call("GET", "/", headers={"X-Caller": "bo"})
    assert (app.environ["HTTP_X_CALLER"], app.environ["HTTP_HOST"]) == ("bo", "localhost")


@pytest.mark.parametrize(
    ("body", "content"),
    [(None, b""), (b"\xff", b"\xff"), ("text", b"text"), ({"a": [1, None]}, b'{"a":[1,null]}'), ([], b"[]"), (0, b"0")],
)
def test_a_body_is_json_unless_it_is_bytes_or_text(app: Recorder, body: Any, content: bytes) -> None:
    InProcessClient(app).call("POST", "/", body=body)
    assert (app.body, app.environ["CONTENT_LENGTH"]) == (content, str(len(content)))
    assert app.environ.get("CONTENT_TYPE") == ("application/json" if content else None)


def test_a_content_type_can_be_given(app: Recorder) -> None:
    InProcessClient(app).call("POST", "/", body="a=1", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert app.environ["CONTENT_TYPE"] == "application/x-www-form-urlencoded"


def test_entries_of_the_environ_can_be_given(app: Recorder) -> None:
    InProcessClient(app).call("GET", "/", environ={"giftsim.assistant": b"{}", "SERVER_NAME": "other"})
    assert (app.environ["giftsim.assistant"], app.environ["SERVER_NAME"]) == (b"{}", "other")


def test_a_response_has_status_lower_case_headers_and_body() -> None:
    response = InProcessClient(Recorder((b'{"a"', b": 1}"), "418 I'm a teapot")).call("GET", "/")
    assert response == Response(418, {"content-type": "text/plain", "x-request-id": "r1"}, b'{"a": 1}')
    assert (response.json(), response.text) == ({"a": 1}, '{"a": 1}')


def test_a_dropped_connection_is_a_connection_error() -> None:
    def app(_environ: Environ, _start_response: StartResponse) -> Iterable[bytes]:
        raise ConnectionDropped("fault drop: after")

    with pytest.raises(
        ConnectionError, match=r"^the connection was closed without a response \(fault drop: after\)$"
    ) as error:
        InProcessClient(app).call("GET", "/")
    assert error.value.__cause__ is None


def test_a_response_is_closed_after_its_body_was_read() -> None:
    class Chunks:
        def __init__(self) -> None:
            self.steps: list[str] = []

        def __iter__(self) -> Iterator[bytes]:
            yield b"{}"
            self.steps.append("read")

        def close(self) -> None:
            self.steps.append("closed")

    chunks = Chunks()
    InProcessClient(Recorder(chunks)).call("GET", "/")
    assert chunks.steps == ["read", "closed"]

"""The client of this process: what differs from HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.call import ConnectionDropped
from tests.client.conftest import App


def test_headers_of_a_call_come_before_those_of_the_client(app: App) -> None:
    client = InProcessClient(app, {"X-Caller": "ada", "X-Other": "o", "Host": "localhost"})
    client.call("GET", "/", headers={"X-Caller": "bo"})
    assert (app.environ["HTTP_X_CALLER"], app.environ["HTTP_X_OTHER"]) == ("bo", "o")
    assert app.environ["HTTP_HOST"] == "localhost"


def test_the_host_is_an_example(app: App) -> None:
    InProcessClient(app).call("GET", "/")
    assert app.environ["HTTP_HOST"] == "giftsim.example"


def test_entries_of_the_environ_can_be_given(app: App) -> None:
    client = InProcessClient(app, environ={"giftsim.in_process": False, "SERVER_NAME": "other"})
    client.call("GET", "/", environ={"giftsim.assistant": b"{}"})
    assert (app.environ["giftsim.assistant"], app.environ["SERVER_NAME"]) == (b"{}", "other")
    assert app.environ["giftsim.in_process"] is False
    client.call("GET", "/", environ={"SERVER_NAME": "third"})
    assert app.environ["SERVER_NAME"] == "third"


def test_a_response_has_nothing_that_the_application_did_not_send(app: App) -> None:
    app.status, app.fields = "418 I'm a teapot", [("Content-Type", "text/plain"), ("X-Request-Id", "r1")]
    response = InProcessClient(app).call("GET", "/")
    assert response == Response(418, {"content-type": "text/plain", "x-request-id": "r1"}, b"{}")


@pytest.mark.parametrize("timeout_s", [None, 10.0])
def test_a_dropped_connection_says_why(app: App, timeout_s: float | None) -> None:
    def drop() -> None:
        raise ConnectionDropped("fault drop: after")

    app.before = drop
    with pytest.raises(
        ConnectionError, match=r"^the connection was closed without a response \(fault drop: after\)$"
    ) as error:
        InProcessClient(app).call("GET", "/", timeout_s=timeout_s)
    assert error.value.__cause__ is None


def test_a_response_is_closed_after_its_body_was_read(app: App) -> None:
    class Chunks:
        def __init__(self) -> None:
            self.steps: list[str] = []

        def __iter__(self) -> Iterator[bytes]:
            yield b"{}"
            self.steps.append("read")

        def close(self) -> None:
            self.steps.append("closed")

    app.content = chunks = Chunks()
    InProcessClient(app).call("GET", "/")
    assert chunks.steps == ["read", "closed"]

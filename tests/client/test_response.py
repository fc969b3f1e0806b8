"""Both clients send the same request and return the same response."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.call import ConnectionDropped
from tests.client.conftest import App


def test_a_response_has_its_status_lower_case_headers_and_body(app: App, client: Any) -> None:
    app.status, app.content = "404 Not Found", (b'{"a"', b": 1}")
    response = client.call("GET", "/")
    assert (response.status, response.is_success, response.body) == (404, False, b'{"a": 1}')
    assert response.headers["content-type"] == "application/json"
    assert (response.json(), response.content(), response.text) == ({"a": 1}, {"a": 1}, '{"a": 1}')


def test_the_values_of_a_header_that_is_sent_twice_are_joined(app: App, client: Any) -> None:
    app.fields += [("X-Part", "a"), ("X-Other", "o"), ("x-part", "b")]
    headers = client.call("GET", "/").headers
    assert (headers["x-part"], headers["x-other"]) == ("a, b", "o")


def test_each_cookie_keeps_its_line(app: App, client: Any) -> None:
    """They may contain commas, so a comma cannot separate them (RFC 9110, 5.3)."""
    cookies = ["a=1; Expires=Mon, 04 Jan 2027 09:00:00 GMT", "b=2"]
    app.fields += [("Set-Cookie", cookie) for cookie in cookies]
    response = client.call("GET", "/")
    assert response.headers["set-cookie"].split("\n") == cookies
    assert [value for name, value in response.fields() if name == "set-cookie"] == cookies


@pytest.mark.parametrize(
    ("body", "content"),
    [(None, b""), (b"\xff", b"\xff"), ("text", b"text"), ({"a": [1, None]}, b'{"a":[1,null]}'), ([], b"[]"), (0, b"0")],
)
def test_a_body_is_json_unless_it_is_bytes_or_text(app: App, client: Any, body: Any, content: bytes) -> None:
    client.call("POST", "/", body=body)
    assert (app.body, app.environ["CONTENT_LENGTH"]) == (content, str(len(content)))
    assert app.environ.get("CONTENT_TYPE") == ("application/json" if content else None)


def test_a_content_type_can_be_given(app: App, client: Any) -> None:
    client.call("POST", "/", body="a=1", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert app.environ["CONTENT_TYPE"] == "application/x-www-form-urlencoded"


def test_the_application_sees_method_path_query_and_headers(app: App, client: Any) -> None:
    client.call("PATCH", "/a%20b/%C3%A4?x=1&y=%20", headers={"X-Request-Id": "r7"})
    environ = app.environ
    assert (environ["REQUEST_METHOD"], environ["QUERY_STRING"]) == ("PATCH", "x=1&y=%20")
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/a b/ä"
    assert environ["HTTP_X_REQUEST_ID"] == "r7"


def test_two_idempotency_keys_arrive_as_two_lines(app: App, client: Any) -> None:
    client.call("POST", "/", headers={"Idempotency-Key": "a\nb"})
    assert app.environ["HTTP_IDEMPOTENCY_KEY"] == "a\nb"


def test_a_connection_that_is_dropped_is_a_connection_error(app: App, client: Any) -> None:
    def drop() -> None:
        raise ConnectionDropped("fault drop: after")

    app.before = drop
    with pytest.raises(ConnectionError):
        client.call("GET", "/")


def test_a_late_response_is_a_timeout_error(app: App, client: Any) -> None:
    released = threading.Event()
    app.before = released.wait
    with pytest.raises(TimeoutError):
        client.call("GET", "/", timeout_s=0.05)
    released.set()


@pytest.mark.parametrize(
    ("content_type", "body", "content"),
    [
        ("application/json; charset=utf-8", b'{"a":1}', {"a": 1}),
        ("application/problem+json", b"[]", []),
        ("text/plain", b'{"a":1}', '{"a":1}'),
        (None, b"\xff", "\ufffd"),
    ],
)
def test_the_content_of_a_response_is_data_if_it_is_json(content_type: str | None, body: bytes, content: Any) -> None:
    headers = {} if content_type is None else {"content-type": content_type}
    assert Response(200, headers, body).content() == content

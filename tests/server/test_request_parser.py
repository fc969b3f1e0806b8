"""Requests from bytes, in pieces of any size; requests whose end is not clear are refused (G83)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.gateway.json_body import MAX_BYTES
from giftsim.engine.gateway.repeated_headers import separator
from giftsim.engine.server.request_parser import MAX_HEADER_BYTES, Request, RequestParser, framing_error
from giftsim.engine.url_paths import decode_path


def parse(data: bytes, step: int = 65_536) -> list[Request]:
    """The requests in these bytes, which arrive in pieces of so many."""
    requests: list[Request] = []
    parser = RequestParser({"wsgi.input_terminated": True}, requests.append, MAX_BYTES, separator)
    for at in range(0, len(data), step):
        if not parser.is_over:
            parser.feed(data[at : at + step])
    return requests


def summary(request: Request) -> tuple[str, ...]:
    """What a test compares."""
    environ = request.environ
    body = environ["wsgi.input"].read().decode()
    return (environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"], environ.get("HTTP_X_A", ""), body)


BODIES = st.text(max_size=40)


@given(st.lists(st.tuples(BODIES, st.booleans()), min_size=1, max_size=4), st.integers(1, 60))
def test_requests_are_the_same_in_pieces_of_any_size(bodies: list[tuple[str, bool]], step: int) -> None:
    sent = b""
    for text, is_chunked in bodies:
        body = text.encode()
        sent += b"POST /a%20b?c=%20d HTTP/1.1\r\nHost: a\r\nX-A:  one \r\nx-a: two\r\n"
        if is_chunked:
            chunk = b"%x;name=value\r\n%s\r\n" % (len(body), body) if body else b""
            sent += b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\nX-A: trailer\r\n\r\n"
        else:
            sent += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    assert [summary(request) for request in parse(sent, step)] == [
        ("POST", "/a b", "c=%20d", "one, two", text) for text, _ in bodies
    ]


@pytest.mark.parametrize("step", [1, 7, 65_536])
def test_a_request_that_asks_for_http_2_is_answered_as_if_it_did_not(step: int) -> None:
    """Java's client asks with every first request to an address, also with one that has a body."""
    head = b"POST /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nX-A: 1\r\n"
    (request,) = parse(head + b"Content-Length: 7\r\n\r\n" + b'{"a":1}', step)
    assert (summary(request), request.keeps_open) == (("POST", "/x", "", "1", '{"a":1}'), False)
    (request,) = parse(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", step)
    assert summary(request) == ("POST", "/x", "", "1", "{}")
    (request,) = parse(head.replace(b"POST", b"GET") + b"\r\n" + b"GET /next HTTP/1.1\r\n\r\n", step)
    assert summary(request) == ("GET", "/x", "", "1", "")


def test_a_target_beyond_ascii_is_read_as_utf_8() -> None:
    """curl sends such a target as it was typed."""
    (request,) = parse("GET /leute/Jörg?q=ö HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    assert request.environ["PATH_INFO"].encode("latin-1").decode() == "/leute/Jörg"
    assert request.environ["QUERY_STRING"] == "q=%C3%B6"


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [(b"/", "/", ""), (b"/a?b#c", "/a", "b"), (b"http://other.example/a?b", "/a", "b"),
     (b"http://other.example", "/", ""), (b"*", "*", ""), (b"//a/b", "//a/b", ""),
     (b"/a%2fb%41/%2F%252F?c%2fd", "/a%2FbA/%2F%2F", "c%2fd")],
)  # fmt: skip
def test_the_path_and_the_query_are_those_of_the_target(target: bytes, path: str, query: str) -> None:
    (request,) = parse(b"OPTIONS " + target + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (request.environ["PATH_INFO"], request.environ["QUERY_STRING"]) == (path, query)
    if target.startswith(b"/") and b"#" not in target:
        assert decode_path(target.decode().partition("?")[0]) == path


@pytest.mark.parametrize(
    ("version", "connection", "keeps_open"),
    [(b"1.1", b"", True), (b"1.1", b"close", False), (b"1.1", b"Close", False), (b"1.0", b"", False),
     (b"1.0", b"Keep-Alive", True), (b"1.2", b"", True), (b"1.1", b"closed", True), (b"1.1", b"a, close", False),
     (b"1.0", b"keep-alive, close", False), (b"1.0", b"keep-alives", False)],
)  # fmt: skip
def test_the_client_decides_whether_the_connection_stays_open(
    version: bytes, connection: bytes, keeps_open: bool
) -> None:
    header = b"Connection: " + connection + b"\r\n" if connection else b""
    (request,) = parse(b"GET / HTTP/" + version + b"\r\nHost: a\r\n" + header + b"\r\n")
    assert request.keeps_open is keeps_open


def test_two_idempotency_keys_can_be_told_from_one_with_a_comma() -> None:
    head = b"GET / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\r\nidempotency-key: b\r\n\r\n"
    assert parse(head)[0].environ["HTTP_IDEMPOTENCY_KEY"] == "a\nb"


def test_a_header_with_an_underscore_is_dropped() -> None:
    (request,) = parse(b"GET / HTTP/1.1\r\nHost: a\r\nX_A: 1\r\n\r\n")
    assert "HTTP_X_A" not in request.environ


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/2.0\r\n\r\n", 505),
        (b"GET / HTTP/3.0\r\n\r\n", 505),
        (b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        (b"get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        (b"G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        (b"CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        (b" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"SOURCE / ICE/1.0\r\nHost: a\r\n\r\n", 400),
        (b"GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 421),
        (b"GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET http://me@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"OPTIONS / RTSP/1.0\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\nHost: a\n\n", 400),
        (b"GET / HTTP/1.1\r\nX-A: " + b"a" * 3 * MAX_HEADER_BYTES, 431),
        (b"GET /" + b"a" * 3 * MAX_HEADER_BYTES, 414),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"a" * 300_000, 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"X-A: a\r\n" * 40_000, 400),
    ],
)
def test_a_bad_request_is_refused_and_nothing_is_read_after_it(sent: bytes, status: int) -> None:
    (request,) = parse(sent + b"GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    assert request.refusal is not None
    assert (request.refusal.status, request.keeps_open, request.drains) == (status, False, True)


@pytest.mark.parametrize("step", [999, 65_536, 1_000_000])
@pytest.mark.parametrize("lines", [1, 70])
def test_a_header_of_more_than_64_kib_is_refused_in_one_piece_and_in_parts(lines: int, step: int) -> None:
    line = b"X-A: " + b"a" * (MAX_HEADER_BYTES // lines) + b"\r\n"
    (request,) = parse(b"GET / HTTP/1.1\r\nHost: a\r\n" + line * lines + b"\r\n", step)
    assert request.refusal is not None
    assert request.refusal.status == 431
    (request,) = parse(b"GET / HTTP/1.1\r\nHost: a\r\n" + line[:-400] + b"\r\n\r\n", step)
    assert request.refusal is None


def test_a_client_that_sends_blank_lines_only_is_refused() -> None:
    (request,) = parse(b"\r\n" * 600, 100)
    assert request.refusal is not None
    (request,) = parse(b"\r\n" * 20 + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 7)
    assert request.refusal is None


def test_the_authority_of_a_whole_url_wins_over_the_header_host() -> None:
    (request,) = parse(b"GET http://one.example:81/a HTTP/1.1\r\nHost: other.example\r\n\r\n")
    assert (request.environ["HTTP_HOST"], request.environ["PATH_INFO"]) == ("one.example:81", "/a")


@pytest.mark.parametrize("framing", ["Content-Length: {}", "Transfer-Encoding: chunked"])
def test_of_a_body_that_is_too_large_no_more_is_kept_than_shows_it(framing: str) -> None:
    size = MAX_BYTES * 2
    head = f"POST / HTTP/1.1\r\nHost: a\r\n{framing.format(size)}\r\n\r\n".encode()
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (size, bytes(size)) if "chunked" in framing else bytes(size)
    (request,) = parse(head + body + b"GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    assert len(request.environ["wsgi.input"].read()) == MAX_BYTES + 1
    assert (request.drains, request.keeps_open) == (True, False)


@pytest.mark.parametrize(
    ("version", "environ", "error"),
    [
        ("1.1", {"HTTP_HOST": "localhost:8080"}, None),
        ("1.1", {"HTTP_HOST": ""}, None),
        ("1.1", {"HTTP_HOST": "[::1]:8080"}, None),
        ("1.1", {"HTTP_HOST": "shop_1.example:"}, None),
        ("1.1", {"HTTP_HOST": "localhost:http"}, "not a name and a port"),
        ("1.1", {"HTTP_HOST": "me@localhost"}, "not a name and a port"),
        ("1.1", {"HTTP_HOST": "b\xfccher.example"}, "not a name and a port"),
        ("1.1", {"HTTP_HOST": "[::1"}, "not a name and a port"),
        ("1.0", {}, None),
        ("1.1", {}, "HTTP/1.1 requires a Host"),
        ("1.1", {"HTTP_HOST": "a", "CONTENT_LENGTH": "5"}, None),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": "chunked"}, None),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": "Chunked"}, None),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": ", chunked"}, None),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": "chunked, chunked"}, "can only be chunked"),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": "5"}, "exclude each other"),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": "", "CONTENT_LENGTH": "5"}, "exclude each other"),
        ("1.0", {"HTTP_TRANSFER_ENCODING": "chunked"}, "HTTP/1.0 has no Transfer-Encoding"),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": "gzip, chunked"}, "can only be chunked"),
        ("1.1", {"HTTP_HOST": "a", "HTTP_TRANSFER_ENCODING": ""}, "can only be chunked"),
        ("1.1", {"HTTP_HOST": "localhost, evil.example"}, "more than one Host"),
    ],
)
def test_a_request_whose_end_is_not_clear_is_refused(version: str, environ: dict[str, str], error: str | None) -> None:
    refusal = framing_error(version, environ)
    assert refusal is None if error is None else error in str(refusal)

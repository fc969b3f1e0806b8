"""Where the body of a request ends: what is ambiguous is refused, and chunks are read strictly (G83)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.gateway.framing import MAX_LINE, MAX_TRAILER, ChunkedBody, framing_error


@pytest.mark.parametrize(
    ("version", "headers", "encoding", "error"),
    [
        ("1.1", {"HOST": "localhost:8080"}, None, None),
        ("1.1", {"CONTENT_LENGTH": "5"}, None, None),
        ("1.1", {}, "chunked", None),
        ("1.1", {}, "Chunked", None),
        ("1.1", {"CONTENT_LENGTH": "5"}, "chunked", "exclude each other"),
        ("1.1", {"CONTENT_LENGTH": "5"}, "", "exclude each other"),
        ("1.0", {}, "chunked", "HTTP/1.0 has no Transfer-Encoding"),
        ("1.1", {}, "chunked, chunked", "can only be chunked"),
        ("1.1", {}, "", "can only be chunked"),
        ("1.1", {"HOST": "localhost, evil.example"}, None, "more than one Host"),
    ],
)
def test_a_request_whose_end_is_not_clear_is_refused(
    version: str, headers: dict[str, str], encoding: str | None, error: str | None
) -> None:
    message = framing_error(version, headers, encoding)
    assert message is None if error is None else message is not None and error in message


def read(data: bytes, step: int = 1_000_000) -> tuple[bytes, bool, str, int]:
    """The content of a chunked body, whether it is complete, its error, and how many bytes belong to it."""
    parts: list[bytes] = []
    body, used = ChunkedBody(parts.append), 0
    for at in range(0, len(data), step):
        used += body.feed(data[at : at + step])
    return b"".join(parts), body.completed, body.error, used


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=5), st.integers(1, 30))
def test_a_chunked_body_is_read_in_pieces_of_any_size(chunks: list[bytes], step: int) -> None:
    sent = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\nX-After: 1\r\n\r\n"
    assert read(sent + b"GET / HTTP/1.1", step) == (b"".join(chunks), True, "", len(sent))


@pytest.mark.parametrize(
    "line",
    [b"", b"g", b"-5", b"+5", b"0x5", b" 5", b"5 5", b"5\n", b"5" * 17, b"5;a\x00", b"\xd9\xa5", b"5,5", b"0005\r"],
)
@pytest.mark.parametrize("before", [b"", b"3\r\nabc\r\n"])
def test_a_bad_chunk_size_is_refused(line: bytes, before: bytes) -> None:
    _, completed, error, _ = read(before + line + b"\r\nhello\r\n0\r\n\r\n")
    assert (completed, "in place of a chunk size" in error) == (False, True)


def test_a_chunk_may_have_an_extension_and_leading_zeros() -> None:
    assert read(b'0005;name="value"\r\nhello\r\n0;last\r\n\r\n')[:2] == (b"hello", True)


@pytest.mark.parametrize("body", [b"5\r\nhello!\r\n0\r\n\r\n", b"5\r\nhello\n0\r\n\r\n", b"5\nhello\r\n0\r\n\r\n"])
def test_a_chunk_that_does_not_end_where_it_says_is_refused(body: bytes) -> None:
    assert read(body)[2]


@pytest.mark.parametrize("trailer", [b"no header\r\n\r\n", b": x\r\n\r\n", b"A: 1\nB: 2\r\n\r\n", b"A B: 1\r\n\r\n"])
def test_a_trailer_that_is_no_header_is_refused(trailer: bytes) -> None:
    assert "in place of a header" in read(b"0\r\n" + trailer)[2]


def test_lines_and_trailers_are_bounded_however_they_arrive() -> None:
    for step in (1, 4_096):
        assert f"longer than {MAX_LINE} bytes" in read(b"1" * 10 * MAX_LINE, step)[2]
        assert read(b"0\r\n" + b"A: 1\r\n" * MAX_TRAILER, step)[2]

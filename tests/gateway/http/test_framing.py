"""Where the body of a request ends: what is ambiguous is refused (G83)."""

from __future__ import annotations

import pytest

from giftsim.gateway.http.framing import framing_error


@pytest.mark.parametrize(
    ("version", "environ", "error"),
    [
        ("1.1", {"HTTP_HOST": "localhost:8080"}, None),
        ("1.1", {"CONTENT_LENGTH": "5"}, None),
        ("1.1", {"HTTP_TRANSFER_ENCODING": "chunked"}, None),
        ("1.1", {"HTTP_TRANSFER_ENCODING": "Chunked"}, None),
        ("1.1", {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": "5"}, "exclude each other"),
        ("1.1", {"HTTP_TRANSFER_ENCODING": "", "CONTENT_LENGTH": "5"}, "exclude each other"),
        ("1.0", {"HTTP_TRANSFER_ENCODING": "chunked"}, "HTTP/1.0 has no Transfer-Encoding"),
        ("1.1", {"HTTP_TRANSFER_ENCODING": "gzip, chunked"}, "can only be chunked"),
        ("1.1", {"HTTP_TRANSFER_ENCODING": ""}, "can only be chunked"),
        ("1.1", {"HTTP_HOST": "localhost, evil.example"}, "more than one Host"),
    ],
)
def test_a_request_whose_end_is_not_clear_is_refused(version: str, environ: dict[str, str], error: str | None) -> None:
    message = framing_error(version, environ)
    assert message is None if error is None else message is not None and error in message

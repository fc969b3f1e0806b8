"""Where a request ends must be clear to everybody who reads it: what is ambiguous is refused (G83, RFC 9112).

llhttp refuses most of it: two lengths, a length beside chunks, signs, blanks, control characters. This is the rest.
"""

from __future__ import annotations

from collections.abc import Mapping


def framing_error(version: str, environ: Mapping[str, str]) -> str | None:
    """Why the length of a request's body or its addressee is not clear, or None. Names are those of WSGI."""
    if "," in environ.get("HTTP_HOST", ""):
        return "there is more than one Host"
    encoding = environ.get("HTTP_TRANSFER_ENCODING")
    if encoding is None:
        return None
    if "CONTENT_LENGTH" in environ:
        return "Content-Length and Transfer-Encoding exclude each other"
    if version != "1.1":
        return f"HTTP/{version} has no Transfer-Encoding"
    return None if encoding.lower() == "chunked" else "Transfer-Encoding can only be chunked"

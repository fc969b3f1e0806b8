"""The response to a call, and the protocol of everything that makes calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from giftsim.engine.gateway.repeated_headers import header_lines, join_headers


class Response(msgspec.Struct, frozen=True):
    """A response as a client receives it. `body` is the exact bytes, and header names are lower-case.

    If a header was sent more than once, its values are joined by a comma (RFC 9110, 5.3). Those of `set-cookie` are
    joined by a line break, because they may contain commas.
    """

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status <= 299

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    def json(self) -> Any:
        """The body decoded as JSON; ValueError if it is not JSON."""
        return msgspec.json.decode(self.body)

    def content(self) -> Any:
        """The body as its content type says: JSON as data, anything else as text. ValueError for invalid JSON."""
        if "json" in self.headers.get("content-type", ""):
            return self.json()
        return self.body.decode("utf-8", "replace")

    def fields(self) -> list[tuple[str, str]]:
        """The headers as lines of HTTP: several for `set-cookie`, one for any other."""
        return list(header_lines(self.headers))


class Client(Protocol):
    """Makes calls, also from several threads. A connection that breaks raises the builtin ConnectionError."""

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Make one call. Bytes and text are sent unchanged, any other body as JSON; `path` may have a query."""


def parse_response(status: int, fields: Sequence[tuple[str, str]], body: bytes) -> Response:
    """The response with these header lines."""
    headers = {name.lower(): value for name, value in fields}
    if len(headers) < len(fields):
        headers = join_headers((name.lower(), value) for name, value in fields)
    return Response(status, headers, body)


def encode_request_body(body: Any) -> bytes:
    """A request body as bytes: bytes and text unchanged, any other value as JSON, nothing for None."""
    if isinstance(body, bytes):
        return body
    if body is None:
        return b""
    return body.encode() if isinstance(body, str) else msgspec.json.encode(body)

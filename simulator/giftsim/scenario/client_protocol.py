"""The client that a scenario is played over: any object that makes a call and returns its response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Response(Protocol):
    """The response to a call; header names are in lower case, the body is the exact bytes."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by lower-case name."""

    @property
    def body(self) -> bytes:
        """The body as it was sent."""

    def json(self) -> Any:
        """The body decoded as JSON; ValueError if it is not JSON."""


class Client(Protocol):
    """Makes one call at a time; a connection that breaks raises the builtin ConnectionError."""

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Make one call: bytes and text are sent as they are, any other body as JSON."""

"""The seam of the scenario room: whoever can make a call and hand back its answer, over HTTP or in process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Answer(Protocol):
    """What came back: header names are in lower case, the body is the exact bytes."""

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
        """The body read as JSON; ValueError where it is none."""


class Client(Protocol):
    """Makes one call at a time; a connection that breaks is the builtin ConnectionError."""

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """One call: a body that is an object goes out as JSON, bytes and text as they are."""

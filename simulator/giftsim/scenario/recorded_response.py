"""An answer as it was recorded, byte for byte, to be held against the one that comes now."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from giftsim.scenario.client_protocol import Answer
from giftsim.scenario.response_diff import WIDTH, difference, lasting


class Recorded(NamedTuple):
    """A recorded answer; header names are in lower case, and no headers mean that none were recorded."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Difference(NamedTuple):
    """A recorded answer and the other one that came in its place; None where the connection was lost."""

    recorded: Recorded
    now: Recorded | None

    @property
    def brief(self) -> str:
        """What is wrong, in one line."""
        if self.now is None:
            return f"recorded: expected an answer, {self.recorded.status}, actual lost"
        return "recorded: the answer is another"

    def beside(self, width: int = WIDTH) -> str:
        """Both side by side, each in so many columns; "" where there is but one."""
        return difference(self.recorded, self.now, width=width) if self.now else ""

    @property
    def told(self) -> str:
        """All of it, for a report."""
        return "\n".join((self.brief, *(f"    {line}" for line in self.beside().split("\n") if line)))


def recorded(told: Mapping[str, Any], fill: Callable[[Any], Any]) -> Recorded:
    """The answer that a step tells of, with `${origin}` and the like filled in; `{base64: ...}` is taken as it is."""
    headers = {str(name).lower(): str(fill(text)) for name, text in told.get("headers", {}).items()}
    body = told.get("body", "")
    if isinstance(body, Mapping):
        return Recorded(told["status"], headers, decoded(body["base64"]))
    return Recorded(told["status"], headers, str(fill(body)).encode())


def decoded(text: str) -> bytes:
    """The bytes of a base64 text; ValueError where it is none."""
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from None


def differing(wanted: Recorded, answer: Answer | None) -> Difference | None:
    """What is to be said where an answer is not the recorded one; None where it is."""
    if answer is None:
        return Difference(wanted, None)
    headers = lasting(answer.headers) if wanted.headers else {}
    found = Difference(wanted, Recorded(answer.status, headers, answer.body))
    return found if found.beside() else None

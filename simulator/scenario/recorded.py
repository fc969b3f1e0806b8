"""An answer as it was recorded, byte for byte, to be held against the one that comes now."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from simulator.scenario.client import Answer
from simulator.scenario.difference import difference, lasting


class Recorded(NamedTuple):
    """A recorded answer; header names are in lower case, and no headers mean that none were recorded."""

    status: int
    headers: Mapping[str, str]
    body: bytes


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


def recorded_faults(wanted: Recorded, answer: Answer | None) -> tuple[str, ...]:
    """What is to be said where an answer is not the recorded one: both side by side."""
    if answer is None:
        return (f"recorded: expected an answer, {wanted.status}, actual lost",)
    headers = lasting(answer.headers) if wanted.headers else {}
    came = Recorded(answer.status, headers, answer.body)
    shown = difference(wanted, came)
    return ("recorded: the answer is another\n" + _indented(shown),) if shown else ()


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))

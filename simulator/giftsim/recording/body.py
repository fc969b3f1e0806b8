"""Bodies as a scenario writes them: as data where that is sent as the same, else as text, else in Base64."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import msgspec

from giftsim.gateway import json_body
from giftsim.kernel.problem import Problem
from giftsim.recording.variables import Slots, escaped, throughout

DEEPEST = 40
MOST_DIGITS = 10**17
# White space that a body has beyond this may be meant to make it large.
MOST_SPARE = 65_536


def sent(raw: bytes) -> dict[str, Any]:
    """The members of a call step for a body: `body` or `base64`, or neither for none.

    What names the world or the origin in it is a client's own text, which the world keeps as it came.
    """
    if not raw:
        return {}
    data = _data(raw)
    if data is not None:
        return {"body": throughout(data, escaped)}
    try:
        return {"body": escaped(raw.decode())}
    except UnicodeDecodeError:
        return {"base64": b64encode(raw).decode()}


def came(raw: bytes, slots: Slots, *, opaque: bool) -> dict[str, Any]:
    """The members of a recorded answer for its body."""
    if not raw:
        return {}
    coded = {"body": {"base64": b64encode(raw).decode()}}
    try:
        return coded if opaque else {"body": slots.stored(raw.decode())}
    except UnicodeDecodeError:
        return coded


def content(raw: bytes) -> Any:
    """The data of a control call's body; None where there is none."""
    return msgspec.json.decode(raw) if raw.strip() else None


def _data(raw: bytes) -> dict[str, Any] | list[Any] | None:
    """An object or a list that says all there is in the bytes: what is sent for it is taken for the same."""
    try:
        data, _ = json_body.read(raw)
    except Problem:
        return None
    if not isinstance(data, dict | list) or not _plain(data, 0):
        return None
    return data if len(raw) - len(msgspec.json.encode(data)) < MOST_SPARE else None


def _plain(value: Any, depth: int) -> bool:
    """Whether YAML and JSON write a value in one way alone; a float has several."""
    if isinstance(value, dict):
        return depth < DEEPEST and all(_plain(member, depth + 1) for member in value.values())
    if isinstance(value, list):
        return depth < DEEPEST and all(_plain(item, depth + 1) for item in value)
    if isinstance(value, int):
        return abs(value) < MOST_DIGITS
    return not isinstance(value, float)

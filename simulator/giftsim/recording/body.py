"""Bodies as members of a scenario step: as data if that sends the same bytes, else as text, else in Base64."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import msgspec

from giftsim.gateway import json_body
from giftsim.problem import Problem
from giftsim.recording.variables import WorldVariables, escape, map_strings

MAX_DEPTH = 40
MAX_INTEGER = 10**17
# A body with more white space than this may be large on purpose; as data it would become small.
MAX_WHITE_SPACE = 65_536


def request_members(raw: bytes) -> dict[str, Any]:
    """The members of a call step for its body: `body` or `base64`, or none for an empty body.

    A world id or an origin in a body is the client's own text, which the world stores unchanged, so no variable
    replaces it.
    """
    if not raw:
        return {}
    data = _lossless_data(raw)
    if data is not None:
        return {"body": map_strings(data, escape)}
    try:
        return {"body": escape(raw.decode())}
    except UnicodeDecodeError:
        return {"base64": b64encode(raw).decode()}


def response_members(raw: bytes, variables: WorldVariables, *, opaque: bool) -> dict[str, Any]:
    """The members of a recorded response for its body; an `opaque` body has no placeholders."""
    if not raw:
        return {}
    encoded = {"body": {"base64": b64encode(raw).decode()}}
    try:
        return encoded if opaque else {"body": variables.stored_text(raw.decode())}
    except UnicodeDecodeError:
        return encoded


def control_data(raw: bytes) -> Any:
    """The JSON data of a control call's body; None for an empty body."""
    return msgspec.json.decode(raw) if raw.strip() else None


def _lossless_data(raw: bytes) -> dict[str, Any] | list[Any] | None:
    """The object or list in a body, or None if sending that data could give another response than the bytes did."""
    try:
        data = json_body.parse(raw)
    except Problem:
        return None
    if not isinstance(data, dict | list) or not _has_one_spelling(data, 0):
        return None
    return data if len(raw) - len(msgspec.json.encode(data)) < MAX_WHITE_SPACE else None


def _has_one_spelling(value: Any, depth: int) -> bool:
    """Whether YAML and JSON write a value in one way only; a float has several."""
    if isinstance(value, dict):
        return depth < MAX_DEPTH and all(_has_one_spelling(member, depth + 1) for member in value.values())
    if isinstance(value, list):
        return depth < MAX_DEPTH and all(_has_one_spelling(item, depth + 1) for item in value)
    if isinstance(value, int):
        return abs(value) < MAX_INTEGER
    return not isinstance(value, float)

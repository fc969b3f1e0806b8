"""Times as a scenario writes them: an instant, or an offset (`+3d`, `-1h`) from the instant at which it starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.kernel.instants import EARLIEST_MS, LATEST_MS, format_instant, parse_duration, parse_instant

SIGNS = {"+": 1, "-": -1}


def is_offset(text: str) -> bool:
    """Whether the text is an offset rather than an instant."""
    return text[:1] in SIGNS


def parse_time(text: str, start_ms: int) -> int:
    """Parse an instant or an offset from `start_ms` to milliseconds; ValueError if it is neither."""
    if not is_offset(text):
        return parse_instant(text)
    at_ms = start_ms + SIGNS[text[0]] * parse_duration(text[1:])
    if not EARLIEST_MS <= at_ms <= LATEST_MS:
        raise ValueError(f"{text!r} is outside the calendar")
    return at_ms


def with_instants(value: Any, members: tuple[str, ...], start_ms: int) -> Any:
    """A copy of a mapping in which the offsets among `members` are instants; any other value unchanged."""
    if not isinstance(value, Mapping):
        return value
    instants = {name: format_instant(parse_time(value[name], start_ms)) for name in members if _has_offset(value, name)}
    return {**value, **instants}


def _has_offset(value: Mapping[str, Any], name: str) -> bool:
    return isinstance(value.get(name), str) and is_offset(value[name])

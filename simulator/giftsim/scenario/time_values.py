"""Times as a scenario writes them: an instant, or an offset (`+3d`, `-1h`) from the instant it starts at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.kernel.instants import EARLIEST_MS, LATEST_MS, format_instant, parse_duration, parse_instant

SIGNS = {"+": 1, "-": -1}


def is_offset(text: str) -> bool:
    """Whether the text is an offset rather than an instant."""
    return text[:1] in SIGNS


def moment(text: str, start_ms: int) -> int:
    """Milliseconds of an instant or an offset; ValueError names what is wrong with it."""
    if not is_offset(text):
        return parse_instant(text)
    at_ms = start_ms + SIGNS[text[0]] * parse_duration(text[1:])
    if not EARLIEST_MS <= at_ms <= LATEST_MS:
        raise ValueError(f"{text!r} leads out of the calendar")
    return at_ms


def anchored(value: Any, members: tuple[str, ...], start_ms: int) -> Any:
    """The same mapping with the offsets among its named members made instants; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    fixed = {name: format_instant(moment(value[name], start_ms)) for name in members if _offset_in(value, name)}
    return {**value, **fixed}


def _offset_in(value: Mapping[str, Any], name: str) -> bool:
    return isinstance(value.get(name), str) and is_offset(value[name])

"""Instants, durations and offsets in members of a body, read as milliseconds."""

from __future__ import annotations

from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.instants import parse_duration, parse_instant


def read_instant(name: str, text: str) -> int:
    """The instant in a member, in milliseconds. InvalidBody names the member."""
    try:
        return parse_instant(text)
    except ValueError as error:
        raise InvalidBody(f"{name}: {error}") from None


def read_duration(name: str, text: str) -> int:
    """The duration in a member, in milliseconds. InvalidBody names the member."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise InvalidBody(f"{name}: {error}") from None


def read_instant_or_offset(name: str, text: str, start_ms: int) -> int:
    """The instant in a member, or an offset such as `+3d` from `start_ms`. InvalidBody names the member."""
    return start_ms + read_duration(name, text[1:]) if text.startswith("+") else read_instant(name, text)

"""Instants, offsets and spans as callers write them, in milliseconds."""

from __future__ import annotations

from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.instants import parse_duration, parse_instant


def instant(name: str, text: str) -> int:
    """The instant a member holds; InvalidBody names the member."""
    try:
        return parse_instant(text)
    except ValueError as error:
        raise InvalidBody(f"{name}: {error}") from None


def span(name: str, text: str) -> int:
    """The span a member holds; InvalidBody names the member."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise InvalidBody(f"{name}: {error}") from None


def moment(name: str, text: str, start_ms: int) -> int:
    """An instant, or an offset such as `+3d` from `start_ms`; InvalidBody names the member."""
    return start_ms + span(name, text[1:]) if text.startswith("+") else instant(name, text)

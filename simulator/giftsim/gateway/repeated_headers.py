"""Request headers that are sent more than once."""

from __future__ import annotations

from collections.abc import Iterable

# A header that has one value, which may hold a comma. Where it is sent twice, the values are joined by a line break,
# which no header can hold.
SINGLE = "idempotency-key"
LINE_BREAK = "\n"


def joined(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Each header once, by its first spelling, with all its values."""
    names: dict[str, str] = {}
    values: dict[str, str] = {}
    for name, value in headers:
        first = names.setdefault(name.lower(), name)
        values[first] = f"{values[first]}{separator(name)}{value}" if first in values else value
    return values


def separator(name: str) -> str:
    """What stands between the values of a header that is sent more than once."""
    return LINE_BREAK if name.lower() == SINGLE else ", "

"""Headers that are sent more than once: their lines joined to one value, and the value parted again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

# These have one value, which may contain a comma. If one is sent twice, a line break joins the values: no header can
# contain it.
SINGLE = frozenset({"idempotency-key", "set-cookie"})
LINE_BREAK = "\n"


def join_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Each header once, by its first spelling, with all its values (RFC 9110, 5.3)."""
    names: dict[str, str] = {}
    values: dict[str, str] = {}
    for name, value in headers:
        first = names.setdefault(name.lower(), name)
        values[first] = f"{values[first]}{separator(name)}{value}" if first in values else value
    return values


def separator(name: str) -> str:
    """The text between the values of a header that is sent more than once."""
    return LINE_BREAK if name.lower() in SINGLE else ", "


def header_lines(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The headers as they are sent: one line for each value that a line break separates."""
    for name, value in headers.items():
        for line in value.split(LINE_BREAK):
            yield name, line

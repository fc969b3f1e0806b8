"""The parts of a URL by which a call is led to a world: its origin in one spelling, and its path."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host and port, so that two spellings of one origin are equal."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}{port}"


def host_name(host: str) -> str:
    """A host name in one spelling: lower case, ASCII, without a final dot."""
    name = host.strip("[]").rstrip(".").lower()
    with suppress(UnicodeError):
        return name.encode("idna").decode()
    return name


def origin_of(url: str | SplitResult) -> Origin | None:
    """The origin of an absolute URL; None for other text."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else url
        port = PORTS[parts.scheme.lower()] if parts.port is None else parts.port
    except (ValueError, KeyError):
        return None
    return Origin(parts.scheme.lower(), host_name(parts.hostname), port) if parts.hostname else None

"""The `Origin` header of browsers: whether a request comes from a page of the same host."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_same_origin(origin: str, host: str) -> bool:
    """Whether an `Origin` has the host and port of a `Host` header; False for an origin that is none."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:  # such as `http://[`
        return False

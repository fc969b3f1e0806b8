"""JSON as it goes out: every body ends with a newline, and `?pretty` indents it for people."""

from __future__ import annotations

import msgspec

PRETTY = frozenset({"pretty", "pretty=", "pretty=true", "pretty=1"})


def take_pretty(query: str) -> tuple[str, bool]:
    """A query string without `pretty`, and whether it had it. No interface has a parameter of that name (G113)."""
    parts = query.split("&")
    kept = [part for part in parts if part not in PRETTY]
    return "&".join(kept), len(kept) < len(parts)


def finish_json(content: bytes, *, pretty: bool) -> bytes:
    """A JSON body with its final newline, indented if asked for."""
    return (msgspec.json.format(content, indent=2) if pretty else content) + b"\n"

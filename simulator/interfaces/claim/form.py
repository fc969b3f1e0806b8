"""A form's flat fields as the claim they stand for: `address.city`, `selection.12`, `name`, `email`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def entry_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """The entry of a claim; blank fields are absent."""
    entry: dict[str, Any] = {}
    for name, text in fields.items():
        outer, found, inner = name.partition(".")
        if not text.strip():
            continue
        if found:
            entry.setdefault(outer, {})[inner] = text
        else:
            entry[outer] = text
    return entry

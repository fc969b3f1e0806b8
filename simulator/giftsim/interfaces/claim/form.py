"""A form's flat fields as the claim they stand for: `address.city`, `selection.12`, `name`, `email`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def entry_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """The entry of a claim; blank fields are absent, and of `address` and `address.city` the second form counts.

    The address is always there, so that what it lacks is said field by field.
    """
    entry: dict[str, Any] = {"address": {}}
    for name, text in fields.items():
        outer, nested, inner = name.partition(".")
        if not text.strip():
            continue
        if not nested:
            entry.setdefault(outer, text)
        elif isinstance(entry.get(outer), dict):
            entry[outer][inner] = text
        else:
            entry[outer] = {inner: text}
    return entry

"""The fields of the claim form as the claim they stand for: `address.city`, `selection.12`, `name`, `email`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def claim_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """The claim in a form. Blank fields are absent; `address.city` takes precedence over a plain `address`.

    `address` is always there, so that each of its missing members is reported by itself.
    """
    claim: dict[str, Any] = {"address": {}}
    for name, text in fields.items():
        outer, nested, inner = name.partition(".")
        if not text.strip():
            continue
        if not nested:
            claim.setdefault(outer, text)
        elif isinstance(claim.get(outer), dict):
            claim[outer][inner] = text
        else:
            claim[outer] = {inner: text}
    return claim

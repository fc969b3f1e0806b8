"""The JSON of keys: the full text when a key is created, later only its beginning and end (T-5.8)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.access.api_key import ApiKey
from giftsim.domain.team.api_keys import CEILINGS, key_id
from giftsim.kernel.instants import format_instant
from giftsim.kernel.placeholders import WORLD, slotted


def key(key: ApiKey) -> dict[str, Any]:
    """A key as listed."""
    return {**_base(key), "last4": f"___{key.name}"[-4:]}


def created(key: ApiKey) -> dict[str, Any]:
    """A new key, with its text."""
    return {**_base(key), "key": slotted(f"ptk_{key.mode}_{WORLD}_{key.name}")}


def revoked(key: ApiKey) -> dict[str, Any]:
    """A key that was just revoked."""
    return {"id": key_id(key), "revoked": True}


def _base(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key_id(key),
        "name": key.title or key.label or key.name,
        "prefix": f"ptk_{key.mode}_",
        "mode": key.mode,
        "role": key.role,
        "scopes": list(key.scopes),
        "pay_limits": _limits(key),
        "created_at": format_instant(key.made_at_ms),
    }


def _limits(key: ApiKey) -> dict[str, int | None] | None:
    limits = {name: getattr(key, name) for name in CEILINGS}
    return limits if any(value is not None for value in limits.values()) else None

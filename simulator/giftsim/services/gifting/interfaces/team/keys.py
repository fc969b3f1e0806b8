"""The JSON of keys: the full text when a key is created, later only its beginning and end (T-5.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.placeholders import WORLD, slotted
from giftsim.services.gifting.domain.api_key import ApiKey, revoke
from giftsim.services.gifting.domain.team.api_keys import (
    CEILINGS,
    active_keys,
    create_team_key,
    find_active_key,
    key_id,
)
from giftsim.services.gifting.interfaces.team.request_checks import Finder
from giftsim.services.secrets import TEAM_KEY


def key_view(key: ApiKey) -> dict[str, Any]:
    """A key as listed."""
    return {**_base(key), "last4": f"___{key.name}"[-4:]}


def created_key_view(key: ApiKey) -> dict[str, Any]:
    """A new key, with its text."""
    return {**_base(key), "key": slotted(TEAM_KEY.make(key.name, WORLD, key.mode))}


def revoked_key_view(key: ApiKey) -> dict[str, Any]:
    """A key that was just revoked."""
    return {"id": key_id(key), "revoked": True}


def _base(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key_id(key),
        "name": key.title or key.label or key.name,
        "prefix": TEAM_KEY.before(mode=key.mode),
        "mode": key.mode,
        "role": key.role,
        "scopes": list(key.scopes),
        "pay_limits": _limits(key),
        "created_at": format_instant(key.made_at_ms),
    }


def _limits(key: ApiKey) -> dict[str, int | None] | None:
    limits = {name: getattr(key, name) for name in CEILINGS}
    return limits if any(value is not None for value in limits.values()) else None


def list_keys(call: Call) -> Response:
    """List the keys that are not revoked, on one page."""
    active = active_keys(call.state, call.caller.team)
    return Response(200, {"data": [key_view(key) for key in active], "next_cursor": None})


def create_key(call: Call) -> Response:
    """Create a key. Only this response contains its text."""
    body = call.body
    limits = body.get("pay_limits") or {}
    created = create_team_key(
        call.state,
        call.caller.team,
        title=body["name"],
        mode=body["mode"],
        role=body["role"],
        scopes=body["scopes"],
        **{name: limits.get(name) for name in CEILINGS},
    )
    return Response(201, created_key_view(created))


def revoke_key(call: Call) -> Response:
    """Revoke a key: its next call is refused."""
    return Response(200, revoked_key_view(revoke(call.state, call.subject)))


FINDERS: Final[Mapping[str, Finder]] = {"key": lambda call, raw: find_active_key(call.state, call.caller.team, raw)}

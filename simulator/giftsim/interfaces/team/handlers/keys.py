"""Manage keys in the owner's session. These operations take no Idempotency-Key (G38)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.access.api_key import revoke
from giftsim.domain.team.api_keys import CEILINGS, active_keys, create_team_key, find_active_key
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.views import keys as views


def list_keys(call: Call) -> Response:
    """List the keys that are not revoked, on one page."""
    active = active_keys(call.state, call.caller.team)
    return Response(200, {"data": [views.key(key) for key in active], "next_cursor": None})


def create_key(call: Call) -> Response:
    """Create a key. Only this response contains its text."""
    body = call.body
    limits = body.get("pay_limits") or {}
    created = create_team_key(
        call.state, call.caller.team, title=body["name"], mode=body["mode"], role=body["role"], scopes=body["scopes"],
        **{name: limits.get(name) for name in CEILINGS},
    )  # fmt: skip
    return Response(201, views.created(created))


def revoke_key(call: Call) -> Response:
    """Revoke a key, which ends its access with the next call."""
    return Response(200, views.revoked(revoke(call.state, call.subject)))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"listKeys": list_keys, "createKey": create_key, "revokeKey": revoke_key}
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"key": lambda call, raw: find_active_key(call.state, call.caller.team, raw)}
)

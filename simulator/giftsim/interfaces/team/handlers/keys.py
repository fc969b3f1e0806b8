"""Keys, for the owner's session alone; Idempotency-Key has no meaning here (G38)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.access.api_key import revoke
from giftsim.domain.team.api_keys import CEILINGS, cut_key, find_standing, standing_keys
from giftsim.gateway.call import Call, Reply
from giftsim.gateway.interface import Handler
from giftsim.interfaces.team.views import keys as views


def list_keys(call: Call) -> Reply:
    """All keys of the team that open anything, on one page."""
    found = standing_keys(call.state, call.caller.team)
    return Reply(200, {"data": [views.key(key) for key in found], "next_cursor": None})


def create_key(call: Call) -> Reply:
    """A new key, whose text is shown here alone."""
    body = call.body
    limits = body.get("pay_limits") or {}
    made = cut_key(
        call.state, call.caller.team, title=body["name"], mode=body["mode"], role=body["role"], scopes=body["scopes"],
        **{name: limits.get(name) for name in CEILINGS},
    )  # fmt: skip
    return Reply(201, views.created(made))


def revoke_key(call: Call) -> Reply:
    """The key opens nothing from the next call on."""
    return Reply(200, views.revoked(revoke(call.state, call.subject)))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"listKeys": list_keys, "createKey": create_key, "revokeKey": revoke_key}
)
FINDERS: Mapping[str, Callable[[Call, str], Any]] = MappingProxyType(
    {"key": lambda call, raw: find_standing(call.state, call.caller.team, raw)}
)

"""Keys, for the owner's session alone; Idempotency-Key has no meaning here (G38)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.access.api_key import revoke
from giftsim.domain.team.api_keys import CEILINGS, cut_key, find_standing, standing_keys
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.views import keys as views


def list_keys(call: Call) -> Response:
    """All keys of the team that open anything, on one page."""
    found = standing_keys(call.state, call.caller.team)
    return Response(200, {"data": [views.key(key) for key in found], "next_cursor": None})


def create_key(call: Call) -> Response:
    """A new key, whose text is shown here alone."""
    body = call.body
    limits = body.get("pay_limits") or {}
    made = cut_key(
        call.state, call.caller.team, title=body["name"], mode=body["mode"], role=body["role"], scopes=body["scopes"],
        **{name: limits.get(name) for name in CEILINGS},
    )  # fmt: skip
    return Response(201, views.created(made))


def revoke_key(call: Call) -> Response:
    """The key opens nothing from the next call on."""
    return Response(200, views.revoked(revoke(call.state, call.subject)))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"listKeys": list_keys, "createKey": create_key, "revokeKey": revoke_key}
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"key": lambda call, raw: find_standing(call.state, call.caller.team, raw)}
)

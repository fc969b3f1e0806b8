"""Which calls can charge the account, by the contracts and not by what a scenario says of itself (G125)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.compare.place import Place

CHARGE_FAILED, PAYS = "402", "orders:pay"
NEVER_CHARGED = "team.test"  # keys of a team's sandbox, where no money moves


def can_charge(place: Place, credential: str | None, body: Any) -> bool:
    """Whether a call may charge: its operation documents failed charges, or the call needs the scope to pay."""
    if place.operation is None:
        return False
    node = place.operation.node
    if CHARGE_FAILED in node["responses"]:
        return True
    if (credential or "").startswith(NEVER_CHARGED):
        return False
    if PAYS in place.operation.scopes:
        return True
    by_body: Mapping[str, Any] | None = node.get("x-scope-by-body")
    return PAYS in node.get("x-also", ()) and (by_body is None or _may_have(body, by_body))


def _may_have(body: Any, members: Mapping[str, Any]) -> bool:
    """Whether a body has one of these members; one that is sent as text might."""
    if isinstance(body, Mapping):
        return any(body.get(name) == value for name, value in members.items())
    return body is not None

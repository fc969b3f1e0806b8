"""Read approvals. No operation lets a key decide one (T-1.6, T-4.68 to T-4.72)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.services.gifting.domain.team.orders.approval import APPROVALS, find_approval
from giftsim.services.gifting.interfaces.team import orders as views
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def list_approvals(call: Call) -> Response:
    """List approvals."""
    tenant, approvals = call.caller.tenant, call.state[APPROVALS]
    slots = approvals.slots_in("owner", tenant.owner)
    return respond_with_page(call, "approvals", slots, lambda n: views.approval_view(tenant, approvals.get(n)))


def get_approval(call: Call) -> Response:
    """Read an approval."""
    return Response(200, views.approval_view(call.caller.tenant, call.subject))


FINDERS: Final[Mapping[str, Finder]] = {
    "approval": lambda call, raw: find_approval(call.state, call.caller.tenant, raw)
}

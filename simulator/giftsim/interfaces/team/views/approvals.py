"""The JSON of approvals."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.orders.approval import Approval
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.orders import CURRENCY
from giftsim.kernel.instants import format_instant, instant_or_null


def approval(tenant: Tenant, approval: Approval) -> dict[str, Any]:
    """An approval."""
    return {
        "id": approval.id,
        "status": approval.status,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "amount_cents": approval.amount_cents,
        "currency": CURRENCY,
        "note": approval.note,
        "decision_note": approval.decision_note,
        "decided_at": instant_or_null(approval.decided_ms),
        "expires_at": instant_or_null(approval.expires_ms),
        "livemode": tenant.livemode,
        "created_at": format_instant(approval.created_ms),
    }

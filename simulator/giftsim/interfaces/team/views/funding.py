"""Fundings as the team interface shows them."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.billing.billable import TEAM_ORDER, billed
from giftsim.domain.team.billing.funding import SUCCEEDED, Funding, funding_status, payment_for
from giftsim.domain.team.billing.payment_record import FAILED
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.billing import CURRENCY, invoice_id
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State


def funding(state: State, tenant: Tenant, funding: Funding) -> dict[str, Any]:
    """A funding as it stands: its payment tells its state, or the invoice of a bank transfer."""
    payment, status = payment_for(state, funding), funding_status(state, funding)
    invoice = funding.invoice if funding.invoice is not None else (payment.invoice if payment else None)
    return {
        "id": funding.id,
        "method": funding.method,
        "campaign_id": billed(state, TEAM_ORDER, funding.order).id,
        "status": status,
        "amount_cents": funding.amount_cents,
        "currency": CURRENCY,
        "invoice_id": invoice_id(state, invoice),
        "payment_id": payment.id if payment else None,
        "intent": None if funding.intent is None else _intent(funding.intent, status),
        "livemode": tenant.livemode,
        "created_at": format_instant(funding.created_ms),
    }


def _intent(intent: str, status: str) -> dict[str, Any]:
    """An ACH intent waits for a confirmation that no call gives (T-5.29)."""
    return {"id": intent, "status": status if status in (SUCCEEDED, FAILED) else "requires_confirmation"}

"""The JSON of fundings."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.billing.billable import TEAM_ORDER, bill_of
from giftsim.domain.team.billing.funding import SUCCEEDED, Funding, funding_payment, funding_status
from giftsim.domain.team.billing.payment_record import FAILED
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.billing import CURRENCY, invoice_id
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State


def funding(state: State, tenant: Tenant, funding: Funding) -> dict[str, Any]:
    """A funding. Its status follows from its payment, or from the invoice of a bank transfer."""
    payment, status = funding_payment(state, funding), funding_status(state, funding)
    invoice = funding.invoice if funding.invoice is not None else (payment.invoice if payment else None)
    return {
        "id": funding.id,
        "method": funding.method,
        "campaign_id": bill_of(state, TEAM_ORDER, funding.order).id,
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
    """The ACH intent of a funding. No operation confirms it (T-5.29)."""
    return {"id": intent, "status": status if status in (SUCCEEDED, FAILED) else "requires_confirmation"}

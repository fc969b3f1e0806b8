"""Large campaigns with their batches; recipients are counted, not listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.team.billing.payment_record import UNCERTAIN
from giftsim.domain.team.campaigns.campaign import BATCH_RESOURCE, DROPPED, RESOURCE, UNPAID, Batch, Campaign, batches
from giftsim.domain.team.orders.approval import latest
from giftsim.domain.team.orders.payment_summary import money
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.orders import totals
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def campaign(state: State, tenant: Tenant, campaign: Campaign) -> dict[str, Any]:
    """A campaign as it is now."""
    found, asked = batches(state, campaign), latest(state, RESOURCE, campaign.n)
    return {
        "id": campaign.id,
        "name": campaign.name,
        "status": campaign.status,
        "collection": campaign.collection,
        "gift_message": campaign.gift_message,
        "payment_method": campaign.payment_method,
        "recipient_count": campaign.recipient_count,
        "batches": [_batch(state, batch) for batch in found],
        "totals": _totals(state, [batch for batch in found if batch.status != DROPPED]),
        "approval_id": asked.id if asked else None,
        "livemode": tenant.livemode,
        "created_at": format_instant(campaign.created_ms),
    }


def _batch(state: State, batch: Batch) -> dict[str, Any]:
    paid = money(state, BATCH_RESOURCE, batch.n)
    uncertain = batch.status in UNPAID and paid.payment_status == UNCERTAIN
    return {
        "number": batch.number,
        "status": UNCERTAIN if uncertain else batch.status,
        "recipient_count": batch.recipient_count,
        "totals": None if batch.fulfilment is None else _totals(state, (batch,)),
        "invoice_id": paid.invoice_id,
        "receipt_id": paid.receipt_id,
        "payment_id": paid.payment_id,
        "prepared_at": instant_or_null(batch.prepared_ms),
        "repriced_at": instant_or_null(batch.repriced_ms),
        "paid_at": instant_or_null(batch.paid_ms),
    }


def _totals(state: State, found: Sequence[Batch]) -> dict[str, Any]:
    placed = [state[FULFILMENTS].get(batch.fulfilment) for batch in found if batch.fulfilment is not None]
    return totals(sum([order.subtotal_cents for order in placed]), sum([order.shipping_cents for order in placed]))

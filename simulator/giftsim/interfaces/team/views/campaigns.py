"""The JSON of large campaigns with their batches. Recipients are counted, not listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.team.billing.payment_record import UNCERTAIN
from giftsim.domain.team.campaigns.campaign import BATCH_RESOURCE, DROPPED, RESOURCE, UNPAID, Batch, Campaign, batches
from giftsim.domain.team.orders.approval import latest_approval
from giftsim.domain.team.orders.payment_summary import summarize_payment
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.orders import menu, order_items, products, template_use, totals
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def campaign(state: State, tenant: Tenant, campaign: Campaign) -> dict[str, Any]:
    """A campaign."""
    rows, approval = batches(state, campaign), latest_approval(state, RESOURCE, campaign.n)
    return {
        "id": campaign.id,
        "name": campaign.name,
        "status": campaign.status,
        "collection": campaign.collection,
        "items": order_items(state, RESOURCE, campaign.n),
        "setup": None if campaign.collection else {"bundle_items": products(state, campaign.items)},
        "mode": campaign.mode,
        "gift_choices": menu(state, campaign.menu),
        **template_use(campaign.template),
        "gift_message": campaign.gift_message,
        "payment_method": campaign.payment_method,
        "recipient_count": campaign.recipient_count,
        "batches": [_batch(state, batch) for batch in rows],
        "totals": _totals(state, [batch for batch in rows if batch.status != DROPPED]),
        "approval_id": approval.id if approval else None,
        "livemode": tenant.livemode,
        "created_at": format_instant(campaign.created_ms),
    }


def _batch(state: State, batch: Batch) -> dict[str, Any]:
    payment = summarize_payment(state, BATCH_RESOURCE, batch.n)
    uncertain = batch.status in UNPAID and payment.payment_status == UNCERTAIN
    return {
        "number": batch.number,
        "status": UNCERTAIN if uncertain else batch.status,
        "recipient_count": batch.recipient_count,
        "totals": None if batch.fulfilment is None else _totals(state, (batch,)),
        "invoice_id": payment.invoice_id,
        "receipt_id": payment.receipt_id,
        "payment_id": payment.payment_id,
        "prepared_at": instant_or_null(batch.prepared_ms),
        "repriced_at": instant_or_null(batch.repriced_ms),
        "paid_at": instant_or_null(batch.paid_ms),
    }


def _totals(state: State, rows: Sequence[Batch]) -> dict[str, Any]:
    fulfilments = [state[FULFILMENTS].get(batch.fulfilment) for batch in rows if batch.fulfilment is not None]
    return totals(
        sum([each.subtotal_cents for each in fulfilments]), sum([each.shipping_cents for each in fulfilments])
    )

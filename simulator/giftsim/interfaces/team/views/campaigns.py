"""The JSON of large campaigns with their batches. Recipients are counted, and listed where a campaign is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import Shipment
from giftsim.domain.team.billing.payment_record import UNCERTAIN
from giftsim.domain.team.campaigns.campaign import (
    BATCH_RESOURCE,
    DROPPED,
    RESOURCE,
    UNPAID,
    Batch,
    Campaign,
    batches,
    fulfilment_of,
)
from giftsim.domain.team.campaigns.campaign_following import recipient_counts, recipient_status, recipients
from giftsim.domain.team.orders import order_fulfilment
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
        "counts": recipient_counts(state, campaign),
        "batches": [_batch(state, batch) for batch in rows],
        "totals": _totals(state, [batch for batch in rows if batch.status != DROPPED]),
        "approval_id": approval.id if approval else None,
        "livemode": tenant.livemode,
        "created_at": format_instant(campaign.created_ms),
    }


def followed(state: State, tenant: Tenant, campaign_: Campaign) -> dict[str, Any]:
    """A campaign with the recipients of its prepared batches, which have an id and a name, never an email."""
    rows = [_recipient(state, *row) for row in recipients(state, campaign_)]
    return {**campaign(state, tenant, campaign_), "recipients": rows}


def _recipient(state: State, batch: Batch, recipient: Recipient, shipment: Shipment) -> dict[str, Any]:
    return {
        "id": order_fulfilment.recipient_id(state, fulfilment_of(state, batch), recipient.n),
        "batch": batch.number,
        "name": recipient.name,
        "status": recipient_status(batch, shipment),
        "carrier": shipment.carrier,
        "tracking_number": shipment.tracking_number,
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
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

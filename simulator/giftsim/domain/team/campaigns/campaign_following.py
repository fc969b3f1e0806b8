"""How the recipients of a campaign are doing, and the webhook events about them, which are those of gifts."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import CANCELED, DELIVERED, EXPIRED, REJECTED, SHIPPED, STATUSES, Shipment
from giftsim.domain.team.campaigns.campaign import (
    BATCHES,
    CAMPAIGNS,
    DROPPED,
    PAID,
    PENDING,
    Batch,
    Campaign,
    batches,
    fulfilment_of,
)
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.gift import CLAIMED, EVENT_STATUSES, SENT, STATUS_BY_SHIPMENT
from giftsim.domain.team.tenant import Id, is_live
from giftsim.kernel.state import State

UNPAID = "unpaid"
RECIPIENT_STATUSES = (PENDING, UNPAID, SENT, CLAIMED, SHIPPED, DELIVERED, REJECTED, EXPIRED, CANCELED)


def fulfilments(state: State, campaign: Campaign) -> list[Fulfilment]:
    """The fulfilments of a campaign's prepared batches, by number."""
    return [state[FULFILMENTS].get(each.fulfilment) for each in batches(state, campaign) if each.fulfilment is not None]


def recipients(state: State, campaign: Campaign) -> Iterator[tuple[Batch, Recipient, Shipment]]:
    """The recipients of the prepared batches with their shipments, in the order of the request."""
    for batch in batches(state, campaign):
        if batch.fulfilment is not None:
            for recipient, shipment in order_fulfilment.named_recipients(state, fulfilment_of(state, batch)):
                yield batch, recipient, shipment


def recipient_status(batch: Batch, shipment: Shipment) -> str:
    """The status of one recipient's gift; `unpaid` until its batch is paid."""
    return STATUS_BY_SHIPMENT[shipment.status] if batch.status in (PAID, DROPPED) else UNPAID


def recipient_counts(state: State, campaign: Campaign) -> dict[str, int]:
    """The number of recipients in each status. They add up to the campaign's recipients."""
    counts = dict.fromkeys(RECIPIENT_STATUSES, 0)
    for batch in batches(state, campaign):
        if batch.status == PAID:
            for status, count in zip(STATUSES, fulfilment_of(state, batch).tally, strict=True):
                counts[STATUS_BY_SHIPMENT[status]] += count
        else:
            counts[{PENDING: PENDING, DROPPED: CANCELED}.get(batch.status, UNPAID)] += batch.recipient_count
    return counts


def on_fulfilment_changed(state: State, fulfilment: Fulfilment, before: Shipment, shipment: Shipment) -> None:
    """Emit the events of a recipient's gift in a paid batch (handles FULFILMENT_CHANGED)."""
    batch = state[BATCHES].get(fulfilment.subject or 0)
    previous, status = STATUS_BY_SHIPMENT[before.status], STATUS_BY_SHIPMENT[shipment.status]
    if batch.status != PAID or status == previous or status not in EVENT_STATUSES:
        return
    if fulfilment.channel == order_fulfilment.TEAM:
        emit_campaign_event(state, state[CAMPAIGNS].get(batch.campaign), status, shipment)


def emit_campaign_event(state: State, campaign: Campaign, status: str, shipment: Shipment | None = None) -> None:
    """Emit the gift event of a whole batch, or of one recipient."""
    facts: dict[str, Id] = {"campaign_id": campaign.id}
    if shipment is not None and shipment.recipient is not None:
        fulfilment = state[FULFILMENTS].get(shipment.owner)
        facts["recipient_id"] = order_fulfilment.recipient_id(state, fulfilment, shipment.recipient)
    state.emit(f"gift.{status}", campaign.owner, campaign.n, livemode=is_live(campaign), status=status, **facts)

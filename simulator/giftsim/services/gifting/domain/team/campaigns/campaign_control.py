"""Pause, resume or stop a campaign, and apply the decision of its approval (A1.7, A1.8, T-3.7 to T-3.9)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, TeamFulfilment
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELIVERED,
    EXPIRED,
    REJECTED,
    SHIPPED,
    STATUSES,
    Shipment,
)
from giftsim.services.gifting.domain.team.billing.payment import payment_of
from giftsim.services.gifting.domain.team.billing.wallet_payment import release_payments
from giftsim.services.gifting.domain.team.campaigns.campaign import (
    APPROVED,
    BATCH,
    BATCH_RESOURCE,
    BATCHES,
    CAMPAIGN,
    CAMPAIGNS,
    DROPPED,
    PAID,
    PAUSED,
    PENDING,
    RESOURCE,
    Batch,
    Campaign,
    campaign_batches,
    fulfilment_of,
)
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import Approval
from giftsim.services.gifting.domain.team.orders.gift import (
    CLAIMED,
    EVENT_STATUSES,
    SENT,
    STATUS_BY_SHIPMENT,
    status_of_parcel,
)
from giftsim.services.gifting.domain.team.tenant import Id, is_live


def pause_campaign(state: State, campaign: Campaign) -> Campaign:
    """Pause a campaign. InvalidState if it is paused already, or has ended."""
    _check(state, campaign, "pause")
    return CAMPAIGN.fire(state, campaign, "pause", paused_from=campaign.status)


def resume_campaign(state: State, campaign: Campaign) -> Campaign:
    """Return a paused campaign to its former state. InvalidState if it is not paused."""
    _check(state, campaign, "resume")
    return CAMPAIGN.fire(state, campaign, "resume", paused_from=None)


def stop_campaign(state: State, campaign: Campaign) -> Campaign:
    """Stop a campaign: unpaid batches are dropped, paid ones are still sent (A1.8). InvalidState if it has ended.

    A batch whose payment is uncertain is sent or dropped once the payment is decided.
    """
    _check(state, campaign, "stop")
    campaign = CAMPAIGN.fire(state, campaign, "stop", paused_from=None)
    approvals.withdraw_approval(state, RESOURCE, campaign.n)
    for batch in campaign_batches(state, campaign):
        release_payments(state, BATCH_RESOURCE, batch.n)
        if payment_of(state, BATCH_RESOURCE, batch.n) is None:
            drop_batch(state, batch.n)
    return campaign


def drop_batch(state: State, slot: int) -> None:
    """Drop an unpaid batch and cancel its fulfilment, if it has one. A batch that cannot be dropped stays as it is."""
    batch = state[BATCHES].get(slot)
    if not BATCH.can(state, batch, "drop"):
        return
    batch = BATCH.fire(state, batch, "drop", guests=())
    if batch.fulfilment is not None:
        team_fulfilment.cancel_remaining(state, fulfilment_of(state, batch))


def on_approval_decided(state: State, approval: Approval) -> None:
    """Approve or stop the campaign (handles APPROVAL_DECIDED). An approval by itself pays nothing (A8.8)."""
    campaign = state[CAMPAIGNS].get(approval.resource)
    if approval.status == approvals.REJECTED:
        stop_campaign(state, campaign)
    elif approval.status == approvals.APPROVED and campaign.status == PAUSED:
        state[CAMPAIGNS].put(msgspec.structs.replace(campaign, paused_from=APPROVED))
    elif approval.status == approvals.APPROVED:
        CAMPAIGN.fire(state, campaign, "approve")


def _check(state: State, campaign: Campaign, action: str) -> None:
    if not CAMPAIGN.can(state, campaign, action):
        raise InvalidState(f"this campaign is {campaign.status}: {action} does not fit that state")


UNPAID = "unpaid"
RECIPIENT_STATUSES = (PENDING, UNPAID, SENT, CLAIMED, SHIPPED, DELIVERED, REJECTED, EXPIRED, CANCELED)


def campaign_fulfilments(state: State, campaign: Campaign) -> list[Fulfilment]:
    """The fulfilments of a campaign's prepared batches, by number."""
    return [
        state[FULFILMENTS].get(each.fulfilment)
        for each in campaign_batches(state, campaign)
        if each.fulfilment is not None
    ]


def campaign_recipients(state: State, campaign: Campaign) -> Iterator[tuple[Batch, Recipient, Shipment]]:
    """The recipients of the prepared batches with their shipments, in the order of the request."""
    for batch in campaign_batches(state, campaign):
        if batch.fulfilment is not None:
            for recipient, shipment in team_fulfilment.named_recipients(state, fulfilment_of(state, batch)):
                yield batch, recipient, shipment


def recipient_status(batch: Batch, shipment: Shipment) -> str:
    """The status of one recipient's gift; `unpaid` until its batch is paid."""
    return status_of_parcel(shipment) if batch.status in (PAID, DROPPED) else UNPAID


def recipient_counts(state: State, campaign: Campaign) -> dict[str, int]:
    """The number of recipients in each status. They add up to the campaign's recipients."""
    counts = dict.fromkeys(RECIPIENT_STATUSES, 0)
    for batch in campaign_batches(state, campaign):
        if batch.status == PAID:
            tally = team_fulfilment.tally_of_gifts(state, fulfilment_of(state, batch))
            for status, count in zip(STATUSES, tally, strict=True):
                counts[STATUS_BY_SHIPMENT[status]] += count
        else:
            counts[{PENDING: PENDING, DROPPED: CANCELED}.get(batch.status, UNPAID)] += batch.recipient_count
    return counts


def on_fulfilment_changed(state: State, fulfilment: TeamFulfilment, before: Shipment, shipment: Shipment) -> None:
    """Emit the events of a recipient's gift in a paid batch (handles FULFILMENT_CHANGED)."""
    batch = state[BATCHES].get(fulfilment.subject)
    previous, status = status_of_parcel(before), status_of_parcel(shipment)
    if batch.status != PAID:
        return
    if status != previous and status in EVENT_STATUSES and fulfilment.channel == team_fulfilment.TEAM:
        emit_campaign_event(state, state[CAMPAIGNS].get(batch.campaign), status, shipment)
    team_fulfilment.give_up(state, fulfilment, shipment)


def emit_campaign_event(state: State, campaign: Campaign, status: str, shipment: Shipment | None = None) -> None:
    """Emit the gift event of a whole batch, or of one recipient."""
    facts: dict[str, Id] = {"campaign_id": campaign.id}
    if shipment is not None and shipment.recipient is not None:
        fulfilment = state[FULFILMENTS].get(shipment.owner)
        facts["recipient_id"] = team_fulfilment.recipient_id(state, fulfilment, shipment.recipient)
    state.emit(f"gift.{status}", campaign.owner, campaign.n, livemode=is_live(campaign), status=status, **facts)

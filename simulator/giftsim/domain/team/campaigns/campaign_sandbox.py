"""Sandbox events of test campaigns: a test key completes its campaign without money or mail (A8.10, G67)."""

from __future__ import annotations

from giftsim.domain.fulfilment.fulfilment import recipient_rows
from giftsim.domain.team.campaigns.campaign import (
    APPROVED,
    AWAITING_APPROVAL,
    BATCH,
    CAMPAIGN,
    COMPLETED,
    RESOURCE,
    Campaign,
    find_campaign,
    unpaid_batches,
)
from giftsim.domain.team.campaigns.campaign_following import (
    emit_campaign_event,
    fulfilments,
    recipient_status,
    recipients,
)
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders.gift import PROGRESS
from giftsim.domain.team.orders.sandbox_events import advance_shipments
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def apply_campaign_event(state: State, tenant: Tenant, status: str, raw: object) -> str:
    """Bring all recipients of a test campaign to a status, emit one event, and return the status.

    A campaign that is not completed yet is approved and completed first. NotFound if the sandbox has no such campaign.
    InvalidState if the event does not fit its status.
    """
    campaign = find_campaign(state, tenant, raw)
    if campaign.status not in (AWAITING_APPROVAL, APPROVED, COMPLETED):
        raise InvalidState(f"this campaign is {campaign.status}: it moves once all of its batches are prepared")
    if campaign.status == COMPLETED and _is_past(state, campaign, status):
        raise InvalidState(f"the recipients of this campaign cannot become {status} any more")
    if campaign.status != COMPLETED:
        campaign = _complete(state, campaign)
    prepared = fulfilments(state, campaign)
    for fulfilment in prepared:
        advance_shipments(state, fulfilment, status)
    one_recipient = campaign.recipient_count == 1 and status != PROGRESS[0]
    shipment = next(recipient_rows(state, prepared[0]))[1] if one_recipient else None
    emit_campaign_event(state, campaign, status, shipment)
    return status


def _complete(state: State, campaign: Campaign) -> Campaign:
    """Complete a campaign whose batches are all prepared, without a payment."""
    if campaign.status == AWAITING_APPROVAL:
        approvals.supersede_approval(state, RESOURCE, campaign.n)
        campaign = CAMPAIGN.fire(state, campaign, "approve")
    for batch in unpaid_batches(state, campaign):
        BATCH.fire(state, batch, "pay", paid_ms=state.now_ms)
    return CAMPAIGN.fire(state, campaign, "complete")


def _is_past(state: State, campaign: Campaign, goal: str) -> bool:
    """Whether no recipient is before the status `goal`."""
    present = [recipient_status(batch, shipment) for batch, _, shipment in recipients(state, campaign)]
    return not any(status in PROGRESS and PROGRESS.index(status) < PROGRESS.index(goal) for status in present)

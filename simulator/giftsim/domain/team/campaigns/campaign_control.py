"""Pause, resume or stop a campaign, and apply the decision of its approval (A1.7, A1.8, T-3.7 to T-3.9)."""

from __future__ import annotations

import msgspec

from giftsim.domain.team.billing.payment import payment_of, release
from giftsim.domain.team.campaigns.campaign import (
    APPROVED,
    BATCH,
    BATCH_RESOURCE,
    BATCHES,
    CAMPAIGN,
    CAMPAIGNS,
    PAUSED,
    RESOURCE,
    Campaign,
    batches,
    fulfilment_of,
)
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.approval import Approval
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


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
    for batch in batches(state, campaign):
        release(state, BATCH_RESOURCE, batch.n)
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
        order_fulfilment.cancel_remaining(state, fulfilment_of(state, batch))


def on_approval_decided(state: State, approval: Approval) -> None:
    """Approve or stop the campaign (handles APPROVAL_DECIDED). An approval by itself pays nothing (A8.8)."""
    campaign = state[CAMPAIGNS].get(approval.resource)
    if approval.status == approvals.REJECTED:
        stop_campaign(state, campaign)
    elif campaign.status == PAUSED:
        state[CAMPAIGNS].put(msgspec.structs.replace(campaign, paused_from=APPROVED))
    else:
        CAMPAIGN.fire(state, campaign, "approve")


def _check(state: State, campaign: Campaign, action: str) -> None:
    if not CAMPAIGN.can(state, campaign, action):
        raise InvalidState(f"this campaign is {campaign.status}: {action} does not fit that state")

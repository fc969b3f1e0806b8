"""Prepare and reprice a campaign batch by batch, and request its approval (A1.7, 0.8, T-3.1 to T-3.6)."""

from __future__ import annotations

from giftsim.domain.fulfilment.placement import DESTINATIONS
from giftsim.domain.team.campaigns.campaign import (
    AWAITING_APPROVAL,
    BATCH,
    BATCH_RESOURCE,
    CAMPAIGN,
    CAMPAIGNS,
    PAUSED,
    PREPARING,
    RESOURCE,
    Batch,
    Campaign,
    fulfilment_of,
    next_pending_batch,
    unpaid_batches,
)
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders import order_fulfilment, order_items
from giftsim.domain.team.orders.approval import Approval
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.tenant import tenant_of_owner
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def prepare_next_batch(state: State, campaign: Campaign) -> Campaign:
    """Prepare and price the next batch; the last one requests the campaign's approval. InvalidState if none is left."""
    batch = next_pending_batch(state, campaign)
    if batch is None:
        raise InvalidState("all batches of this campaign are prepared, but not all are repriced: call reprice")
    _prepare(state, campaign, batch)
    return _finish(state, campaign)


def reprice_next_batch(state: State, campaign: Campaign) -> Campaign:
    """Reprice one unpaid batch at current prices. Repricing the last one requests a new approval.

    The first call of a round includes every unpaid batch and supersedes the present approval. A batch that may have
    been paid keeps its price. InvalidState if nothing can be repriced.
    """
    if not CAMPAIGN.can(state, campaign, "reprice"):
        raise InvalidState(f"this campaign is {campaign.status}: it cannot be repriced")
    if not unpaid_batches(state, campaign):
        raise InvalidState("this campaign has no prepared batch that is unpaid")
    if campaign.status != PREPARING or not outdated_batches(state, campaign):
        approvals.supersede_approval(state, RESOURCE, campaign.n)
        campaign = CAMPAIGN.fire(state, campaign, "reprice", round=campaign.round + 1)
    batch = outdated_batches(state, campaign)[0]
    order_fulfilment.reprice(state, fulfilment_of(state, batch))
    BATCH.fire(state, batch, "reprice", round=campaign.round, repriced_ms=state.now_ms)
    return _finish(state, campaign)


def request_campaign_approval(state: State, campaign: Campaign, note: str | None = None) -> Approval:
    """The pending approval of a campaign, requested if there is none. InvalidState if there is nothing to approve."""
    awaiting = campaign.paused_from if campaign.status == PAUSED else campaign.status
    if awaiting != AWAITING_APPROVAL:
        raise InvalidState(f"this campaign is {campaign.status}: there is nothing to approve")
    amounts = [fulfilment_of(state, batch).total_cents for batch in unpaid_batches(state, campaign)]
    return approvals.request_approval(
        state, tenant_of_owner(state, campaign.owner), RESOURCE, campaign.n, resource_id=campaign.id,
        amount_cents=sum(amounts), note=note,
    )  # fmt: skip


def outdated_batches(state: State, campaign: Campaign) -> list[Batch]:
    """The unpaid batches with prices of an earlier round."""
    return [batch for batch in unpaid_batches(state, campaign) if batch.round < campaign.round]


def _prepare(state: State, campaign: Campaign, batch: Batch) -> None:
    contents = order_items.at_current_prices(state, Contents(campaign.items, campaign.menu))
    countries = dict.fromkeys((*state.setting(DESTINATIONS), *batch.countries))
    fulfilment = order_fulfilment.create_fulfilment(
        state, tenant_of_owner(state, campaign.owner), BATCH_RESOURCE, batch.n,
        contents, batch.guests, message=campaign.gift_message, countries=tuple(countries),
    )  # fmt: skip
    BATCH.fire(
        state, batch, "prepare", fulfilment=fulfilment.n, guests=(), round=campaign.round, prepared_ms=state.now_ms
    )  # fmt: skip


def _finish(state: State, campaign: Campaign) -> Campaign:
    """Request the campaign's approval once every batch is prepared at the prices of the present round."""
    campaign = state[CAMPAIGNS].get(campaign.n)
    if next_pending_batch(state, campaign) is None and not outdated_batches(state, campaign):
        campaign = CAMPAIGN.fire(state, campaign, "ask")
        request_campaign_approval(state, campaign)
    return campaign

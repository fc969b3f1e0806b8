"""Sandbox events: a test key moves its orders and gifts on, without production, mail or money (A6.9, A8.10).

One call emits one event. The steps that it skips change the record and emit nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.claim import default_claim_entry, enter_address
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, recipient_rows
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELIVERED,
    SHIPMENTS,
    SHIPPED,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.domain.fulfilment.shipment_progress import STAGES, before_delivery_ms, next_step
from giftsim.services.gifting.domain.team.campaigns.campaign import (
    APPROVED as CAMPAIGN_APPROVED,
)
from giftsim.services.gifting.domain.team.campaigns.campaign import (
    AWAITING_APPROVAL as CAMPAIGN_AWAITING,
)
from giftsim.services.gifting.domain.team.campaigns.campaign import (
    BATCH,
    CAMPAIGN,
    COMPLETED,
    RESOURCE,
    Campaign,
    find_campaign,
    unpaid_batches,
)
from giftsim.services.gifting.domain.team.campaigns.campaign_control import (
    campaign_fulfilments,
    campaign_recipients,
    emit_campaign_event,
    recipient_status,
)
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import gift as gifts
from giftsim.services.gifting.domain.team.orders import team_order as orders
from giftsim.services.gifting.domain.team.orders.gift import (
    CLAIMED,
    GIFTS,
    PROGRESS,
    SENT,
    Gift,
    add_timeline_entry,
    find_gift,
)
from giftsim.services.gifting.domain.team.orders.team_order import (
    APPROVED,
    AWAITING_APPROVAL,
    TEAM_ORDERS,
    TeamOrder,
    find_order,
)
from giftsim.services.gifting.domain.team.team_errors import NotFound, validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant

# The status that each event brings a shipment to.
_GOALS: Final = {SENT: AWAITING, CLAIMED: SUBMITTED, SHIPPED: SHIPPED, DELIVERED: DELIVERED}


def apply_event(state: State, tenant: Tenant, kind: str, resource_id: str) -> str:
    """Apply an event such as `team_order.shipped` to a test record, emit it, and return the record's new status.

    ValidationFailed if the sandbox has no such record. InvalidState if the event does not fit the record's status.
    """
    noun, _, status = kind.partition(".")
    try:
        if noun == gifts.RESOURCE:
            return _apply_to_gift(state, find_gift(state, tenant, resource_id), status)
        return _apply_to_order(state, find_order(state, tenant, resource_id), status)
    except NotFound:
        raise validation_error(
            "resource_id", "must be the UUID of a test record of this key, of the event's type"
        ) from None


def _apply_to_order(state: State, order: TeamOrder, status: str) -> str:
    if order.status not in orders.HELD and _is_past(orders.PROGRESS, order.status, status):
        raise InvalidState(f"this order is {order.status}: it cannot become {status}")
    if order.status == AWAITING_APPROVAL:
        approvals.supersede_approval(state, orders.RESOURCE, order.n)
        order = state[TEAM_ORDERS].put(msgspec.structs.replace(order, status=APPROVED))
    advance_shipments(state, orders.fulfilment_of(state, order), status)
    order = state[TEAM_ORDERS].get(order.n)
    orders.emit_order_event(state, order, f"team_order.{status}")
    return order.status


def _apply_to_gift(state: State, gift: Gift, status: str) -> str:
    if gift.status != gifts.AWAITING_APPROVAL and _is_past(PROGRESS, gift.status, status):
        raise InvalidState(f"this gift is {gift.status}: it cannot become {status}")
    if gift.sent_ms is None:
        approvals.supersede_approval(state, gifts.RESOURCE, gift.n)
        gift = state[GIFTS].put(msgspec.structs.replace(gift, status=SENT, sent_ms=state.now_ms))
        add_timeline_entry(state, gift.n, "gift.sent", SENT)
    fulfilment = gifts.fulfilment_of(state, gift)
    advance_shipments(state, fulfilment, status)
    one_recipient = fulfilment.recipient_count == 1 and status != SENT
    shipment = next(recipient_rows(state, fulfilment))[1] if one_recipient else None
    gift = state[GIFTS].get(gift.n)
    gifts.emit_gift_event(state, gift, f"gift.{status}", gift.status, shipment)
    return gift.status


def _is_past(progress: Sequence[str], now: str, goal: str) -> bool:
    """Whether a record has reached or passed the status `goal`, or has ended otherwise."""
    return now not in progress or progress.index(now) >= progress.index(goal)


def advance_shipments(state: State, fulfilment: Fulfilment, status: str) -> None:
    """Advance the shipments of a fulfilment to the status of an event, except canceled ones."""
    for recipient, shipment in list(recipient_rows(state, fulfilment)):
        if shipment.status != CANCELED:
            _advance_shipment(state, fulfilment, recipient, shipment, _GOALS[status])


def _advance_shipment(
    state: State, fulfilment: Fulfilment, recipient: Recipient, shipment: Shipment, goal: str
) -> None:
    """Advance a shipment to the status `goal`, unless it is past it; no timers are set (T-1.15)."""
    at_ms = before_delivery_ms(state, shipment) if goal == DELIVERED else state.now_ms
    if shipment.status == AWAITING and goal != AWAITING:
        entry = default_claim_entry(state, fulfilment, recipient)
        enter_address(state, fulfilment, recipient, shipment, entry, at_ms, since_ms=None)
        shipment = state[SHIPMENTS].get(shipment.n)
    while shipment.status in STAGES and STAGES.index(shipment.status) < _stage_index(goal):
        shipment = next_step(state, shipment, at_ms, since_ms=None)


def _stage_index(goal: str) -> int:
    return STAGES.index(goal) if goal in STAGES else -1


def apply_campaign_event(state: State, tenant: Tenant, status: str, raw: object) -> str:
    """Bring all recipients of a test campaign to a status, emit one event, and return the status.

    A campaign that is not completed yet is approved and completed first. NotFound if the sandbox has no such campaign.
    InvalidState if the event does not fit its status.
    """
    campaign = find_campaign(state, tenant, raw)
    if campaign.status not in (CAMPAIGN_AWAITING, CAMPAIGN_APPROVED, COMPLETED):
        raise InvalidState(f"this campaign is {campaign.status}: it moves once all of its batches are prepared")
    if campaign.status == COMPLETED and _recipients_are_past(state, campaign, status):
        raise InvalidState(f"the recipients of this campaign cannot become {status} any more")
    if campaign.status != COMPLETED:
        campaign = _complete(state, campaign)
    prepared = campaign_fulfilments(state, campaign)
    for fulfilment in prepared:
        advance_shipments(state, fulfilment, status)
    one_recipient = campaign.recipient_count == 1 and status != PROGRESS[0]
    shipment = next(recipient_rows(state, prepared[0]))[1] if one_recipient else None
    emit_campaign_event(state, campaign, status, shipment)
    return status


def _complete(state: State, campaign: Campaign) -> Campaign:
    """Complete a campaign whose batches are all prepared, without a payment."""
    if campaign.status == CAMPAIGN_AWAITING:
        approvals.supersede_approval(state, RESOURCE, campaign.n)
        campaign = CAMPAIGN.fire(state, campaign, "approve")
    for batch in unpaid_batches(state, campaign):
        BATCH.fire(state, batch, "pay", paid_ms=state.now_ms)
    return CAMPAIGN.fire(state, campaign, "complete")


def _recipients_are_past(state: State, campaign: Campaign, goal: str) -> bool:
    """Whether no recipient is before the status `goal`."""
    present = [recipient_status(batch, shipment) for batch, _, shipment in campaign_recipients(state, campaign)]
    return not any(status in PROGRESS and PROGRESS.index(status) < PROGRESS.index(goal) for status in present)

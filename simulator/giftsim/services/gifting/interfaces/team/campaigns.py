"""The JSON of large campaigns with their batches. Recipients are counted, and listed where a campaign is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from giftsim.engine.gateway.call import Call, ConnectionDropped, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.money.charge import CrashAfterCharge
from giftsim.services.gifting.domain.team.billing.invoice import NET_TERMS
from giftsim.services.gifting.domain.team.billing.payment import UNCERTAIN, payment_of
from giftsim.services.gifting.domain.team.billing.payment_errors import PaymentNotPermitted
from giftsim.services.gifting.domain.team.campaigns import campaign_control, campaign_payment, campaign_preparation
from giftsim.services.gifting.domain.team.campaigns.campaign import (
    APPROVED,
    BATCH_RESOURCE,
    BATCHES,
    CAMPAIGNS,
    DROPPED,
    PAID,
    PREPARING,
    RESOURCE,
    UNPAID,
    Batch,
    Campaign,
    campaign_batches,
    find_campaign,
    fulfilment_of,
)
from giftsim.services.gifting.domain.team.campaigns.campaign_control import (
    campaign_recipients,
    recipient_counts,
    recipient_status,
)
from giftsim.services.gifting.domain.team.campaigns.campaign_preparation import create_campaign
from giftsim.services.gifting.domain.team.design.template import find_template_use
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import latest_approval
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.authentication import authorize_net_terms
from giftsim.services.gifting.interfaces.team.orders import (
    menu_view,
    order_items_view,
    products_view,
    template_use_view,
    totals_view,
)
from giftsim.services.gifting.interfaces.team.payments import charge_fault, check_outcome_known, summarize_payment
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def campaign_view(state: State, tenant: Tenant, campaign: Campaign) -> dict[str, Any]:
    """A campaign."""
    rows, approval = campaign_batches(state, campaign), latest_approval(state, RESOURCE, campaign.n)
    return {
        "id": campaign.id,
        "name": campaign.name,
        "status": campaign.status,
        "collection": campaign.collection,
        "items": order_items_view(state, RESOURCE, campaign.n),
        "setup": None if campaign.collection else {"bundle_items": products_view(state, campaign.items)},
        "mode": campaign.mode,
        "gift_choices": menu_view(state, campaign.menu),
        **template_use_view(campaign.template),
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


def followed_order_view(state: State, tenant: Tenant, campaign_: Campaign) -> dict[str, Any]:
    """A campaign with the recipients of its prepared batches, which have an id and a name, never an email."""
    rows = [_recipient(state, *row) for row in campaign_recipients(state, campaign_)]
    return {**campaign_view(state, tenant, campaign_), "recipients": rows}


def _recipient(state: State, batch: Batch, recipient: Recipient, shipment: Shipment) -> dict[str, Any]:
    return {
        "id": team_fulfilment.recipient_id(state, fulfilment_of(state, batch), recipient.n),
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
    return totals_view(
        sum([each.subtotal_cents for each in fulfilments]), sum([each.shipping_cents for each in fulfilments])
    )


ACTIONS: Final = {
    "pause": campaign_control.pause_campaign,
    "resume": campaign_control.resume_campaign,
    "stop": campaign_control.stop_campaign,
    "reprice": campaign_preparation.reprice_next_batch,
}


def create_large_campaign(call: Call) -> Response:
    """Create a campaign. None of its batches is prepared yet."""
    state, tenant, body = call.state, call.caller.tenant, call.body
    template = find_template_use(state, tenant, body)
    return _response(call, create_campaign(state, tenant, call.caller.key.n, body, template), 202)


def get_large_campaign(call: Call) -> Response:
    """Read a campaign with its batches and recipients."""
    return Response(200, followed_order_view(call.state, call.caller.tenant, call.subject))


def update_large_campaign(call: Call) -> Response:
    """Pause, resume or reprice a campaign."""
    return _response(call, ACTIONS[call.body["action"]](call.state, call.subject))


def process_large_campaign(call: Call) -> Response:
    """Prepare, reprice or pay the next batch, or run the action that the body names."""
    campaign: Campaign = call.subject
    action = (call.body or {}).get("action")
    if action is not None:
        ACTIONS[action](call.state, campaign)
    elif _is_paid_already(call):
        pass
    elif campaign.status == PREPARING:
        campaign_preparation.prepare_next_batch(call.state, campaign)
    else:
        _pay(call, campaign)
    return _response(call, campaign, 202)


def _is_paid_already(call: Call) -> bool:
    """Whether an earlier call with this Idempotency-Key started to pay a batch, and that batch is paid by now."""
    if call.bound_slot is None:
        return False
    check_outcome_known(call, payment_of(call.state, BATCH_RESOURCE, call.bound_slot))
    return call.state[BATCHES].get(call.bound_slot).status == PAID


def _pay(call: Call, campaign: Campaign) -> None:
    """Pay and release the next batch, unless the caller is an assistant (T-1.8) or may not pay on terms (G56)."""
    if campaign.status != APPROVED:
        raise InvalidState(
            f"this campaign is {campaign.status}; batches are processed while it is preparing or approved"
        )
    if campaign.payment_method == NET_TERMS:
        authorize_net_terms(call)
    batch = campaign_payment.next_payable_batch(call.state, campaign)
    if call.caller.assistant:
        raise PaymentNotPermitted(
            "a call through the MCP endpoint cannot pay; process the batch with a call to the team interface"
        )
    call.bind(batch.n, BATCHES.name)
    try:
        campaign_payment.pay_batch(call.state, campaign, batch, call.caller.key, charge_fault(call))
    except CrashAfterCharge as crash:
        raise ConnectionDropped(str(crash)) from None


def _response(call: Call, campaign: Campaign, status: int = 200) -> Response:
    current = call.state[CAMPAIGNS].get(campaign.n)
    return Response(status, campaign_view(call.state, call.caller.tenant, current))


FINDERS: Final[Mapping[str, Finder]] = {
    "large_campaign": lambda call, raw: find_campaign(call.state, call.caller.tenant, raw)
}

"""Large campaigns: create, read, pause, resume, and process batch by batch (T-3.1 to T-3.9, T-4.162 to T-4.172)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.money.charge import CrashAfterCharge
from giftsim.domain.team.billing.invoice import NET_TERMS
from giftsim.domain.team.billing.problem import PaymentNotPermitted
from giftsim.domain.team.billing.settlement import payment_of
from giftsim.domain.team.campaigns import campaign_control, campaign_payment, campaign_preparation
from giftsim.domain.team.campaigns.campaign import (
    APPROVED,
    BATCH_RESOURCE,
    BATCHES,
    CAMPAIGNS,
    PAID,
    PREPARING,
    Campaign,
    find_campaign,
)
from giftsim.domain.team.campaigns.campaign_creation import create_campaign
from giftsim.domain.team.design.template import find_template_use
from giftsim.gateway.call import Call, ConnectionDropped, Handler, Response
from giftsim.interfaces.team.authentication import authorize_net_terms
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.payment_outcome import charge_fault, check_outcome_known
from giftsim.interfaces.team.views import campaigns as views
from giftsim.problem import InvalidState

ACTIONS = MappingProxyType(
    {
        "pause": campaign_control.pause_campaign,
        "resume": campaign_control.resume_campaign,
        "stop": campaign_control.stop_campaign,
        "reprice": campaign_preparation.reprice_next_batch,
    }
)


def create_large_campaign(call: Call) -> Response:
    """Create a campaign. None of its batches is prepared yet."""
    state, tenant, body = call.state, call.caller.tenant, call.body
    template = find_template_use(state, tenant, body)
    return _response(call, create_campaign(state, tenant, call.caller.key.n, body, template), 202)


def get_large_campaign(call: Call) -> Response:
    """Read a campaign with its batches and recipients."""
    return Response(200, views.followed(call.state, call.caller.tenant, call.subject))


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
    return Response(status, views.campaign(call.state, call.caller.tenant, current))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "createLargeCampaign": create_large_campaign,
        "getLargeCampaign": get_large_campaign,
        "updateLargeCampaign": update_large_campaign,
        "processLargeCampaign": process_large_campaign,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"large_campaign": lambda call, raw: find_campaign(call.state, call.caller.tenant, raw)}
)

"""Large campaigns: create, read, steer, and process batch by batch (T-3.1 to T-3.9, T-4.162 to T-4.172)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.money.charge import CrashAfterCharge
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
from giftsim.gateway.call import Call, ConnectionDropped, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.payment_outcome import charge_fault, check_outcome_known
from giftsim.interfaces.team.views import campaigns as views
from giftsim.problem import InvalidState

ACTIONS = MappingProxyType(
    {
        "pause": campaign_control.pause,
        "resume": campaign_control.resume,
        "stop": campaign_control.stop,
        "reprice": campaign_preparation.reprice_next,
    }
)


def create_large_campaign(call: Call) -> Response:
    """A new campaign, with nothing prepared."""
    return _shown(call, create_campaign(call.state, call.caller.tenant, call.caller.key.n, call.body), 202)


def get_large_campaign(call: Call) -> Response:
    """One campaign with its batches."""
    return _shown(call, call.subject)


def update_large_campaign(call: Call) -> Response:
    """Pause, resume or reprice it."""
    return _shown(call, ACTIONS[call.body["action"]](call.state, call.subject))


def process_large_campaign(call: Call) -> Response:
    """The next batch prepared, repriced or paid; or the end of the program."""
    campaign: Campaign = call.subject
    action = (call.body or {}).get("action")
    if action is not None:
        ACTIONS[action](call.state, campaign)
    elif _is_done(call):
        pass
    elif campaign.status == PREPARING:
        campaign_preparation.prepare_next(call.state, campaign)
    else:
        _pay(call, campaign)
    return _shown(call, campaign, 202)


def _is_done(call: Call) -> bool:
    """Whether the batch that the Idempotency-Key is bound to, as its payment had no outcome, is paid by now."""
    if call.bound_slot is None:
        return False
    check_outcome_known(call, payment_of(call.state, BATCH_RESOURCE, call.bound_slot))
    return call.state[BATCHES].get(call.bound_slot).status == PAID


def _pay(call: Call, campaign: Campaign) -> None:
    """Pay and release one batch; an assistant never does (T-1.8)."""
    if campaign.status != APPROVED:
        raise InvalidState(f"this campaign is {campaign.status}: no batch is processed")
    batch = campaign_payment.next_payable(call.state, campaign)
    if call.caller.assistant:
        raise PaymentNotPermitted("an assistant never pays")
    call.bind(batch.n)
    try:
        campaign_payment.pay_batch(call.state, campaign, batch, call.caller.key, charge_fault(call))
    except CrashAfterCharge as crash:
        raise ConnectionDropped(str(crash)) from None


def _shown(call: Call, campaign: Campaign, status: int = 200) -> Response:
    now = call.state[CAMPAIGNS].get(campaign.n)
    return Response(status, views.campaign(call.state, call.caller.tenant, now))


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

"""Tables, machines, settings and signal connections of large campaigns."""

from __future__ import annotations

from giftsim.domain.team.billing.billable import BILLABLE
from giftsim.domain.team.campaigns import campaign, campaign_control, campaign_following, campaign_payment
from giftsim.domain.team.orders.approval import APPROVAL_DECIDED
from giftsim.domain.team.orders.order_fulfilment import FULFILLED_ID, FULFILLED_OWNER, FULFILMENT_CHANGED
from giftsim.domain.team.orders.proof_check import PROOFS_OPEN
from giftsim.domain.team.tenant import Id
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect_key
from giftsim.kernel.state import State


def _campaign_id(state: State, slot: int) -> tuple[str, Id]:
    """The campaign of a batch, as the control API names it."""
    return "campaign_id", state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).id


def _campaign_owner(state: State, slot: int) -> str:
    """The owner of the campaign of a batch."""
    return state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).owner


DEFINITIONS = PackageDefinitions(
    tables=(campaign.CAMPAIGNS, campaign.BATCHES),
    machines=(campaign.CAMPAIGN, campaign.BATCH),
    settings=(campaign.BATCH_SIZE,),
    connections=(
        connect_key(FULFILMENT_CHANGED, campaign.BATCH_RESOURCE, campaign_following.on_fulfilment_changed),
        connect_key(FULFILLED_ID, campaign.BATCH_RESOURCE, _campaign_id),
        connect_key(FULFILLED_OWNER, campaign.BATCH_RESOURCE, _campaign_owner),
        connect_key(APPROVAL_DECIDED, campaign.RESOURCE, campaign_control.on_approval_decided),
        connect_key(PROOFS_OPEN, campaign.RESOURCE, campaign.is_unfinished),
        connect_key(BILLABLE, campaign.BATCH_RESOURCE, campaign_payment.BillableBatch()),
    ),
)

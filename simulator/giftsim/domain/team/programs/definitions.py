"""What programs add to every world: large campaigns with their batches, and rules that run every day."""

from __future__ import annotations

from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.shipment import Shipment
from giftsim.domain.team.billing.billable import BILLABLE
from giftsim.domain.team.orders.approval import APPROVAL_DECIDED
from giftsim.domain.team.orders.order_fulfilment import FULFILLED_ID, FULFILMENT_CHANGED
from giftsim.domain.team.programs import campaign, campaign_control, campaign_payment, rule_evaluation, rule_schedule
from giftsim.domain.team.programs.deal import DEALS
from giftsim.domain.team.programs.rule import RULES
from giftsim.domain.team.tenant import Id
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect_key
from giftsim.kernel.state import TIMER_SUBJECT, State


def _follow(_: State, _placed: Fulfilment, _was: Shipment, _shipment: Shipment) -> None:
    """A campaign's parcels are nobody's news: its status says what is prepared and paid."""


def _named(state: State, slot: int) -> tuple[str, Id]:
    """Whose a parcel of a batch is, as the control plane shows it."""
    return "campaign_id", state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).id


DEFINITIONS = PackageDefinitions(
    tables=(campaign.CAMPAIGNS, campaign.BATCHES, RULES, DEALS, rule_evaluation.AWARDS),
    machines=(campaign.CAMPAIGN, campaign.BATCH),
    timers={rule_schedule.RUN: rule_evaluation.run_daily},
    perpetual=(rule_schedule.RUN,),
    settings=(campaign.BATCH_SIZE, rule_schedule.AUTO, rule_evaluation.DRY_RUN),
    connections=(
        connect_key(FULFILMENT_CHANGED, campaign.BATCH_RESOURCE, _follow),
        connect_key(FULFILLED_ID, campaign.BATCH_RESOURCE, _named),
        connect_key(APPROVAL_DECIDED, campaign.RESOURCE, campaign_control.decided),
        connect_key(TIMER_SUBJECT, rule_schedule.OWNER, rule_schedule.named),
        connect_key(BILLABLE, campaign.BATCH_RESOURCE, campaign_payment.BillableBatch()),
    ),
)

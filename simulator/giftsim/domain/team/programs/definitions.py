"""What programs bring into every world: large campaigns with their batches, and rules that run every day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.shipment import Shipment
from giftsim.domain.team.programs import campaign, campaign_control, campaign_payment, rule_evaluation, rule_schedule
from giftsim.domain.team.programs.deal import DEALS
from giftsim.domain.team.programs.rule import RULES
from giftsim.domain.team.tenant import Id
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import State, Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec


def _follow(_: State, _placed: Fulfilment, _was: Shipment, _shipment: Shipment) -> None:
    """A campaign's parcels are nobody's news: its status says what is prepared and paid."""


def _named(state: State, slot: int) -> tuple[str, Id]:
    """Whose a parcel of a batch is, as the control plane shows it."""
    return "campaign_id", state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).id


SPECS: tuple[TableSpec[Any], ...] = (campaign.CAMPAIGNS, campaign.BATCHES, RULES, DEALS, rule_evaluation.AWARDS)

MACHINES: tuple[Machine[Any], ...] = (campaign.CAMPAIGN, campaign.BATCH)

TIMERS: Mapping[str, Verb] = MappingProxyType({rule_schedule.RUN: rule_evaluation.run_daily})

# Timer kinds that repeat for ever, which an advance until idle does not wait for.
PERPETUAL: tuple[str, ...] = (rule_schedule.RUN,)

SETTINGS: tuple[Setting[Any], ...] = (campaign.BATCH_SIZE, rule_schedule.AUTO, rule_evaluation.DRY_RUN)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        f"fulfilment.{campaign.BATCH_RESOURCE}": _follow,
        f"named.{campaign.BATCH_RESOURCE}": _named,
        f"approval.{campaign.RESOURCE}": campaign_control.decided,
        f"name {rule_schedule.OWNER}": rule_schedule.named,
        f"billed.{campaign.BATCH_RESOURCE}": campaign_payment.billed,
        f"payable.{campaign.BATCH_RESOURCE}": campaign_payment.check_payable,
        f"paid.{campaign.BATCH_RESOURCE}": campaign_payment.paid,
        f"unpaid.{campaign.BATCH_RESOURCE}": campaign_payment.failed,
    }
)

"""What programs bring into every world: large campaigns with their batches, and rules that run every day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.orders.order import TeamOrder
from simulator.domain.orders.shipment import Shipment
from simulator.domain.team.programs import campaign, evaluation, paying, schedule, steering
from simulator.domain.team.programs.deal import DEALS
from simulator.domain.team.programs.rule import RULES
from simulator.domain.team.space import Id
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import State, Verb
from simulator.kernel.table import Spec


def _follow(_: State, _placed: TeamOrder, _was: Shipment, _shipment: Shipment) -> None:
    """A campaign's parcels are nobody's news: its status says what is prepared and paid."""


def _named(state: State, slot: int) -> tuple[str, Id]:
    """Whose a parcel of a batch is, as the control plane shows it."""
    return "campaign_id", state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).id


SPECS: tuple[Spec[Any], ...] = (campaign.CAMPAIGNS, campaign.BATCHES, RULES, DEALS, evaluation.AWARDS)

MACHINES: tuple[Machine[Any], ...] = (campaign.CAMPAIGN, campaign.BATCH)

TIMERS: Mapping[str, Verb] = MappingProxyType({schedule.RUN: evaluation.run_daily})

# Timer kinds that repeat for ever, which an advance until idle does not wait for.
PERPETUAL: tuple[str, ...] = (schedule.RUN,)

SETTINGS: tuple[Setting[Any], ...] = (campaign.BATCH_SIZE, schedule.AUTO, evaluation.DRY_RUN)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        f"fulfilment.{campaign.BATCH_RESOURCE}": _follow,
        f"named.{campaign.BATCH_RESOURCE}": _named,
        f"approval.{campaign.RESOURCE}": steering.decided,
        f"name {schedule.OWNER}": schedule.named,
        f"billed.{campaign.BATCH_RESOURCE}": paying.billed,
        f"payable.{campaign.BATCH_RESOURCE}": paying.check_payable,
        f"paid.{campaign.BATCH_RESOURCE}": paying.paid,
        f"unpaid.{campaign.BATCH_RESOURCE}": paying.failed,
    }
)

"""What orders, gifts and approvals bring into every world.

Other rooms may bring hooks that are asked here: `sender(state, space) -> str`, who gifts come from;
`unsigned(state, order) -> bool`, whether an order (a slot) waits for a signature; `proof_status(state, item) -> str or
None`, of an order item (a slot). Whoever fulfils a resource of its own brings `fulfilment.{resource}` and
`named.{resource}(state, slot) -> (member, id)`, as the control plane shows whose a parcel is, and
`approval.{resource_type}` where humans are asked about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.orders import approval, authority, fulfilment, gift, order, send
from simulator.domain.team.orders.timeline import MOMENTS
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (approval.APPROVALS, order.TEAM_ORDERS, order.ORDER_ITEMS, gift.GIFTS, MOMENTS)

MACHINES: tuple[Machine[Any], ...] = (approval.APPROVAL,)

TIMERS: Mapping[str, Verb] = MappingProxyType(approval.APPROVAL.verbs())

SETTINGS: tuple[Setting[Any], ...] = approval.SETTINGS

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        f"parcel.{fulfilment.TEAM}": fulfilment.follow,
        f"parcel.{fulfilment.SANDBOX}": fulfilment.follow,
        f"fulfilment.{order.RESOURCE}": order.follow,
        f"fulfilment.{gift.RESOURCE}": gift.follow,
        f"approval.{order.RESOURCE}": authority.decided,
        f"approval.{gift.RESOURCE}": send.decided,
        f"billed.{order.RESOURCE}": authority.billed,
        f"billed.{gift.RESOURCE}": send.billed,
        f"payable.{order.RESOURCE}": authority.check_payable,
        f"payable.{gift.RESOURCE}": send.check_payable,
        f"paid.{order.RESOURCE}": authority.paid,
        f"paid.{gift.RESOURCE}": send.paid,
        f"named.{order.RESOURCE}": lambda state, slot: ("team_order_id", state[order.TEAM_ORDERS].get(slot).id),
        f"named.{gift.RESOURCE}": lambda state, slot: ("gift_id", state[gift.GIFTS].get(slot).id),
        "order_slot": authority.order_slot,
    }
)

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

from giftsim.domain.team.orders import approval, authorization, gift, gift_preparation, order_fulfilment, team_order
from giftsim.domain.team.orders.gift_timeline import MOMENTS
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (
    approval.APPROVALS,
    team_order.TEAM_ORDERS,
    team_order.ORDER_ITEMS,
    gift.GIFTS,
    MOMENTS,
)

MACHINES: tuple[Machine[Any], ...] = (approval.APPROVAL,)

TIMERS: Mapping[str, Verb] = MappingProxyType(approval.APPROVAL.verbs())

SETTINGS: tuple[Setting[Any], ...] = approval.SETTINGS

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        f"parcel.{order_fulfilment.TEAM}": order_fulfilment.follow,
        f"parcel.{order_fulfilment.SANDBOX}": order_fulfilment.follow,
        f"fulfilment.{team_order.RESOURCE}": team_order.follow,
        f"fulfilment.{gift.RESOURCE}": gift.follow,
        f"approval.{team_order.RESOURCE}": authorization.decided,
        f"approval.{gift.RESOURCE}": gift_preparation.decided,
        f"billed.{team_order.RESOURCE}": authorization.billed,
        f"billed.{gift.RESOURCE}": gift_preparation.billed,
        f"payable.{team_order.RESOURCE}": authorization.check_payable,
        f"payable.{gift.RESOURCE}": gift_preparation.check_payable,
        f"paid.{team_order.RESOURCE}": authorization.paid,
        f"paid.{gift.RESOURCE}": gift_preparation.paid,
        f"named.{team_order.RESOURCE}": lambda state, slot: (
            "team_order_id",
            state[team_order.TEAM_ORDERS].get(slot).id,
        ),
        f"named.{gift.RESOURCE}": lambda state, slot: ("gift_id", state[gift.GIFTS].get(slot).id),
        "order_slot": authorization.order_slot,
    }
)

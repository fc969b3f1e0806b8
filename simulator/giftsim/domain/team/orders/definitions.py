"""Tables, machines, settings and signal connections of orders, gifts and approvals."""

from __future__ import annotations

from giftsim.domain.fulfilment.shipment import SHIPMENT_CHANGED
from giftsim.domain.team.billing.billable import BILLABLE, bill_of
from giftsim.domain.team.orders import approval, gift, gift_approval, order_approval, order_fulfilment, team_order
from giftsim.domain.team.orders.approval import APPROVAL_DECIDED, APPROVAL_RENEWED
from giftsim.domain.team.orders.gift_timeline import TIMELINE_ENTRIES
from giftsim.domain.team.orders.order_fulfilment import FULFILLED_ID, FULFILLED_OWNER, FULFILMENT_CHANGED
from giftsim.domain.team.orders.proof_check import PROOFS_OPEN
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect_key

DEFINITIONS = PackageDefinitions(
    tables=(
        approval.APPROVALS,
        team_order.TEAM_ORDERS,
        team_order.ORDER_ITEMS,
        gift.GIFTS,
        TIMELINE_ENTRIES,
    ),
    machines=(approval.APPROVAL,),
    timers=approval.APPROVAL.timer_handlers(),
    settings=approval.SETTINGS,
    connections=(
        connect_key(SHIPMENT_CHANGED, order_fulfilment.TEAM, order_fulfilment.on_shipment_changed),
        connect_key(SHIPMENT_CHANGED, order_fulfilment.SANDBOX, order_fulfilment.on_shipment_changed),
        connect_key(FULFILMENT_CHANGED, team_order.RESOURCE, team_order.on_fulfilment_changed),
        connect_key(FULFILMENT_CHANGED, gift.RESOURCE, gift.on_fulfilment_changed),
        connect_key(APPROVAL_DECIDED, team_order.RESOURCE, order_approval.on_approval_decided),
        connect_key(APPROVAL_DECIDED, gift.RESOURCE, gift_approval.on_approval_decided),
        connect_key(APPROVAL_RENEWED, gift.RESOURCE, gift_approval.renew_approval),
        connect_key(
            FULFILLED_ID,
            team_order.RESOURCE,
            lambda state, slot: (
                "team_order_id",
                state[team_order.TEAM_ORDERS].get(slot).id,
            ),
        ),
        connect_key(FULFILLED_ID, gift.RESOURCE, lambda state, slot: ("gift_id", state[gift.GIFTS].get(slot).id)),
        connect_key(FULFILLED_OWNER, team_order.RESOURCE, lambda state, n: state[team_order.TEAM_ORDERS].get(n).owner),
        connect_key(FULFILLED_OWNER, gift.RESOURCE, lambda state, n: state[gift.GIFTS].get(n).owner),
        connect_key(PROOFS_OPEN, team_order.RESOURCE, lambda state, n: bill_of(state, team_order.RESOURCE, n).is_open),
        connect_key(BILLABLE, team_order.RESOURCE, order_approval.BillableTeamOrder()),
        connect_key(BILLABLE, gift.RESOURCE, gift_approval.BillableGift()),
    ),
)

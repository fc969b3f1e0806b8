"""Single orders: one parcel for one recipient, ordered outside the API; they exist for their webhook events (B37)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from giftsim.domain.fulfilment.shipment import DELIVERED, SHIPMENTS, SHIPPED, SUBMITTED, Shipment, start_clock
from giftsim.domain.money.account import Account
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

CHANNEL = "single"

_EVENTS: Final = MappingProxyType({SHIPPED: "order.shipped", DELIVERED: "order.delivered"})


class SingleOrder(Record, frozen=True, gc=False):
    """An order of one parcel on `account`; `account` and `shipment` are slots."""

    account: int
    made_at_ms: int
    shipment: int


SINGLE_ORDERS: TableSpec[SingleOrder] = TableSpec("single orders", SingleOrder, groups={"account": "account"})


def create_single_order(state: State, account: Account, country: str = "US") -> Shipment:
    """Create a paid single order and return its shipment, whose lead times run from now."""
    n, slot = state[SINGLE_ORDERS].next_n, state[SHIPMENTS].next_n
    state[SINGLE_ORDERS].add(SingleOrder(n, account.n, state.now_ms, slot))
    shipment = state[SHIPMENTS].add(Shipment(slot, CHANNEL, n, None, f"SO-{n + 1}", SUBMITTED, country))
    return start_clock(state, shipment)


def on_shipment_step(state: State, _: Shipment, shipment: Shipment) -> None:
    """Emit the webhook event of a step of a single order's shipment (handles SHIPMENT_CHANGED; P-6.7, P-6.8)."""
    kind = _EVENTS.get(shipment.status)
    if kind is not None:
        state.emit(kind, f"account {state[SINGLE_ORDERS].get(shipment.owner).account}", shipment.n)

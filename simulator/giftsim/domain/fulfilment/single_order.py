"""Single orders: made elsewhere, by one recipient for one parcel; here only so that their events happen (B37)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from giftsim.domain.fulfilment.shipment import DELIVERED, SHIPMENTS, SHIPPED, SUBMITTED, Shipment, start
from giftsim.domain.money.account import Account
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

CHANNEL = "single"

_EVENTS: Final = MappingProxyType({SHIPPED: "order.shipped", DELIVERED: "order.delivered"})


class SingleOrder(Record, frozen=True, gc=False):
    """A parcel's order on an account (a slot); `shipment` is its slot."""

    account: int
    made_at_ms: int
    shipment: int


SINGLES: TableSpec[SingleOrder] = TableSpec(
    "single orders", SingleOrder, groups={"account": lambda single: single.account}
)


def make_single(state: State, account: Account, country: str = "US") -> Shipment:
    """A paid single order; its parcel goes its way by the clock, or sooner when told (`progress`)."""
    n, slot = state[SINGLES].next_n, state[SHIPMENTS].next_n
    state[SINGLES].add(SingleOrder(n, account.n, state.now_ms, slot))
    shipment = state[SHIPMENTS].add(Shipment(slot, CHANNEL, n, None, f"SO-{n + 1}", SUBMITTED, country))
    return start(state, shipment)


def follow(state: State, _: Shipment, shipment: Shipment) -> None:
    """Tell of a step of a single order's parcel (the hook `parcel.single`; P-6.7, P-6.8)."""
    kind = _EVENTS.get(shipment.status)
    if kind is not None:
        state.emit(kind, f"account {state[SINGLES].get(shipment.owner).account}", shipment.n)

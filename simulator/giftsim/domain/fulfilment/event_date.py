"""Whether parcels arrive by the date of their event (B32, P-2.32)."""

from __future__ import annotations

from giftsim.domain.fulfilment.fulfilment import Fulfilment, recipient_rows
from giftsim.domain.fulfilment.shipment import CANCELED, Shipment
from giftsim.kernel.instants import utc_date
from giftsim.kernel.state import State


def on_time(order: Fulfilment, shipment: Shipment, now_ms: int) -> bool | None:
    """Whether a shipment arrived by the event's date; None without event, while undecided, and when canceled."""
    if order.event is None or shipment.status == CANCELED:
        return None
    if shipment.delivered_at_ms is not None:
        return utc_date(shipment.delivered_at_ms) <= order.event.date
    return False if utc_date(now_ms) > order.event.date else None


def order_on_time(state: State, order: Fulfilment) -> bool | None:
    """Whether all shipments that are not canceled arrived by the event's date; False once one is late (B32)."""
    if order.event is None:
        return None
    active = [shipment for _, shipment in recipient_rows(state, order) if shipment.status != CANCELED]
    results = [on_time(order, shipment, state.now_ms) for shipment in active]
    if False in results:
        return False
    return None if None in results or not results else True

"""Whether parcels make the date of the event they are for (B32, P-2.32)."""

from __future__ import annotations

from giftsim.domain.fulfilment.fulfilment import Fulfilment, rows
from giftsim.domain.fulfilment.shipment import CANCELED, Shipment
from giftsim.kernel.instants import utc_date
from giftsim.kernel.state import State


def on_time(order: Fulfilment, shipment: Shipment, now_ms: int) -> bool | None:
    """Whether a row made the event's date: None without event, while it is open, and when canceled (B32, P-2.32)."""
    if order.event is None or shipment.status == CANCELED:
        return None
    if shipment.delivered_at_ms is not None:
        return utc_date(shipment.delivered_at_ms) <= order.event.date
    return False if utc_date(now_ms) > order.event.date else None


def order_on_time(state: State, order: Fulfilment) -> bool | None:
    """The same over all rows that are not canceled: one late row makes the order late (B32)."""
    if order.event is None:
        return None
    live = [shipment for _, shipment in rows(state, order) if shipment.status != CANCELED]
    judged = [on_time(order, shipment, state.now_ms) for shipment in live]
    if False in judged:
        return False
    return None if None in judged or not judged else True

"""Scans of a parcel that arrive in the wrong order: its delivery is reported first, and then its handover (G433)."""

from __future__ import annotations

from typing import Final

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment import fulfilment as partner_orders
from giftsim.services.gifting.domain.fulfilment import shipment_progress
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.shipment import (
    DELIVERED,
    IN_PRODUCTION,
    LABELED,
    SHIPMENT,
    SHIPMENT_CHANGED,
    SHIPMENTS,
    SHIPPED,
    Shipment,
)
from giftsim.services.gifting.domain.fulfilment.transit import as_shipped
from giftsim.services.gifting.domain.team.campaigns import campaign as campaigns
from giftsim.services.gifting.domain.team.campaigns.campaign import BATCHES, CAMPAIGNS
from giftsim.services.gifting.domain.team.campaigns.campaign_control import emit_campaign_event
from giftsim.services.gifting.domain.team.orders import gift as gifts
from giftsim.services.gifting.domain.team.orders import team_order as orders
from giftsim.services.gifting.domain.team.orders.gift import GIFTS
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS

OUT_OF_ORDER: Final = "scans_out_of_order"


def deliver_before_shipping(state: State, shipment: Shipment) -> Shipment:
    """Deliver a parcel now that was not shipped yet, and emit the event of the delivery before that of the handover.

    It was shipped as long before as its transit takes (G357). InvalidState if its handover was reported before.
    """
    if shipment.shipped_at_ms is not None:
        raise InvalidState(
            f"shipment {shipment.order_id} was reported as shipped: {OUT_OF_ORDER} is for a parcel that was not"
        )
    shipment_progress.check_target(state, shipment, DELIVERED)
    at_ms = shipment_progress.before_delivery_ms(state, shipment)
    labeled = shipment_progress.take_steps(state, shipment, LABELED, at_ms)
    order = state[FULFILMENTS].get(labeled.owner)  # a single order never waits for its handover
    status = _team_order_status(state, order)
    shipped = SHIPMENT.fire(state, labeled, "ship", since_ms=at_ms, shipped_at_ms=at_ms)
    delivered = SHIPMENT.fire(state, shipped, "deliver", since_ms=state.now_ms, delivered_at_ms=state.now_ms)
    state.handler_of(SHIPMENT_CHANGED, delivered.channel)(state, labeled, delivered)
    state[SHIPMENTS].put(as_shipped(delivered))  # its event says what was true then
    _tell_handover(state, order, as_shipped(delivered), status)
    return state[SHIPMENTS].put(delivered)


def _team_order_status(state: State, order: Fulfilment) -> str | None:
    return state[TEAM_ORDERS].get(order.subject or 0).status if order.resource == orders.RESOURCE else None


def _tell_handover(state: State, order: Fulfilment, shipment: Shipment, status: str | None) -> None:
    """Emit the event of the handover. `status` is that of a team's order before the delivery.

    A team order has one such event for all of its parcels (G178): here, if it went past `shipped`.
    """
    if order.resource is None:
        partner_orders.emit_step(state, order, shipment)
    elif order.resource == gifts.RESOURCE:
        gifts.tell_step(state, state[GIFTS].get(order.subject or 0), order, shipment, SHIPPED)
    elif order.resource == campaigns.BATCH_RESOURCE:
        batch = state[BATCHES].get(order.subject or 0)
        emit_campaign_event(state, state[CAMPAIGNS].get(batch.campaign), SHIPPED, shipment)
    elif status in (*orders.HELD, IN_PRODUCTION) and _team_order_status(state, order) == DELIVERED:
        orders.emit_order_event(state, state[TEAM_ORDERS].get(order.subject or 0), orders.EVENTS[SHIPPED])

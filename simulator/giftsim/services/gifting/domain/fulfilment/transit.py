"""What happens to a parcel once the carrier has it: exceptions, losses, returns, and its tracking (G430 to G433)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.due_times import LOST_IS_DELAYED
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    DELIVERED,
    LABELED,
    REJECTED,
    SHIPMENT,
    SHIPMENTS,
    SHIPPED,
    Shipment,
    number_anew,
    take_step,
)
from giftsim.services.gifting.domain.fulfilment.shipment_progress import check_target, take_steps

EXCEPTION, LOST, RETURNED, REFUSED = "exception", "lost", "returned", "refused"
FOUND, DELIVERED_ELSEWHERE = "found", "delivered_elsewhere"
REPLACED, MISSING, LATE = "tracking_replaced", "tracking_missing", "tracking_late"


def _delay(state: State, shipment: Shipment, event: str) -> Shipment:
    """The carrier reports an exception: the parcel is late."""
    _check_in_transit(shipment, event, SHIPPED)
    return take_step(state, shipment, "delay")


def _fail(state: State, shipment: Shipment, event: str) -> Shipment:
    """The carrier does not deliver the parcel. Its tracking and the time of its handover stay."""
    _check_in_transit(shipment, event, SHIPPED, DELAYED)
    if not state.setting(LOST_IS_DELAYED):
        take_step(state, shipment, "reject")
    else:
        if shipment.status == SHIPPED:
            take_step(state, shipment, "delay")
        state.timers.clear(SHIPMENT.name, shipment.n)  # it does not arrive by itself
    return state[SHIPMENTS].get(shipment.n)  # a gift that was rejected may be canceled at once (G366)


def _find(state: State, shipment: Shipment, event: str) -> Shipment:
    """A parcel that was delayed, lost, returned or refused arrives after all."""
    _check_in_transit(shipment, event, DELAYED, REJECTED)
    return take_step(state, shipment, "deliver")


def _deliver_elsewhere(state: State, shipment: Shipment, event: str) -> Shipment:
    """The carrier reports a delivery, but not to the recipient: the service knows no more than that."""
    _check_in_transit(shipment, event, SHIPPED, DELAYED, REJECTED)
    return take_step(state, shipment, "deliver")


def _replace_number(state: State, shipment: Shipment, event: str) -> Shipment:
    _check_in_transit(shipment, event, SHIPPED, DELAYED)
    if shipment.tracking_number is None:
        raise InvalidState(f"shipment {shipment.order_id} has no tracking number to replace: {LATE} gives it one")
    return number_anew(state, shipment)


def _ship_without_number(state: State, shipment: Shipment, event: str) -> Shipment:
    """Hand the parcel to the carrier, through every step before, without a tracking number."""
    if shipment.shipped_at_ms is not None:
        raise InvalidState(
            f"shipment {shipment.order_id} was shipped before: {event} ships a parcel that the carrier does not have"
        )
    check_target(state, shipment, SHIPPED)
    labeled = take_steps(state, shipment, LABELED, state.now_ms)
    return take_step(state, labeled, "ship", tracking_number=None)


def _number_late(state: State, shipment: Shipment, event: str) -> Shipment:
    _check_in_transit(shipment, event, SHIPPED, DELAYED, REJECTED, DELIVERED)
    if shipment.tracking_number is not None:
        number = shipment.tracking_number
        raise InvalidState(f"shipment {shipment.order_id} has the tracking number {number}: {REPLACED} replaces it")
    return number_anew(state, shipment)


_EVENTS: Final[Mapping[str, Callable[[State, Shipment, str], Shipment]]] = {
    EXCEPTION: _delay,
    LOST: _fail,
    RETURNED: _fail,
    REFUSED: _fail,
    FOUND: _find,
    DELIVERED_ELSEWHERE: _deliver_elsewhere,
    REPLACED: _replace_number,
    MISSING: _ship_without_number,
    LATE: _number_late,
}
EVENTS: Final = tuple(_EVENTS)


def apply_transit_event(state: State, shipment: Shipment, event: str) -> Shipment:
    """Let one of EVENTS happen to a parcel now. InvalidState, which says what would work, if it cannot happen."""
    return _EVENTS[event](state, shipment, event)


def as_shipped(shipment: Shipment) -> Shipment:
    """A delivered parcel as it was when it was shipped."""
    return msgspec.structs.replace(shipment, status=SHIPPED, since_ms=shipment.shipped_at_ms, delivered_at_ms=None)


def _check_in_transit(shipment: Shipment, event: str, *statuses: str) -> None:
    """Refuse a parcel that the carrier does not have, or that has none of these statuses."""
    subject, status = f"shipment {shipment.order_id}", shipment.status
    if shipment.shipped_at_ms is None and status != CANCELED:
        raise InvalidState(f"{subject} is {status}: the carrier does not have it; shipment with to: {SHIPPED} ships it")
    if status not in statuses:
        raise InvalidState(f"{subject} is {status}: {event} happens to a parcel that is {' or '.join(statuses)}")

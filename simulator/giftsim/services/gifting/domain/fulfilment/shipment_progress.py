"""Move a shipment to a later status now, through every step in between."""

from __future__ import annotations

from typing import Any, Final

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.claim import claim_for_recipient, default_claim_entry
from giftsim.services.gifting.domain.fulfilment.due_times import transit_ms
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPMENTS,
    SHIPPED,
    SUBMITTED,
    Shipment,
    start_clock,
    take_step,
)
from giftsim.services.gifting.domain.money.account import Account, account_owner

TARGETS = (IN_PRODUCTION, LABELED, SHIPPED, DELIVERED, DELAYED, REJECTED)

STAGES: Final = (SUBMITTED, IN_PRODUCTION, LABELED, SHIPPED, DELIVERED)
_TRIGGERS: Final = ("produce", "label", "ship", "deliver")


def progress_to(state: State, shipment: Shipment, target: str) -> Shipment:
    """Take every step that leads the shipment to `target`, one of TARGETS.

    A recipient who has not claimed yet claims first, with `default_claim_entry`. InvalidState for a step backwards,
    out of a final status, or of an unpaid order. A parcel that is delivered now was shipped before (G357). One that
    was rejected after it was shipped can still be delivered (G430).
    """
    check_target(state, shipment, target)
    at_ms = before_delivery_ms(state, shipment) if target == DELIVERED else state.now_ms
    if target in (DELAYED, REJECTED):
        shipment = _ensure_claimed(state, shipment, at_ms)
        shipment = take_step(state, shipment, "delay" if target == DELAYED else "reject")
        return state[SHIPMENTS].get(shipment.n)  # what was rejected may be canceled at once (G366)
    return take_steps(state, shipment, target, at_ms)


def take_steps(state: State, shipment: Shipment, target: str, at_ms: int) -> Shipment:
    """Take every step to one of STAGES: delivery now, any other at `at_ms`. Nothing if the shipment has that status."""
    shipment = _ensure_claimed(state, shipment, at_ms)
    if shipment.status in (DELAYED, REJECTED) and shipment.shipped_at_ms is not None:
        return take_step(state, shipment, "deliver")
    if shipment.status == DELAYED:
        shipment = take_step(state, shipment, _resume_trigger(shipment, target), at_ms)
    while shipment.status != target:
        shipment = next_step(state, shipment, at_ms)
    return shipment


def next_step(state: State, shipment: Shipment, at_ms: int, **changes: Any) -> Shipment:
    """Take the next step of production or transit: delivery now, any other at `at_ms`."""
    trigger = _TRIGGERS[STAGES.index(shipment.status)]
    return take_step(state, shipment, trigger, state.now_ms if trigger == "deliver" else at_ms, **changes)


def before_delivery_ms(state: State, shipment: Shipment) -> int:
    """When a parcel that is delivered now was claimed, made and shipped, as far as it was not yet (G357).

    That is its transit time ago, but not before the last thing that happened to it at an earlier instant, and not
    before its production and label, if an earlier step at this very instant made them.
    """
    known = [shipment.since_ms]
    country, order = shipment.country, _order_of(state, shipment)
    if order is not None and shipment.recipient is not None:
        known += (order.made_at_ms, order.paid_at_ms, state[RECIPIENTS].get(shipment.recipient).claimed_at_ms)
        country = country or order.countries[0]
    made = [at_ms for at_ms in (shipment.produced_at_ms, shipment.labeled_at_ms) if at_ms is not None]
    earlier = [at_ms for at_ms in known if at_ms is not None and at_ms < state.now_ms]
    return max([state.now_ms - transit_ms(state, country, shipment.rush), *earlier, *made])


def _order_of(state: State, shipment: Shipment) -> Fulfilment | None:
    """The fulfilment of a shipment; None for a single order."""
    return None if shipment.recipient is None else state[FULFILMENTS].get(shipment.owner)


def check_target(state: State, shipment: Shipment, target: str) -> None:
    """Refuse a status of TARGETS that the shipment cannot get. InvalidState."""
    reached = _furthest_stage(shipment)
    is_found = shipment.status == REJECTED and target == DELIVERED and shipment.shipped_at_ms is not None
    is_final = shipment.status in (CANCELED, REJECTED, DELIVERED) and not is_found
    was_shipped = target == SHIPPED and shipment.shipped_at_ms is not None
    is_backwards = target in STAGES and (reached > STAGES.index(target) or shipment.status == target or was_shipped)
    is_too_late = target in (DELAYED, REJECTED) and (reached >= STAGES.index(SHIPPED) or shipment.status == target)
    if is_final or is_backwards or is_too_late:
        raise InvalidState(f"shipment {shipment.order_id} is {shipment.status}: it cannot become {target}")
    order = _order_of(state, shipment)
    if order is not None and order.paid_at_ms is None:
        raise InvalidState(f"shipment {shipment.order_id} belongs to an order that is not paid")


def _furthest_stage(shipment: Shipment) -> int:
    """The index in STAGES of the furthest stage the shipment has reached, also when it is delayed."""
    stamps = (shipment.produced_at_ms, shipment.labeled_at_ms, shipment.shipped_at_ms, shipment.delivered_at_ms)
    return sum(stamp is not None for stamp in stamps)


def _resume_trigger(shipment: Shipment, target: str) -> str:
    """The trigger that resumes a delayed shipment: back into its last stage if that is the target, else the next."""
    reached = _furthest_stage(shipment)
    return _TRIGGERS[reached - 1] if reached and STAGES[reached] == target else _TRIGGERS[reached]


def _ensure_claimed(state: State, shipment: Shipment, at_ms: int) -> Shipment:
    if shipment.status not in (AWAITING, EXPIRED) or shipment.recipient is None:
        return shipment
    order = state[FULFILMENTS].get(shipment.owner)
    recipient = state[RECIPIENTS].get(shipment.recipient)
    claim_for_recipient(state, order, recipient, shipment, default_claim_entry(state, order, recipient), at_ms)
    return state[SHIPMENTS].get(shipment.n)


CHANNEL = "single"

_EVENTS: Final = {SHIPPED: "order.shipped", DELIVERED: "order.delivered"}


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
        state.emit(kind, account_owner(state[SINGLE_ORDERS].get(shipment.owner).account), shipment.n)

"""Shipments: the lifecycle of one parcel, from waiting for an address to delivery, by the clock (B23, B25, G38).

A shipment belongs to a channel (`partner`, `single` ...), which handles SHIPMENT_CHANGED for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.signals import KeyedSignal, Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment import due_times

CARRIERS: Final[Mapping[str, tuple[str, ...]]] = {
    "US": ("UPS", "USPS", "FedEx"),
    "CA": ("Canada Post", "Purolator"),
    "GB": ("Royal Mail", "DPD"),
    "AU": ("Australia Post", "StarTrack"),
    "DE": ("DHL", "Hermes"),
    "FR": ("La Poste", "Chronopost"),
    "NL": ("PostNL", "DHL"),
    "IT": ("Poste Italiane", "BRT"),
    "ES": ("Correos", "SEUR"),
}


_PREFIXES: Final[Mapping[str, str]] = {
    name: name.upper().replace(" ", "")[:2] for names in CARRIERS.values() for name in names
}


def assign(state: State, country: str | None, channel: str) -> tuple[str, str]:
    """A carrier of the country and a tracking number, drawn from the random stream of the channel."""
    drawn = state.draw(f"tracking {channel}")
    carriers = CARRIERS.get(country or "US", CARRIERS["US"])
    name = carriers[drawn % len(carriers)]
    return name, _number_of(name, drawn)


def _number_of(carrier: str, drawn: int) -> str:
    return f"{_PREFIXES[carrier]}{drawn // 8 % 10**14:014d}"


def tracking_url(carrier: str, tracking_number: str) -> str:
    """The URL of the carrier's tracking page; it does not exist."""
    return f"https://{carrier.lower().replace(' ', '-')}.example/track/{tracking_number}"


FIRST_ID = 500_001

AWAITING, SUBMITTED, IN_PRODUCTION, LABELED, SHIPPED, DELIVERED, DELAYED, REJECTED, EXPIRED, CANCELED = STATUSES = (
    "awaiting",
    "submitted",
    "in_production",
    "labeled",
    "shipped",
    "delivered",
    "delayed",
    "rejected",
    "expired",
    "canceled",
)

# A shipment took a step; called with the shipment before and after it, keyed by channel.
SHIPMENT_CHANGED: KeyedSignal[Callable[[State, Shipment, Shipment], None]] = KeyedSignal("shipment_changed")
# The lead times of a shipment run from now on.
SHIPMENT_STARTED: Signal[Callable[[State, Shipment], None]] = Signal("shipment_started", ignore)


class Shipment(Record, frozen=True, gc=False):
    """`owner` and `recipient` are slots in the tables of the channel.

    `since_ms` is when the clock of the current stage started. It is None before payment, so that no timer runs.
    """

    channel: str
    owner: int
    recipient: int | None
    external_id: str
    status: str
    country: str | None
    rush: bool = False
    ship_on: str | None = None
    expires_at_ms: int | None = None
    since_ms: int | None = None
    produced_at_ms: int | None = None
    labeled_at_ms: int | None = None
    shipped_at_ms: int | None = None
    delivered_at_ms: int | None = None
    carrier: str | None = None
    tracking_number: str | None = None

    @property
    def order_id(self) -> int:
        return FIRST_ID + self.n

    @property
    def tracking_url(self) -> str | None:
        """The URL of the carrier's tracking page; None until the parcel has a label."""
        if self.carrier is None or self.tracking_number is None:
            return None
        return tracking_url(self.carrier, self.tracking_number)


class ShipmentNotFound(Problem, status=404, code="shipment_not_found"):
    """The world has no shipment of this order id."""


SHIPMENTS: TableSpec[Shipment] = TableSpec("shipments", Shipment)


def find_shipment(state: State, order_id: int) -> Shipment:
    """The shipment with a public order id, in any channel; ShipmentNotFound if there is none."""
    shipment = state[SHIPMENTS].at(order_id - FIRST_ID)
    if shipment is None:
        raise ShipmentNotFound(f"there is no shipment with the order id {order_id}")
    return shipment


def _untouched(_: State, shipment: Shipment) -> bool:
    """Whether production has not started; only then a delayed shipment can be canceled (P-3.11, P-3.12)."""
    return shipment.produced_at_ms is None


def _unlabeled(_: State, shipment: Shipment) -> bool:
    return shipment.labeled_at_ms is None


def _produced(_: State, shipment: Shipment) -> bool:
    return shipment.produced_at_ms is not None and shipment.shipped_at_ms is None


def _in_production(_: State, shipment: Shipment) -> bool:
    return shipment.produced_at_ms is not None and shipment.labeled_at_ms is None


def _labeled(_: State, shipment: Shipment) -> bool:
    return shipment.labeled_at_ms is not None and shipment.shipped_at_ms is None


def _shipped(_: State, shipment: Shipment) -> bool:
    """Whether the carrier has the parcel, or had it when it was delayed or rejected (G430)."""
    return shipment.shipped_at_ms is not None


_expiry = After(due_times.expiry, 0, "the claim link expires")
_production = After(due_times.production, 0, "production starts", note=due_times.rest_before_production)
_label = After(due_times.label, 0, "the parcel gets its label", note=due_times.rest_at_home)
_shipping = After(due_times.shipping, 0, "the parcel is handed to the carrier", note=due_times.rest_at_home)
_delivery = After(due_times.delivery, 0, "the parcel arrives", note=due_times.rest_in_transit)


def _after_delay(stage: Callable[[State, Shipment], bool]) -> After:
    """Continue a delayed shipment that has reached this stage."""

    def due(state: State, shipment: Shipment) -> int | None:
        return due_times.end_of_delay(state, shipment) if stage(state, shipment) else None

    return After(due, 1, "the delay is over", note=due_times.rest_at_home)


_exception = After(
    due_times.delivery_after_exception, 1, "the parcel arrives after all", note=due_times.rest_in_transit
)
_window = After(due_times.promised_window, 0, "no production activity inside the promised window")

SHIPMENT: Machine[Shipment] = Machine(
    "shipment",
    SHIPMENTS,
    initial=(AWAITING, SUBMITTED),
    final=(DELIVERED, CANCELED),
    rows=[
        Row(AWAITING, "claim", SUBMITTED),
        Row(AWAITING, "expire", EXPIRED, after=_expiry),
        Row(AWAITING, "resend", AWAITING),
        Row(AWAITING, "cancel", CANCELED),
        Row(EXPIRED, "claim", SUBMITTED),
        Row(EXPIRED, "resend", AWAITING),
        Row(EXPIRED, "cancel", CANCELED),
        Row(SUBMITTED, "produce", IN_PRODUCTION, after=_production),
        Row(SUBMITTED, "delay", DELAYED, after=_window),
        Row(SUBMITTED, "reject", REJECTED),
        Row(SUBMITTED, "cancel", CANCELED),
        Row(IN_PRODUCTION, "label", LABELED, after=_label),
        Row(IN_PRODUCTION, "delay", DELAYED, after=_window),
        Row(IN_PRODUCTION, "reject", REJECTED),
        Row(LABELED, "ship", SHIPPED, after=_shipping),
        Row(LABELED, "delay", DELAYED, after=_window),
        Row(LABELED, "reject", REJECTED),
        Row(SHIPPED, "deliver", DELIVERED, after=_delivery),
        Row(SHIPPED, "delay", DELAYED),
        Row(SHIPPED, "reject", REJECTED),
        Row(DELAYED, "produce", IN_PRODUCTION, guard=_unlabeled, after=_after_delay(_untouched)),
        Row(DELAYED, "label", LABELED, guard=_produced, after=_after_delay(_in_production)),
        Row(DELAYED, "ship", SHIPPED, guard=_labeled, after=_after_delay(_labeled)),
        Row(DELAYED, "deliver", DELIVERED, guard=_shipped, after=_exception),
        Row(DELAYED, "reject", REJECTED),
        Row(DELAYED, "cancel", CANCELED, guard=_untouched),
        Row(REJECTED, "deliver", DELIVERED, guard=_shipped),
        Row(REJECTED, "cancel", CANCELED),
    ],
)

_STAMPS: Final = {
    "produce": "produced_at_ms",
    "label": "labeled_at_ms",
    "ship": "shipped_at_ms",
    "deliver": "delivered_at_ms",
}


def take_step(state: State, shipment: Shipment, trigger: str, at_ms: int | None = None, **changes: Any) -> Shipment:
    """Take one step, record its time, and notify the channel; InvalidState if the step is not possible.

    The step happened at `at_ms`, or happens now. `changes` are further columns. With `since_ms=None`, the clock of the
    new stage does not start.
    """
    at_ms = state.now_ms if at_ms is None else at_ms
    changes.setdefault("since_ms", at_ms)
    stamp = _STAMPS.get(trigger)
    if stamp is not None:
        changes[stamp] = at_ms
    if trigger == "label" and shipment.tracking_number is None:
        changes["carrier"], changes["tracking_number"] = assign(state, shipment.country, shipment.channel)
    new = SHIPMENT.fire(state, shipment, trigger, **changes)
    state.handler_of(SHIPMENT_CHANGED, new.channel)(state, shipment, new)
    if trigger == "claim":
        state.handler(SHIPMENT_STARTED)(state, new)
    return new


def number_anew(state: State, shipment: Shipment) -> Shipment:
    """Give a parcel another tracking number of its carrier, without an event: none is documented (G432)."""
    carrier = shipment.carrier or assign(state, shipment.country, f"anew {shipment.channel}")[0]
    number = _number_of(carrier, state.draw(f"tracking anew {shipment.channel}"))
    return state[SHIPMENTS].put(msgspec.structs.replace(shipment, carrier=carrier, tracking_number=number))


def start_clock(state: State, shipment: Shipment, **changes: Any) -> Shipment:
    """Start the clock of the shipment's current stage, for example when it is paid."""
    new = state[SHIPMENTS].put(msgspec.structs.replace(shipment, since_ms=state.now_ms, **changes))
    SHIPMENT.enter(state, new)
    state.handler(SHIPMENT_STARTED)(state, new)
    return new


def is_cancelable(state: State, shipment: Shipment) -> bool:
    """Whether the shipment can be canceled: production has not started, and it has no label (P-3.11)."""
    return SHIPMENT.can(state, shipment, "cancel")


def _timer_verb(trigger: str) -> Callable[[State, int], None]:
    def fire(state: State, n: int) -> None:
        take_step(state, state[SHIPMENTS].get(n), trigger)

    return fire


TIMERS = {kind: _timer_verb(kind.partition(".")[2]) for kind in SHIPMENT.timer_handlers()}

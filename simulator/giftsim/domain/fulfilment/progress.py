"""Telling a shipment to go somewhere now, with the earlier steps that this skips."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from giftsim.domain.fulfilment import variation_choice
from giftsim.domain.fulfilment.claim import claim_row
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import (
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
    step,
)
from giftsim.kernel.problem import InvalidTransition
from giftsim.kernel.state import State

TARGETS = (IN_PRODUCTION, LABELED, SHIPPED, DELIVERED, DELAYED, REJECTED)

_STAGES: Final = (SUBMITTED, IN_PRODUCTION, LABELED, SHIPPED, DELIVERED)
_TRIGGERS: Final = ("produce", "label", "ship", "deliver")

# Where a parcel goes when somebody is only told that it shipped: one good address per country.
DEFAULT_ADDRESSES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        str(address["country"]): MappingProxyType(address)
        for address in (
            {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
            {"address1": "80 Wellington St", "city": "Ottawa", "state": "ON", "zip": "K1A 0B1", "country": "CA"},
            {"address1": "10 Downing St", "city": "London", "state": None, "zip": "SW1A 2AA", "country": "GB"},
            {"address1": "1 Macquarie St", "city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"},
            {"address1": "Unter den Linden 1", "city": "Berlin", "state": None, "zip": "10117", "country": "DE"},
            {"address1": "1 rue de Rivoli", "city": "Paris", "state": None, "zip": "75001", "country": "FR"},
            {"address1": "Dam 1", "city": "Amsterdam", "state": None, "zip": "1012 JS", "country": "NL"},
            {"address1": "Via Appia 1", "city": "Roma", "state": "RM", "zip": "00184", "country": "IT"},
            {"address1": "Gran Via 1", "city": "Madrid", "state": "Madrid", "zip": "28013", "country": "ES"},
        )
    }
)


def progress(state: State, shipment: Shipment, to: str) -> Shipment:
    """The shipment at `to` (one of TARGETS), having taken now every step that leads there.

    A recipient who has not claimed does so first, with the first options and a default address in the first country of
    the order. InvalidTransition for a way back, out of an end, and for an order that is not paid.
    """
    _check(state, shipment, to)
    shipment = _claimed(state, shipment)
    if to in (DELAYED, REJECTED):
        return step(state, shipment, "delay" if to == DELAYED else "reject")
    if shipment.status == DELAYED:
        shipment = step(state, shipment, _resuming(shipment, to))
    while shipment.status != to:
        shipment = step(state, shipment, _TRIGGERS[_STAGES.index(shipment.status)])
    return shipment


def _check(state: State, shipment: Shipment, to: str) -> None:
    reached = _reached(shipment)
    ended = shipment.status in (CANCELED, REJECTED, DELIVERED)
    back = to in _STAGES and (reached > _STAGES.index(to) or shipment.status == to)
    beyond = to in (DELAYED, REJECTED) and (reached >= _STAGES.index(SHIPPED) or shipment.status == to)
    if ended or back or beyond:
        raise InvalidTransition(f"shipment {shipment.order_id} is {shipment.status}: it cannot become {to}")
    if shipment.recipient is not None and state[FULFILMENTS].get(shipment.owner).paid_at_ms is None:
        raise InvalidTransition(f"shipment {shipment.order_id} is of an order that is not paid")


def _reached(shipment: Shipment) -> int:
    """The furthest stage that the parcel has been in; a delayed one stands where it was stopped."""
    stamps = (shipment.produced_at_ms, shipment.labeled_at_ms, shipment.shipped_at_ms, shipment.delivered_at_ms)
    return sum(stamp is not None for stamp in stamps)


def _resuming(shipment: Shipment, to: str) -> str:
    """The step that takes a delayed parcel on: back into the stage where it stood, if that is asked, else the next."""
    reached = _reached(shipment)
    return _TRIGGERS[reached - 1] if reached and _STAGES[reached] == to else _TRIGGERS[reached]


def _claimed(state: State, shipment: Shipment) -> Shipment:
    if shipment.status not in (AWAITING, EXPIRED) or shipment.recipient is None:
        return shipment
    order = state[FULFILMENTS].get(shipment.owner)
    recipient = state[RECIPIENTS].get(shipment.recipient)
    claim_row(state, order, recipient, shipment, default_entry(state, order, recipient))
    return state[SHIPMENTS].get(shipment.n)


def default_entry(state: State, order: Fulfilment, recipient: Recipient) -> dict[str, Any]:
    """What a recipient enters of whom nothing is told: a good address in the first country, the first options."""
    return {
        "address": DEFAULT_ADDRESSES[order.countries[0]],
        "selection": variation_choice.first_options(state, order),
        "name": f"Guest {recipient.place + 1}",
        "email": f"guest{recipient.place + 1}@example.com",
    }

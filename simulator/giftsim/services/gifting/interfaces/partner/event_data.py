"""The `data` of the partner's webhook events, as it was when they happened (P-2.42 to P-2.45)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import CHANNEL, FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENTS, Shipment

SUBJECT = SHIPMENTS.name  # the table of the subjects of a partner's events
_encode = msgspec.json.Encoder().encode


def describe(state: State, subject: int, facts: Mapping[str, Any], now_ms: int) -> bytes:
    """The JSON of `data` for an event that becomes known now, about the last step of the shipment in slot `subject`."""
    shipment = state[SHIPMENTS].get(subject)
    parent = _team_order(state, shipment) if shipment.channel == CHANNEL else _single(shipment)
    occurred_at = format_instant(now_ms if shipment.since_ms is None else shipment.since_ms)
    return _encode({**parent, "shipment": _shipment(shipment), "occurred_at": occurred_at, **facts})


def _team_order(state: State, shipment: Shipment) -> dict[str, Any]:
    order = state[FULFILMENTS].get(shipment.owner)
    recipient = state[RECIPIENTS].get(shipment.recipient or 0)
    selection = recipient.selection
    return {
        "team_order": {
            "id": order.id,
            "name": order.name,
            "reference": order.reference,
            "recipient_count": order.recipient_count,
        },
        "recipient": {
            "id": recipient.id,
            "name": recipient.name,
            "email": recipient.email,
            "selection": {str(variation): option for variation, option in selection} if selection else None,
        },
    }


def _single(shipment: Shipment) -> dict[str, Any]:
    return {"order": {"id": shipment.order_id, "external_id": shipment.external_id}}


def _shipment(shipment: Shipment) -> dict[str, Any]:
    return {
        "order_id": shipment.order_id,
        "external_id": shipment.external_id,
        "status": shipment.status,
        "country": shipment.country,
        "carrier": shipment.carrier,
        "tracking_number": shipment.tracking_number,
        "tracking_url": shipment.tracking_url,
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
    }

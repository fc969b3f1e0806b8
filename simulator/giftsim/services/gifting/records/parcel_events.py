"""The verb `parcel`: what happens to parcels that the carrier has, and to their tracking."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.fulfilment.transit import apply_transit_event
from giftsim.services.gifting.domain.team.orders.team_fulfilment import SANDBOX
from giftsim.services.gifting.domain.team.parcel_scans import OUT_OF_ORDER, deliver_before_shipping
from giftsim.services.gifting.records.parcels import move_parcels, way_on


def simulate_parcel(call: Call) -> Response:
    """Let something happen to parcels in transit."""
    return move_parcels(call, _apply, "event", why_none_applies)


def why_none_applies(parcels: Sequence[Shipment], event: str) -> str:
    """Why an event cannot happen to any of several parcels. `parcels` are those that are not canceled."""
    if not parcels:
        return f"all its parcels are canceled: {event} cannot happen to any{way_on(parcels)}"
    statuses = ", ".join(dict.fromkeys(shipment.status for shipment in parcels))
    hint = way_on(parcels) or "; name one to learn why"
    return f"these {len(parcels)} parcels are {statuses}: {event} cannot happen to any{hint}"


def _apply(state: State, shipment: Shipment, event: str) -> Shipment:
    if shipment.channel == SANDBOX:
        raise InvalidState("parcels of test keys move only by sandbox events (createSandboxEvent)")
    if event == OUT_OF_ORDER:
        return deliver_before_shipping(state, shipment)
    return apply_transit_event(state, shipment, event)

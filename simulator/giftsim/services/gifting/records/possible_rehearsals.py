"""What can be rehearsed with a record now. Each rehearsal is tried on the world and rolled back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.control.services import services_of
from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.rehearsal import Rehearsal
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENT, Shipment
from giftsim.services.gifting.records.movable import Movable, parcel_names
from giftsim.services.gifting.records.named import read_id

Body = Mapping[str, Any]
Attempt = Callable[[str, Body], object]

MEMBERS: Final = {
    "order": "team_order_id",
    "gift": "gift_id",
    "campaign": "campaign_id",
    "payment": "payment_id",
    "invoice": "invoice_id",
}
ONE: Final = "recipient"
OF_PARCELS: Final = "order_id"  # what takes it happens to every parcel of an order, unless a recipient is named
MAX_RECIPIENTS: Final = 50  # that are tried one by one


def names_of(kind: str, record_id: str, found: Sequence[Movable]) -> Body:
    """How a rehearsal names the record; nothing for a kind to which none happens."""
    if kind == "parcel":
        return found[0].names
    return {MEMBERS[kind]: read_id(record_id)} if kind in MEMBERS else {}


def rehearsals_of(call: Call, names: Body, found: Sequence[Movable], attempt: Attempt) -> list[dict[str, Any]]:
    """Every rehearsal that takes these names: the bodies with which it can happen, or why it cannot."""
    rows = (row for rows in services_of(call).service.rehearsals for row in rows()) if names else ()
    parcels = [parcel for movable in found if movable.machine is SHIPMENT for parcel in movable.records]
    return [_view(call, row, names, parcels, attempt) for row in rows if {*names} <= {*row.takes}]


def one_in_each_state(parcels: Iterable[Shipment]) -> list[Shipment]:
    """Parcels that differ in their status, or in how far they got."""
    return [*{(each.status, _reached(each)): each for each in parcels}.values()]


def _reached(shipment: Shipment) -> tuple[bool, ...]:
    return tuple(at_ms is None for at_ms in (shipment.produced_at_ms, shipment.labeled_at_ms, shipment.shipped_at_ms))


def _view(call: Call, row: Rehearsal, names: Body, parcels: Sequence[Shipment], attempt: Attempt) -> dict[str, Any]:
    whole = {"name": row.name, **names}
    bodies: list[Body] = [whole]
    if ONE in row.takes and "recipient_id" not in names:
        one_by_one = OF_PARCELS not in row.takes or len(parcels) == 1
        bodies = [{**whole, ONE: place} for place in range(len(parcels))] if one_by_one else bodies
        if not one_by_one and _any(call, row, parcels, attempt):
            return _row(row, bodies, None)
    refusals = [_refusal(body, attempt) for body in bodies[:MAX_RECIPIENTS]]
    fits = [body for body, refusal in zip(bodies, refusals, strict=False) if refusal is None]
    return _row(row, fits, None if fits else _why_not(refusals))


def _any(call: Call, row: Rehearsal, parcels: Sequence[Shipment], attempt: Attempt) -> bool:
    """Whether it can happen to one of many parcels: as parcels in one state are alike, one of each is tried."""
    bodies = ({"name": row.name, **parcel_names(call.state, each)} for each in one_in_each_state(parcels))
    return any(_refusal(body, attempt) is None for body in bodies)


def _refusal(body: Body, attempt: Attempt) -> str | None:
    try:
        attempt("rehearse", body)
    except Problem as problem:
        return problem.message
    return None


def _why_not(refusals: Sequence[str | None]) -> str:
    if not refusals:
        return "there are no recipients yet"
    return f"{refusals[0]}" if len(refusals) == 1 else f"no recipient fits; of the first, {refusals[0]}"


def _row(row: Rehearsal, bodies: Sequence[Body], why_not: str | None) -> dict[str, Any]:
    return {"name": row.name, "bodies": bodies, "allowed": why_not is None, "why_not": why_not}

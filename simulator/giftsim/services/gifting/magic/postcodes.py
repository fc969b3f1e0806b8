"""Magic postcodes: unassigned US postcodes that decide what happens to shipments sent there."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec

from giftsim.engine.kernel.instants import DAY
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.domain.fulfilment.shipment import (
    DELAYED,
    DELIVERED,
    REJECTED,
    SHIPMENT,
    SHIPMENTS,
    SHIPPED,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.domain.fulfilment.shipment_progress import progress_to
from giftsim.services.gifting.magic.value_format import MAGIC_VALUES

OWNER, STEP = "magic.parcel", "magic.parcel"


class Postcode(msgspec.Struct, frozen=True, gc=False):
    """The status `to` that shipments to this postcode get, and the delay after they can start."""

    zip: str
    to: str
    after_ms: int
    means: str
    source: str


POSTCODES: Final = (
    Postcode("00011", SHIPPED, 0, "shipped at once, then delivered as usual", "B25"),
    Postcode("00012", DELIVERED, 0, "delivered at once", "B25"),
    Postcode(
        "00013",
        DELAYED,
        DAY,
        "production never starts; the parcel is delayed after a day, until you change its status",
        "P-6.4, G38, G180",
    ),
    Postcode("00014", REJECTED, DAY, "rejected after a day", "P-6.5"),
)
_BY_ZIP: Final = {row.zip: row for row in POSTCODES}


def on_shipment_started(state: State, shipment: Shipment) -> None:
    """Schedule the status change of a shipment to a magic postcode (handles SHIPMENT_STARTED)."""
    if shipment.status != SUBMITTED or shipment.since_ms is None:
        return
    row = _postcode_of(state, shipment)
    if row is not None and state.setting(MAGIC_VALUES):
        state.timers.clear(OWNER, shipment.n)  # that of a postcode before its correction (G457)
        if row.to == DELAYED:
            state.timers.clear(SHIPMENT.name, shipment.n)  # so that it can still be canceled (G180)
        state.timers.set(state.now_ms + row.after_ms, OWNER, shipment.n, STEP, f"its postcode is {row.zip}")


def apply_postcode(state: State, n: int) -> None:
    """Give the shipment the status of its postcode, unless it was canceled or has progressed in the meantime."""
    shipment = state[SHIPMENTS].get(n)
    row = _postcode_of(state, shipment)
    if row is not None:
        with suppress(InvalidState), state.transaction():
            progress_to(state, shipment, row.to)


def _postcode_of(state: State, shipment: Shipment) -> Postcode | None:
    address = None if shipment.recipient is None else state[RECIPIENTS].get(shipment.recipient).address
    return _BY_ZIP.get(address.zip or "") if address is not None and address.country == "US" else None

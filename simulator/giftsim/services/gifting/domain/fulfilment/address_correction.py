"""Correct the address of a parcel that is not made yet (G457)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState, join_messages
from giftsim.services.gifting.domain.fulfilment.address import address_errors, parse_address
from giftsim.services.gifting.domain.fulfilment.order_errors import InvalidClaim
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELAYED,
    EXPIRED,
    REJECTED,
    SHIPMENT,
    SHIPMENT_STARTED,
    SUBMITTED,
    Shipment,
)

_AGAIN: Final = "place a new order for the right address"
_WHAT_WORKS: Final[Mapping[str, str]] = {
    AWAITING: "nobody has entered one: claim enters it",
    EXPIRED: "nobody has entered one: claim enters it, claim_link sends a new link",
    REJECTED: f"cancel it, and {_AGAIN}",
    CANCELED: _AGAIN,
}


def correct_address(state: State, recipient: Recipient, shipment: Shipment, address: Mapping[str, Any]) -> Recipient:
    """Replace the address of a parcel; its lead times go on.

    InvalidState once production has started, and before anybody has entered an address. InvalidClaim names the invalid
    fields; the country must stay, because the price is that of the country.
    """
    _check_unmade(shipment)
    errors = address_errors(address)
    if not errors and address["country"] != shipment.country:
        stays = f"country must stay {shipment.country}, whose price was paid: cancel the recipient, and {_AGAIN}"
        errors = [("address.country", stays)]
    if errors:
        details = [{"field": field, "message": message} for field, message in errors]
        raise InvalidClaim(join_messages([message for _, message in errors]), errors=details)
    recipient = state[RECIPIENTS].put(msgspec.structs.replace(recipient, address=parse_address(address)))
    if shipment.status == SUBMITTED and shipment.since_ms is not None:
        SHIPMENT.enter(state, shipment)
        state.handler(SHIPMENT_STARTED)(state, shipment)
    return recipient


def _check_unmade(shipment: Shipment) -> None:
    is_unmade = shipment.produced_at_ms is None
    if is_unmade and shipment.status in (SUBMITTED, DELAYED):
        return
    hint = _WHAT_WORKS.get(shipment.status, f"it goes to the address that it was made for; {_AGAIN}")
    refused = f"shipment {shipment.order_id} is {shipment.status}"
    raise InvalidState(f"{refused}: an address can be corrected until production starts; {hint}")

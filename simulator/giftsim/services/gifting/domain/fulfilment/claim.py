"""Claim a gift: by a personal link, by the shared link of open seats, or by the account (B17, B18, B20, G29, G33).

A link works from the payment of its order until it is used, expires (exactly at its expiry time, B47) or is canceled.
A person takes one seat of a shared link, however often the claim is sent (G370).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.email_address import email_key, is_email, trim_email
from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import MAX_LISTED, Problem, join_messages
from giftsim.services.gifting.domain.fulfilment import offer
from giftsim.services.gifting.domain.fulfilment.address import Address, address_errors, parse_address
from giftsim.services.gifting.domain.fulfilment.due_times import claim_expiry_ms
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    CLAIM_LINKS,
    FULFILMENTS,
    Fulfilment,
    Item,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.offer import Choice
from giftsim.services.gifting.domain.fulfilment.order_charge import open_claim_link
from giftsim.services.gifting.domain.fulfilment.order_errors import (
    ClaimCanceled,
    ClaimExhausted,
    ClaimExpired,
    ClaimNotFound,
    ClaimUnpaid,
    ClaimUsed,
    InvalidClaim,
)
from giftsim.services.gifting.domain.fulfilment.order_placement import TOKEN_LENGTH
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, RETIRED_LINKS, Recipient, RetiredLink
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    EXPIRED,
    SHIPMENTS,
    Shipment,
    take_step,
)

Selection = tuple[tuple[int, int], ...]

ONE_SEAT = flag(
    "claims.one_seat_per_email",
    True,
    "a repeated claim at a shared link, with the email of a seat that was taken there, takes no other seat",
)
SETTINGS = (ONE_SEAT,)

# As in the contract, a name is one line without control characters.
_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,200}")


class ClaimPage(msgspec.Struct, frozen=True, gc=False):
    """What a claim link shows before it is used (B52). A `shared` link asks for name and email too.

    `place` is that of the recipient, or of the seat that is filled next, in the order.
    """

    status: str
    gift_sender: str | None
    message: str | None
    items: tuple[Item, ...]
    choices: tuple[Choice, ...]
    countries: tuple[str, ...]
    expires_at_ms: int | None
    shared: bool
    place: int


def read_claim_page(state: State, token: str) -> ClaimPage:
    """What the claim link with this token shows.

    ClaimNotFound, ClaimUnpaid, ClaimExhausted, ClaimUsed, ClaimExpired or ClaimCanceled if it cannot be used.
    """
    return _page(state, token, *_find_claimable(state, token))


def _page(state: State, token: str, order: Fulfilment, recipient: Recipient, shipment: Shipment) -> ClaimPage:
    return ClaimPage(
        AWAITING,
        order.gift_sender,
        recipient.gift_message or order.gift_message,
        order.items,
        offer.list_choices(state, order),
        order.countries,
        shipment.expires_at_ms,
        recipient.token != token,
        recipient.place,
    )


def claim_receipt(state: State, recipient: Recipient) -> str:
    """The secret last part of the address at which a claim is shown to the person who made it (G370)."""
    return random_streams.draw_token(state.seed, "claim receipt", recipient.n, TOKEN_LENGTH)


def read_claimed(state: State, token: str, receipt: str) -> tuple[ClaimPage, Recipient]:
    """What a claim by a link was for, and who made it. ClaimCanceled if the gift was canceled, else ClaimNotFound."""
    order = find_order_of_link(state, token)
    if order is not None:
        for recipient, shipment in recipient_rows(state, order):
            if token in (recipient.token, order.share_token) and claim_receipt(state, recipient) == receipt:
                _check_claimable(order, shipment)
                if recipient.claimed_at_ms is not None:
                    return _page(state, token, order, recipient, shipment), recipient
    raise ClaimNotFound("nothing was claimed here")


def taken_seat(state: State, token: str, email: Any) -> Recipient | None:
    """The seat of a shared link that was taken with this email and not canceled, if there is one (G370)."""
    order = state[FULFILMENTS].find("share", token)
    if order is None or not isinstance(email, str) or not state.setting(ONE_SEAT):
        return None
    key = email_key(email)
    for recipient, shipment in _seats(state, order):
        if recipient.email is not None and email_key(recipient.email) == key and shipment.status != CANCELED:
            return recipient
    return None


def find_order_of_link(state: State, token: str) -> Fulfilment | None:
    """The order of a personal or shared link, whether or not it can be used; None if there is no such link."""
    recipient = state[RECIPIENTS].find("token", token)
    return state[FULFILMENTS].find("share", token) if recipient is None else state[FULFILMENTS].get(recipient.order)


def claim_by_token(state: State, token: str, entry: Mapping[str, Any]) -> Recipient:
    """Claim by a link. `entry` is `{address, selection?}`, for an open seat `name` and `email` too.

    InvalidClaim names the invalid fields; other errors as in `read_claim_page`. The shipment's lead times start now
    (P-1.3, P-6.1). Look for a `taken_seat` first.
    """
    order, recipient, shipment = _find_claimable(state, token)
    return enter_address(state, order, recipient, shipment, entry)


def claim_for_recipient(
    state: State,
    order: Fulfilment,
    recipient: Recipient,
    shipment: Shipment,
    entry: Mapping[str, Any],
    at_ms: int | None = None,
) -> Recipient:
    """Claim for a recipient as the account, also after the link has expired (G33). Errors as in `claim_by_token`.

    The claim was made at `at_ms`, or is made now.
    """
    _check_claimable(order, shipment)
    if shipment.status not in (AWAITING, EXPIRED):
        raise _link_error(shipment)
    return enter_address(state, order, recipient, shipment, entry, at_ms)


def enter_address(
    state: State,
    order: Fulfilment,
    recipient: Recipient,
    shipment: Shipment,
    entry: Mapping[str, Any],
    at_ms: int | None = None,
    **changes: Any,
) -> Recipient:
    """Enter the address of a recipient who has none yet, whether or not the order is paid; at `at_ms`, or now.

    `changes` are further columns of the shipment. InvalidClaim names the invalid fields.
    """
    address, errors = _parse_address(order, entry.get("address"))
    selection, selection_errors = offer.parse_selection(state, order, entry.get("selection"))
    errors += selection_errors
    name, email = recipient.name, recipient.email
    if name is None:
        name, email = entry.get("name"), entry.get("email")
        errors += _person_errors(name, email)
    if errors or address is None:
        details = [{"field": field, "message": message} for field, message in errors[:MAX_LISTED]]
        raise InvalidClaim(join_messages([message for _, message in errors]), errors=details)
    recipient = state[RECIPIENTS].put(
        msgspec.structs.replace(
            recipient,
            name=name,
            email=email and trim_email(email),
            address=address,
            selection=selection,
            claimed_at_ms=state.now_ms if at_ms is None else at_ms,
        )
    )
    take_step(state, shipment, "claim", at_ms, country=address.country, **changes)
    return recipient


def resend_link(
    state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, expiry_days: int | None = None
) -> Recipient:
    """Mail a new claim link that is valid for `expiry_days` (default: the order's) from now (G33).

    The order's expiry becomes that of its last link.
    The old link answers that it has expired. ClaimUnpaid, ClaimUsed or ClaimCanceled if there is nothing to claim.
    """
    _check_claimable(order, shipment)
    if shipment.status not in (AWAITING, EXPIRED):
        raise _link_error(shipment)
    if recipient.token is not None:
        state[RETIRED_LINKS].add(RetiredLink(state[RETIRED_LINKS].next_n, recipient.token))
        token = state.token("claim", TOKEN_LENGTH)
        recipient = state[RECIPIENTS].put(msgspec.structs.replace(recipient, token=token))
    days = order.expiry_days if expiry_days is None else expiry_days
    take_step(state, shipment, "resend", expires_at_ms=claim_expiry_ms(state, days))
    order = state[FULFILMENTS].get(order.n)
    latest_ms = max(parcel.expires_at_ms or 0 for _, parcel in recipient_rows(state, order))
    open_claim_link(state, state[FULFILMENTS].put(msgspec.structs.replace(order, expires_at_ms=latest_ms)), recipient)
    return recipient


def _find_claimable(state: State, token: str) -> tuple[Fulfilment, Recipient, Shipment]:
    """The order and row that a link can claim now; a Problem if it cannot be used."""
    recipient = state[RECIPIENTS].find("token", token)
    if recipient is None:
        return _find_open_seat(state, token)
    order = state[FULFILMENTS].get(recipient.order)
    shipment = state[SHIPMENTS].get(recipient.shipment)
    _check_claimable(order, shipment)
    if shipment.status != AWAITING or _is_expired(state, shipment):
        raise _link_error(shipment)
    return order, recipient, shipment


def _find_open_seat(state: State, token: str) -> tuple[Fulfilment, Recipient, Shipment]:
    """The next free seat of a shared link (G29)."""
    order = state[FULFILMENTS].find("share", token)
    if order is None:
        if state[RETIRED_LINKS].find("token", token):
            raise ClaimExpired("this link was replaced by a newer one: see the latest mail")
        raise ClaimNotFound("there is no such claim link")
    seats = _seats(state, order)
    _check_claimable(order, next((shipment for _, shipment in seats if shipment.status != CANCELED), seats[0][1]))
    free = [(recipient, shipment) for recipient, shipment in seats if shipment.status == AWAITING]
    for recipient, shipment in free:
        if not _is_expired(state, shipment):
            return order, recipient, shipment
    if free or any(shipment.status == EXPIRED for _, shipment in seats):
        raise ClaimExpired("this link has expired")
    raise ClaimExhausted("every seat of this link is taken")


def _seats(state: State, order: Fulfilment) -> list[tuple[Recipient, Shipment]]:
    """The rows behind the shared link of an order: the last ones."""
    return list(recipient_rows(state, order))[order.recipient_count - order.open_seats :]


def _is_expired(state: State, shipment: Shipment) -> bool:
    return shipment.expires_at_ms is not None and state.now_ms >= shipment.expires_at_ms


def _check_claimable(order: Fulfilment, shipment: Shipment) -> None:
    if shipment.status == CANCELED:
        raise _link_error(shipment)
    if order.address_mode != CLAIM_LINKS:
        raise ClaimUsed(f"team order {order.id} has its addresses already")
    if order.paid_at_ms is None:
        raise ClaimUnpaid("this gift is not paid yet")


def _link_error(shipment: Shipment) -> Problem:
    """The error of a link whose shipment can no longer be claimed by it."""
    if shipment.status == CANCELED:
        return ClaimCanceled("this gift was canceled")
    if shipment.status in (AWAITING, EXPIRED):
        return ClaimExpired("this link has expired")
    return ClaimUsed("this gift was claimed already")


def _parse_address(order: Fulfilment, raw: Any) -> tuple[Address | None, list[tuple[str, str]]]:
    if not isinstance(raw, Mapping):
        return None, [("address", "address is required")]
    errors = address_errors(raw)
    if errors:
        return None, errors
    address = parse_address(raw)
    if address.country not in order.countries:
        return None, [("address.country", f"this gift goes to {', '.join(order.countries)} only")]
    return address, []


def _person_errors(name: Any, email: Any) -> list[tuple[str, str]]:
    """Errors in the name and email of an open seat's claimant, by the rules for named recipients (P-2.16)."""
    errors = []
    for field, value in (("name", name), ("email", email)):
        if value is None or (isinstance(value, str) and not value.strip()):
            errors.append((field, f"{field} is required"))
        elif field == "name" and not (isinstance(value, str) and _NAME.fullmatch(value)):
            errors.append((field, "name must be one line of at most 200 characters, without control characters"))
        elif field == "email" and not (isinstance(value, str) and is_email(value)):
            errors.append((field, "email is not valid: write it like ada@example.com"))
    return errors


# One valid address per country, by country code.
DEFAULT_ADDRESSES: Final[Mapping[str, Mapping[str, Any]]] = {
    str(address["country"]): address
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


def default_claim_entry(state: State, order: Fulfilment, recipient: Recipient, country: str = "") -> dict[str, Any]:
    """What a claim page would send for the recipient, with an address in `country`, or else the order's first one."""
    return {
        "address": DEFAULT_ADDRESSES[country or order.countries[0]],
        "selection": offer.default_selection(state, order),
        "name": f"Guest {recipient.place + 1}",
        "email": f"guest{recipient.place + 1}@example.com",
    }

"""Claiming a gift: by a personal link, by the shared link of open seats, or by the account (B17, B18, B20, G29, G33).

A link works once its order is paid, until it is used, expires (at the very second, B47) or is canceled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.domain.fulfilment import variation_choice
from giftsim.domain.fulfilment.address import Address, address_errors, read_address
from giftsim.domain.fulfilment.fulfilment import CLAIM_LINKS, FULFILMENTS, Fulfilment, Item, rows
from giftsim.domain.fulfilment.payment import open_link
from giftsim.domain.fulfilment.placement import TOKEN_LENGTH
from giftsim.domain.fulfilment.problem import (
    ClaimCanceled,
    ClaimExhausted,
    ClaimExpired,
    ClaimNotFound,
    ClaimUnpaid,
    ClaimUsed,
    InvalidClaim,
)
from giftsim.domain.fulfilment.recipient import RECIPIENTS, RETIRED_LINKS, Recipient, RetiredLink
from giftsim.domain.fulfilment.shipment import AWAITING, CANCELED, EXPIRED, SHIPMENTS, Shipment, step
from giftsim.domain.fulfilment.variation_choice import Choice
from giftsim.kernel.instants import DAY
from giftsim.kernel.problem import Problem
from giftsim.kernel.state import State

Selection = tuple[tuple[int, int], ...]

# What the contract lets a recipient be: a line break or a tab may stand in a name, and no other control character.
_NAME = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f]{1,200}")
_LABEL = r"[^\s<>@.\[\]\x00-\x1f\x7f-\x9f]+"
_EMAIL = re.compile(rf"[^\s<>@\x00-\x1f\x7f-\x9f]+@{_LABEL}(?:\.{_LABEL})*")


class ClaimPage(msgspec.Struct, frozen=True, gc=False):
    """What a link shows before it is used (B52); `shared` links ask for name and email too."""

    status: str
    gift_sender: str | None
    message: str | None
    items: tuple[Item, ...]
    choices: tuple[Choice, ...]
    countries: tuple[str, ...]
    expires_at_ms: int | None
    shared: bool


def read_claim(state: State, token: str) -> ClaimPage:
    """What the link shows. ClaimNotFound; ClaimUnpaid, ClaimExhausted; ClaimUsed, ClaimExpired, ClaimCanceled."""
    order, recipient, shipment = _opened(state, token)
    message = recipient.gift_message or order.gift_message
    return ClaimPage(
        AWAITING, order.gift_sender, message, order.items, variation_choice.choices(state, order), order.countries,
        shipment.expires_at_ms, recipient.token != token,
    )  # fmt: skip


def claim(state: State, token: str, entry: Mapping[str, Any]) -> Recipient:
    """Enter the address by a link: `{address, selection?}`, for an open seat `name` and `email` too.

    InvalidClaim names the fields; else as `read_claim`. The parcel's time runs from now (P-1.3, P-6.1).
    """
    order, recipient, shipment = _opened(state, token)
    return enter(state, order, recipient, shipment, entry)


def claim_row(
    state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, entry: Mapping[str, Any]
) -> Recipient:
    """The account enters the address of a row, also after its link expired (G33); problems as `claim`."""
    _check_paid(order)
    if shipment.status not in (AWAITING, EXPIRED):
        raise _gone(shipment)
    return enter(state, order, recipient, shipment, entry)


def enter(
    state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, entry: Mapping[str, Any], **changes: Any
) -> Recipient:
    """Enter the address of a row that waits for one, paid or not; `changes` are of the shipment. InvalidClaim."""
    address, errors = _address(order, entry.get("address"))
    picked, wrong = variation_choice.read(state, order, entry.get("selection"))
    errors += wrong
    name, email = recipient.name, recipient.email
    if name is None:
        name, email = entry.get("name"), entry.get("email")
        errors += _person_errors(name, email)
    if errors or address is None:
        listed = [{"field": field, "message": message} for field, message in errors]
        raise InvalidClaim("; ".join(message for _, message in errors), errors=listed)
    recipient = state[RECIPIENTS].put(
        msgspec.structs.replace(
            recipient, name=name, email=email, address=address, selection=picked, claimed_at_ms=state.now_ms
        )
    )
    step(state, shipment, "claim", country=address.country, **changes)
    return recipient


def resend(
    state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, expiry_days: int | None = None
) -> Recipient:
    """A new link in a new mail, and the row waits again, `expiry_days` (else the order's own) from now (G33).

    The old link says that it has expired. ClaimUnpaid, ClaimUsed, ClaimCanceled.
    """
    _check_paid(order)
    if shipment.status not in (AWAITING, EXPIRED):
        raise _gone(shipment)
    if recipient.token is not None:
        state[RETIRED_LINKS].add(RetiredLink(state[RETIRED_LINKS].next_n, recipient.token))
        token = state.token("claim", TOKEN_LENGTH)
        recipient = state[RECIPIENTS].put(msgspec.structs.replace(recipient, token=token))
    days = order.expiry_days if expiry_days is None else expiry_days
    step(state, shipment, "resend", expires_at_ms=state.now_ms + days * DAY)
    open_link(state, order, recipient)
    return recipient


def _opened(state: State, token: str) -> tuple[Fulfilment, Recipient, Shipment]:
    """The order and the row that a link stands for, where it may be used now."""
    recipient = state[RECIPIENTS].find("token", token)
    if recipient is None:
        return _seat(state, token)
    order = state[FULFILMENTS].get(recipient.order)
    shipment = state[SHIPMENTS].get(recipient.shipment)
    if shipment.status == CANCELED:
        raise _gone(shipment)
    _check_paid(order)
    if shipment.status != AWAITING or _is_over(state, shipment):
        raise _gone(shipment)
    return order, recipient, shipment


def _seat(state: State, token: str) -> tuple[Fulfilment, Recipient, Shipment]:
    """The next free seat of a shared link (G29)."""
    order = state[FULFILMENTS].find("share", token)
    if order is None:
        if state[RETIRED_LINKS].find("token", token):
            raise ClaimExpired("this link was replaced by a newer one: see the latest mail")
        raise ClaimNotFound("there is no such claim link")
    seats = list(rows(state, order))[order.recipient_count - order.open_seats :]
    if all(shipment.status == CANCELED for _, shipment in seats):
        raise _gone(seats[0][1])
    _check_paid(order)
    free = [(recipient, shipment) for recipient, shipment in seats if shipment.status == AWAITING]
    for recipient, shipment in free:
        if not _is_over(state, shipment):
            return order, recipient, shipment
    if free or any(shipment.status == EXPIRED for _, shipment in seats):
        raise ClaimExpired("this link has expired")
    raise ClaimExhausted("every seat of this link is taken")


def _is_over(state: State, shipment: Shipment) -> bool:
    return shipment.expires_at_ms is not None and state.now_ms >= shipment.expires_at_ms


def _check_paid(order: Fulfilment) -> None:
    if order.address_mode != CLAIM_LINKS:
        raise ClaimUsed(f"team order {order.id} has its addresses already")
    if order.paid_at_ms is None:
        raise ClaimUnpaid("this gift is not paid yet")


def _gone(shipment: Shipment) -> Problem:
    if shipment.status == CANCELED:
        return ClaimCanceled("this gift was canceled")
    if shipment.status in (AWAITING, EXPIRED):
        return ClaimExpired("this link has expired")
    return ClaimUsed("this gift was claimed already")


def _address(order: Fulfilment, asked: Any) -> tuple[Address | None, list[tuple[str, str]]]:
    if not isinstance(asked, Mapping):
        return None, [("address", "address is required")]
    errors = address_errors(asked)
    if errors:
        return None, errors
    address = read_address(asked)
    if address.country not in order.countries:
        return None, [("address.country", f"this gift goes to {', '.join(order.countries)} only")]
    return address, []


def _person_errors(name: Any, email: Any) -> list[tuple[str, str]]:
    """An open seat's claimant says who it is, as a named recipient's request would (P-2.16)."""
    found = []
    if not isinstance(name, str) or not name.strip() or not _NAME.fullmatch(name):
        found.append(("name", "name is required, in at most 200 characters"))
    if not isinstance(email, str) or len(email) > 254 or not _EMAIL.fullmatch(email):
        found.append(("email", "email is required, like ada@example.com"))
    return found

"""Place a partner's team order: create it with its rows, prices and claim links, unpaid (P-4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeVar

import msgspec

from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.setting import Setting, number
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.fulfilment import offer
from giftsim.services.gifting.domain.fulfilment.address import Address, parse_address
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    ADDRESS_MODE,
    CLAIM_LINKS,
    FULFILMENTS,
    Card,
    Fulfilment,
    Item,
    PartnerOrder,
    Party,
    has_print,
    initial_tally,
)
from giftsim.services.gifting.domain.fulfilment.offer import SHIPPING, Price, link_shipping_cents, price_rows
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import AWAITING, SHIPMENTS, SUBMITTED, Shipment
from giftsim.services.gifting.domain.money.account import Account
from giftsim.services.secrets import CLAIM

TOKEN_LENGTH = CLAIM.drawn


def _countries(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not raw or any(code not in SHIPPING for code in raw):
        raise ValueError(f"each must be one of {', '.join(SHIPPING)}")
    return tuple(dict.fromkeys(raw))


DESTINATIONS: Setting[tuple[str, ...]] = Setting(
    "partner.destination_countries",
    ["US"],
    _countries,
    "a list of country codes",
    "the countries of recipients with claim links, unless the order names them (G34)",
)
EXPIRY_DAYS = number(
    "partner.claim_expiry_days", 30, "days until claim links expire, unless the order says (B19)", 1, 365
)

SETTINGS = (DESTINATIONS, EXPIRY_DAYS)


class RequestedRow(msgspec.Struct, frozen=True, gc=False):
    """One recipient of a request: the request's `members`, empty for an open seat, and the parsed address.

    Only a recipient with an address has a `quantity` other than 1 and a date `ship_on` (P-2.19, P-2.20).
    """

    members: Mapping[str, Any]
    address: Address | None
    quantity: int = 1
    ship_on: str | None = None


class OrderDraft(msgspec.Struct, frozen=True, gc=False):
    """The parts of an order that follow from the request, before the order exists."""

    items: tuple[Item, ...]
    rows: tuple[RequestedRow, ...]
    linked: bool
    open_seats: int
    countries: tuple[str, ...]
    party: Party | None
    prices: tuple[Price, ...]


F = TypeVar("F", bound=Fulfilment)
OPEN_SEAT = RequestedRow({}, None)


def place_unpaid_order(
    state: State, account: Account, key: ApiKey, body: Mapping[str, Any], items: tuple[Item, ...]
) -> PartnerOrder:
    """A new unpaid order from a body that passed `validate_order`, with the items that this gave.

    It has claim links unless recipients have addresses. PersonalizationReviewRequired (P-7.24). Charges nothing, and
    sends no mail and no event.
    """
    offer.check_reviewed(state, account.n, items)
    draft = _draft(state, items, body)
    return add_fulfilment(state, _order(state, account, key, body, draft), draft.rows, draft.prices)


def add_fulfilment(state: State, order: F, rows: Sequence[RequestedRow], prices: Sequence[Price]) -> F:
    """Add a new order and its rows to their tables. While it is unpaid its links do not work and no timer runs.

    The order must have the `row_columns` of the same rows and prices.
    """
    state[FULFILMENTS].add(order)
    for i, row in enumerate(rows):
        _add_row(state, order, i, row, prices[i])
    return order


class RowColumns(TypedDict):
    """The columns of a new order that follow from its rows."""

    open_seats: int
    share_token: str | None
    first_recipient: int
    first_shipment: int
    recipient_count: int
    tally: tuple[int, ...]
    subtotal_cents: int
    shipping_cents: int
    event_fees_cents: int


def row_columns(state: State, rows: Sequence[RequestedRow], prices: Sequence[Price], open_seats: int) -> RowColumns:
    """The columns of a new order that follow from its rows. The last `open_seats` rows must be OPEN_SEAT."""
    count = len(rows)
    subtotal_cents = shipping_cents = event_fees_cents = 0
    for price in prices:
        subtotal_cents += price.subtotal_cents
        shipping_cents += price.shipping_cents
        event_fees_cents += price.event_fees_cents
    return {
        "open_seats": open_seats,
        "share_token": state.token("claim", TOKEN_LENGTH) if open_seats else None,
        "first_recipient": state[RECIPIENTS].next_n,
        "first_shipment": state[SHIPMENTS].next_n,
        "recipient_count": count,
        "tally": initial_tally(count, 0) if rows[0].address is None else initial_tally(0, count),
        "subtotal_cents": subtotal_cents,
        "shipping_cents": shipping_cents,
        "event_fees_cents": event_fees_cents,
    }


def _draft(state: State, items: tuple[Item, ...], body: Mapping[str, Any]) -> OrderDraft:
    named = [_parse_row(members) for members in body["recipients"]]
    linked = named[0].address is None
    seats = body.get("open_seats", 0) if linked else 0
    rows = (*named, *(OPEN_SEAT,) * seats)
    party = _parse_party(body["event"]) if body.get("event") is not None else None
    if linked:
        countries = tuple(body.get("destination_countries") or state.setting(DESTINATIONS))
        shipping_cents = [link_shipping_cents(state, countries)] * len(rows)
    else:
        row_countries = [row.address.country for row in rows if row.address]
        countries = tuple(dict.fromkeys(row_countries))
        shipping_cents = [state.setting(SHIPPING[country]) for country in row_countries]
    prices = price_rows(state, items, rows, shipping_cents, party)
    return OrderDraft(items, rows, linked, seats, countries, party, tuple(prices))


def _parse_row(members: Mapping[str, Any]) -> RequestedRow:
    address = members.get("address")
    if address is None:
        return RequestedRow(members, None)
    return RequestedRow(members, parse_address(address), members.get("quantity", 1), members.get("ship_on"))


def _parse_party(members: Mapping[str, Any]) -> Party:
    return Party(members["date"], members.get("rush", False), members.get("kit_assembly", False))


def _order(state: State, account: Account, key: ApiKey, body: Mapping[str, Any], draft: OrderDraft) -> PartnerOrder:
    card, get = body.get("card"), body.get
    return PartnerOrder(
        n=state[FULFILMENTS].next_n,
        account=account.n,
        key=key.n,
        made_at_ms=state.now_ms,
        name=get("name"),
        reference=get("reference"),
        po_number=get("po_number"),
        address_mode=CLAIM_LINKS if draft.linked else state.setting(ADDRESS_MODE),
        items=draft.items,
        countries=draft.countries,
        gift_sender=get("gift_sender"),
        gift_message=get("gift_message"),
        card=Card(card.get("message"), card.get("sender")) if card and has_print(card) else None,
        party=draft.party,
        expiry_days=get("claim_expiry_days") or state.setting(EXPIRY_DAYS),
        expires_at_ms=None,
        **row_columns(state, draft.rows, draft.prices, draft.open_seats),
    )


def _add_row(state: State, order: Fulfilment, place: int, row: RequestedRow, price: Price) -> None:
    """Add the recipient and the shipment of one row. A named recipient without address gets a link (P-1.4, G29)."""
    members, linked = row.members, row.address is None
    email = members.get("email")
    recipient, shipment = order.first_recipient + place, order.first_shipment + place
    token = state.token("claim", TOKEN_LENGTH) if linked and members else None
    state[RECIPIENTS].add(
        Recipient(
            recipient,
            order.n,
            place,
            shipment,
            members.get("name"),
            email and trim_email(email),
            members.get("company"),
            members.get("gift_message"),
            row.quantity,
            row.address,
            token,
            price.subtotal_cents,
            price.shipping_cents,
            price.event_fees_cents,
        )
    )
    state[SHIPMENTS].add(
        Shipment(
            shipment,
            order.channel,
            order.n,
            recipient,
            f"TO-{order.id}-{place + 1}",
            AWAITING if linked else SUBMITTED,
            row.address.country if row.address else None,
            order.party is not None and order.party.rush,
            row.ship_on,
            order.expires_at_ms,
        )
    )

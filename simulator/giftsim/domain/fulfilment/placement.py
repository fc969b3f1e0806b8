"""Placing a team order: its rows, their prices and links, in one go; it is unpaid until it is charged (P-4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.domain.access.api_key import Key
from giftsim.domain.fulfilment import bundle
from giftsim.domain.fulfilment.address import Address, read_address
from giftsim.domain.fulfilment.fulfilment import (
    ADDRESS_MODE,
    CLAIM_LINKS,
    FULFILMENTS,
    Card,
    Event,
    Fulfilment,
    Item,
    counted,
)
from giftsim.domain.fulfilment.pricing import SHIPPING, Price, link_shipping_cents, price_rows
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import AWAITING, SHIPMENTS, SUBMITTED, Shipment
from giftsim.domain.money.account import Account
from giftsim.kernel.instants import DAY
from giftsim.kernel.setting import Setting, number
from giftsim.kernel.state import State

TOKEN_LENGTH = 20


def _countries(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not raw or any(code not in SHIPPING for code in raw):
        raise ValueError(f"each is one of {', '.join(SHIPPING)}")
    return tuple(dict.fromkeys(raw))


DESTINATIONS: Setting[tuple[str, ...]] = Setting(
    "partner.destination_countries", ["US"], _countries, "a list of country codes",
    "where link recipients may be when the order does not say (G34)",
)  # fmt: skip
EXPIRY_DAYS = number(
    "partner.claim_expiry_days", 30, "days until claim links expire when the order does not say (B19)", 1, 365
)

SETTINGS = (DESTINATIONS, EXPIRY_DAYS)


class Row(msgspec.Struct, frozen=True, gc=False):
    """One row of a request; an open seat asks for nothing."""

    asked: Mapping[str, Any]
    address: Address | None
    quantity: int


class Plan(msgspec.Struct, frozen=True, gc=False):
    """What an order will be, before there is one."""

    items: tuple[Item, ...]
    rows: tuple[Row, ...]
    linked: bool
    open_seats: int
    countries: tuple[str, ...]
    event: Event | None
    prices: tuple[Price, ...]


SEAT = Row({}, None, 1)


def place(state: State, account: Account, key: Key, body: Mapping[str, Any]) -> Fulfilment:
    """A new unpaid order of a body that `examine` let through, in link mode unless its recipients carry addresses.

    SkuNotFound; PersonalizationReviewRequired (P-7.24). Nothing is charged, mailed or told yet.
    """
    items = tuple([bundle.resolve(state, account.n, asked) for asked in body["items"]])
    bundle.check_reviewed(state, account.n, items)
    plan = _plan(state, items, body)
    return place_rows(state, _order(state, account, key, body, plan), plan.rows, plan.prices)


def place_rows(state: State, order: Fulfilment, rows: Sequence[Row], prices: Sequence[Price]) -> Fulfilment:
    """Put a new order and its rows into their tables: unpaid, so that its links do not work and nothing falls due.

    The order has the `row_columns` of the same rows and prices.
    """
    state[FULFILMENTS].add(order)
    for i, row in enumerate(rows):
        _add_row(state, order, i, row, prices[i])
    return order


def row_columns(state: State, rows: Sequence[Row], prices: Sequence[Price], open_seats: int) -> dict[str, Any]:
    """The columns of a new order that follow from its rows, of which the last `open_seats` are SEAT."""
    linked = rows[0].address is None
    return {
        "n": state[FULFILMENTS].next_n,
        "made_at_ms": state.now_ms,
        "open_seats": open_seats,
        "share_token": state.token("claim", TOKEN_LENGTH) if open_seats else None,
        "first_recipient": state[RECIPIENTS].next_n,
        "first_shipment": state[SHIPMENTS].next_n,
        "recipient_count": len(rows),
        "tally": counted(len(rows), 0) if linked else counted(0, len(rows)),
        "subtotal_cents": sum([price.subtotal_cents for price in prices]),
        "shipping_cents": sum([price.shipping_cents for price in prices]),
        "event_fees_cents": sum([price.event_fees_cents for price in prices]),
    }


def _plan(state: State, items: tuple[Item, ...], body: Mapping[str, Any]) -> Plan:
    named = [_row(asked) for asked in body["recipients"]]
    linked = named[0].address is None
    seats = body.get("open_seats", 0) if linked else 0
    rows = (*named, *(SEAT,) * seats)
    event = _event(body.get("event"))
    if linked:
        countries = tuple(body.get("destination_countries") or state.setting(DESTINATIONS))
        parcels = [link_shipping_cents(state, countries)] * len(rows)
    else:
        found = [row.address.country for row in rows if row.address]
        countries = tuple(dict.fromkeys(found))
        parcels = [state.setting(SHIPPING[country]) for country in found]
    prices = price_rows(state, items, [row.quantity for row in rows], parcels, event)
    return Plan(items, rows, linked, seats, countries, event, tuple(prices))


def _row(asked: Mapping[str, Any]) -> Row:
    address = asked.get("address")
    return Row(asked, None if address is None else read_address(address), asked.get("quantity", 1))


def _event(asked: Mapping[str, Any] | None) -> Event | None:
    if asked is None:
        return None
    return Event(asked["date"], asked.get("rush", False), asked.get("kit_assembly", False))


def _order(state: State, account: Account, key: Key, body: Mapping[str, Any], plan: Plan) -> Fulfilment:
    days = body.get("claim_expiry_days") or state.setting(EXPIRY_DAYS)
    card = body.get("card")
    return Fulfilment(
        account=account.n,
        key=key.n,
        name=body.get("name"),
        reference=body.get("reference"),
        po_number=body.get("po_number"),
        address_mode=CLAIM_LINKS if plan.linked else state.setting(ADDRESS_MODE),
        items=plan.items,
        countries=plan.countries,
        gift_sender=body.get("gift_sender"),
        gift_message=body.get("gift_message"),
        card=None if card is None else Card(card.get("message"), card.get("sender")),
        event=plan.event,
        expiry_days=days,
        expires_at_ms=state.now_ms + days * DAY if plan.linked else None,
        **row_columns(state, plan.rows, plan.prices, plan.open_seats),
    )


def _add_row(state: State, order: Fulfilment, place: int, row: Row, price: Price) -> None:
    """The recipient and the shipment of one row; named rows in link mode get a link of their own (P-1.4, G29)."""
    asked, linked = row.asked, row.address is None
    recipient, shipment = order.first_recipient + place, order.first_shipment + place
    token = state.token("claim", TOKEN_LENGTH) if linked and asked else None
    state[RECIPIENTS].add(
        Recipient(
            recipient, order.n, place, shipment, asked.get("name"), asked.get("email"), asked.get("company"),
            asked.get("gift_message"), row.quantity, row.address, token, price.subtotal_cents, price.shipping_cents,
            price.event_fees_cents,
        )
    )  # fmt: skip
    state[SHIPMENTS].add(
        Shipment(
            shipment, order.channel, order.n, recipient, f"TO-{order.id}-{place + 1}",
            AWAITING if linked else SUBMITTED, row.address.country if row.address else None,
            order.event is not None and order.event.rush, asked.get("ship_on"), order.expires_at_ms,
        )
    )  # fmt: skip

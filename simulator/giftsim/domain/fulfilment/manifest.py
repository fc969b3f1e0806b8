"""The manifest: a team order as CSV, one row per recipient (P-4.8, P-4.9, B35). Claim links never stand in it."""

from __future__ import annotations

import csv
import io

from giftsim.domain.fulfilment.address import Address
from giftsim.domain.fulfilment.catalogue import PRODUCTS
from giftsim.domain.fulfilment.event_date import on_time
from giftsim.domain.fulfilment.fulfilment import Fulfilment, Item, rows
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import AWAITING, CANCELED, EXPIRED, SUBMITTED, Shipment
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State

COLUMNS = (
    "recipient_id", "name", "company", "email", "address1", "city", "state", "zip", "country", "claim_status",
    "order_status", "carrier", "tracking_number", "shipped_at", "delivered_at", "items", "subtotal_cents",
    "shipping_cents", "total_cents", "po_number", "reference", "quote_number", "duties_cents", "event_date", "rush",
    "on_time",
)  # fmt: skip

# Spreadsheets take a cell that begins so as a formula. Amounts are never touched: -5 stays -5.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_DUTIES_CENTS = 0


def claim_status(shipment: Shipment) -> str:
    """How far a recipient's claim is: what it waits for, or that it was made (B19, B23)."""
    return shipment.status if shipment.status in (AWAITING, EXPIRED, CANCELED) else SUBMITTED


def manifest(state: State, order: Fulfilment) -> str:
    """The CSV text: a header and a row per recipient, every cell quoted, text cells defused."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    items = "; ".join([item_text(state, item) for item in order.items])
    for recipient, shipment in rows(state, order):
        judged = on_time(order, shipment, state.now_ms)
        writer.writerow((*_who(recipient), *_way(shipment), defused(items), *_money(recipient), *_order(order, judged)))
    return out.getvalue()


def _who(recipient: Recipient) -> tuple[object, ...]:
    address = recipient.address or Address("", "", None, None, "")
    texts = (
        recipient.name, recipient.company, recipient.email, address.address1, address.city, address.state, address.zip,
        address.country,
    )  # fmt: skip
    return (recipient.id, *[defused(text) for text in texts])


def _way(shipment: Shipment) -> tuple[object, ...]:
    return (
        claim_status(shipment),
        shipment.status,
        defused(shipment.carrier),
        defused(shipment.tracking_number),
        instant(shipment.shipped_at_ms),
        instant(shipment.delivered_at_ms),
    )


def _money(recipient: Recipient) -> tuple[object, ...]:
    return recipient.subtotal_cents, recipient.shipping_cents, recipient.total_cents


def _order(order: Fulfilment, judged: bool | None) -> tuple[object, ...]:
    event = order.event
    return (
        defused(order.po_number),
        defused(order.reference),
        order.quote_number,
        _DUTIES_CENTS,
        event.date if event else "",
        _flag(event.rush if event else None),
        _flag(judged),
    )


def item_text(state: State, item: Item) -> str:
    """Such as `2 x TEE-01 Tee (Colour: Navy)`; what the recipient picks is in the recipient's selection."""
    product = state[PRODUCTS].get(item.product)
    named = []
    for variation_id, option_id in item.fixed:
        variation = product.variation(variation_id)
        option = variation.option(option_id) if variation else None
        named.append(f"{variation.name}: {option.name}" if variation and option else f"{variation_id}: {option_id}")
    return f"{item.quantity} x {item.code} {item.name}" + (f" ({', '.join(named)})" if named else "")


def defused(text: str | None) -> str:
    """The text as a cell that no spreadsheet takes for a formula; nothing is the empty cell."""
    if not text:
        return ""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _flag(value: bool | None) -> str:
    return "" if value is None else str(value).lower()


def instant(at_ms: int | None) -> str:
    """The instant as a cell; nothing is the empty cell."""
    return "" if at_ms is None else format_instant(at_ms)

"""The manifest: a partner's team order as CSV, one row per recipient, without claim links (P-4.8, P-4.9, B35)."""

from __future__ import annotations

import csv
import io

from giftsim.domain.fulfilment.address import Address
from giftsim.domain.fulfilment.event_date import on_time
from giftsim.domain.fulfilment.fulfilment import Fulfilment, Item, recipient_rows
from giftsim.domain.fulfilment.products import PRODUCTS
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

# Spreadsheets read a cell that starts with one of these as a formula. Amounts are not escaped: -5 stays -5.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_DUTIES_CENTS = 0


def claim_status(shipment: Shipment) -> str:
    """The status of a recipient's claim: awaiting, expired, canceled, or submitted once claimed (B19, B23)."""
    return shipment.status if shipment.status in (AWAITING, EXPIRED, CANCELED) else SUBMITTED


def manifest_csv(state: State, order: Fulfilment) -> str:
    """The CSV text: a header and a row per recipient, every cell quoted, formulas in text cells escaped."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    items = "; ".join([describe_item(state, item) for item in order.items])
    for recipient, shipment in recipient_rows(state, order):
        writer.writerow(
            (
                *_recipient_cells(recipient),
                *_shipment_cells(shipment),
                escape_formula(items),
                *_amount_cells(recipient),
                *_order_cells(order, on_time(order, shipment, state.now_ms)),
            )
        )
    return out.getvalue()


def _recipient_cells(recipient: Recipient) -> tuple[object, ...]:
    address = recipient.address or Address("", "", None, None, "")
    texts = (
        recipient.name, recipient.company, recipient.email, address.address1, address.city, address.state, address.zip,
        address.country,
    )  # fmt: skip
    return (recipient.id, *[escape_formula(text) for text in texts])


def _shipment_cells(shipment: Shipment) -> tuple[object, ...]:
    return (
        claim_status(shipment),
        shipment.status,
        escape_formula(shipment.carrier),
        escape_formula(shipment.tracking_number),
        instant_cell(shipment.shipped_at_ms),
        instant_cell(shipment.delivered_at_ms),
    )


def _amount_cells(recipient: Recipient) -> tuple[object, ...]:
    return recipient.subtotal_cents, recipient.shipping_cents, recipient.total_cents


def _order_cells(order: Fulfilment, is_on_time: bool | None) -> tuple[object, ...]:
    event = order.event
    return (
        escape_formula(order.po_number),
        escape_formula(order.reference),
        order.quote_number,
        _DUTIES_CENTS,
        event.date if event else "",
        _bool_cell(event.rush if event else None),
        _bool_cell(is_on_time),
    )


def describe_item(state: State, item: Item) -> str:
    """An item with its fixed options, such as `2 x TEE-01 Tee (Colour: Navy)`, without the recipient's choices."""
    product = state[PRODUCTS].get(item.product)
    options = []
    for variation_id, option_id in item.fixed:
        variation = product.variation(variation_id)
        option = variation.option(option_id) if variation else None
        options.append(f"{variation.name}: {option.name}" if variation and option else f"{variation_id}: {option_id}")
    return f"{item.quantity} x {item.code} {item.name}" + (f" ({', '.join(options)})" if options else "")


def escape_formula(text: str | None) -> str:
    """The text as a cell that no spreadsheet reads as a formula; None gives an empty cell."""
    if not text:
        return ""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _bool_cell(value: bool | None) -> str:
    return "" if value is None else str(value).lower()


def instant_cell(at_ms: int | None) -> str:
    """The instant as a cell; None gives an empty cell."""
    return "" if at_ms is None else format_instant(at_ms)

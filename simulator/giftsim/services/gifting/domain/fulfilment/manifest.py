"""The manifest: a partner's team order as CSV, one row per recipient, without claim links (P-4.8, P-4.9, B35)."""

from __future__ import annotations

import csv
import io
import unicodedata

from giftsim.engine.kernel.instants import format_instant, local_date
from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.address import Address
from giftsim.services.gifting.domain.fulfilment.due_times import DAY_ZONE
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, Item, Party, recipient_rows
from giftsim.services.gifting.domain.fulfilment.offer import Selection, duties_cents
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import AWAITING, CANCELED, EXPIRED, SUBMITTED, Shipment


def on_time(order: Fulfilment, shipment: Shipment, now_ms: int, zone: str = "UTC") -> bool | None:
    """Whether a shipment arrived by the party's date, a day in a zone.

    None without a party, while undecided, and when canceled.
    """
    if order.party is None or shipment.status == CANCELED:
        return None
    if shipment.delivered_at_ms is not None:
        return local_date(shipment.delivered_at_ms, zone) <= order.party.date
    return False if local_date(now_ms, zone) > order.party.date else None


def order_on_time(state: State, order: Fulfilment) -> bool | None:
    """Whether all shipments that are not canceled arrived by the party's date; False once one is late (B32)."""
    if order.party is None:
        return None
    active = [shipment for _, shipment in recipient_rows(state, order) if shipment.status != CANCELED]
    zone = state.setting(DAY_ZONE)
    results = [on_time(order, shipment, state.now_ms, zone) for shipment in active]
    if False in results:
        return False
    return None if None in results or not results else True


COLUMNS = (
    "recipient_id",
    "name",
    "company",
    "email",
    "address1",
    "city",
    "state",
    "zip",
    "country",
    "claim_status",
    "order_status",
    "carrier",
    "tracking_number",
    "shipped_at",
    "delivered_at",
    "items",
    "subtotal_cents",
    "shipping_cents",
    "event_fees_cents",
    "total_cents",
    "po_number",
    "reference",
    "quote_number",
    "duties_cents",
    "event_date",
    "rush",
    "on_time",
)

# Spreadsheets read a cell that starts with one of these as a formula, also in full width and after blanks. Amounts are
# not escaped: -5 stays -5.
_FORMULA = ("=", "+", "-", "@")
_DROPPED = ("\t", "\r", "\n")  # dropped at the start of a cell by some
_MINUS = "\N{MINUS SIGN}"
_NOT_SHOWN = ("Cc", "Cf", "Zl", "Zp", "Zs")  # categories of blanks, control and format characters

NEUTRALIZED = flag(
    "partner.manifest_neutralized",
    False,
    "put an apostrophe before texts of the manifest that a spreadsheet would run as a formula (B35)",
)
SETTINGS = (NEUTRALIZED,)


def claim_status(shipment: Shipment) -> str:
    """The status of a recipient's claim: awaiting, expired, canceled, or submitted once claimed (B19, B23)."""
    return shipment.status if shipment.status in (AWAITING, EXPIRED, CANCELED) else SUBMITTED


def manifest_csv(state: State, order: Fulfilment) -> str:
    """The CSV text: a header and a row per recipient, every cell quoted; formulas escaped only by the setting."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    neutralized = state.setting(NEUTRALIZED)
    for recipient, shipment in recipient_rows(state, order):
        cells = (
            *_recipient_cells(recipient),
            *_shipment_cells(shipment),
            _items(state, order, recipient),
            *_amount_cells(recipient),
            *_order_cells(order),
            duties_cents(state, recipient.subtotal_cents, shipment.country),
            *_party_cells(order.party, on_time(order, shipment, state.now_ms, state.setting(DAY_ZONE))),
        )
        writer.writerow([escape_formula(cell) if neutralized and isinstance(cell, str) else cell for cell in cells])
    return out.getvalue()


def _recipient_cells(recipient: Recipient) -> tuple[object, ...]:
    address = recipient.address or Address("", "", None, None, "")
    return (
        recipient.id,
        recipient.name,
        recipient.company,
        recipient.email,
        address.address1,
        address.city,
        address.state,
        address.zip,
        address.country,
    )


def _shipment_cells(shipment: Shipment) -> tuple[object, ...]:
    return (
        claim_status(shipment),
        shipment.status,
        shipment.carrier,
        shipment.tracking_number,
        instant_cell(shipment.shipped_at_ms),
        instant_cell(shipment.delivered_at_ms),
    )


def _items(state: State, order: Fulfilment, recipient: Recipient) -> str:
    """What the recipient gets: the bundle as often as ordered, with the options picked on the claim page."""
    selection = recipient.selection or ()
    items = [
        describe_item(state, item, item.quantity * recipient.quantity, selection, _sku_code(state, item, selection))
        for item in order.items
    ]
    return "; ".join(items)


def _sku_code(state: State, item: Item, selection: Selection) -> str:
    """The code of the SKU with the chosen options; the product's slug until all are chosen (G183)."""
    if item.sku is not None:
        return item.code
    chosen = set(_chosen_options(item, selection))
    codes = (sku.code for sku in state[SKUS].rows_in("product", item.product) if set(sku.options) == chosen)
    return next(codes, item.code)


def _amount_cells(recipient: Recipient) -> tuple[object, ...]:
    return recipient.subtotal_cents, recipient.shipping_cents, recipient.event_fees_cents, recipient.total_cents


def _order_cells(order: Fulfilment) -> tuple[object, ...]:
    return order.po_number, order.reference, order.quote_number


def _party_cells(party: Party | None, is_on_time: bool | None) -> tuple[object, ...]:
    return party.date if party else None, _bool_cell(party.rush if party else None), _bool_cell(is_on_time)


def describe_item(state: State, item: Item, quantity: int, selection: Selection = (), code: str = "") -> str:
    """A quantity of an item with its fixed and picked options, such as `2 x TEE-01 Tee (Size: S, Colour: Navy)`."""
    product = state[PRODUCTS].get(item.product)
    options = []
    for variation_id, option_id in _chosen_options(item, selection):
        variation = product.variation(variation_id)
        option = variation.option(option_id) if variation else None
        options.append(f"{variation.name}: {option.name}" if variation and option else f"{variation_id}: {option_id}")
    return f"{quantity} x {code or item.code} {item.name}" + (f" ({', '.join(options)})" if options else "")


def _chosen_options(item: Item, selection: Selection) -> Selection:
    """The options that the order fixed, and those that the recipient picked."""
    return (*item.fixed, *[(variation, option) for variation, option in selection if variation in item.choices])


def escape_formula(text: str | None) -> str:
    """The text as a cell that no spreadsheet reads as a formula; None gives an empty cell."""
    if not text:
        return ""
    return f"'{text}" if text.startswith(_DROPPED) or _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Whether the first character that is shown begins a formula, in any of its widths."""
    shown = next((character for character in text if unicodedata.category(character) not in _NOT_SHOWN), "")
    return shown == _MINUS or unicodedata.normalize("NFKC", shown).startswith(_FORMULA)


def _bool_cell(value: bool | None) -> str:
    return "" if value is None else str(value).lower()


def instant_cell(at_ms: int | None) -> str:
    """The instant as a cell; None gives an empty cell."""
    return "" if at_ms is None else format_instant(at_ms)

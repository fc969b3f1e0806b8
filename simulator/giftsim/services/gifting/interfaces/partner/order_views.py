"""Team orders and their recipients as JSON of the partner interface (P-2.21 to P-2.32, B50).

The views are structs, whose members are encoded in the order of their definition; a member that is UNSET is left out.
A struct takes half the time of a dict, and a list of orders is little else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from giftsim.engine.gateway.json_cache import KeptJson
from giftsim.engine.kernel.instants import instant_or_null
from giftsim.engine.kernel.placeholders import json_link
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.address import Address
from giftsim.services.gifting.domain.fulfilment.cancellation import CanceledRecipient, Cancellation, names_of
from giftsim.services.gifting.domain.fulfilment.due_times import DAY_ZONE
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    CLAIM_LINKS,
    Fulfilment,
    Party,
    recipient_counts,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.manifest import on_time, order_on_time
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient, claim_path
from giftsim.services.gifting.domain.fulfilment.shipment import AWAITING, CANCELED, EXPIRED, Shipment
from giftsim.services.gifting.domain.money.account import NET_TERMS, PREPAID, Account
from giftsim.services.gifting.domain.money.charge import CHARGES


def cancellation(done: Cancellation) -> dict[str, Any]:
    """Three lists: recipients canceled now, recipients skipped with the reason, and recipients canceled before."""
    return {
        "ok": True,
        "team_order_id": done.order.id,
        "canceled": [_canceled(row) for row in done.canceled],
        "skipped": [row.named() for row in done.skipped],
        "already_canceled": [names_of(*row) for row in done.already_canceled],
        "refunded_cents": done.refunded_cents,
    }


def _canceled(row: CanceledRecipient) -> dict[str, Any]:
    refund = {
        "wallet_cents": row.wallet_cents,
        "card_cents": row.card_cents,
        "total_cents": row.wallet_cents + row.card_cents,
    }
    return {**names_of(row.recipient, row.shipment), "was_paid": row.was_paid, "refund": refund}


LABELS = {
    "awaiting": "Waiting for address",
    "submitted": "Address received",
    "in_production": "In production",
    "labeled": "Ready to ship",
    "shipped": "Shipped",
    "delivered": "Delivered",
    "delayed": "Delayed",
    "rejected": "Rejected",
    "expired": "Claim link expired",
    "canceled": "Canceled",
}


class View(msgspec.Struct, frozen=True, gc=False):
    """The base of the views."""


class PartyView(View, frozen=True, gc=False):
    """The party of an order: its member `event`."""

    event_date: str
    rush: bool
    fees_cents: int
    on_time: bool | UnsetType | None = UNSET


class Totals(View, frozen=True, gc=False):
    """Whole cents; the total is the sum of the other three (P-2.25)."""

    subtotal_cents: int
    shipping_cents: int
    event_fees_cents: int
    total_cents: int


class ChargedTotals(Totals, frozen=True, gc=False):
    """The totals of an order, with what was charged for it."""

    charged_cents: int


class RowMoney(Totals, frozen=True, gc=False):
    """A recipient's share of the totals, with the amount refunded."""

    refunded_cents: int


class TeamOrder(View, frozen=True, gc=False):
    """An order without its recipients, as every response shows it."""

    id: int
    name: str | None
    reference: str | None
    po_number: str | None
    quote_number: str
    status: str
    address_mode: str
    recipient_count: int
    destination_countries: Sequence[str]
    printed_card: bool
    claim_expires_at: str | None
    event: PartyView | None
    summary: Mapping[str, int]
    totals: Totals
    shared_claim_link: msgspec.Raw | UnsetType = UNSET


class Claim(View, frozen=True, gc=False):
    """The claim of a recipient."""

    status: str
    expires_at: str | None
    link: msgspec.Raw | UnsetType = UNSET


class ShipmentView(View, frozen=True, gc=False):
    """The shipment of a recipient."""

    order_id: int
    external_id: str
    status: str
    awaiting_address: bool
    tracking_number: str | None


class ShipmentDetail(ShipmentView, frozen=True, gc=False):
    """The shipment in the response to a read."""

    carrier: str | None
    tracking_url: str | None
    shipped_at: str | None
    delivered_at: str | None


class Row(View, frozen=True, gc=False):
    """A recipient."""

    recipient_id: int
    name: str | None
    email: str | None
    status: str
    status_label: str
    claim: Claim
    shipment: ShipmentView


class RowDetail(Row, frozen=True, gc=False):
    """A recipient in the response to a read."""

    address: Address | None
    ship_on: str | None
    money: RowMoney
    event: Mapping[str, bool | None]


class Billing(View, frozen=True, gc=False):
    """How an order was paid."""

    billing_mode: str
    wallet_cash_cents: int
    card_charged_cents: int
    new_cash_balance_cents: int | None
    payment_transaction_id: str | None


class Created(View, frozen=True, gc=False):
    """The response to a create."""

    team_order: TeamOrder
    recipients: Sequence[Row]
    totals: ChargedTotals
    billing: Billing


class Detail(View, frozen=True, gc=False):
    """The response to a read."""

    team_order: TeamOrder
    recipients: Sequence[RowDetail]


def team_order(state: State, order: Fulfilment, *, read: bool = True, links: bool = False) -> TeamOrder:
    """The order. `read` adds `event.on_time`; `links` adds the shared claim link."""
    subtotal, shipping, fees = order.subtotal_cents, order.shipping_cents, order.event_fees_cents
    return TeamOrder(
        order.id,
        order.name,
        order.reference,
        order.po_number,
        order.quote_number,
        order.status,
        order.address_mode,
        order.recipient_count,
        order.countries,
        order.card is not None,
        instant_or_null(order.expires_at_ms),
        None if order.party is None else _party(state, order, order.party, read),
        recipient_counts(order),
        Totals(subtotal, shipping, fees, subtotal + shipping + fees),
        json_link(claim_path(order.share_token)) if links and order.share_token is not None else UNSET,
    )


def created(state: State, order: Fulfilment, account: Account, *, links: bool) -> Created:
    """The response to a create: the order, its recipients in the order of the request, and the charge."""
    view = team_order(state, order, read=False, links=links)
    totals = view.totals
    return Created(
        view,
        [_row(order, recipient, shipment, links) for recipient, shipment in recipient_rows(state, order)],
        ChargedTotals(
            totals.subtotal_cents,
            totals.shipping_cents,
            totals.event_fees_cents,
            totals.total_cents,
            order.wallet_cents + order.card_cents,
        ),
        _billing(state, order, account),
    )


def listed(state: State, orders: Sequence[Fulfilment], kept: KeptJson) -> list[Any]:
    """Orders as a list shows them: from `kept`, unless their JSON depends on the clock."""
    return [kept.find(order.n, order) or _listed(state, order, kept) for order in orders]


def _listed(state: State, order: Fulfilment, kept: KeptJson) -> TeamOrder | msgspec.Raw:
    view = team_order(state, order)
    return view if _depends_on_clock(order) else kept.keep(order.n, order, view)


def detail(state: State, order: Fulfilment, kept: KeptJson, *, links: bool) -> Detail | msgspec.Raw:
    """The response to a read: the order and every recipient with money, address and times."""
    rows = list(recipient_rows(state, order))
    made_of = (order, rows, links)
    return kept.find(order.n, made_of) or _detail(state, kept, *made_of)


def _detail(
    state: State, kept: KeptJson, order: Fulfilment, rows: list[tuple[Recipient, Shipment]], links: bool
) -> Detail | msgspec.Raw:
    view = Detail(
        team_order(state, order, links=links),
        [_detailed_row(state, order, recipient, shipment, links) for recipient, shipment in rows],
    )
    return view if _depends_on_clock(order) else kept.keep(order.n, (order, rows, links), view)


def _depends_on_clock(order: Fulfilment) -> bool:
    """Whether a view of the order says more than its records: whether the parcels for a party are in time."""
    return order.party is not None


def _party(state: State, order: Fulfilment, party: Party, read: bool) -> PartyView:
    return PartyView(party.date, party.rush, order.event_fees_cents, order_on_time(state, order) if read else UNSET)


def _billing(state: State, order: Fulfilment, account: Account) -> Billing:
    charge = state[CHARGES].get(order.charge) if order.charge is not None and order.paid_at_ms is not None else None
    return Billing(
        NET_TERMS if account.billing_mode == NET_TERMS else PREPAID,
        order.wallet_cents,
        order.card_cents,
        charge.balance_cents if charge else account.cash_cents,
        charge.transaction_id if charge else None,
    )


def _claim(order: Fulfilment, recipient: Recipient, shipment: Shipment, links: bool) -> Claim:
    return Claim(
        shipment.status if shipment.status in (AWAITING, EXPIRED, CANCELED) else "submitted",
        instant_or_null(shipment.expires_at_ms) if order.address_mode == CLAIM_LINKS else None,
        json_link(claim_path(recipient.token)) if links and recipient.token is not None else UNSET,
    )


def _row(order: Fulfilment, recipient: Recipient, shipment: Shipment, links: bool) -> Row:
    status = shipment.status
    return Row(
        recipient.id,
        recipient.name,
        recipient.email,
        status,
        LABELS[status],
        _claim(order, recipient, shipment, links),
        ShipmentView(
            shipment.order_id, shipment.external_id, status, status in (AWAITING, EXPIRED), shipment.tracking_number
        ),
    )


def _detailed_row(state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, links: bool) -> RowDetail:
    row = _row(order, recipient, shipment, links)
    parcel = row.shipment
    return RowDetail(
        row.recipient_id,
        row.name,
        row.email,
        row.status,
        row.status_label,
        row.claim,
        ShipmentDetail(
            parcel.order_id,
            parcel.external_id,
            parcel.status,
            parcel.awaiting_address,
            parcel.tracking_number,
            shipment.carrier,
            shipment.tracking_url,
            instant_or_null(shipment.shipped_at_ms),
            instant_or_null(shipment.delivered_at_ms),
        ),
        recipient.address,
        shipment.ship_on,
        RowMoney(
            recipient.subtotal_cents,
            recipient.shipping_cents,
            recipient.event_fees_cents,
            recipient.total_cents,
            recipient.refunded_cents,
        ),
        {"on_time": on_time(order, shipment, state.now_ms, state.setting(DAY_ZONE))},
    )

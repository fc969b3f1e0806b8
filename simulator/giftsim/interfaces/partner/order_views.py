"""Team orders and their recipients as JSON of the partner interface (P-2.21 to P-2.32, B50)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.event_date import on_time, order_on_time
from giftsim.domain.fulfilment.fulfilment import CLAIM_LINKS, Event, Fulfilment, recipient_counts, recipient_rows
from giftsim.domain.fulfilment.recipient import Recipient, claim_path
from giftsim.domain.fulfilment.shipment import AWAITING, CANCELED, EXPIRED, Shipment
from giftsim.domain.money.account import NET_TERMS, PREPAID, Account
from giftsim.domain.money.charge import CHARGES
from giftsim.kernel.instants import instant_or_null
from giftsim.kernel.placeholders import link
from giftsim.kernel.state import State

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


def team_order(state: State, order: Fulfilment, *, read: bool = True, links: bool = False) -> dict[str, Any]:
    """The order. `read` adds `event.on_time`; `links` adds the shared claim link."""
    view: dict[str, Any] = {
        "id": order.id,
        "name": order.name,
        "reference": order.reference,
        "po_number": order.po_number,
        "quote_number": order.quote_number,
        "status": order.status,
        "address_mode": order.address_mode,
        "recipient_count": order.recipient_count,
        "destination_countries": order.countries,
        "printed_card": order.card is not None,
        "claim_expires_at": instant_or_null(order.expires_at_ms),
        "event": None if order.event is None else _event(state, order, order.event, read),
        "summary": recipient_counts(order),
        "totals": {  # whole cents; the total is the sum of the other three (P-2.25)
            "subtotal_cents": order.subtotal_cents,
            "shipping_cents": order.shipping_cents,
            "event_fees_cents": order.event_fees_cents,
            "total_cents": order.subtotal_cents + order.shipping_cents + order.event_fees_cents,
        },
    }
    if links and order.share_token is not None:
        view["shared_claim_link"] = link(claim_path(order.share_token))
    return view


def created(state: State, order: Fulfilment, account: Account, *, links: bool) -> dict[str, Any]:
    """The response to a create: the order, its recipients in the order of the request, and the charge."""
    recipients = [_created_row(order, row, shipment, links) for row, shipment in recipient_rows(state, order)]
    view = team_order(state, order, read=False, links=links)
    return {
        "team_order": view,
        "recipients": recipients,
        "totals": {**view["totals"], "charged_cents": order.wallet_cents + order.card_cents},
        "billing": _billing(state, order, account),
    }


def detail(state: State, order: Fulfilment, *, links: bool) -> dict[str, Any]:
    """The response to a read: the order and every recipient with money, address and times."""
    recipients = [_row(state, order, row, shipment, links) for row, shipment in recipient_rows(state, order)]
    return {"team_order": team_order(state, order, links=links), "recipients": recipients}


def _event(state: State, order: Fulfilment, event: Event, read: bool) -> dict[str, Any]:
    view: dict[str, Any] = {
        "event_date": event.date, "rush": event.rush, "fees_cents": order.event_fees_cents,
    }  # fmt: skip
    if read:
        view["on_time"] = order_on_time(state, order)
    return view


def _billing(state: State, order: Fulfilment, account: Account) -> dict[str, Any]:
    charge = state[CHARGES].get(order.charge) if order.charge is not None and order.paid_at_ms is not None else None
    return {
        "billing_mode": NET_TERMS if account.billing_mode == NET_TERMS else PREPAID,
        "wallet_cash_cents": order.wallet_cents,
        "card_charged_cents": order.card_cents,
        "new_cash_balance_cents": charge.balance_cents if charge else account.cash_cents,
        "payment_transaction_id": charge.transaction_id if charge else None,
    }


def _claim(order: Fulfilment, recipient: Recipient, shipment: Shipment, links: bool) -> dict[str, Any]:
    status = shipment.status if shipment.status in (AWAITING, EXPIRED, CANCELED) else "submitted"
    by_link = order.address_mode == CLAIM_LINKS
    view: dict[str, Any] = {
        "status": status,
        "expires_at": instant_or_null(shipment.expires_at_ms) if by_link else None,
    }
    if links and recipient.token is not None:
        view["link"] = link(claim_path(recipient.token))
    return view


def _created_row(order: Fulfilment, recipient: Recipient, shipment: Shipment, links: bool) -> dict[str, Any]:
    return {
        "recipient_id": recipient.id,
        "name": recipient.name,
        "email": recipient.email,
        "status": shipment.status,
        "status_label": LABELS[shipment.status],
        "claim": _claim(order, recipient, shipment, links),
        "shipment": _shipment(shipment),
    }


def _shipment(shipment: Shipment) -> dict[str, Any]:
    return {
        "order_id": shipment.order_id,
        "external_id": shipment.external_id,
        "status": shipment.status,
        "awaiting_address": shipment.status in (AWAITING, EXPIRED),
        "tracking_number": shipment.tracking_number,
    }


def _row(state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, links: bool) -> dict[str, Any]:
    view = _created_row(order, recipient, shipment, links)
    view["shipment"] |= {
        "carrier": shipment.carrier,
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
    }
    view["address"] = recipient.address
    view["money"] = {
        "subtotal_cents": recipient.subtotal_cents,
        "shipping_cents": recipient.shipping_cents,
        "event_fees_cents": recipient.event_fees_cents,
        "total_cents": recipient.total_cents,
        "refunded_cents": recipient.refunded_cents,
    }
    view["event"] = {"on_time": on_time(order, shipment, state.now_ms)}
    return view

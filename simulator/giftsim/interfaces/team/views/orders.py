"""Team orders and quotes as the team interface shows them (A7.1, A8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.domain.fulfilment.catalogue import PRODUCTS
from giftsim.domain.fulfilment.fulfilment import Fulfilment, Item, Offer
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.design.proof import proof_status
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.approval import latest
from giftsim.domain.team.orders.payment_summary import money
from giftsim.domain.team.orders.quote import Quote
from giftsim.domain.team.orders.team_order import ORDER_ITEMS, RESOURCE, OrderItem, TeamOrder, fulfilment_of
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State

CURRENCY = "USD"


def team_order(state: State, tenant: Tenant, order: TeamOrder) -> dict[str, Any]:
    """An order with its items, its recipients by id and name, and what tells of its money."""
    placed, paid, asked = fulfilment_of(state, order), money(state, RESOURCE, order.n), latest(state, RESOURCE, order.n)
    center = None if order.cost_center is None else state[COST_CENTERS].get(order.cost_center).id
    return {
        "id": order.id,
        "campaign_id": order.id,
        "source": order.source,
        "status": order.status,
        "payment_status": paid.payment_status,
        "payment_method": order.payment_method,
        "collection": order.collection,
        "headcount": order.headcount,
        "gift_message": order.gift_message,
        "po_number": order.po_number,
        "cost_center_id": center,
        "mode": order.mode,
        "gift_choices": menu(state, placed.menu),
        "items": [_item(state, item) for item in state[ORDER_ITEMS].rows_in("order", order.n)],
        "recipients": _recipients(state, placed),
        "totals": totals(placed.subtotal_cents, placed.shipping_cents),
        "approval_id": asked.id if asked else None,
        "invoice_id": paid.invoice_id,
        "receipt_id": paid.receipt_id,
        "payment_id": paid.payment_id,
        "cancel_reason": order.cancel_reason,
        "livemode": tenant.livemode,
        "created_at": format_instant(order.created_ms),
    }


def quote(state: State, tenant: Tenant, quote: Quote) -> dict[str, Any]:
    """What an order would cost."""
    heads, each = quote.headcount, quote.each
    return {
        "collection": quote.collection,
        "headcount": heads,
        "destination_countries": quote.countries,
        "items": [_line(state, item, heads) for item in quote.goods.items],
        "totals": totals(each.subtotal_cents * heads, each.shipping_cents * heads),
        "livemode": tenant.livemode,
    }


def totals(subtotal_cents: int, shipping_cents: int) -> dict[str, Any]:
    """Whole cents; the total is the sum of the two."""
    return {
        "subtotal_cents": subtotal_cents,
        "shipping_cents": shipping_cents,
        "total_cents": subtotal_cents + shipping_cents,
        "currency": CURRENCY,
    }


def menu(state: State, offers: Sequence[Offer]) -> list[dict[str, Any]]:
    """The entries that recipients pick from."""
    return [{"label": offer.label, "items": bundle(state, offer.items)} for offer in offers]


def bundle(state: State, items: Sequence[Item]) -> list[dict[str, Any]]:
    """Items and how many of them."""
    return [
        {"item_slug": item.code, "merchant_product_id": _product_id(state, item.product), "quantity": item.quantity}
        for item in items
    ]


def _item(state: State, item: OrderItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "item_slug": item.slug,
        "merchant_product_id": _product_id(state, item.product),
        "name": item.name,
        "quantity": item.quantity,
        "proof_status": proof_status(state, item.n),
    }


def _recipients(state: State, placed: Fulfilment) -> list[dict[str, Any]]:
    return [
        {
            "id": order_fulfilment.recipient_id(state, placed, recipient.n),
            "name": recipient.name,
            "status": shipment.status,
        }
        for recipient, shipment in order_fulfilment.named(state, placed)
    ]  # fmt: skip


def _line(state: State, item: Item, heads: int) -> dict[str, Any]:
    return {
        "item_slug": item.code,
        "merchant_product_id": _product_id(state, item.product),
        "name": item.name,
        "quantity": item.quantity,
        "unit_price_cents": item.price_cents,
        "total_cents": item.price_cents * item.quantity * heads,
    }


def _product_id(state: State, product: int) -> int:
    return state[PRODUCTS].get(product).id

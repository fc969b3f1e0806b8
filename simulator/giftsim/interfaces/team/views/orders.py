"""The JSON of team orders and quotes (A7.1, A8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.domain.fulfilment.fulfilment import Fulfilment, Item, Offer
from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.design.proof import proof_status
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.approval import latest_approval
from giftsim.domain.team.orders.payment_summary import summarize_payment
from giftsim.domain.team.orders.quote import Quote
from giftsim.domain.team.orders.setup import TemplateUse
from giftsim.domain.team.orders.team_order import RESOURCE, OrderItem, TeamOrder, fulfilment_of, order_items_of
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State

CURRENCY = "USD"


def team_order(state: State, tenant: Tenant, order: TeamOrder) -> dict[str, Any]:
    """An order with its items, recipients (by id and name) and payment."""
    fulfilment, payment, approval = (
        fulfilment_of(state, order),
        summarize_payment(state, RESOURCE, order.n),
        latest_approval(state, RESOURCE, order.n),
    )
    center = None if order.cost_center is None else state[COST_CENTERS].get(order.cost_center).id
    return {
        "id": order.id,
        "campaign_id": order.id,
        "source": order.source,
        "status": order.status,
        "payment_status": payment.payment_status,
        "payment_method": order.payment_method,
        "collection": order.collection,
        "headcount": order.headcount,
        "destination_countries": fulfilment.countries,
        "gift_message": order.gift_message,
        "po_number": order.po_number,
        "cost_center_id": center,
        **template_use(order.template),
        "mode": order.mode,
        "gift_choices": menu(state, fulfilment.menu),
        "items": order_items(state, RESOURCE, order.n),
        "recipients": _recipients(state, fulfilment),
        "totals": totals(fulfilment.subtotal_cents, fulfilment.shipping_cents),
        "approval_id": approval.id if approval else None,
        "invoice_id": payment.invoice_id,
        "receipt_id": payment.receipt_id,
        "payment_id": payment.payment_id,
        "cancel_reason": order.cancel_reason,
        "livemode": tenant.livemode,
        "created_at": format_instant(order.created_ms),
    }


def quote(state: State, tenant: Tenant, quote: Quote) -> dict[str, Any]:
    """A quote: the price of an order."""
    headcount, each = quote.headcount, quote.each
    return {
        "collection": quote.collection,
        "headcount": headcount,
        "destination_countries": quote.countries,
        "items": [_line(state, item, headcount) for item in quote.contents.items],
        "totals": totals(each.subtotal_cents * headcount, each.shipping_cents * headcount),
        "livemode": tenant.livemode,
    }


def totals(subtotal_cents: int, shipping_cents: int) -> dict[str, Any]:
    """Subtotal, shipping and their sum, in cents."""
    return {
        "subtotal_cents": subtotal_cents,
        "shipping_cents": shipping_cents,
        "total_cents": subtotal_cents + shipping_cents,
        "currency": CURRENCY,
    }


def menu(state: State, offers: Sequence[Offer]) -> list[dict[str, Any]]:
    """The choices that recipients pick from."""
    return [{"label": offer.label, "items": bundle(state, offer.items)} for offer in offers]


def template_use(template: TemplateUse | None) -> dict[str, Any]:
    """The template and its revision that an order or a campaign was created from, or nulls."""
    if template is None:
        return {"template_id": None, "revision": None}
    return {"template_id": template.template_id, "revision": template.revision}


def products(state: State, items: Sequence[Item]) -> list[dict[str, Any]]:
    """The items of a setup with their quantities."""
    return [{"merchant_product_id": _product_id(state, item.product), "quantity": item.quantity} for item in items]


def bundle(state: State, items: Sequence[Item]) -> list[dict[str, Any]]:
    """The items of a bundle with their quantities."""
    return [
        {"item_slug": item.code, "merchant_product_id": _product_id(state, item.product), "quantity": item.quantity}
        for item in items
    ]


def order_items(state: State, resource_type: str, slot: int) -> list[dict[str, Any]]:
    """The lines of an order or campaign, with the state of their proofs."""
    return [_item(state, item) for item in order_items_of(state, resource_type, slot)]


def _item(state: State, item: OrderItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "item_slug": item.slug,
        "merchant_product_id": _product_id(state, item.product),
        "name": item.name,
        "quantity": item.quantity,
        "proof_status": proof_status(state, item.n),
    }


def _recipients(state: State, fulfilment: Fulfilment) -> list[dict[str, Any]]:
    return [
        {
            "id": order_fulfilment.recipient_id(state, fulfilment, recipient.n),
            "name": recipient.name,
            "status": shipment.status,
        }
        for recipient, shipment in order_fulfilment.named_recipients(state, fulfilment)
    ]  # fmt: skip


def _line(state: State, item: Item, headcount: int) -> dict[str, Any]:
    return {
        "item_slug": item.code,
        "merchant_product_id": _product_id(state, item.product),
        "name": item.name,
        "quantity": item.quantity,
        "unit_price_cents": item.price_cents,
        "total_cents": item.price_cents * item.quantity * headcount,
    }


def _product_id(state: State, product: int) -> int:
    return state[PRODUCTS].get(product).id

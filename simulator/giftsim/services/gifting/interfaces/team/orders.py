"""Team orders: quote, create, list, read, manifest, update, cancel, request approval, and their JSON (T-4.46)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from giftsim.engine.gateway.call import Call, ConnectionDropped, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, Item, Offer
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS
from giftsim.services.gifting.domain.money.charge import CrashAfterCharge
from giftsim.services.gifting.domain.team.billing.billing_profile import COST_CENTERS, require_cost_center
from giftsim.services.gifting.domain.team.billing.payment import payment_of
from giftsim.services.gifting.domain.team.design.proof import proof_status
from giftsim.services.gifting.domain.team.design.template import find_template_use
from giftsim.services.gifting.domain.team.orders import order_creation, team_fulfilment, team_order
from giftsim.services.gifting.domain.team.orders.approval import Approval, latest_approval
from giftsim.services.gifting.domain.team.orders.manifest import render_manifest
from giftsim.services.gifting.domain.team.orders.order_approval import request_order_approval
from giftsim.services.gifting.domain.team.orders.order_creation import Quote, create_order, pay_on_terms
from giftsim.services.gifting.domain.team.orders.setup import TemplateUse
from giftsim.services.gifting.domain.team.orders.team_order import (
    AWAITING_APPROVAL,
    RESOURCE,
    TEAM_ORDERS,
    OrderItem,
    TeamOrder,
    find_order,
    fulfilment_of,
    order_items_of,
)
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.payments import charge_fault, check_outcome_known, summarize_payment
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def approval_view(tenant: Tenant, approval: Approval) -> dict[str, Any]:
    """An approval."""
    return {
        "id": approval.id,
        "status": approval.status,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "amount_cents": approval.amount_cents,
        "currency": CURRENCY,
        "note": approval.note,
        "decision_note": approval.decision_note,
        "decided_at": instant_or_null(approval.decided_ms),
        "expires_at": instant_or_null(approval.expires_ms),
        "livemode": tenant.livemode,
        "created_at": format_instant(approval.created_ms),
    }


CURRENCY = "USD"


def team_order_view(state: State, tenant: Tenant, order: TeamOrder) -> dict[str, Any]:
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
        "payment_method": payment.payment_method or order.payment_method,
        "collection": order.collection,
        "headcount": order.headcount,
        "destination_countries": fulfilment.countries,
        "gift_message": order.gift_message,
        "po_number": order.po_number,
        "cost_center_id": center,
        **template_use_view(order.template),
        "mode": order.mode,
        "gift_choices": menu_view(state, fulfilment.menu),
        "items": order_items_view(state, RESOURCE, order.n),
        "recipients": _recipients(state, fulfilment),
        "totals": totals_view(fulfilment.subtotal_cents, fulfilment.shipping_cents),
        "approval_id": approval.id if approval else None,
        "invoice_id": payment.invoice_id,
        "receipt_id": payment.receipt_id,
        "payment_id": payment.payment_id,
        "cancel_reason": order.cancel_reason,
        "livemode": tenant.livemode,
        "created_at": format_instant(order.created_ms),
    }


def quote_view(state: State, tenant: Tenant, quote: Quote) -> dict[str, Any]:
    """A quote: the price of an order."""
    headcount, each = quote.headcount, quote.each
    return {
        "collection": quote.collection,
        "headcount": headcount,
        "destination_countries": quote.countries,
        "items": [_line(state, item, headcount) for item in quote.contents.items],
        "totals": totals_view(each.subtotal_cents * headcount, each.shipping_cents * headcount),
        "livemode": tenant.livemode,
    }


def totals_view(subtotal_cents: int, shipping_cents: int) -> dict[str, Any]:
    """Subtotal, shipping and their sum, in cents."""
    return {
        "subtotal_cents": subtotal_cents,
        "shipping_cents": shipping_cents,
        "total_cents": subtotal_cents + shipping_cents,
        "currency": CURRENCY,
    }


def menu_view(state: State, offers: Sequence[Offer]) -> list[dict[str, Any]]:
    """The choices that recipients pick from."""
    return [{"label": offer.label, "items": bundle_view(state, offer.items)} for offer in offers]


def template_use_view(template: TemplateUse | None) -> dict[str, Any]:
    """The template and its revision that an order or a campaign was created from, or nulls."""
    if template is None:
        return {"template_id": None, "revision": None}
    return {"template_id": template.template_id, "revision": template.revision}


def products_view(state: State, items: Sequence[Item]) -> list[dict[str, Any]]:
    """The items of a setup with their quantities."""
    return [{"merchant_product_id": _product_id(state, item.product), "quantity": item.quantity} for item in items]


def bundle_view(state: State, items: Sequence[Item]) -> list[dict[str, Any]]:
    """The items of a bundle with their quantities."""
    return [
        {"item_slug": item.code, "merchant_product_id": _product_id(state, item.product), "quantity": item.quantity}
        for item in items
    ]


def order_items_view(state: State, resource_type: str, slot: int) -> list[dict[str, Any]]:
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
            "id": team_fulfilment.recipient_id(state, fulfilment, recipient.n),
            "name": recipient.name,
            "status": shipment.status,
        }
        for recipient, shipment in team_fulfilment.named_recipients(state, fulfilment)
    ]


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


METHOD, CENTER = "payment_method", "cost_center_id"


def quote_team_order(call: Call) -> Response:
    """Quote an order."""
    return Response(200, quote_view(call.state, call.caller.tenant, order_creation.quote_order(call.state, call.body)))


def create_team_order(call: Call) -> Response:
    """Create an order, held. With `net_terms` it is paid at once, or not created if declined (A5.3, A8.7)."""
    state, order = call.state, _order(call)
    unpaid = order.status == AWAITING_APPROVAL and payment_of(state, RESOURCE, order.n) is None
    if order.payment_method is not None and unpaid:
        call.bind(order.n, TEAM_ORDERS.name)
        try:
            pay_on_terms(state, call.caller.tenant, order, call.caller.key, charge_fault(call))
        except CrashAfterCharge as crash:
            raise ConnectionDropped(str(crash)) from None
    return _response(call, state[TEAM_ORDERS].get(order.n), 201)


def list_team_orders(call: Call) -> Response:
    """List orders, including store orders."""
    state, tenant = call.state, call.caller.tenant
    orders = state[TEAM_ORDERS]
    slots = orders.slots_in("owner", tenant.owner)
    return respond_with_page(call, "team_orders", slots, lambda n: team_order_view(state, tenant, orders.get(n)))


def get_team_order(call: Call) -> Response:
    """Read an order."""
    return _response(call, call.subject)


def get_team_order_manifest(call: Call) -> Response:
    """Read an order as CSV, with a row for each recipient."""
    order: TeamOrder = call.subject
    headers = {"Content-Disposition": f'attachment; filename="team-order-{order.id}.csv"'}
    return Response(200, render_manifest(call.state, order).encode(), headers, "text/csv; charset=utf-8")


def update_team_order(call: Call) -> Response:
    """Change the purchase order number or the cost center. Nothing else can be changed (T-2.23)."""
    body, columns = call.body, {}
    if "po_number" in body:
        columns["po_number"] = body["po_number"]
    if CENTER in body:
        center_id = body[CENTER]
        center = None if center_id is None else require_cost_center(call.state, call.caller.tenant, center_id, CENTER)
        columns["cost_center"] = center.n if center else None
    return _response(call, team_order.update_order(call.state, call.subject, **columns))


def cancel_team_order(call: Call) -> Response:
    """Cancel an order and refund it."""
    return _response(call, team_order.cancel_order(call.state, call.subject, call.body.get("reason")))


def request_approval(call: Call) -> Response:
    """Request a human's approval of an order, or return the pending one."""
    approval = request_order_approval(call.state, call.subject, call.body.get("note"))
    return Response(200, approval_view(call.caller.tenant, approval))


def _order(call: Call) -> TeamOrder:
    """A new order, or the one that an earlier call with this Idempotency-Key left without a payment outcome.

    An assistant never pays: without `payment_method`, its order is held (T-1.8).
    """
    state, caller = call.state, call.caller
    if call.bound_slot is not None:
        check_outcome_known(call, payment_of(state, RESOURCE, call.bound_slot))
        return state[TEAM_ORDERS].get(call.bound_slot)
    body = {name: value for name, value in call.body.items() if not (caller.assistant and name == METHOD)}
    return create_order(state, caller.tenant, caller.key.n, body, find_template_use(state, caller.tenant, body))


def _response(call: Call, order: TeamOrder, status: int = 200) -> Response:
    return Response(status, team_order_view(call.state, call.caller.tenant, order))


FINDERS: Final[Mapping[str, Finder]] = {"order": lambda call, raw: find_order(call.state, call.caller.tenant, raw)}

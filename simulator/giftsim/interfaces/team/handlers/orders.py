"""Team orders: quote, create, list, read, manifest, update, cancel, request approval (T-4.46 to T-4.67)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.money.charge import CrashAfterCharge
from giftsim.domain.team.billing.cost_center import require_cost_center
from giftsim.domain.team.billing.settlement import payment_of
from giftsim.domain.team.design.template import find_template_use
from giftsim.domain.team.orders import order_changes, quote
from giftsim.domain.team.orders.manifest import render_manifest
from giftsim.domain.team.orders.order_approval import request_order_approval
from giftsim.domain.team.orders.order_creation import create_order, pay_on_terms
from giftsim.domain.team.orders.team_order import AWAITING_APPROVAL, RESOURCE, TEAM_ORDERS, TeamOrder, find_order
from giftsim.gateway.call import Call, ConnectionDropped, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.payment_outcome import charge_fault, check_outcome_known
from giftsim.interfaces.team.views import approvals as approval_views
from giftsim.interfaces.team.views import orders as views

METHOD, CENTER = "payment_method", "cost_center_id"


def quote_team_order(call: Call) -> Response:
    """Quote an order."""
    return Response(200, views.quote(call.state, call.caller.tenant, quote.quote_order(call.state, call.body)))


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
    return page(call, "team_orders", slots, lambda n: views.team_order(state, tenant, orders.get(n)))


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
    return _response(call, order_changes.update_order(call.state, call.subject, **columns))


def cancel_team_order(call: Call) -> Response:
    """Cancel an order and refund it."""
    return _response(call, order_changes.cancel_order(call.state, call.subject, call.body.get("reason")))


def request_approval(call: Call) -> Response:
    """Request a human's approval of an order, or return the pending one."""
    approval = request_order_approval(call.state, call.subject, call.body.get("note"))
    return Response(200, approval_views.approval(call.caller.tenant, approval))


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
    return Response(status, views.team_order(call.state, call.caller.tenant, order))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "quoteTeamOrder": quote_team_order,
        "createTeamOrder": create_team_order,
        "listTeamOrders": list_team_orders,
        "getTeamOrder": get_team_order,
        "getTeamOrderManifest": get_team_order_manifest,
        "updateTeamOrder": update_team_order,
        "cancelTeamOrder": cancel_team_order,
        "requestApproval": request_approval,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"order": lambda call, raw: find_order(call.state, call.caller.tenant, raw)}
)

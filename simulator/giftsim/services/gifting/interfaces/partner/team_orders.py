"""Team orders: create, list, read, manifest, cancel (P-4.1 to P-4.11)."""

from __future__ import annotations

from giftsim.engine.gateway.call import Call, ConnectionDropped, Response
from giftsim.services.gifting.domain.fulfilment.cancellation import cancel_recipients
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    PartnerOrder,
    list_account_orders,
    partner_order,
)
from giftsim.services.gifting.domain.fulfilment.manifest import manifest_csv
from giftsim.services.gifting.domain.fulfilment.order_charge import charge_order
from giftsim.services.gifting.domain.fulfilment.order_placement import place_unpaid_order
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED
from giftsim.services.gifting.domain.money.charge import Charge, ChargeFault, CrashAfterCharge
from giftsim.services.gifting.interfaces.partner import order_views
from giftsim.services.gifting.interfaces.partner.order_views import cancellation


def create_team_order(call: Call) -> Response:
    """Place an order and charge it. A key of an unpaid order charges that order again (P-4.19)."""
    order = _order_of_key(call)
    if order.status == CANCELED and order.paid_at_ms is None:
        return _created(call, order, 200)  # the key belongs to a canceled order and never charges (B6)
    try:
        charge = charge_order(call.state, order, call.caller.key, charge_fault(call))
    except CrashAfterCharge as crash:
        raise ConnectionDropped(str(crash)) from None
    if not isinstance(charge, Charge):
        return call.interface.envelope(call, charge)
    return _created(call, call.state[FULFILMENTS].get(order.n), 201)


def list_team_orders(call: Call) -> Response:
    """A page of the account's orders, newest first (P-4.2 to P-4.5)."""
    limit, offset = call.query["limit"], call.query["offset"]
    page, total = list_account_orders(
        call.state, call.caller.account, limit=limit, offset=offset, status=call.query["status"]
    )
    orders = order_views.listed(call.state, page, call.interface.kept_json["listed orders"])
    return Response(200, {"team_orders": orders, "limit": limit, "offset": offset, "total": total})


def get_team_order(call: Call) -> Response:
    """One order with every recipient; claim links only with `include=claim_links` (P-4.6, P-4.7, G361)."""
    links = "claim_links" in map(str.strip, (call.query["include"] or "").split(","))
    kept = call.interface.kept_json["orders"]
    return Response(200, order_views.detail(call.state, call.subject, kept, links=links))


def get_team_order_manifest(call: Call) -> Response:
    """The order as CSV with a row for each recipient (P-4.8, P-4.9)."""
    order: Fulfilment = call.subject
    headers = {"Content-Disposition": f'attachment; filename="team-order-{order.id}.csv"'}
    return Response(200, manifest_csv(call.state, order).encode(), headers, "text/csv; charset=utf-8")


def cancel_team_order(call: Call) -> Response:
    """Cancel all recipients or the named ones, with refunds (P-4.10, P-4.11)."""
    return Response(
        200,
        cancellation(
            cancel_recipients(call.state, call.subject, call.body.get("recipient_ids"), call.body.get("reason"))
        ),
    )


def charge_fault(call: Call) -> ChargeFault:
    """What a fault of this call does to its charge."""
    effect = call.effect
    call.fault_acted = "charge" in effect
    return ChargeFault(effect.get("charge"), effect.get("crash") == "after_charge")


def _order_of_key(call: Call) -> PartnerOrder:
    """The order of the idempotency key: an earlier one, or a new one, kept whatever the outcome of its charge."""
    state = call.state
    if call.bound_slot is not None:
        return partner_order(state, call.bound_slot)
    order = place_unpaid_order(state, call.caller.account, call.caller.key, call.body, call.validated)
    call.bind(order.n, FULFILMENTS.name)
    state.commit_so_far()
    return order


def _created(call: Call, order: Fulfilment, status: int) -> Response:
    links = call.body.get("return_claim_links") is True
    return Response(status, order_views.created(call.state, order, call.caller.account, links=links))

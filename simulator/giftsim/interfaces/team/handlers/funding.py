"""Funding: ways to bring money to an order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.money.charge import CrashAfterCharge
from giftsim.domain.team.billing import funding
from giftsim.domain.team.billing.funding import FUNDINGS, Funding
from giftsim.domain.team.billing.payment import conclude
from giftsim.domain.team.billing.payment_record import FAILED, PAYMENTS, RESERVED
from giftsim.domain.team.orders.authorization import order_slot
from giftsim.domain.team.problem import invalid
from giftsim.domain.team.tenant import id_of_mode
from giftsim.gateway.call import Call, ConnectionDropped, Handler, Response
from giftsim.interfaces.team.payment_outcome import charge_fault, check_outcome_known
from giftsim.interfaces.team.views import billing as billing_views
from giftsim.interfaces.team.views import funding as views

CAMPAIGN = "campaign_id"


def create_funding(call: Call) -> Response:
    """Fund an order; on terms it is paid when the answer comes, or the connection is lost and nobody knows."""
    state = call.state
    made = _funding(call)
    call.bind(made.n)
    payment = None if made.payment is None else state[PAYMENTS].get(made.payment)
    if payment is not None and payment.status == RESERVED:
        try:
            conclude(state, payment, charge_fault(call))
        except CrashAfterCharge as crash:
            raise ConnectionDropped(str(crash)) from None
    return Response(201, views.funding(state, call.caller.tenant, made))


def create_deposit_invoice(call: Call) -> Response:
    """Ask for an invoice to pay in by."""
    state, tenant = call.state, call.caller.tenant
    order = None if call.body.get(CAMPAIGN) is None else _order(call)
    asked = funding.ask_deposit_for(state, tenant, call.body["amount_cents"], order)
    return Response(201, billing_views.invoice(state, tenant, asked))


def _funding(call: Call) -> Funding:
    """A new funding, or the one that the Idempotency-Key is bound to since its payment had no outcome."""
    state, caller = call.state, call.caller
    if call.bound_slot is None:
        return funding.open_funding(state, caller.tenant, caller.key, call.body["method"], _order(call))
    made = state[FUNDINGS].get(call.bound_slot)
    payment = funding.payment_for(state, made)
    check_outcome_known(call, payment)
    failed = payment is not None and payment.status == FAILED
    return funding.reopen(state, made, caller.key) if failed else made


def _order(call: Call) -> int:
    """The slot of the order that the body names; ValidationFailed for what is not there (T-2.39)."""
    tenant = call.caller.tenant
    named = id_of_mode(tenant, call.body[CAMPAIGN], CAMPAIGN)
    slot = order_slot(call.state, tenant, named)
    if slot is None:
        raise invalid(CAMPAIGN, "names no order of this team and mode")
    return slot


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"createFunding": create_funding, "createDepositInvoice": create_deposit_invoice}
)

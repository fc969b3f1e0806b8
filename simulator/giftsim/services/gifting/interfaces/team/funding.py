"""The JSON of fundings."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, ConnectionDropped, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.money.charge import CrashAfterCharge
from giftsim.services.gifting.domain.team.billing import funding
from giftsim.services.gifting.domain.team.billing.billable import TEAM_ORDER, bill_of
from giftsim.services.gifting.domain.team.billing.funding import (
    FUNDINGS,
    SUCCEEDED,
    Funding,
    funding_payment,
    funding_status,
)
from giftsim.services.gifting.domain.team.billing.payment import FAILED, PAYMENTS, RESERVED
from giftsim.services.gifting.domain.team.billing.wallet_payment import complete_payment
from giftsim.services.gifting.domain.team.orders.order_approval import order_slot
from giftsim.services.gifting.domain.team.team_errors import validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant, parse_id
from giftsim.services.gifting.interfaces.team import billing as billing_views
from giftsim.services.gifting.interfaces.team.billing import CURRENCY, invoice_id
from giftsim.services.gifting.interfaces.team.payments import charge_fault, check_outcome_known


def funding_view(state: State, tenant: Tenant, funding: Funding) -> dict[str, Any]:
    """A funding. Its status follows from its payment, or from the invoice of a bank transfer."""
    payment, status = funding_payment(state, funding), funding_status(state, funding)
    invoice = funding.invoice if funding.invoice is not None else (payment.invoice if payment else None)
    return {
        "id": funding.id,
        "method": funding.method,
        "campaign_id": bill_of(state, TEAM_ORDER, funding.order).id,
        "status": status,
        "amount_cents": funding.amount_cents,
        "currency": CURRENCY,
        "invoice_id": invoice_id(state, invoice),
        "payment_id": payment.id if payment else None,
        "intent": None if funding.intent is None else _intent(funding.intent, status),
        "livemode": tenant.livemode,
        "created_at": format_instant(funding.created_ms),
    }


def _intent(intent: str, status: str) -> dict[str, Any]:
    """The ACH intent of a funding. No operation confirms it (T-5.29)."""
    return {"id": intent, "status": status if status in (SUCCEEDED, FAILED) else "requires_confirmation"}


CAMPAIGN = "campaign_id"


def create_funding(call: Call) -> Response:
    """Fund an order. On terms it is paid at once; the fault `crash` drops the connection after that."""
    state = call.state
    created = _funding(call)
    call.bind(created.n, FUNDINGS.name)
    payment = None if created.payment is None else state[PAYMENTS].get(created.payment)
    if payment is not None and payment.status == RESERVED:
        try:
            complete_payment(state, payment, charge_fault(call))
        except CrashAfterCharge as crash:
            raise ConnectionDropped(str(crash)) from None
    return Response(201, funding_view(state, call.caller.tenant, created))


def create_deposit_invoice(call: Call) -> Response:
    """Request an invoice that can be paid to add to the balance."""
    state, tenant = call.state, call.caller.tenant
    order = None if call.body.get(CAMPAIGN) is None else _order(call)
    invoice = funding.request_deposit(state, tenant, call.body["amount_cents"], order)
    return Response(201, billing_views.invoice_view(state, tenant, invoice))


def _funding(call: Call) -> Funding:
    """A new funding, or the one that an earlier call with this Idempotency-Key left without an outcome."""
    state, caller = call.state, call.caller
    if call.bound_slot is None:
        return funding.create_funding(state, caller.tenant, caller.key, call.body["method"], _order(call))
    earlier = state[FUNDINGS].get(call.bound_slot)
    payment = funding.funding_payment(state, earlier)
    check_outcome_known(call, payment)
    failed = payment is not None and payment.status == FAILED
    return funding.retry_funding(state, earlier, caller.key) if failed else earlier


def _order(call: Call) -> int:
    """The slot of the order named in the body. Raises ValidationFailed if there is none (T-2.39)."""
    tenant = call.caller.tenant
    order_id = parse_id(tenant, call.body[CAMPAIGN], CAMPAIGN)
    slot = order_slot(call.state, tenant, order_id)
    if slot is None:
        raise validation_error(CAMPAIGN, "names no order of this team and mode")
    return slot

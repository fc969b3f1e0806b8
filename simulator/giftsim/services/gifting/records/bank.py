"""Banks that misbehave: money that returns, that nobody expected, and refunds that take time or fail (G435 to G442)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, PartnerOrder
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.money.refund import (
    DONE,
    FAILED,
    PENDING,
    Refund,
    fail_refund,
    refunds_of,
    send_back,
    settle_refund,
)
from giftsim.services.gifting.domain.team.billing import bank_money
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, OPEN, PAID, VOID, Invoice, Receipt
from giftsim.services.gifting.domain.team.billing.payment import (
    BANK_METHODS,
    PAYMENTS,
    SETTLED,
    US_BANK_ACCOUNT,
    Payment,
)
from giftsim.services.gifting.domain.team.billing.payment import FAILED as PAYMENT_FAILED
from giftsim.services.gifting.domain.team.billing.wallet import balance_account
from giftsim.services.gifting.domain.team.tenant import live_tenant, tenant_of_owner
from giftsim.services.gifting.records.gifting_kinds import GIFT, INVOICE, PAYMENT, TEAM_ORDER
from giftsim.services.gifting.records.money import invoice_view, paid, payment_view
from giftsim.services.gifting.records.named import (
    find_order,
    named_orders,
    named_team,
    refunds_of_orders,
    require_record,
)

RETURNED, LATE, UNREFERENCED = "returned", "late", "unreferenced"
UNDERPAID, OVERPAID, PAID_TWICE = "underpaid", "overpaid", "paid_twice"
WITH_AMOUNT: Final = (UNDERPAID, OVERPAID, UNREFERENCED)
WITHOUT_AMOUNT: Final = (RETURNED, PAID_TWICE)
NAMES: Final = ("payment_id", "invoice_id", "team_order_id", "gift_id")
# The invoices that an event can be about.
INVOICED: Final[Mapping[str, Sequence[str]]] = {
    RETURNED: (PAID,),
    UNDERPAID: (OPEN,),
    OVERPAID: (OPEN,),
    PAID_TWICE: (OPEN, PAID),
    LATE: (VOID,),
}


def simulate_bank(call: Call) -> Response:
    """Have a team's bank send money that nobody expected, or take back what it sent."""
    body = call.body
    _check_members(body)
    with change_state(call) as state:
        if body["event"] == UNREFERENCED:
            tenant = live_tenant(named_team(state, body.get("team_id")).n)
            before_cents = balance_account(state, tenant.team).cash_cents
            invoice, receipt = bank_money.pay_without_reference(state, tenant, body["amount_cents"])
            return Response(200, _view(state, tenant.team, before_cents, invoice, receipt))
        about = _named(state, body)
        team = tenant_of_owner(state, about.owner).team
        before_cents = balance_account(state, team).cash_cents
        receipt = _happen(state, body["event"], about, body.get("amount_cents"))
        return Response(200, _view(state, team, before_cents, about, receipt))


def _check_members(body: Mapping[str, Any]) -> None:
    """Raise Ambiguous for a body whose members do not fit its event."""
    event, named = body["event"], [name for name in NAMES if name in body]
    if event in WITH_AMOUNT and "amount_cents" not in body:
        raise Ambiguous(f"amount_cents is missing: {event} says how much arrives")
    if event in WITHOUT_AMOUNT and "amount_cents" in body:
        raise Ambiguous(f"leave out amount_cents: {event} is about the whole amount")
    if event == UNREFERENCED and named:
        raise Ambiguous(f"leave out {named[0]}: money without a reference names nothing but a team, by team_id")
    if event != UNREFERENCED and (len(named) != 1 or "team_id" in body):
        raise Ambiguous(f"name what {event} is about by one of {', '.join(NAMES)}, and by nothing else")


def _named(state: State, body: Mapping[str, Any]) -> Payment | Invoice:
    """The payment or invoice that a body names, or the newest one of an order or a gift that its event fits."""
    event = body["event"]
    if "payment_id" in body:
        payment = require_record(state, PAYMENT, body["payment_id"])
        if event in (RETURNED, LATE):
            return payment
        raise Ambiguous(f"name an invoice: {event} is about money for one, and payment_id names a payment")
    if "invoice_id" in body:
        return require_record(state, INVOICE, body["invoice_id"])
    if "gift_id" in body:
        gift = require_record(state, GIFT, body["gift_id"])
        return _newest(state, f"{GIFT.name} {gift.n}", event, f"gift {gift.id}")
    order = find_order(state, body["team_order_id"])
    if isinstance(order, PartnerOrder):
        raise InvalidState(f"team order {order.id} is a partner's: its wallet and card pay it, and no bank")
    return _newest(state, f"{TEAM_ORDER.name} {order.n}", event, f"team order {order.id}")


def _newest(state: State, resource: str, event: str, name: str) -> Payment | Invoice:
    for payment in reversed(state[PAYMENTS].rows_in("resource", resource)):
        has_arrived = payment.status == SETTLED and payment.method in BANK_METHODS
        has_failed = payment.status == PAYMENT_FAILED and payment.method == US_BANK_ACCOUNT
        if has_arrived if event == RETURNED else has_failed and event == LATE:
            return payment
    for invoice in reversed(state[INVOICES].rows_in("resource", resource)):
        if invoice.status in INVOICED[event]:
            return invoice
    wanted = f"no invoice that is {' or '.join(INVOICED[event])}"
    if event in (RETURNED, LATE):
        wanted += f", and no bank payment that has {'settled' if event == RETURNED else 'failed'}"
    raise InvalidState(f"{name} has {wanted}")


def _happen(state: State, event: str, about: Payment | Invoice, cents: int | None) -> Receipt | None:
    if event == LATE:
        return bank_money.pay_late(state, about, cents)
    if isinstance(about, Payment):
        bank_money.return_payment(state, about)
        return None
    if event == RETURNED:
        bank_money.return_invoice(state, about)
        return None
    if event == PAID_TWICE:
        return bank_money.pay_twice(state, about)
    pay = bank_money.pay_too_little if event == UNDERPAID else bank_money.pay_too_much
    return pay(state, about, cents or 0)


def _view(
    state: State, team: int, before_cents: int, about: Payment | Invoice | None, receipt: Receipt | None
) -> dict[str, Any]:
    """What an event was about, as it is now, and what it did to the balance."""
    balance_cents = balance_account(state, team).cash_cents
    payment = state[PAYMENTS].get(about.n) if isinstance(about, Payment) else None
    invoice = state[INVOICES].get(about.n) if isinstance(about, Invoice) else None
    return {
        "balance_cents": balance_cents,
        "to_balance_cents": balance_cents - before_cents,
        "receipt_id": None if receipt is None else receipt.id,
        "payment": None if payment is None else payment_view(state, payment),
        "invoice": None if invoice is None else invoice_view(state, invoice),
    }


def simulate_refund(call: Call) -> Response:
    """Have the refunds of an order, gift or campaign arrive, or fail."""
    with change_state(call) as state:
        orders = named_orders(state, call.body)
        if call.body["outcome"] == DONE:
            moved = [settle_refund(state, each) for each in refunds_of_orders(state, orders) if _can_arrive(each)]
        else:
            moved = [fail_refund(state, each) for each in refunds_of_orders(state, orders) if each.status == PENDING]
            moved = moved or list(_come_back(state, orders))
        if not moved:
            raise InvalidState(_why_none(state, orders, call.body["outcome"]))
        return Response(200, {"refunds": [refund_view(state, refund) for refund in moved]})


def _can_arrive(refund: Refund) -> bool:
    return refund.status == PENDING or (refund.status == FAILED and not refund.for_good)


def _come_back(state: State, orders: Sequence[Fulfilment]) -> Iterator[Refund]:
    """Send the refunds of cards back that were done: those with a record, and what was refunded at once."""
    for order in orders:
        if not isinstance(order, PartnerOrder):
            continue
        earlier = refunds_of(state, order.ref)
        at_once_cents = order.refunded_card_cents - sum(each.card_cents for each in earlier)
        yield from (fail_refund(state, each) for each in earlier if each.status == DONE and each.card_cents)
        if at_once_cents > 0:
            account = state[ACCOUNTS].get(order.account)
            yield send_back(state, account, order.ref, f"order {order.n}", at_once_cents)


def _why_none(state: State, orders: Sequence[Fulfilment], outcome: str) -> str:
    statuses = ", ".join(dict.fromkeys(refund.status for refund in refunds_of_orders(state, orders)))
    are = (
        f"its refunds are {statuses}" if statuses else "it has no refund that takes time (setting refunds.settle_after)"
    )
    return f"no refund can become {outcome}: {are}" + ("" if outcome == DONE else ", and none of a card can come back")


def refund_view(state: State, refund: Refund) -> dict[str, Any]:
    """A refund. One that failed for good is `closed`: its money went to the wallet, or back to a bank."""
    return {
        "about": paid(state, refund.ref),
        "account_id": state[ACCOUNTS].get(refund.account).id,
        "status": refund.status,
        "wallet_cents": refund.wallet_cents,
        "card_cents": refund.card_cents,
        "closed": refund.for_good,
        "created_at": format_instant(refund.created_ms),
        "closed_at": instant_or_null(refund.closed_ms),
    }

"""Fund an order: on terms at once, by a deposit invoice, or by an ACH intent (A5.2, A5.10, T-5.27 to T-5.29)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.money.account import move_money
from giftsim.services.gifting.domain.team.billing.billable import TEAM_ORDER, bill_of
from giftsim.services.gifting.domain.team.billing.invoice import (
    DEPOSIT,
    INVOICE,
    INVOICES,
    NET_TERMS,
    OPEN,
    PAID,
    VOID,
    Invoice,
    Receipt,
    issue_deposit_invoice,
    write_receipt,
)
from giftsim.services.gifting.domain.team.billing.payment import (
    BANK_TRANSFER,
    FAILED,
    PAYMENTS,
    PENDING,
    SETTLED,
    UNCERTAIN,
    US_BANK_ACCOUNT,
    Payment,
    can_settle,
    check_open,
    payment_of,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.payment_errors import AchNotEnabled
from giftsim.services.gifting.domain.team.billing.wallet import balance_account, terms_account
from giftsim.services.gifting.domain.team.billing.wallet_payment import check_made_by, create_payment, reserve_payment
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import (
    Tenant,
    TenantRecord,
    is_live,
    public_id,
    tenant_of_owner,
    tenant_table,
)

FIRST_ID = 880_001
SUCCEEDED = "succeeded"


class Funding(TenantRecord, frozen=True, gc=False):
    """Funding of the order in slot `order`; `invoice` and `payment` are slots, `intent` is the id of the ACH intent.

    Its status is that of its payment or invoice.
    """

    method: str
    order: int
    amount_cents: int
    invoice: int | None = None
    payment: int | None = None
    intent: str | None = None


FUNDINGS: TableSpec[Funding] = tenant_table("team.funding", Funding, groups={"order": "order"})


def request_deposit(state: State, tenant: Tenant, amount_cents: int, order: int | None) -> Invoice:
    """Issue a deposit invoice for the balance, or for an order (a slot). InvalidState if the order cannot be paid."""
    if order is not None:
        check_open(state, TEAM_ORDER, order)
    return issue_deposit_invoice(state, tenant, amount_cents, order)


def create_funding(state: State, tenant: Tenant, key: ApiKey, method: str, order: int) -> Funding:
    """Create a funding. A funding on terms reserves its payment, which the caller finishes with `complete_payment`.

    InvalidState if the order cannot be paid, PaymentRefused if it cannot be paid by this method.
    """
    check_open(state, TEAM_ORDER, order)
    total_cents = bill_of(state, TEAM_ORDER, order).total_cents
    n = state[FUNDINGS].next_n
    funding = Funding(
        n,
        tenant.owner,
        public_id(state, tenant, "funding", n, FIRST_ID),
        state.now_ms,
        method,
        order,
        total_cents,
    )
    if method == NET_TERMS:
        funding = _reserve_on_terms(state, funding, key)
    elif method == BANK_TRANSFER:
        funding = msgspec.structs.replace(funding, invoice=issue_deposit_invoice(state, tenant, total_cents, order).n)
    else:
        funding = _create_ach_intent(state, tenant, funding)
    return state[FUNDINGS].add(funding)


def retry_funding(state: State, funding: Funding, key: ApiKey) -> Funding:
    """Reserve another payment for the same funding, after the first has failed (A8.7)."""
    return state[FUNDINGS].put(_reserve_on_terms(state, funding, key))


def funding_payment(state: State, funding: Funding) -> Payment | None:
    """The payment of a funding, or None: that of a bank transfer once its invoice is paid."""
    if funding.invoice is None:
        return None if funding.payment is None else state[PAYMENTS].get(funding.payment)
    receipt = state[INVOICES].get(funding.invoice).receipt
    paid = payment_of(state, TEAM_ORDER, funding.order)
    return paid if paid and receipt is not None and paid.receipt == receipt else None


def funding_status(state: State, funding: Funding) -> str:
    """`pending`, `succeeded`, `failed` or `uncertain` (A1.10)."""
    if funding.method == BANK_TRANSFER and funding.invoice is not None:
        status = state[INVOICES].get(funding.invoice).status
        return {PAID: SUCCEEDED, VOID: FAILED}.get(status, PENDING)
    payment = funding_payment(state, funding)
    if payment is None:
        return PENDING
    return {SETTLED: SUCCEEDED, FAILED: FAILED, UNCERTAIN: UNCERTAIN}.get(payment.status, PENDING)


def _reserve_on_terms(state: State, funding: Funding, key: ApiKey) -> Funding:
    check_made_by(state, TEAM_ORDER, funding.order, key)
    payment = reserve_payment(
        state,
        tenant_of_owner(state, funding.owner),
        key=key,
        method=NET_TERMS,
        amount_cents=funding.amount_cents,
        resource_type=TEAM_ORDER,
        slot=funding.order,
    )
    return msgspec.structs.replace(funding, payment=payment.n)


def _create_ach_intent(state: State, tenant: Tenant, funding: Funding) -> Funding:
    if not state[TEAMS].get(tenant.team).ach_enabled:
        raise AchNotEnabled("ACH is not enabled for this team")
    payment = create_payment(
        state, tenant, US_BANK_ACCOUNT, funding.amount_cents, TEAM_ORDER, funding.order, status=PENDING
    )
    return msgspec.structs.replace(funding, payment=payment.n, intent=f"ach_{state.token('ach intent', 24)}")


def pay_invoice(state: State, invoice: Invoice) -> Invoice:
    """Pay an invoice by bank transfer: it settles a purchase on terms, or deposits money for an order or the balance.

    A deposit pays for its order if it covers the current total. The rest, or all of it if the order cannot be paid,
    goes to the balance. InvalidState for an invoice that is not open.
    """
    invoice = state[INVOICES].get(invoice.n)
    if invoice.status != OPEN:
        raise InvalidState(f"invoice {invoice.id} is {invoice.status} already")
    receipt = write_receipt(
        state,
        tenant_of_owner(state, invoice.owner),
        BANK_TRANSFER,
        invoice.due_cents,
        invoice.resource_type,
        invoice.resource,
        invoice.n,
    )
    if invoice.kind == DEPOSIT:
        _deposit(state, invoice, receipt)
    else:
        _repay(state, invoice, receipt)
    invoice = INVOICE.fire(state, invoice, "pay", receipt=receipt.n, paid_ms=state.now_ms)
    state.emit("invoice.paid", invoice.owner, invoice.n, livemode=is_live(invoice))
    return invoice


def _repay(state: State, invoice: Invoice, receipt: Receipt) -> None:
    account = terms_account(state, tenant_of_owner(state, invoice.owner).team)
    postings = ((account.external_source, -invoice.due_cents), (account.wallet, invoice.due_cents))
    move_money(state, account, "settlement", f"invoice {invoice.n}", postings)
    if invoice.payment is not None:
        payment = state[PAYMENTS].get(invoice.payment)
        state[PAYMENTS].put(msgspec.structs.replace(payment, receipt=receipt.n))


def _deposit(state: State, invoice: Invoice, receipt: Receipt) -> None:
    tenant = tenant_of_owner(state, invoice.owner)
    left_cents, kind, resource = invoice.amount_cents, invoice.resource_type, invoice.resource
    if kind is not None and resource is not None and can_settle(state, kind, resource, left_cents):
        total_cents = bill_of(state, kind, resource).total_cents
        payment = create_payment(
            state, tenant, BANK_TRANSFER, total_cents, kind, resource, status=PENDING, receipt=receipt.n
        )
        settle_payment(state, payment)
        left_cents -= total_cents
    if left_cents and tenant.livemode:
        account = balance_account(state, tenant.team)
        postings = ((account.external_source, -left_cents), (account.wallet, left_cents))
        move_money(state, account, "deposit", f"invoice {invoice.n}", postings)

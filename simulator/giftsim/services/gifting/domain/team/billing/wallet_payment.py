"""Pay for orders, gifts and batches from the balance or on terms (A5.2 to A5.4, T-1.7, T-5.16 to T-5.25)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.money.account import ACCOUNTS, move_money
from giftsim.services.gifting.domain.money.charge import (
    CHARGES,
    Charge,
    ChargeFault,
    CrashAfterCharge,
    mark_unknown,
    open_team_charge,
)
from giftsim.services.gifting.domain.money.refund import postpone_refund
from giftsim.services.gifting.domain.team.billing.billable import bill_of, check_payable
from giftsim.services.gifting.domain.team.billing.billing_profile import REFUND_FREES_ROOM, SETTLE_AFTER, month_of
from giftsim.services.gifting.domain.team.billing.invoice import (
    INVOICES,
    NET_TERMS,
    OPEN,
    credit_invoice,
    void_deposits,
)
from giftsim.services.gifting.domain.team.billing.payment import (
    BALANCE,
    PAYMENT,
    PAYMENTS,
    PENDING,
    RESERVED,
    SETTLED,
    Payment,
    check_open,
    fail_payment,
    mark_uncertain,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.payment_errors import (
    CreditUnavailable,
    InsufficientBalance,
    PaymentNotPermitted,
)
from giftsim.services.gifting.domain.team.billing.spending_limits import add_spending, check_limits, check_may_pay
from giftsim.services.gifting.domain.team.billing.wallet import (
    ACTIVE,
    balance_account,
    read_balance,
    read_terms,
    terms_account,
)
from giftsim.services.gifting.domain.team.tenant import Tenant, public_id, tenant_of_owner

FIRST_ID = 820_001
PURPOSE = "team_payment"
NO_FAULT = ChargeFault()


def pay_for_record(
    state: State,
    tenant: Tenant,
    *,
    key: ApiKey | None,
    method: str,
    amount_cents: int,
    resource_type: str,
    slot: int,
    fault: ChargeFault = NO_FAULT,
) -> Payment:
    """Pay for a record (billable.py) by `balance` or `net_terms`; the payment is settled, or reserved for now.

    For a key, its permission and spending limits are checked. InvalidState if the record cannot be paid; PaymentRefused
    before anything is written; CrashAfterCharge with the payment uncertain, if `fault` crashes.
    """
    payment = reserve_payment(
        state, tenant, key=key, method=method, amount_cents=amount_cents, resource_type=resource_type, slot=slot
    )
    return complete_payment(state, payment, fault)


def check_made_by(state: State, resource_type: str, slot: int, key: ApiKey) -> None:
    """PaymentNotPermitted unless the key made the record. On terms, a key can pay for nothing else (T-5.27, G56)."""
    if bill_of(state, resource_type, slot).key != key.n:
        raise PaymentNotPermitted("a key can pay on terms only for orders and campaigns that it created itself")


def reserve_payment(
    state: State, tenant: Tenant, *, key: ApiKey | None, method: str, amount_cents: int, resource_type: str, slot: int
) -> Payment:
    """The first step of `pay_for_record`: make all checks, then reserve the amount."""
    check_open(state, resource_type, slot)
    if not tenant.livemode:
        raise PaymentNotPermitted("a test key cannot pay; use a live key")
    if key is not None:
        check_may_pay(key)
    check_payable(state, resource_type, slot)
    if key is not None:
        check_limits(state, key, amount_cents)
    _check_funds(state, tenant, method, amount_cents)
    payment = create_payment(
        state, tenant, method, amount_cents, resource_type, slot, status=RESERVED, key=key.n if key else None
    )
    if key is not None:
        add_spending(state, key.n, payment.month, amount_cents)
    return payment


def complete_payment(state: State, payment: Payment, fault: ChargeFault) -> Payment:
    """The second step of `pay_for_record`: settle at once or later, by the setting `payments.settle_after`.

    CrashAfterCharge with the payment uncertain, if `fault` crashes.
    """
    if fault.crash:
        mark_uncertain(state, payment)
        state.commit_so_far()
        raise CrashAfterCharge(f"payment {payment.id}")
    return payment if state.setting(SETTLE_AFTER) else settle_payment(state, payment)


def create_payment(
    state: State,
    tenant: Tenant,
    method: str,
    amount_cents: int,
    resource_type: str,
    slot: int,
    *,
    status: str,
    key: int | None = None,
    receipt: int | None = None,
) -> Payment:
    """Create a payment without any check: `reserved` in the wallet, or `pending` at the bank."""
    n = state[PAYMENTS].next_n
    charge = _open_charge(state, tenant, method, amount_cents, n, key) if tenant.livemode else None
    payment = state[PAYMENTS].add(
        Payment(
            n,
            tenant.owner,
            public_id(state, tenant, "payment", n, FIRST_ID),
            state.now_ms,
            key,
            method,
            amount_cents,
            resource_type,
            slot,
            "" if key is None else month_of(state.now_ms),
            status,
            charge.n if charge else None,
            receipt=receipt,
        )
    )
    PAYMENT.enter(state, payment)
    return payment


def _open_charge(state: State, tenant: Tenant, method: str, amount_cents: int, n: int, key: int | None) -> Charge:
    """The charge of payment `n`, on the balance or the credit line, or with the amount still to come from the bank."""
    account = terms_account(state, tenant.team) if method == NET_TERMS else balance_account(state, tenant.team)
    own_cents = amount_cents if method in (BALANCE, NET_TERMS) else 0
    toward = f"payment {n}"
    charge = open_team_charge(
        state, account, own_cents, amount_cents - own_cents, key=key, purpose=PURPOSE, subject=n, toward=toward
    )
    if own_cents:
        mark_unknown(state, charge)
    return charge


def _check_funds(state: State, tenant: Tenant, method: str, amount_cents: int) -> None:
    if method == NET_TERMS:
        terms = read_terms(state, tenant)
        if amount_cents > terms.available_cents or terms.status != ACTIVE:
            raise CreditUnavailable(
                f"the payment takes {amount_cents} cents of credit; the team's terms ({terms.status}) leave"
                f" {terms.available_cents}"
            )
    elif amount_cents > (available_cents := read_balance(state, tenant).available_cents):
        raise InsufficientBalance(f"the payment of {amount_cents} cents is above the {available_cents} available")


def refund_payment(state: State, payment: Payment, cents: int) -> Payment:
    """Refund a settled payment in part or whole: off what is owed on terms, else to the balance (G170).

    The setting `payments.refund_frees_room` says whether the refunded amount no longer counts against the key's
    monthly limit. InvalidState for a payment that is not settled, ValueError for more than is left of it.
    """
    payment = state[PAYMENTS].get(payment.n)
    if payment.status != SETTLED:
        raise InvalidState(f"payment {payment.id} is {payment.status}: there is nothing to refund")
    if not 0 <= cents <= payment.amount_cents - payment.refunded_cents:
        raise ValueError(f"payment {payment.id} has less than {cents} cents left to refund")
    if payment.charge is not None:
        _return_money(state, payment, state[CHARGES].get(payment.charge), cents)
    if payment.invoice is not None:
        credit_invoice(state, state[INVOICES].get(payment.invoice), cents)
    if payment.key is not None and payment.month and state.setting(REFUND_FREES_ROOM):
        add_spending(state, payment.key, payment.month, -cents)
    return state[PAYMENTS].put(msgspec.structs.replace(payment, refunded_cents=payment.refunded_cents + cents))


def release_payments(state: State, resource_type: str, slot: int) -> None:
    """Release the reserved payments of a canceled record, fail its ACH intents, and void its deposit invoices.

    Settled payments are left to `refund_payment`; uncertain ones stay until they are decided.
    """
    void_deposits(state, resource_type, slot)
    for payment in state[PAYMENTS].rows_in("resource", f"{resource_type} {slot}"):
        if payment.status in (PENDING, RESERVED):
            fail_payment(state, payment)


def _return_money(state: State, payment: Payment, charge: Charge, cents: int) -> None:
    owed = payment.invoice is not None and state[INVOICES].get(payment.invoice).status == OPEN
    team = tenant_of_owner(state, payment.owner).team
    account = state[ACCOUNTS].get(charge.account) if owed else balance_account(state, team)
    ref, source = f"payment {payment.n}", charge.toward
    if owed or not cents or not postpone_refund(state, account, ref, source, cents):
        move_money(state, account, "refund", ref, ((source, -cents), (account.wallet, cents)))

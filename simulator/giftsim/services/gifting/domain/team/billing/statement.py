"""Statements: the movements of a team's balance in a month of Los Angeles, from the ledger (A5.8, T-4.82)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.money.account import ENTRIES, Entry, read_ledger_name
from giftsim.services.gifting.domain.money.charge import find_charge
from giftsim.services.gifting.domain.money.refund import RETURN_KIND
from giftsim.services.gifting.domain.team.billing.billing_profile import month_bounds
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS
from giftsim.services.gifting.domain.team.billing.payment_errors import MonthNotFound
from giftsim.services.gifting.domain.team.billing.wallet import balance_account, read_balance
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import Tenant

CHARGE, DEPOSIT, ADJUSTMENT = "charge", "deposit", "adjustment"


class Movement(msgspec.Struct, frozen=True, gc=False):
    """One entry: `amount_cents` is negative for money that goes out, `balance_cents` is the balance after it.

    `resource`, `invoice` and `receipt` are slots.
    """

    at_ms: int
    kind: str
    amount_cents: int
    balance_cents: int
    resource_type: str | None = None
    resource: int | None = None
    invoice: int | None = None
    receipt: int | None = None


class Statement(msgspec.Struct, frozen=True):
    """The statement of a month: opening balance, movements and closing balance. The current month is `partial`.

    `at_ms` is the end of the period: now, or the last instant of the month.
    """

    month: str
    partial: bool
    at_ms: int
    opening_cents: int
    closing_cents: int
    movements: tuple[Movement, ...]


def read_statement(state: State, tenant: Tenant, month: str) -> Statement:
    """The statement of a month, `YYYY-MM`. InvalidMonth, or MonthNotFound if it is in the future or before the team."""
    start_ms, end_ms = month_bounds(month)
    if start_ms > state.now_ms or end_ms <= state[TEAMS].get(tenant.team).created_ms:
        raise MonthNotFound("the month is in the future, or it ended before the team was created")
    partial = state.now_ms < end_ms
    at_ms = min(state.now_ms, end_ms - 1)
    if not tenant.livemode:
        cents = read_balance(state, tenant).balance_cents
        return Statement(month, partial, at_ms, cents, cents, ())
    account = balance_account(state, tenant.team)
    opening_cents, cents, movements = 0, 0, []
    for entry in state[ENTRIES].rows_in("owner", account.owner):
        moved_cents = sum(posted for name, posted in entry.postings if name == account.wallet)
        if entry.at_ms >= end_ms or not moved_cents:
            continue
        cents += moved_cents
        if entry.at_ms < start_ms:
            opening_cents = cents
        else:
            movements.append(_movement(state, entry, moved_cents, cents))
    return Statement(month, partial, at_ms, opening_cents, cents, tuple(movements))


def _movement(state: State, entry: Entry, moved_cents: int, balance_cents: int) -> Movement:
    kind = ADJUSTMENT if entry.kind == RETURN_KIND else entry.kind
    kind = DEPOSIT if entry.kind == CHARGE and moved_cents > 0 else kind
    movement = Movement(entry.at_ms, kind, moved_cents, balance_cents)
    paid = read_ledger_name(entry.ref)
    if paid.kind == "invoice" and paid.n is not None:
        billing = state[INVOICES].get(paid.n)
        return _with_documents(movement, billing.resource_type, billing.resource, billing.n, billing.receipt)
    if paid.kind == "receipt":
        return msgspec.structs.replace(movement, receipt=paid.n)
    charge = find_charge(state, entry.ref)
    slot = charge.subject if charge else paid.n if paid.kind == "payment" else None
    if slot is None:
        return movement
    payment = state[PAYMENTS].get(slot)
    return _with_documents(movement, payment.resource_type, payment.resource, payment.invoice, payment.receipt)


def _with_documents(
    movement: Movement, resource_type: str | None, resource: int | None, invoice: int | None, receipt: int | None
) -> Movement:
    return msgspec.structs.replace(
        movement, resource_type=resource_type, resource=resource, invoice=invoice, receipt=receipt
    )

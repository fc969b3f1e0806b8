"""What a key may pay: per request, and per Los Angeles month of the reservation (A5.4, A5.5, T-5.16 to T-5.21)."""

from __future__ import annotations

import msgspec

from giftsim.domain.access.api_key import API_KEYS, LIVE, ApiKey
from giftsim.domain.team.billing.billing_month import month_of
from giftsim.domain.team.billing.problem import MonthlyCapExceeded, PaymentNotPermitted, SpendingCeilingExceeded
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

PAY = "orders:pay"


class MonthlySpending(Record, frozen=True, gc=False):
    """What a key (a slot) paid in a month: settled, reserved and uncertain payments, those refunded included."""

    key: int
    month: str
    cents: int


def _key_and_month(row: MonthlySpending) -> str:
    return f"{row.key} {row.month}"


MONTHLY_SPENDING: TableSpec[MonthlySpending] = TableSpec(
    "team.spending", MonthlySpending, unique={"place": _key_and_month}
)


def check_may_pay(key: ApiKey) -> None:
    """PaymentNotPermitted unless the key is live, holds `orders:pay` and has both ceilings (T-1.7, A4.4)."""
    if key.mode != LIVE:
        raise PaymentNotPermitted("a test key moves no money")
    if PAY not in key.scopes:
        raise PaymentNotPermitted(f"this key does not hold {PAY}")
    if key.per_request_cents is None or key.monthly_cents is None:
        raise PaymentNotPermitted("this key has no ceilings for a request and for a month, and pays nothing without")


def check_limits(state: State, key: ApiKey, amount_cents: int) -> None:
    """SpendingCeilingExceeded, MonthlyCapExceeded; a ceiling may be reached and not passed."""
    key = state[API_KEYS].get(key.n)
    if amount_cents > (key.per_request_cents or 0):
        raise SpendingCeilingExceeded(
            f"the payment of {amount_cents} cents is above this key's ceiling of {key.per_request_cents} for a request"
        )
    month, monthly_cents = month_of(state.now_ms), key.monthly_cents or 0
    left_cents = monthly_cents - spent_cents(state, key.n, month)
    if amount_cents > left_cents:
        raise MonthlyCapExceeded(
            f"the payment of {amount_cents} cents is above the {max(0, left_cents)} that this key's ceiling of"
            f" {monthly_cents} leaves for {month}"
        )


def spent_cents(state: State, key: int, month: str) -> int:
    """What counts against a key's ceiling in a month."""
    row = state[MONTHLY_SPENDING].find("place", f"{key} {month}")
    return row.cents if row else 0


def add_spending(state: State, key: int, month: str, cents: int) -> None:
    """Let an amount count against a key's month, or no longer (below zero)."""
    table = state[MONTHLY_SPENDING]
    row = table.find("place", f"{key} {month}")
    if row is None:
        table.add(MonthlySpending(table.next_n, key, month, cents))
    else:
        table.put(msgspec.structs.replace(row, cents=row.cents + cents))

"""Spending limits of a key: per request, and per month in Los Angeles (A5.4, A5.5, T-5.16 to T-5.21).

A payment counts in the month in which it was reserved.
"""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.api_key import API_KEYS, LIVE, ApiKey
from giftsim.services.gifting.domain.team.billing.billing_profile import month_of
from giftsim.services.gifting.domain.team.billing.payment_errors import (
    MonthlyCapExceeded,
    PaymentNotPermitted,
    SpendingCeilingExceeded,
)

PAY = "orders:pay"


class MonthlySpending(Record, frozen=True, gc=False):
    """What a key (a slot) spent in a month: its settled, reserved and uncertain payments, also if refunded."""

    key: int
    month: str
    cents: int


def _key_and_month(row: MonthlySpending) -> str:
    return f"{row.key} {row.month}"


MONTHLY_SPENDING: TableSpec[MonthlySpending] = TableSpec(
    "team.spending", MonthlySpending, unique={"key_and_month": _key_and_month}
)


def check_may_pay(key: ApiKey) -> None:
    """PaymentNotPermitted unless the key is live, has the scope `orders:pay` and both limits (T-1.7, A4.4)."""
    if key.mode != LIVE:
        raise PaymentNotPermitted("a test key cannot pay; use a live key")
    if PAY not in key.scopes:
        raise PaymentNotPermitted(f"this key does not have the scope {PAY}")
    if key.per_request_cents is None or key.monthly_cents is None:
        raise PaymentNotPermitted(
            "this key has no spending limits per request and per month, and cannot pay without them"
        )


def check_limits(state: State, key: ApiKey, amount_cents: int) -> None:
    """SpendingCeilingExceeded or MonthlyCapExceeded if the payment is above a limit; it may reach the limit."""
    key = state[API_KEYS].get(key.n)
    if amount_cents > (key.per_request_cents or 0):
        raise SpendingCeilingExceeded(
            f"the payment of {amount_cents} cents is above this key's limit of {key.per_request_cents} per request"
        )
    month, monthly_cents = month_of(state.now_ms), key.monthly_cents or 0
    left_cents = monthly_cents - spent_cents(state, key.n, month)
    if amount_cents > left_cents:
        raise MonthlyCapExceeded(
            f"the payment of {amount_cents} cents is above the {max(0, left_cents)} left for {month} of this key's"
            f" monthly limit of {monthly_cents}"
        )


def spent_cents(state: State, key: int, month: str) -> int:
    """What counts against a key's limit in a month."""
    row = state[MONTHLY_SPENDING].find("key_and_month", f"{key} {month}")
    return row.cents if row else 0


def add_spending(state: State, key: int, month: str, cents: int) -> None:
    """Add an amount to what a key spent in a month; a negative one takes it off."""
    table = state[MONTHLY_SPENDING]
    row = table.find("key_and_month", f"{key} {month}")
    if row is None:
        table.add(MonthlySpending(table.next_n, key, month, cents))
    else:
        table.put(msgspec.structs.replace(row, cents=row.cents + cents))

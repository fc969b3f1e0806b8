"""Settings of team billing (A5.3 to A5.7, A5.9)."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.setting import Setting, choice, duration, flag, number

REJECT, HOLD = "reject", "hold"

ON_CEILING = choice("on_ceiling", (REJECT, HOLD), "whether an order above a spending limit is refused or held (A5.3)")
SETTLE_AFTER = duration("payments.settle_after", "0s", "how long a team's payment is reserved before it settles")
REFUND_FREES_ROOM = flag(
    "payments.refund_frees_room",
    False,
    "whether a refunded amount no longer counts against the monthly spending limit (A5.5)",
)
SANDBOX_BALANCE = number("sandbox.balance_cents", 1_000_000, "the balance that test keys see, which never changes")
SANDBOX_CREDIT = number("sandbox.credit_limit_cents", 1_000_000, "the credit limit that test keys see")
DEPOSIT_DAYS = number("invoices.deposit_days", 14, "in how many days a deposit invoice is due", most=365)

ALL: tuple[Setting[Any], ...] = (
    ON_CEILING, SETTLE_AFTER, REFUND_FREES_ROOM, SANDBOX_BALANCE, SANDBOX_CREDIT, DEPOSIT_DAYS,
)  # fmt: skip

"""Why a team cannot pay; the codes are the contract's, in the order in which they are looked for (0.5, G13).

Problem
├── PaymentRefused 422
│   ├── PaymentNotPermitted
│   ├── AchNotEnabled
│   ├── ProofNotSigned, PriceChanged: raised by `Billable.check_payable`
│   ├── CeilingExceeded: SpendingCeilingExceeded, MonthlyCapExceeded
│   ├── CreditUnavailable
│   └── InsufficientBalance
└── MonthNotFound 404, InvalidMonth 400
"""

from __future__ import annotations

from giftsim.problem import Problem


class PaymentRefused(Problem):
    """A payment was refused: nothing is charged, and nothing is created."""

    status = 422
    code = "payment_not_permitted"


class PaymentNotPermitted(PaymentRefused):
    """The key has no power to pay this (T-1.7)."""


class AchNotEnabled(PaymentRefused):
    """The team may not pay from a bank account by ACH (A5.10)."""

    code = "ach_not_enabled"


class ProofNotSigned(PaymentRefused):
    """An item needs a signature of its present proof version (T-5.23)."""

    code = "proof_not_signed"


class PriceChanged(PaymentRefused):
    """The catalogue has other prices than those that were agreed to (T-5.22)."""

    code = "price_changed"


class CeilingExceeded(PaymentRefused):
    """More than the key may pay; the setting `on_ceiling` says whether such an order is refused or held (A5.3)."""


class SpendingCeilingExceeded(CeilingExceeded):
    """The payment is above the key's ceiling per request (T-5.16)."""

    code = "spending_ceiling_exceeded"


class MonthlyCapExceeded(CeilingExceeded):
    """The payment would pass the key's ceiling for the month (T-5.18)."""

    code = "monthly_cap_exceeded"


class CreditUnavailable(PaymentRefused):
    """The team has no terms in force, or less credit left than this takes (T-5.25)."""

    code = "credit_unavailable"


class InsufficientBalance(PaymentRefused):
    """The balance without what is reserved does not cover this (T-5.24)."""

    code = "insufficient_balance"


class InvalidMonth(Problem):
    """A month that is not written `YYYY-MM` (A5.8)."""

    status = 400
    code = "invalid_parameter"


class MonthNotFound(Problem):
    """A month to come, or one before the team was (A5.8)."""

    status = 404
    code = "not_found"

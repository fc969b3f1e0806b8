"""The problems of payments, with the codes of the contract, in the order of the checks (0.5, G13).

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
    """A payment is refused; nothing is charged or created."""

    status = 422
    code = "payment_not_permitted"


class PaymentNotPermitted(PaymentRefused):
    """The key is not permitted to pay for this (T-1.7)."""


class AchNotEnabled(PaymentRefused):
    """ACH is not enabled for the team (A5.10)."""

    code = "ach_not_enabled"


class ProofNotSigned(PaymentRefused):
    """The present proof version of an item is not signed (T-5.23)."""

    code = "proof_not_signed"


class PriceChanged(PaymentRefused):
    """The catalogue's prices have changed since the record was priced (T-5.22)."""

    code = "price_changed"


class CeilingExceeded(PaymentRefused):
    """The payment is above a spending limit of the key; the setting `on_ceiling` can hold such an order (A5.3)."""


class SpendingCeilingExceeded(CeilingExceeded):
    """The payment is above the key's limit per request (T-5.16)."""

    code = "spending_ceiling_exceeded"


class MonthlyCapExceeded(CeilingExceeded):
    """The payment would exceed the key's limit for the month (T-5.18)."""

    code = "monthly_cap_exceeded"


class CreditUnavailable(PaymentRefused):
    """The team has no active terms, or not enough credit left (T-5.25)."""

    code = "credit_unavailable"


class InsufficientBalance(PaymentRefused):
    """The available balance, without what is reserved, does not cover the payment (T-5.24)."""

    code = "insufficient_balance"


class InvalidMonth(Problem):
    """A month that is not written `YYYY-MM` (A5.8)."""

    status = 400
    code = "invalid_parameter"


class MonthNotFound(Problem):
    """The month is in the future, or before the team existed (A5.8)."""

    status = 404
    code = "not_found"

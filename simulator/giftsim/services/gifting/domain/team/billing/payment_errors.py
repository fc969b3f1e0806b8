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

from giftsim.engine.problem import Problem


class PaymentRefused(Problem, status=422, code="payment_not_permitted"):
    """A payment is refused; nothing is charged or created."""


class PaymentNotPermitted(PaymentRefused):
    """The key is not permitted to pay for this (T-1.7)."""


class AchNotEnabled(PaymentRefused, code="ach_not_enabled"):
    """ACH is not enabled for the team (A5.10)."""


class ProofNotSigned(PaymentRefused, code="proof_not_signed"):
    """The current proof version of an item is not signed (T-5.23)."""


class PriceChanged(PaymentRefused, code="price_changed"):
    """The catalogue's prices have changed since the record was priced (T-5.22)."""


class CeilingExceeded(PaymentRefused):
    """The payment is above a spending limit of the key; the setting `on_ceiling` can hold such an order (A5.3)."""


class SpendingCeilingExceeded(CeilingExceeded, code="spending_ceiling_exceeded"):
    """The payment is above the key's limit per request (T-5.16)."""


class MonthlyCapExceeded(CeilingExceeded, code="monthly_cap_exceeded"):
    """The payment would exceed the key's limit for the month (T-5.18)."""


class CreditUnavailable(PaymentRefused, code="credit_unavailable"):
    """The team has no active terms, or not enough credit left (T-5.25)."""


class InsufficientBalance(PaymentRefused, code="insufficient_balance"):
    """The available balance, without what is reserved, does not cover the payment (T-5.24)."""


class InvalidMonth(Problem, status=400, code="invalid_parameter"):
    """A month that is not written `YYYY-MM` (A5.8)."""


class MonthNotFound(Problem, status=404, code="not_found"):
    """The month is in the future, or before the team existed (A5.8)."""

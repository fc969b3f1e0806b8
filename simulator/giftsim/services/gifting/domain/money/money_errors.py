"""Errors of charges and settlements, with the documented codes (P-7.11 to P-7.16).

Problem
├── PaymentRefused 402
│   ├── InsufficientFunds, InsufficientFundsNoCard
│   ├── CreditLimitExceeded, DailySpendLimitExceeded
│   └── CardChargeFailed
├── OutcomeUnknown 409
└── NothingToSettle 409, MoreThanOwed 400
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from giftsim.engine.problem import Problem


class PaymentRefused(Problem, status=402):
    """A charge was refused; its `details` have the id of the order that stays unpaid, if there is one."""

    explanation: ClassVar[str]


class InsufficientFunds(PaymentRefused, code="insufficient_funds"):
    """The wallet does not cover the charge, and the saved card may not be used for the rest (B11)."""

    explanation = "the wallet does not cover the charge, and the saved card may not be charged for the rest"


class InsufficientFundsNoCard(PaymentRefused, code="insufficient_funds_no_card"):
    """The wallet does not cover the charge, and no card is saved."""

    explanation = "the wallet does not cover the charge, and no card is saved"


class CreditLimitExceeded(PaymentRefused, code="credit_limit_exceeded"):
    """A net-terms charge would exceed the credit limit."""

    explanation = "the charge would take the balance below the credit limit"


class DailySpendLimitExceeded(PaymentRefused, code="daily_spend_limit_exceeded"):
    """The charge would exceed the key's daily spending limit (B13)."""

    explanation = "the charge would exceed the key's daily spending limit"


class CardChargeFailed(PaymentRefused, code="card_charge_failed"):
    """The card declined."""

    explanation = "the saved card was declined"


class OutcomeUnknown(Problem, status=409, code="idempotency_outcome_unknown"):
    """The outcome of an earlier charge is not known yet (G28)."""


class NothingToSettle(Problem, status=409, code="nothing_to_settle"):
    """The account is prepaid or owes nothing (B16)."""


class MoreThanOwed(Problem, status=400, code="invalid_body"):
    """The amount of a settlement is more than is owed (G35)."""


REFUSALS: Final[Mapping[str, type[PaymentRefused]]] = {
    kind.code: kind
    for kind in (
        InsufficientFunds,
        InsufficientFundsNoCard,
        CreditLimitExceeded,
        DailySpendLimitExceeded,
        CardChargeFailed,
    )
}

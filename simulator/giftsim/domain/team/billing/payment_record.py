"""Payments as records: what was paid by which method, and the states of a payment."""

from __future__ import annotations

from giftsim.domain.team.tenant import TenantRecord, tenant_table
from giftsim.kernel.table import TableSpec

BALANCE, BANK_TRANSFER, US_BANK_ACCOUNT = "balance", "bank_transfer", "us_bank_account"
PENDING, RESERVED, UNCERTAIN, SETTLED, FAILED = "pending", "reserved", "uncertain", "settled", "failed"
NOT_FAILED = (RESERVED, UNCERTAIN, SETTLED)


class Payment(TenantRecord, frozen=True, gc=False):
    """`resource` is a slot of its type; `key` (a slot) is None where a person or the bank pays.

    `month` is the Los Angeles month in which it counts against the key, empty where it does not. `pending` is an ACH
    intent that nobody confirmed; `to_balance` says that what it was for could no longer be paid. A sandbox's payment
    has no `charge`.
    """

    key: int | None
    method: str
    amount_cents: int
    resource_type: str
    resource: int
    month: str
    status: str
    charge: int | None = None
    settled_ms: int | None = None
    refunded_cents: int = 0
    to_balance: bool = False
    invoice: int | None = None
    receipt: int | None = None


def _resource(payment: Payment) -> str:
    return f"{payment.resource_type} {payment.resource}"


PAYMENTS: TableSpec[Payment] = tenant_table("team.payment", Payment, groups={"resource": _resource})

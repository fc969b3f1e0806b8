"""The records of payments, and their statuses."""

from __future__ import annotations

from giftsim.domain.team.tenant import TenantRecord, tenant_table
from giftsim.kernel.table import TableSpec

BALANCE, BANK_TRANSFER, US_BANK_ACCOUNT = "balance", "bank_transfer", "us_bank_account"
BANK_METHODS = (BANK_TRANSFER, US_BANK_ACCOUNT)
PENDING, RESERVED, UNCERTAIN, SETTLED, FAILED = "pending", "reserved", "uncertain", "settled", "failed"
NOT_FAILED = (RESERVED, UNCERTAIN, SETTLED)


class Payment(TenantRecord, frozen=True, gc=False):
    """A payment for `resource`, a slot of its type; `key` (a slot) is None if a person or the bank pays.

    `month`, in Los Angeles, is the one in which it counts against the key's limit, empty if it does not. A `pending`
    payment is an ACH intent that is not confirmed yet. With `to_balance` the money went to the balance, as the record
    could no longer be paid. `charge`, `invoice` and `receipt` are slots; a sandbox's payment has no charge.
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

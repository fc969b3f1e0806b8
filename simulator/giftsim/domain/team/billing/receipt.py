"""Receipts of payments (A5.11)."""

from __future__ import annotations

from giftsim.domain.team.billing.billable import Bill, bill_of
from giftsim.domain.team.billing.billing_profile import bill_to
from giftsim.domain.team.tenant import Tenant, TenantRecord, public_id, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec

FIRST_ID = 860_001


class Receipt(TenantRecord, frozen=True, gc=False, rename={"bill": "told"}):
    """What was paid, and how; with `bill` of None it went to the balance. `invoice` is the slot of the paid invoice."""

    number: str
    method: str
    amount_cents: int
    bill: Bill | None
    party: tuple[str, ...]
    invoice: int | None


RECEIPTS: TableSpec[Receipt] = tenant_table("team.receipt", Receipt)


def write_receipt(
    state: State,
    tenant: Tenant,
    method: str,
    amount_cents: int,
    resource_type: str | None,
    resource: int | None,
    invoice: int | None = None,
) -> Receipt:
    """Write a receipt; `invoice` is the slot of the invoice that was paid, if there was one."""
    table = state[RECEIPTS]
    bill = None if resource_type is None or resource is None else bill_of(state, resource_type, resource)
    n, sequence = table.next_n, len(table.slots_in("owner", tenant.owner)) + 1
    return table.add(
        Receipt(
            n,
            tenant.owner,
            public_id(state, tenant, "receipt", n, FIRST_ID),
            state.now_ms,
            f"{'RCP' if tenant.livemode else 'TEST-RCP'}-{sequence:05d}",
            method,
            amount_cents,
            bill,
            bill_to(state, tenant),
            invoice,
        )
    )

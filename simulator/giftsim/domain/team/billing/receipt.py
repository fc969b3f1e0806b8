"""Receipts: written when something is paid (A5.11)."""

from __future__ import annotations

from giftsim.domain.team.billing.billable import Bill, bill_of
from giftsim.domain.team.billing.billing_profile import bill_to
from giftsim.domain.team.tenant import Tenant, TenantRecord, public_id, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec

FIRST_ID = 860_001


class Receipt(TenantRecord, frozen=True, gc=False):
    """What was paid, how, and for what, or with `told` of None to the balance; `invoice` is the slot of one paid."""

    number: str
    method: str
    amount_cents: int
    told: Bill | None
    party: tuple[str, ...]
    invoice: int | None


RECEIPTS: TableSpec[Receipt] = tenant_table("team.receipt", Receipt)


def write_receipt(
    state: State, tenant: Tenant, method: str, amount_cents: int, resource_type: str | None, resource: int | None,
    invoice: int | None = None,
) -> Receipt:  # fmt: skip
    """A new receipt; `invoice` is the slot of the invoice that was paid, if there was one."""
    table = state[RECEIPTS]
    told = None if resource_type is None or resource is None else bill_of(state, resource_type, resource)
    n, place = table.next_n, len(table.slots_in("owner", tenant.owner)) + 1
    return table.add(
        Receipt(
            n, tenant.owner, public_id(state, tenant, "receipt", n, FIRST_ID), state.now_ms,
            f"{'RCP' if tenant.livemode else 'TEST-RCP'}-{place:05d}", method, amount_cents, told,
            bill_to(state, tenant), invoice,
        )
    )  # fmt: skip

"""Magic amounts: the bank pays deposit invoices of reserved, very large amounts."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec

from giftsim.engine.kernel.instants import DAY
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import DEPOSIT, INVOICES, Invoice
from giftsim.services.gifting.magic.value_format import MAGIC_VALUES

OWNER, PAY = "magic.invoice", "magic.invoice"


class DepositAmount(msgspec.Struct, frozen=True, gc=False):
    """An amount in cents, and how long after its issue a deposit invoice of that amount is paid."""

    cents: int
    after_ms: int
    means: str
    source: str


AMOUNTS: Final = (
    DepositAmount(777_777_701, 0, "the team's bank pays it at once", "A5.9"),
    DepositAmount(777_777_702, DAY, "the team's bank pays it after a day", "A5.9"),
)
_BY_CENTS: Final = {row.cents: row for row in AMOUNTS}


def on_invoice_issued(state: State, invoice: Invoice) -> None:
    """Schedule the payment of a deposit invoice of a magic amount (handles INVOICE_ISSUED)."""
    row = _BY_CENTS.get(invoice.amount_cents)
    if row is not None and invoice.kind == DEPOSIT and state.setting(MAGIC_VALUES):
        state.timers.set(state.now_ms + row.after_ms, OWNER, invoice.n, PAY, f"its amount is {row.cents}")


def pay_by_bank(state: State, n: int) -> None:
    """Pay the invoice, unless it was paid or canceled in the meantime."""
    with suppress(Problem), state.transaction():
        pay_invoice(state, state[INVOICES].get(n))

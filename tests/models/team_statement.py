"""The statement of a month: what came to a team's balance and left it (A5.8, G364)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.models.compare import Learned

if TYPE_CHECKING:
    from tests.models.team_money import Invoice, Payment

LOS_ANGELES = ZoneInfo("America/Los_Angeles")


@dataclass(eq=False)
class Entry:
    """One change of the balance. It names the payment or the invoice that it is of, as they are today."""

    at: int
    kind: str
    cents: int
    balance: int
    payment: Payment | None = None
    invoice: Invoice | None = None
    receipt: Learned | None = None

    @property
    def documents(self) -> tuple[Any, Learned | None, Learned | None]:
        """What was billed, the invoice and the receipt of the money; a payment by deposit names its receipt only."""
        if self.payment is not None:
            invoice = self.payment.invoice
            is_deposit = invoice is None or invoice.kind == "deposit"
            return self.payment.bill, None if is_deposit or invoice is None else invoice.id, self.payment.receipt
        if self.invoice is not None:
            return self.invoice.bill, self.invoice.id, self.invoice.receipt
        return None, None, self.receipt


def month_of(at: int) -> str:
    """The month of an instant: one of Los Angeles (T-5.21, A5.8)."""
    return datetime.fromtimestamp(at, LOS_ANGELES).strftime("%Y-%m")


def instant(seconds: int | None) -> str | None:
    """An instant as responses write it (G12)."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

"""A team's money as the documents describe it: balance, credit terms, payments, invoices and the ceilings of keys.

Amounts are cents, time is seconds since 1970. A record that is paid for is a `Bill`; `team.py` has the kinds of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.models.compare import Learned
from tests.models.team_statement import LOS_ANGELES, Entry, month_of

BALANCE, TERMS, TRANSFER, ACH = "balance", "net_terms", "bank_transfer", "us_bank_account"
BANK = (TRANSFER, ACH)


class Refused(Exception):
    """The interface refuses a call with this status and code."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(status, code)
        self.status, self.code = status, code


def wrong_state() -> Refused:
    """What does not fit the state of a record is a conflict (A2.1)."""
    return Refused(409, "invalid_state")


@dataclass(eq=False)
class Key:
    """A live key. Without both ceilings it cannot pay (T-1.7, A4.4)."""

    name: str
    role: str = "approver"
    may_pay: bool = True
    per_request: int | None = None
    monthly: int | None = None
    spent: Counter[str] = field(default_factory=Counter)


class Bill:
    """A record that is paid for as a whole: an order, a gift or a batch of a campaign (T-5.17)."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.payments: list[Payment] = []
        self.invoices: list[Invoice] = []
        self.decided_at = 0  # when the outcome of a payment became known

    @property
    def total(self) -> int:
        """What it costs."""
        raise NotImplementedError

    @property
    def is_open(self) -> bool:
        """Whether its status allows a payment."""
        raise NotImplementedError

    @property
    def is_outdated(self) -> bool:
        """Whether prices have changed since it got its own."""
        raise NotImplementedError

    @property
    def needs_proof(self) -> bool:
        """Whether a proof is not signed yet."""
        return False

    @property
    def payment(self) -> Payment | None:
        """The payment that paid, else one that may have paid; what went to the balance did not pay it (G68)."""
        paid = [each for each in self.payments if each.may_have_paid]
        return next((each for each in paid if each.status == "settled"), paid[0] if paid else None)

    @property
    def payment_status(self) -> str:
        """How far the payment is (A1.1)."""
        payment = self.payment
        if payment is None:
            return "unpaid"
        if payment.status != "settled":
            return payment.status
        return "refunded" if payment.refunded == payment.amount and payment.has_all_refunds else "paid"

    @property
    def is_paid(self) -> bool:
        """Whether a payment of it has settled."""
        return self.payment is not None and self.payment.status == "settled"

    def on_paid(self, payment: Payment) -> None:
        """The payment has settled."""
        raise NotImplementedError

    def on_failed(self) -> None:
        """The payment has failed: it can be paid again."""


@dataclass(eq=False)
class Payment:
    """A payment; a bank's is `pending` until the bank confirms it (T-5.29)."""

    bill: Bill
    method: str
    amount: int
    status: str
    key: Key | None = None
    month: str = ""
    due: int | None = None
    serial: int = 0
    to_balance: bool = False
    refunded: int = 0
    refunds: list[Refund] = field(default_factory=list)
    invoice: Invoice | None = None
    receipt: Learned | None = None
    id: Learned = field(default_factory=lambda: Learned(int))

    @property
    def has_all_refunds(self) -> bool:
        """Whether what was given back has arrived (G441)."""
        return all(each.status == "done" or each.closed for each in self.refunds)

    @property
    def may_have_paid(self) -> bool:
        return self.status in ("reserved", "uncertain", "settled") and not self.to_balance

    @property
    def is_undecided(self) -> bool:
        return self.status not in ("settled", "failed")


@dataclass(eq=False)
class Invoice:
    """An invoice, for a purchase on terms or a deposit (A5.11). `bill` is None for a deposit to the balance."""

    kind: str
    amount: int
    bill: Bill | None
    due_on: str
    payment: Payment | None = None  # of a purchase on terms
    status: str = "open"
    paid_at: int | None = None
    credited: int = 0
    receipt: Learned | None = None
    id: Learned = field(default_factory=lambda: Learned(int))

    @property
    def due(self) -> int:
        """What is to be paid: what was refunded is taken off (G170)."""
        return self.amount - self.credited


@dataclass(eq=False)
class Refund:
    """A refund to the balance that takes time (G441). A failed one may still arrive, unless it is closed."""

    payment: Payment
    amount: int
    due: int | None
    serial: int
    status: str = "pending"
    closed: bool = False


class Money:
    """The money of one team."""

    def __init__(self, now: int, balance: int, credit: int, threshold: int, settle_after: int = 0) -> None:
        self.now, self.serial = now, 0
        self.balance, self.reserved, self.threshold = balance, 0, threshold
        self.terms_status, self.credit, self.held = "active", credit, 0
        self.settle_after, self.refund_after = settle_after, 0
        self.payments: list[Payment] = []
        self.invoices: list[Invoice] = []
        self.entries: list[Entry] = []
        self.emit: Callable[..., None] = lambda *_: None

    @property
    def available(self) -> int:
        """What the balance can pay (A5.7)."""
        return self.balance - self.reserved

    @property
    def owed(self) -> int:
        """What is outstanding: the open invoices of purchases on terms (G170)."""
        return sum(each.due for each in self.invoices if each.kind == TERMS and each.status == "open")

    @property
    def credit_left(self) -> int:
        """What the terms can pay; what is reserved is not owed yet, and not available (A5.6)."""
        return max(0, self.credit - self.owed - self.held) if self.terms_status == "active" else 0

    def month(self) -> str:
        """The month of a key's ceiling, which is one of Los Angeles (T-5.21)."""
        return month_of(self.now)

    def next_serial(self) -> int:
        """What is due at one instant happens in the order of creation (B45)."""
        self.serial += 1
        return self.serial

    # Paying

    def pay(self, bill: Bill, method: str, key: Key | None = None, *, crash: bool = False) -> Payment:
        """Pay from the balance or on terms. A refusal changes nothing (0.5)."""
        self.check(bill, method, key)
        payment = Payment(bill, method, bill.total, "reserved", key, serial=self.next_serial())
        self._hold(payment, bill.total)
        if key is not None:  # counted in the month in which it is reserved (A5.4)
            payment.month = self.month()
            key.spent[payment.month] += bill.total
        bill.payments.append(payment)
        self.payments.append(payment)
        if crash:  # the outcome stays unknown until it is told (A8.7)
            payment.status = "uncertain"
        elif self.settle_after:
            payment.due = self.now + self.settle_after
        else:
            self.settle(payment)
        return payment

    def check(self, bill: Bill, method: str, key: Key | None) -> None:
        """What is checked before each payment (T-5.22 to T-5.25), in this order (G13)."""
        if bill.payment is not None or not bill.is_open:
            raise wrong_state()  # T-4.185
        if key is not None:
            by_another = method == TERMS and bill.key is not key  # T-4.184, G56
            if by_another or not key.may_pay or key.per_request is None or key.monthly is None:
                raise Refused(422, "payment_not_permitted")  # T-1.7
        if bill.needs_proof:
            raise Refused(422, "proof_not_signed")  # T-5.23
        if bill.is_outdated:
            raise Refused(422, "price_changed")  # T-5.22
        if key is not None:
            self._check_ceilings(key, bill.total)
        if method == TERMS and bill.total > self.credit_left:
            raise Refused(422, "credit_unavailable")  # T-5.25
        if method == BALANCE and bill.total > self.available:
            raise Refused(422, "insufficient_balance")  # T-5.24

    def _check_ceilings(self, key: Key, amount: int) -> None:
        """A payment may reach a ceiling, not pass it (T-5.16, T-5.18 to T-5.20, T-8.6)."""
        assert key.per_request is not None
        assert key.monthly is not None
        if amount > key.per_request:
            raise Refused(422, "spending_ceiling_exceeded")
        if amount > key.monthly - key.spent[self.month()]:
            raise Refused(422, "monthly_cap_exceeded")

    def _hold(self, payment: Payment, amount: int) -> None:
        """Reserve an amount; below zero, free it."""
        if payment.method == BALANCE:
            self.reserved += amount
        elif payment.method == TERMS:
            self.held += amount

    # Outcomes

    def settle(self, payment: Payment) -> None:
        """The provider has the money."""
        if not payment.is_undecided:
            raise wrong_state()
        if payment.method == ACH and not self.covers(payment.bill, payment.amount, payment):
            payment.to_balance = True  # what can no longer pay for its order is the team's (A5.10)
        self._hold(payment, -payment.amount)
        payment.status, payment.due, payment.bill.decided_at = "settled", None, self.now
        if payment.method == BALANCE:
            self.change_balance(-payment.amount, "charge", payment)
        elif payment.to_balance:
            self.change_balance(payment.amount, "deposit", payment)
        if payment.method == TERMS:  # a purchase on terms gets an invoice, other payments a receipt (A5.11)
            payment.invoice = self.issue(TERMS, payment.amount, payment.bill)
            payment.invoice.payment = payment
        else:
            payment.receipt = payment.receipt or Learned(int)
        if not payment.to_balance:
            self.refund(payment, payment.amount - payment.bill.total)  # of a bank: the order became cheaper meanwhile
            payment.bill.on_paid(payment)

    def fail(self, payment: Payment) -> None:
        """The provider refuses: what was reserved is free, and so is the room below the ceiling (A5.4)."""
        if not payment.is_undecided:
            raise wrong_state()
        self._hold(payment, -payment.amount)
        payment.status, payment.due, payment.bill.decided_at = "failed", None, self.now
        if payment.key is not None:
            payment.key.spent[payment.month] -= payment.amount
        payment.bill.on_failed()

    def lose(self, payment: Payment) -> None:
        """The outcome becomes unknown; it counts as spent (T-5.20)."""
        if payment.status not in ("reserved", "pending"):
            raise wrong_state()
        payment.status, payment.due = "uncertain", None

    def refund(self, payment: Payment, cents: int | None = None) -> None:
        """Give some or all of it back: off its open invoice, else to the balance (G170); the key gets no room back
        (A5.5)."""
        cents = payment.amount - payment.refunded if cents is None else cents
        payment.refunded += cents
        invoice = payment.invoice
        if payment.method == TERMS and invoice is not None and invoice.status == "open":
            invoice.credited += cents
            if not invoice.due:
                invoice.status = "void"
        else:
            self._give_back(payment, cents)

    def _give_back(self, payment: Payment, cents: int) -> None:
        """Refund to the balance, at once or after a time (G441)."""
        if cents and self.refund_after:
            payment.refunds.append(Refund(payment, cents, self.now + self.refund_after, self.next_serial()))
        else:
            self.change_balance(cents, "refund", payment)

    def end_refund(self, refund: Refund, outcome: str = "done") -> None:
        """A refund arrives, or its money stays where it is (G441, G442)."""
        refund.status, refund.due = outcome, None
        if outcome == "done":
            self.change_balance(refund.amount, "refund", refund.payment)

    @property
    def refunds(self) -> list[Refund]:
        """All refunds that took time."""
        return [refund for each in self.payments for refund in each.refunds]

    def release(self, bill: Bill) -> None:
        """A record ends: its reservations and bank intents fail, and its deposit invoices are void."""
        for invoice in bill.invoices:
            if invoice.kind == "deposit" and invoice.status == "open":
                invoice.status = "void"
        for payment in bill.payments:
            if payment.status in ("reserved", "pending"):
                self.fail(payment)

    def change_balance(
        self, cents: int, kind: str = "adjustment", payment: Payment | None = None, invoice: Invoice | None = None,
        receipt: Learned | None = None,
    ) -> None:  # fmt: skip
        """Move the settled balance; a fall below the threshold is told once (T-6.13, T-6.14, A6.6)."""
        before, self.balance = self.balance, self.balance + cents
        if cents:
            self.entries.append(Entry(self.now, kind, cents, self.balance, payment, invoice, receipt))
        if self.balance < self.threshold <= before:
            self.emit("balance.low", None, "below_threshold")

    # Banks

    def covers(self, bill: Bill, amount: int, payment: Payment | None = None) -> bool:
        """Whether money from a bank can pay for a record as it is now; none pays what another may have paid."""
        unpaid = not any(each.may_have_paid for each in bill.payments if each is not payment)
        ready = bill.is_open and not bill.needs_proof and not bill.is_outdated
        return unpaid and ready and bill.total <= amount

    def issue(self, kind: str, amount: int, bill: Bill | None) -> Invoice:
        """Issue an invoice (T-6.11): due after 30 days on terms, after 14 for a deposit."""
        if kind == "deposit" and bill is not None and (bill.payment is not None or not bill.is_open):
            raise wrong_state()
        days = 30 if kind == TERMS else 14
        today = datetime.fromtimestamp(self.now, LOS_ANGELES).date()
        invoice = Invoice(kind, amount, bill, (today + timedelta(days=days)).isoformat())
        self.invoices.append(invoice)
        if bill is not None:
            bill.invoices.append(invoice)
        self.emit("invoice.issued", invoice, "open")
        return invoice

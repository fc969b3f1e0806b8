"""What a team's bank does: it pays, or takes money back, or sends what nobody expected (G435 to G440)."""

from __future__ import annotations

from tests.models.compare import Learned
from tests.models.team_money import ACH, BANK, TRANSFER, Bill, Invoice, Money, Payment, Refund, wrong_state

# The statuses of the invoices that an event can be about.
INVOICED = {
    "returned": ("paid",), "underpaid": ("open",), "overpaid": ("open",), "paid_twice": ("open", "paid"),
    "late": ("void",),
}  # fmt: skip


class Bank(Money):
    """The money of a team, and what its bank does with it."""

    returns_take_balance = sends_back = matches_amount = False  # by settings

    def __init__(self, now: int, balance: int, credit: int, threshold: int, settle_after: int = 0) -> None:
        super().__init__(now, balance, credit, threshold, settle_after)
        self.returned: list[Learned | None] = []  # the receipts of the money that returned

    def intend(self, bill: Bill) -> Payment:
        """An ACH intent, which confirms nothing (T-5.28, T-5.29)."""
        if bill.payment is not None or not bill.is_open:
            raise wrong_state()
        payment = Payment(bill, ACH, bill.total, "pending", serial=self.next_serial())
        bill.payments.append(payment)
        self.payments.append(payment)
        return payment

    def pay_invoice(self, invoice: Invoice) -> None:
        """The bank pays: that settles a purchase on terms, or pays for an order, or fills the balance (T-5.27)."""
        if invoice.status != "open":
            raise wrong_state()
        left, bill = invoice.amount, invoice.bill
        invoice.receipt = Learned(int)
        if invoice.payment is not None:
            invoice.payment.receipt = invoice.receipt
        if invoice.kind == "deposit":
            if bill is not None and self.covers(bill, left):
                payment = Payment(bill, TRANSFER, bill.total, "pending", serial=self.next_serial(), invoice=invoice)
                payment.receipt = invoice.receipt
                bill.payments.append(payment)
                self.payments.append(payment)
                left -= bill.total
                self.settle(payment)
            self.change_balance(left, "deposit", invoice=invoice)  # the rest of a deposit
        invoice.status, invoice.paid_at = "paid", self.now
        self.emit("invoice.paid", invoice, "paid")

    # What misbehaves

    def newest(self, bill: Bill, event: str) -> Payment | Invoice:
        """What an event about an order is about: its newest payment or invoice that fits."""
        statuses = {"returned": ("settled", BANK), "late": ("failed", (ACH,))}
        status, methods = statuses.get(event, ("", ()))
        found: list[Payment | Invoice] = [
            *(each for each in bill.invoices if each.status in INVOICED[event]),
            *(each for each in bill.payments if each.status == status and each.method in methods),
        ]
        if not found:
            raise wrong_state()
        return found[-1]

    def happen(self, event: str, about: Payment | Invoice, cents: int) -> None:
        """A bank's money returns, or comes as another amount, twice or late; what pays nothing is the balance's."""
        if isinstance(about, Payment):
            if event == "returned":
                self._return_payment(about)
                return
            if about.status != "failed" or about.method != ACH:
                raise wrong_state()
            self.credit_balance(cents or about.amount)
            return
        if about.status not in INVOICED[event]:
            raise wrong_state()
        if event == "returned":
            self._return_invoice(about)
        elif event == "late":
            self.credit_balance(cents or about.amount)
        elif event == "paid_twice":
            if about.status == "open":
                self.pay_invoice(about)
            self.credit_balance(about.due)
        elif (cents < about.due) != (event == "underpaid") or cents == about.due:
            raise wrong_state()
        elif event == "underpaid":
            self.credit_balance(cents)
        else:
            self.pay_invoice(about)
            self.credit_balance(cents - about.due)

    def pay_without_reference(self, cents: int) -> None:
        """Money that names nothing pays nothing, unless a setting finds the one invoice of its amount (G440)."""
        matching = [each for each in self.invoices if each.status == "open" and each.due == cents]
        if self.matches_amount and len(matching) == 1:
            self.pay_invoice(matching[0])
        else:
            self.credit_balance(cents)

    def credit_balance(self, cents: int) -> None:
        """Bank money that pays nothing is a deposit with a receipt, or goes back to the bank by a setting (G438)."""
        if not self.sends_back:
            self.change_balance(cents, "deposit", receipt=Learned(int))

    def _note_return(self, receipt: Learned | None) -> None:
        if receipt in self.returned:
            raise wrong_state()
        self.returned.append(receipt)

    def _return_payment(self, payment: Payment) -> None:
        """What it paid for is unpaid, and what went to the balance of it leaves that (G435, G436)."""
        if payment.status != "settled" or payment.method not in BANK:
            raise wrong_state()
        if payment.method == TRANSFER and payment.invoice is not None:
            self._return_invoice(payment.invoice)
            return
        self._note_return(payment.receipt)
        if self.returns_take_balance:
            self.change_balance(-payment.amount, "adjustment", payment)
        else:
            self._reverse(payment)

    def _reverse(self, payment: Payment) -> None:
        """A payment has failed after all; what was given back of it is taken from the balance."""
        given_back = payment.amount if payment.to_balance else payment.refunded
        for refund in payment.refunds:
            if refund.status != "done" and not refund.closed:
                given_back -= refund.amount
                refund.status, refund.due, refund.closed = "failed", None, True
        payment.status = "failed"
        self.change_balance(-given_back, "adjustment", payment)

    def _return_invoice(self, invoice: Invoice) -> None:
        """It is open again: a purchase on terms is owed, and a deposit leaves its order and the balance (G437)."""
        if invoice.status != "paid":
            raise wrong_state()
        self._note_return(invoice.receipt)
        if self.returns_take_balance:
            self.change_balance(-invoice.due, "adjustment", invoice=invoice)
            return
        rest, bill = invoice.amount, invoice.bill
        if invoice.kind == "deposit":
            for payment in bill.payments if bill else ():
                if payment.receipt is invoice.receipt and payment.status == "settled":
                    self._reverse(payment)
                    rest -= payment.amount
            self.change_balance(-rest, "adjustment", invoice=invoice)
        elif invoice.payment is not None:
            invoice.payment.receipt = None
        invoice.status, invoice.receipt, invoice.paid_at = "open", None, None
        if invoice.kind == "deposit" and bill is not None and not bill.is_open and not bill.is_paid:
            invoice.status = "void"

    def end_refunds(self, payments: list[Payment], outcome: str) -> None:
        """The refunds of a record arrive, or the pending ones do not (G441)."""
        refunds = [refund for each in payments for refund in each.refunds if not refund.closed]
        statuses = ("pending", "failed") if outcome == "done" else ("pending",)
        found: list[Refund] = [each for each in refunds if each.status in statuses]
        if not found:
            raise wrong_state()
        for refund in found:
            self.end_refund(refund, outcome)

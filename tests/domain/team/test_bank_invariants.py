"""No cent is lost or made when a bank misbehaves: whatever returns, comes late, twice, or as another amount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from giftsim.services.gifting.domain.money.account import ENTRIES
from giftsim.services.gifting.domain.money.refund import FAILED, PENDING, REFUNDS, Refund, fail_refund, settle_refund
from giftsim.services.gifting.domain.team.billing import bank_money
from giftsim.services.gifting.domain.team.billing.billing_profile import MATCHES_AMOUNT, TO_BALANCE, UNAPPLIED
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import (
    INVOICES,
    OPEN,
    PAID,
    VOID,
    Invoice,
    has_returned,
    issue_invoice,
)
from giftsim.services.gifting.domain.team.billing.payment import (
    BANK_TRANSFER,
    PAYMENTS,
    SETTLED,
    US_BANK_ACCOUNT,
    Payment,
    fail_payment,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.payment import FAILED as PAYMENT_FAILED
from giftsim.services.gifting.domain.team.billing.payment import PENDING as PAYMENT_PENDING
from giftsim.services.gifting.domain.team.billing.wallet_payment import create_payment, refund_payment, release_payments
from tests.support.domain.money_invariants import TeamMoneyMachine
from tests.support.domain.paying_team import THING

R = TypeVar("R")
positions, cents = st.integers(0, 20), st.integers(2, 9_000)


class BankMachine(TeamMoneyMachine):
    """Random bank money of one team. `arrived_cents` is what its bank has sent, without what went back."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived_cents = 0

    # Purchases, intents and deposits

    @rule(cents=cents)
    def buy_on_terms(self, cents: int) -> None:
        if cents <= 30_000 - self.team.terms.owed_cents:
            self.team.pay(cents, key=None, method="net_terms")

    @rule(cents=cents, fails=st.booleans(), closed=st.booleans())
    def pay_by_ach(self, cents: int, fails: bool, closed: bool) -> None:
        thing = self.team.add_thing(cents)
        with self.state.transaction():
            payment = create_payment(
                self.state, self.team.tenant, US_BANK_ACCOUNT, cents, THING, thing, status=PAYMENT_PENDING
            )
        if closed:
            self.team.closed.append(thing)
        with self.state.transaction():
            (fail_payment if fails else settle_payment)(self.state, payment)
        self.arrived_cents += 0 if fails else cents

    @rule(cents=cents, more=st.integers(0, 2), for_balance=st.booleans())
    def ask_for_a_deposit(self, cents: int, more: int, for_balance: bool) -> None:
        thing = None if for_balance else self.team.add_thing(cents)
        with self.state.transaction():
            about = (None, None) if thing is None else (THING, thing)
            issue_invoice(self.state, self.team.tenant, "deposit", cents + more, *about)

    @precondition(lambda self: self.invoices(OPEN))
    @rule(number=positions)
    def pay_an_invoice(self, number: int) -> None:
        invoice = self.chosen(self.invoices(OPEN), number)
        self.arrived_cents += invoice.due_cents
        with self.state.transaction():
            pay_invoice(self.state, invoice)

    # Refunds

    @precondition(lambda self: self.refundable())
    @rule(number=positions, share=st.integers(1, 4))
    def refund(self, number: int, share: int) -> None:
        payment = self.chosen(self.refundable(), number)
        with self.state.transaction():
            refund_payment(self.state, payment, (payment.amount_cents - payment.refunded_cents) * share // 4)

    @precondition(lambda self: self.waiting())
    @rule(number=positions, done=st.booleans())
    def decide_a_refund(self, number: int, done: bool) -> None:
        refund = self.chosen(self.waiting(), number)
        if done or refund.status == PENDING:
            with self.state.transaction():
                (settle_refund if done else fail_refund)(self.state, refund)

    @precondition(lambda self: self.team.prices)
    @rule(number=positions)
    def cancel(self, number: int) -> None:
        thing = number % len(self.team.prices)
        self.team.closed.append(thing)
        with self.state.transaction():
            release_payments(self.state, THING, thing)

    # What a bank does

    @precondition(lambda self: self.returnable_payments())
    @rule(number=positions)
    def take_a_payment_back(self, number: int) -> None:
        payment = self.chosen(self.returnable_payments(), number)
        by_invoice = payment.method == BANK_TRANSFER  # the rest of its deposit goes back too
        paid = next((row for row in self.state[INVOICES] if by_invoice and row.receipt == payment.receipt), None)
        self.arrived_cents -= paid.due_cents if paid else payment.amount_cents
        with self.state.transaction():
            bank_money.return_payment(self.state, payment)

    @precondition(lambda self: self.returnable_invoices())
    @rule(number=positions)
    def take_back_what_paid_an_invoice(self, number: int) -> None:
        invoice = self.chosen(self.returnable_invoices(), number)
        self.arrived_cents -= invoice.due_cents
        with self.state.transaction():
            bank_money.return_invoice(self.state, invoice)

    @precondition(lambda self: self.invoices(OPEN))
    @rule(number=positions, cents=cents)
    def pay_another_amount(self, number: int, cents: int) -> None:
        invoice = self.chosen(self.invoices(OPEN), number)
        if cents == invoice.due_cents:
            return
        with self.state.transaction():
            if cents < invoice.due_cents:
                with self.unapplied(cents):
                    bank_money.pay_too_little(self.state, invoice, cents)
            else:
                self.arrived_cents += invoice.due_cents
                with self.unapplied(cents - invoice.due_cents):
                    bank_money.pay_too_much(self.state, invoice, cents)

    @precondition(lambda self: self.invoices(OPEN, PAID))
    @rule(number=positions)
    def pay_twice(self, number: int) -> None:
        invoice = self.chosen(self.invoices(OPEN, PAID), number)
        self.arrived_cents += invoice.due_cents if invoice.status == OPEN else 0
        with self.state.transaction(), self.unapplied(invoice.due_cents):
            bank_money.pay_twice(self.state, invoice)

    @precondition(lambda self: self.late())
    @rule(number=positions)
    def pay_late(self, number: int) -> None:
        late = self.chosen(self.late(), number)
        with self.state.transaction(), self.unapplied(late.amount_cents):
            bank_money.pay_late(self.state, late)

    @rule(number=positions, cents=cents, exact=st.booleans())
    def pay_without_reference(self, number: int, cents: int, exact: bool) -> None:
        unpaid = self.invoices(OPEN)
        if exact and unpaid:
            cents = self.chosen(unpaid, number).due_cents
        matches = self.state.setting(MATCHES_AMOUNT) and [row.due_cents for row in unpaid].count(cents) == 1
        with self.state.transaction(), self.unapplied(0 if matches else cents):
            invoice, receipt = bank_money.pay_without_reference(self.state, self.team.tenant, cents)
        self.arrived_cents += cents if matches else 0
        assert (invoice is not None) == matches
        assert receipt is None or receipt.amount_cents == cents

    # Readings and time

    @initialize(later=st.booleans(), takes=st.booleans(), sent_back=st.booleans(), match=st.booleans())
    def begin(self, later: bool, takes: bool, sent_back: bool, match: bool) -> None:
        self.change_readings(later, takes, sent_back, match)

    @rule(later=st.booleans(), takes=st.booleans(), sent_back=st.booleans(), match=st.booleans())
    def change(self, later: bool, takes: bool, sent_back: bool, match: bool) -> None:
        self.change_readings(later, takes, sent_back, match)

    def change_readings(self, later: bool, takes: bool, sent_back: bool, match: bool) -> None:
        self.team.change_settings(
            refunds__settle_after="2d" if later else "0s",
            bank__returns_take_balance=takes,
            bank__unapplied="returned" if sent_back else "balance",
            bank__matches_amount=match,
        )

    @rule()
    def wait(self) -> None:
        self.team.advance("30h")

    @invariant()
    def the_bank_has_sent_what_the_ledger_has_of_it(self) -> None:
        postings = [each for entry in self.state[ENTRIES] for each in entry.postings]
        assert -sum(cents for name, cents in postings if name.startswith("bank ")) == self.arrived_cents

    @invariant()
    def balance_low_is_sent_at_each_crossing(self) -> None:
        cents, crossed = 0, 0
        account = self.team.balance
        for entry in self.state[ENTRIES].rows_in("owner", account.owner):
            before = cents
            cents += sum(posted for name, posted in entry.postings if name == account.wallet)
            crossed += sum(cents < threshold <= before for _, threshold in self.team.thresholds)
        assert self.team.count_events("balance.low") == crossed

    # What can be chosen

    @contextmanager
    def unapplied(self, cents: int) -> Iterator[None]:
        """Money that pays nothing arrives: it is on the balance, unless it is sent back."""
        yield
        if self.state.setting(UNAPPLIED) == TO_BALANCE:
            self.arrived_cents += cents

    def chosen(self, rows: Sequence[R], number: int) -> R:
        return rows[number % len(rows)]

    def invoices(self, *statuses: str) -> list[Invoice]:
        return [row for row in self.state[INVOICES] if row.status in statuses]

    def returnable_invoices(self) -> list[Invoice]:
        return [row for row in self.invoices(PAID) if not has_returned(self.state, row.receipt)]

    def returnable_payments(self) -> list[Payment]:
        settled = [row for row in self.state[PAYMENTS] if row.status == SETTLED]
        by_bank = [row for row in settled if row.method in (US_BANK_ACCOUNT, BANK_TRANSFER)]
        return [row for row in by_bank if not has_returned(self.state, row.receipt)]

    def refundable(self) -> list[Payment]:
        settled = [row for row in self.state[PAYMENTS] if row.status == SETTLED and not row.to_balance]
        return [row for row in settled if row.refunded_cents < row.amount_cents]

    def waiting(self) -> list[Refund]:
        return [row for row in self.state[REFUNDS] if row.status in (PENDING, FAILED) and not row.for_good]

    def late(self) -> list[Invoice | Payment]:
        failed = [row for row in self.state[PAYMENTS] if row.status == PAYMENT_FAILED and row.method == US_BANK_ACCOUNT]
        return [*self.invoices(VOID), *failed]


TestBank = BankMachine.TestCase
TestBank.settings = settings(max_examples=100, stateful_step_count=40)

"""The ledger of a team balances and no key exceeds its limits, after any sequence of operations."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.money.account import ENTRIES, Account, balance_cents
from giftsim.services.gifting.domain.money.charge import CHARGES, SENT, CrashAfterCharge
from giftsim.services.gifting.domain.team.billing.billing_profile import month_bounds, month_of
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, NET_TERMS, OPEN, issue_deposit_invoice
from giftsim.services.gifting.domain.team.billing.payment import (
    FAILED,
    PAYMENTS,
    PENDING,
    SETTLED,
    fail_payment,
    mark_uncertain,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.spending_limits import MONTHLY_SPENDING
from giftsim.services.gifting.domain.team.billing.statement import read_statement
from giftsim.services.gifting.domain.team.billing.wallet import change_balance, change_terms
from giftsim.services.gifting.domain.team.billing.wallet_payment import create_payment, refund_payment, release_payments
from tests.shows import shows
from tests.support.domain.paying_team import MONTHLY, PER_REQUEST, THING, PayingTeam

positions = st.integers(0, 20)
cents = st.integers(1, PER_REQUEST + 1000)


class BillingMachine(RuleBasedStateMachine):
    """Random operations on one team, from shortly before the clocks change."""

    def __init__(self) -> None:
        super().__init__()
        self.team = PayingTeam(now="2027-02-27T12:00:00Z", balance_cents=60_000, limit_cents=30_000)
        self.team.thresholds = [(1, 50_000), (2, 20_000)]
        self.state = self.team.state

    @rule(cents=cents, key=st.sampled_from([0, 1, None]), terms=st.booleans(), crash=st.booleans())
    def pay(self, cents: int, key: int | None, terms: bool, crash: bool) -> None:
        with suppress(Problem, CrashAfterCharge):
            self.team.pay(cents, key=key, method=NET_TERMS if terms else "balance", crash=crash)

    @rule(cents=cents)
    def create_ach_intent(self, cents: int) -> None:
        with self.state.transaction():
            create_payment(
                self.state,
                self.team.tenant,
                "us_bank_account",
                cents,
                THING,
                self.team.add_thing(cents),
                status=PENDING,
            )

    @rule(number=positions, act=st.sampled_from([settle_payment, fail_payment, mark_uncertain]), closed=st.booleans())
    def decide(self, number: int, act: object, closed: bool) -> None:
        count = self.state[PAYMENTS].next_n
        if count:
            payment = self.state[PAYMENTS].get(number % count)
            if closed:
                self.team.closed.append(payment.resource)
            with suppress(Problem), self.state.transaction():
                act(self.state, payment)  # type: ignore[operator]

    @rule(number=positions, share=st.integers(0, 4))
    def refund(self, number: int, share: int) -> None:
        count = self.state[PAYMENTS].next_n
        if count:
            payment = self.state[PAYMENTS].get(number % count)
            left_cents = payment.amount_cents - payment.refunded_cents
            with suppress(Problem), self.state.transaction():
                refund_payment(self.state, payment, left_cents * share // 4)

    @rule(number=positions)
    def release(self, number: int) -> None:
        if self.team.prices:
            with self.state.transaction():
                release_payments(self.state, THING, number % len(self.team.prices))

    @rule(cents=cents)
    def deposit(self, cents: int) -> None:
        with self.state.transaction():
            issue_deposit_invoice(self.state, self.team.tenant, cents)

    @rule(number=positions)
    def pay_invoice(self, number: int) -> None:
        count = self.state[INVOICES].next_n
        if count:
            with suppress(Problem), self.state.transaction():
                pay_invoice(self.state, self.state[INVOICES].get(number % count))

    @rule(balance=st.integers(0, 80_000), limit=st.integers(0, 40_000))
    def adjust(self, balance: int, limit: int) -> None:
        with self.state.transaction():
            change_balance(self.state, self.team.record.n, balance)
            change_terms(self.state, self.team.record.n, {"credit_limit_cents": limit})

    @rule(hours=st.sampled_from([1, 12, 24, 24 * 9]), settle_after=st.sampled_from(["0s", "5h", "3d"]))
    def wait(self, hours: int, settle_after: str) -> None:
        self.team.change_settings(payments__settle_after=settle_after)
        self.team.advance(f"{hours}h")

    @invariant()
    def accounts_match_the_ledger(self) -> None:
        assert sum(cents for entry in self.state[ENTRIES] for _, cents in entry.postings) == 0
        for account in (self.team.balance, self.team.terms):
            assert account.cash_cents == balance_cents(self.state, account.owner, account.wallet)
            assert account.held_cents == self.held(account)

    @invariant()
    def the_debt_is_what_is_due_on_open_invoices(self) -> None:
        on_terms = [invoice for invoice in self.state[INVOICES] if invoice.kind == NET_TERMS]
        assert -self.team.terms.cash_cents == sum(row.due_cents for row in on_terms if row.status == OPEN)

    @invariant()
    def every_settled_payment_calls_on_paid_and_has_a_document(self) -> None:
        settled = [row for row in self.state[PAYMENTS] if row.status == SETTLED]
        assert sorted(self.team.paid) == sorted(row.resource for row in settled if not row.to_balance)
        assert all((row.invoice is not None) == (row.method == NET_TERMS) for row in settled)
        assert all(row.receipt is not None for row in settled if row.method != NET_TERMS)

    @invariant()
    def no_key_exceeds_its_limits_in_any_month(self) -> None:
        spent: dict[tuple[int, str], int] = {}
        for row in self.state[PAYMENTS]:
            if row.key is not None and row.status != FAILED:
                assert row.month == month_of(row.created_ms)
                assert row.amount_cents <= PER_REQUEST
                spent[row.key, row.month] = spent.get((row.key, row.month), 0) + row.amount_cents
        assert all(cents <= MONTHLY for cents in spent.values())
        counted = {(row.key, row.month): row.cents for row in self.state[MONTHLY_SPENDING] if row.cents}
        assert counted == spent
        assert all(self.state[API_KEYS].get(key).monthly_cents == MONTHLY for key, _ in spent)

    @invariant()
    def statements_continue_one_another_up_to_the_balance(self) -> None:
        month, cents = "2027-02", 0
        while month_bounds(month)[0] <= self.state.now_ms:
            statement = read_statement(self.state, self.team.tenant, month)
            assert statement.opening_cents == cents
            for movement in statement.movements:
                cents += movement.amount_cents
                assert movement.balance_cents == cents
                assert month_of(movement.at_ms) == month
            assert statement.closing_cents == cents
            month = month_of(month_bounds(month)[1])
        assert cents == self.team.balance.cash_cents

    def held(self, account: Account) -> int:
        """What the open charges of an account have set aside."""
        return sum(row.wallet_cents for row in self.state[CHARGES] if row.account == account.n and row.status == SENT)


TestBilling = shows("T-5.18", "T-5.19", "T-5.20", "T-5.21")(BillingMachine.TestCase)
TestBilling.settings = settings(max_examples=60, stateful_step_count=40)

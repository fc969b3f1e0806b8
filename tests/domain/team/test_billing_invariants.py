"""The ledger of a team balances and no key exceeds its limits, after any sequence of operations."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule

from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.money.charge import CrashAfterCharge
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, NET_TERMS, issue_deposit_invoice
from giftsim.services.gifting.domain.team.billing.payment import (
    PAYMENTS,
    PENDING,
    fail_payment,
    mark_uncertain,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.wallet import change_balance, change_terms
from giftsim.services.gifting.domain.team.billing.wallet_payment import create_payment, refund_payment, release_payments
from tests.shows import shows
from tests.support.domain.money_invariants import TeamMoneyMachine
from tests.support.domain.paying_team import PER_REQUEST, THING

positions = st.integers(0, 20)
cents = st.integers(1, PER_REQUEST + 1000)


class BillingMachine(TeamMoneyMachine):
    """Random operations on one team."""

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


TestBilling = shows("T-5.18", "T-5.19", "T-5.20", "T-5.21")(BillingMachine.TestCase)
TestBilling.settings = settings(max_examples=60, stateful_step_count=40)

"""What holds of a team's money after any operation: the ledger balances, and no key exceeds its limits."""

from __future__ import annotations

from hypothesis.stateful import RuleBasedStateMachine, invariant

from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.money.account import ENTRIES, Account, balance_cents
from giftsim.services.gifting.domain.money.charge import CHARGES, SENT
from giftsim.services.gifting.domain.money.refund import DONE, REFUNDS
from giftsim.services.gifting.domain.team.billing.billing_profile import month_bounds, month_of
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, NET_TERMS, OPEN
from giftsim.services.gifting.domain.team.billing.payment import FAILED, PAYMENTS, SETTLED
from giftsim.services.gifting.domain.team.billing.spending_limits import MONTHLY_SPENDING
from giftsim.services.gifting.domain.team.billing.statement import read_statement
from tests.support.domain.paying_team import MONTHLY, PER_REQUEST, PayingTeam


class TeamMoneyMachine(RuleBasedStateMachine):
    """Random operations on one team, from shortly before the clocks change; the rules are those of its subclasses."""

    def __init__(self) -> None:
        super().__init__()
        self.team = PayingTeam(now="2027-02-27T12:00:00Z", balance_cents=60_000, limit_cents=30_000)
        self.team.thresholds = [(1, 50_000), (2, 20_000)]
        self.state = self.team.state

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
        returned = [row for row in self.state[PAYMENTS] if row.status == FAILED and row.settled_ms is not None]
        was_paid = [row.resource for row in (*settled, *returned) if not row.to_balance]
        assert sorted(self.team.paid) == sorted(was_paid)
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

    @invariant()
    def what_was_paid_is_where_it_belongs(self) -> None:
        """A settled payment holds what it paid without its refunds that have arrived; one that failed holds nothing."""
        held = dict.fromkeys(range(self.state[PAYMENTS].next_n), 0)
        for entry in self.state[ENTRIES]:
            for name, cents in entry.postings:
                kind, _, n = name.partition(" ")
                if kind == "payment":
                    held[int(n)] += cents
        for payment in self.state[PAYMENTS]:
            rows = self.state[REFUNDS].rows_in("ref", f"payment {payment.n}")
            waiting = sum(row.total_cents for row in rows if row.status != DONE and not row.for_good)
            kept = payment.amount_cents - payment.refunded_cents + waiting
            paid = payment.status == SETTLED and not payment.to_balance
            assert held[payment.n] == (kept if paid else 0)

    def held(self, account: Account) -> int:
        """What the open charges of an account have set aside."""
        return sum(row.wallet_cents for row in self.state[CHARGES] if row.account == account.n and row.status == SENT)

"""What a team has: balance and credit, refunds, and what a balance that falls tells."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.domain.team.billing.bank_transfer import pay_invoice
from giftsim.domain.team.billing.invoice import INVOICES
from giftsim.domain.team.billing.payment import pay
from giftsim.domain.team.billing.problem import (
    CreditUnavailable,
    InsufficientBalance,
    MonthlyCapExceeded,
    PaymentNotPermitted,
    PriceChanged,
)
from giftsim.domain.team.billing.refund import refund, release
from giftsim.domain.team.billing.wallet import change_balance, change_terms, read_balance, read_terms
from giftsim.domain.team.tenant import Tenant
from giftsim.problem import InvalidState
from tests.claims import claims
from tests.support.domain.team_payments import PER_REQUEST, THING, TeamPayments


@pytest.fixture
def till() -> TeamPayments:
    return TeamPayments()


def left(till: TeamPayments) -> tuple[int, int, int]:
    """Balance, what is reserved of it, and what is owed."""
    return till.balance.cash_cents, till.balance.held_cents, till.terms.owed_cents


@claims("T-5.24")
def test_a_balance_that_does_not_cover_it_pays_nothing(till: TeamPayments) -> None:
    with till.state.transaction():
        change_balance(till.state, till.team.n, 9999)
    with pytest.raises(InsufficientBalance):
        till.pay(10_000)
    assert left(till) == (9999, 0, 0)


@claims("T-5.24")
def test_what_is_reserved_cannot_be_paid_twice(till: TeamPayments) -> None:
    till.change_settings(payments__settle_after="1h")
    with till.state.transaction():
        change_balance(till.state, till.team.n, 10_000)
    till.pay(6000)
    with pytest.raises(InsufficientBalance):
        till.pay(4001)
    till.pay(4000)
    assert read_balance(till.state, till.tenant).available_cents == 0


@claims("T-5.25")
@pytest.mark.parametrize("cut", [{"credit_limit_cents": 9999}, {"status": "suspended"}, {"status": "none"}])
def test_terms_that_were_cut_pay_nothing(till: TeamPayments, cut: dict[str, Any]) -> None:
    with till.state.transaction():
        change_terms(till.state, till.team.n, cut)
    with pytest.raises(CreditUnavailable):
        till.pay(10_000, method="net_terms")
    assert left(till) == (100_000, 0, 0)


@claims("T-5.25")
def test_credit_runs_out_at_its_limit_and_comes_back_with_the_invoice(till: TeamPayments) -> None:
    with till.state.transaction():
        change_terms(till.state, till.team.n, {"credit_limit_cents": 10_000})
    till.pay(10_000, method="net_terms")
    with pytest.raises(CreditUnavailable):
        till.pay(1, method="net_terms")
    with till.state.transaction():
        pay_invoice(till.state, till.state[INVOICES].get(0))
    till.pay(10_000, method="net_terms")


@claims("T-5.22", "T-5.23")
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_what_may_not_be_paid_as_it_stands_is_not_paid(till: TeamPayments, method: str) -> None:
    till.unpayable.append(till.add_thing(9000))
    with pytest.raises(PriceChanged):
        till.pay(9000, method=method, thing=0)
    assert left(till) == (100_000, 0, 0)


@pytest.mark.parametrize("columns", [{"closed": [0]}, {}])
def test_a_thing_is_paid_once_and_only_while_it_is_open(till: TeamPayments, columns: dict[str, list[int]]) -> None:
    till.add_thing(9000)
    till.closed = columns.get("closed", [])
    if not till.closed:
        till.pay(9000, thing=0)
    with pytest.raises(InvalidState):
        till.pay(9000, thing=0)
    assert left(till)[0] == (100_000 if till.closed else 91_000)


@claims("T-1.17")
def test_a_sandbox_pays_nothing(till: TeamPayments) -> None:
    tenant = Tenant("test 0", till.team.n, livemode=False)
    with pytest.raises(PaymentNotPermitted), till.state.transaction():
        pay(
            till.state, tenant, key=None, method="balance", amount_cents=1, resource_type=THING, slot=till.add_thing(1)
        )  # fmt: skip


def test_a_refund_goes_back_to_where_the_money_came_from(till: TeamPayments) -> None:
    by_balance, on_terms = till.pay(9000, key=None), till.pay(8000, key=None, method="net_terms")
    assert left(till) == (91_000, 0, 8000)
    with till.state.transaction():
        refund(till.state, by_balance, 4000)
        refund(till.state, on_terms, 3000)
    assert left(till) == (95_000, 0, 5000)
    invoice = till.state[INVOICES].get(0)
    assert (invoice.due_cents, invoice.status) == (5000, "open")
    with till.state.transaction():
        refund(till.state, on_terms, 5000)
    assert (till.terms.owed_cents, till.state[INVOICES].get(0).status) == (0, "void")
    with pytest.raises(ValueError, match="not left"):
        refund(till.state, by_balance, 5001)


def test_an_invoice_that_a_refund_made_smaller_asks_for_the_rest(till: TeamPayments) -> None:
    payment = till.pay(8000, key=None, method="net_terms")
    with till.state.transaction():
        refund(till.state, payment, 3000)
        pay_invoice(till.state, till.state[INVOICES].get(0))
    assert till.terms.cash_cents == 0


def test_a_refund_after_the_invoice_was_paid_leaves_a_credit_on_the_terms(till: TeamPayments) -> None:
    payment = till.pay(8000, key=None, method="net_terms")
    with till.state.transaction():
        pay_invoice(till.state, till.state[INVOICES].get(0))
        refund(till.state, payment, 8000)
    terms = read_terms(till.state, till.tenant)
    assert (terms.outstanding_cents, terms.available_cents) == (0, 108_000)


@pytest.mark.parametrize(("frees", "room"), [(False, 1), (True, PER_REQUEST)])
def test_a_refund_gives_room_back_only_where_the_setting_says_so(till: TeamPayments, frees: bool, room: int) -> None:
    till.change_settings(payments__refund_frees_room=frees)
    payment = till.pay(PER_REQUEST)
    till.pay(PER_REQUEST - 1)
    with till.state.transaction():
        refund(till.state, payment, PER_REQUEST)
    if not frees:
        with pytest.raises(MonthlyCapExceeded):
            till.pay(2)
    till.pay(room)


def test_calling_off_frees_what_was_reserved(till: TeamPayments) -> None:
    till.change_settings(payments__settle_after="1h")
    till.pay(9000)
    with till.state.transaction():
        release(till.state, THING, 0)
    assert left(till) == (100_000, 0, 0)
    till.advance("1d")
    assert till.paid == []


@claims("T-6.13", "T-6.15")
def test_a_balance_that_falls_below_a_threshold_tells_those_who_set_it(till: TeamPayments) -> None:
    till.thresholds = [(7, 100_000), (8, 95_000), (9, 94_999), (10, 90_000)]
    till.pay(5000)
    assert [facts["only"] for kind, facts in till.events if kind == "balance.low"] == [(7,)]
    till.pay(1)
    assert [facts["only"] for kind, facts in till.events if kind == "balance.low"] == [(7,), (8,)]


@claims("T-6.13", "T-6.14")
def test_a_threshold_is_crossed_once_and_armed_again_above_it(till: TeamPayments) -> None:
    till.thresholds = [(7, 5000)]
    with till.state.transaction():
        change_balance(till.state, till.team.n, 6000)
    before = till.count_events("balance.low")
    till.pay(2000)
    till.pay(2000)
    assert till.count_events("balance.low") - before == 1
    with till.state.transaction():
        change_balance(till.state, till.team.n, 9000)
    assert till.count_events("balance.low") - before == 1
    till.pay(5000)
    assert till.count_events("balance.low") - before == 2


@claims("T-6.14")
def test_a_reservation_and_credit_cross_no_threshold(till: TeamPayments) -> None:
    till.thresholds = [(7, 100_000)]
    till.change_settings(payments__settle_after="1h")
    till.pay(9000)
    till.pay(9000, method="net_terms")
    assert till.count_events("balance.low") == 0
    till.advance("2h")
    assert till.count_events("balance.low") == 1

"""The wallet of a team: balance and credit, refunds, and events of a falling balance."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.team.billing.funding import pay_invoice
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES
from giftsim.services.gifting.domain.team.billing.payment_errors import (
    CreditUnavailable,
    InsufficientBalance,
    MonthlyCapExceeded,
    PaymentNotPermitted,
    PriceChanged,
)
from giftsim.services.gifting.domain.team.billing.wallet import change_balance, change_terms, read_balance, read_terms
from giftsim.services.gifting.domain.team.billing.wallet_payment import pay_for_record, refund_payment, release_payments
from giftsim.services.gifting.domain.team.tenant import Tenant
from tests.shows import shows
from tests.support.domain.paying_team import PER_REQUEST, THING, PayingTeam


@shows("T-5.24")
def test_a_payment_above_the_balance_is_refused(team: PayingTeam) -> None:
    with team.state.transaction():
        change_balance(team.state, team.record.n, 9999)
    with pytest.raises(InsufficientBalance):
        team.pay(10_000)
    assert team.totals() == (9999, 0, 0)


@shows("T-5.24")
def test_a_reserved_amount_is_not_available_for_another_payment(team: PayingTeam) -> None:
    team.change_settings(payments__settle_after="1h")
    with team.state.transaction():
        change_balance(team.state, team.record.n, 10_000)
    team.pay(6000)
    with pytest.raises(InsufficientBalance):
        team.pay(4001)
    team.pay(4000)
    assert read_balance(team.state, team.tenant).available_cents == 0


@shows("T-5.25")
@pytest.mark.parametrize("cut", [{"credit_limit_cents": 9999}, {"status": "suspended"}, {"status": "none"}])
def test_suspended_terms_and_too_little_credit_cannot_pay(team: PayingTeam, cut: dict[str, Any]) -> None:
    with team.state.transaction():
        change_terms(team.state, team.record.n, cut)
    with pytest.raises(CreditUnavailable):
        team.pay(10_000, method="net_terms")
    assert team.totals() == (100_000, 0, 0)


@pytest.mark.parametrize(("status", "available_cents"), [("active", 100_000), ("suspended", 0), ("none", 0)])
def test_credit_is_available_only_while_the_terms_are_active(
    team: PayingTeam, status: str, available_cents: int
) -> None:
    with team.state.transaction():
        change_terms(team.state, team.record.n, {"status": status, "credit_limit_cents": 100_000})
    terms = read_terms(team.state, team.tenant)
    assert (terms.status, terms.available_cents, terms.credit_limit_cents) == (status, available_cents, 100_000)


@shows("T-5.25")
def test_credit_is_used_up_at_its_limit_and_restored_by_paying_the_invoice(team: PayingTeam) -> None:
    with team.state.transaction():
        change_terms(team.state, team.record.n, {"credit_limit_cents": 10_000})
    team.pay(10_000, method="net_terms")
    with pytest.raises(CreditUnavailable):
        team.pay(1, method="net_terms")
    with team.state.transaction():
        pay_invoice(team.state, team.state[INVOICES].get(0))
    team.pay(10_000, method="net_terms")


@shows("T-5.22", "T-5.23")
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_record_that_fails_its_checks_is_not_paid(team: PayingTeam, method: str) -> None:
    team.unpayable.append(team.add_thing(9000))
    with pytest.raises(PriceChanged):
        team.pay(9000, method=method, thing=0)
    assert team.totals() == (100_000, 0, 0)


@pytest.mark.parametrize("columns", [{"closed": [0]}, {}])
def test_a_record_is_paid_once_and_only_while_it_is_open(team: PayingTeam, columns: dict[str, list[int]]) -> None:
    team.add_thing(9000)
    team.closed = columns.get("closed", [])
    if not team.closed:
        team.pay(9000, thing=0)
    with pytest.raises(InvalidState):
        team.pay(9000, thing=0)
    assert team.totals()[0] == (100_000 if team.closed else 91_000)


@shows("T-1.17")
def test_a_sandbox_cannot_pay(team: PayingTeam) -> None:
    tenant = Tenant("test 0", team.record.n, livemode=False)
    with pytest.raises(PaymentNotPermitted), team.state.transaction():
        pay_for_record(
            team.state, tenant, key=None, method="balance", amount_cents=1, resource_type=THING, slot=team.add_thing(1)
        )  # fmt: skip


def test_a_refund_goes_to_the_balance_or_off_the_debt(team: PayingTeam) -> None:
    by_balance, on_terms = team.pay(9000, key=None), team.pay(8000, key=None, method="net_terms")
    assert team.totals() == (91_000, 0, 8000)
    with team.state.transaction():
        refund_payment(team.state, by_balance, 4000)
        refund_payment(team.state, on_terms, 3000)
    assert team.totals() == (95_000, 0, 5000)
    invoice = team.state[INVOICES].get(0)
    assert (invoice.due_cents, invoice.status) == (5000, "open")
    with team.state.transaction():
        refund_payment(team.state, on_terms, 5000)
    assert (team.terms.owed_cents, team.state[INVOICES].get(0).status) == (0, "void")
    with pytest.raises(ValueError, match="less than 5001 cents left to refund"):
        refund_payment(team.state, by_balance, 5001)


def test_a_partly_refunded_invoice_is_due_for_the_rest(team: PayingTeam) -> None:
    payment = team.pay(8000, key=None, method="net_terms")
    with team.state.transaction():
        refund_payment(team.state, payment, 3000)
        pay_invoice(team.state, team.state[INVOICES].get(0))
    assert team.terms.cash_cents == 0


def test_a_refund_after_the_invoice_was_paid_is_credited_to_the_balance(team: PayingTeam) -> None:
    payment = team.pay(8000, key=None, method="net_terms")
    with team.state.transaction():
        pay_invoice(team.state, team.state[INVOICES].get(0))
        refund_payment(team.state, payment, 8000)
    terms = read_terms(team.state, team.tenant)
    assert (terms.outstanding_cents, terms.available_cents) == (0, 100_000)
    assert team.totals() == (108_000, 0, 0)


@pytest.mark.parametrize(("frees", "room"), [(False, 1), (True, PER_REQUEST)])
def test_a_refund_counts_against_the_monthly_limit_no_more_only_if_the_setting_says_so(
    team: PayingTeam, frees: bool, room: int
) -> None:
    team.change_settings(payments__refund_frees_room=frees)
    payment = team.pay(PER_REQUEST)
    team.pay(PER_REQUEST - 1)
    with team.state.transaction():
        refund_payment(team.state, payment, PER_REQUEST)
    if not frees:
        with pytest.raises(MonthlyCapExceeded):
            team.pay(2)
    team.pay(room)


def test_releasing_a_record_frees_its_reserved_payments(team: PayingTeam) -> None:
    team.change_settings(payments__settle_after="1h")
    team.pay(9000)
    with team.state.transaction():
        release_payments(team.state, THING, 0)
    assert team.totals() == (100_000, 0, 0)
    team.advance("1d")
    assert team.paid == []


@shows("T-6.13", "T-6.15")
def test_a_balance_that_falls_below_a_threshold_emits_an_event_to_its_endpoint(team: PayingTeam) -> None:
    team.thresholds = [(7, 100_000), (8, 95_000), (9, 94_999), (10, 90_000)]
    team.pay(5000)
    assert [facts["only"] for kind, facts in team.events if kind == "balance.low"] == [(7,)]
    team.pay(1)
    assert [facts["only"] for kind, facts in team.events if kind == "balance.low"] == [(7,), (8,)]


@shows("T-6.13", "T-6.14")
def test_a_threshold_emits_once_until_the_balance_is_above_it_again(team: PayingTeam) -> None:
    team.thresholds = [(7, 5000)]
    with team.state.transaction():
        change_balance(team.state, team.record.n, 6000)
    before = team.count_events("balance.low")
    team.pay(2000)
    team.pay(2000)
    assert team.count_events("balance.low") - before == 1
    with team.state.transaction():
        change_balance(team.state, team.record.n, 9000)
    assert team.count_events("balance.low") - before == 1
    team.pay(5000)
    assert team.count_events("balance.low") - before == 2


@shows("T-6.14")
def test_reservations_and_credit_do_not_cross_a_threshold(team: PayingTeam) -> None:
    team.thresholds = [(7, 100_000)]
    team.change_settings(payments__settle_after="1h")
    team.pay(9000)
    team.pay(9000, method="net_terms")
    assert team.count_events("balance.low") == 0
    team.advance("2h")
    assert team.count_events("balance.low") == 1

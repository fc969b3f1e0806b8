"""Paying for a team: power, ceilings by request and month, and what becomes of a payment."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.domain.access.api_key import API_KEYS, update_key
from giftsim.domain.money.charge import CrashAfterCharge
from giftsim.domain.team.billing.billing_month import month_of
from giftsim.domain.team.billing.problem import MonthlyCapExceeded, PaymentNotPermitted, SpendingCeilingExceeded
from giftsim.domain.team.billing.settlement import fail, mark_uncertain, payment_of, payment_status, settle
from giftsim.domain.team.billing.spending_limits import spent_cents
from giftsim.domain.team.billing.wallet import read_terms
from giftsim.kernel.instants import parse_instant
from giftsim.problem import InvalidState
from tests.claims import claims
from tests.support.domain.team_payments import MONTHLY, PER_REQUEST, THING, TeamPayments


@pytest.fixture
def till() -> TeamPayments:
    return TeamPayments()


def left(till: TeamPayments) -> tuple[int, int, int]:
    """Balance, what is reserved of it, and what is owed."""
    return till.balance.cash_cents, till.balance.held_cents, till.terms.owed_cents


def change_key(till: TeamPayments, **columns: Any) -> None:
    with till.state.transaction():
        update_key(till.state, till.state[API_KEYS].get(till.keys[0].n), **columns)


@claims("T-1.7")
@pytest.mark.parametrize(
    "columns", [{"scopes": []}, {"per_request_cents": None}, {"monthly_cents": None}, {"mode": "test"}]
)
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_key_without_all_of_its_power_pays_nothing(till: TeamPayments, columns: dict[str, Any], method: str) -> None:
    change_key(till, **columns)
    with pytest.raises(PaymentNotPermitted):
        till.pay(1000, method=method)
    assert left(till) == (100_000, 0, 0)
    assert till.paid == []


@claims("T-5.16")
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_payment_may_reach_the_ceiling_for_a_request_and_not_pass_it(till: TeamPayments, method: str) -> None:
    with pytest.raises(SpendingCeilingExceeded):
        till.pay(PER_REQUEST + 1, method=method)
    till.pay(PER_REQUEST, method=method)
    assert till.paid == [1]


@claims("T-5.18")
def test_payments_may_reach_the_ceiling_for_a_month_and_not_pass_it(till: TeamPayments) -> None:
    till.pay(PER_REQUEST)
    till.pay(PER_REQUEST - 500, method="net_terms")
    with pytest.raises(MonthlyCapExceeded):
        till.pay(501)
    till.pay(500)
    assert spent_cents(till.state, till.keys[0].n, month_of(till.state.now_ms)) == MONTHLY


@claims("T-8.6")
def test_each_key_has_a_month_of_its_own(till: TeamPayments) -> None:
    till.pay(PER_REQUEST)
    till.pay(PER_REQUEST)
    with pytest.raises(MonthlyCapExceeded):
        till.pay(1)
    till.pay(PER_REQUEST, key=1)


def test_a_person_is_bound_by_no_ceiling(till: TeamPayments) -> None:
    payment = till.pay(5 * PER_REQUEST, key=None)
    assert (payment.key, payment.month) == (None, "")
    till.pay(PER_REQUEST)


@claims("T-5.21")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2027-07-01T06:59:59Z", "2027-07-01T07:00:00Z"),
        ("2027-12-01T07:59:59Z", "2027-12-01T08:00:00Z"),
        ("2027-04-01T06:59:59Z", "2027-04-01T07:00:00Z"),
    ],
)
def test_the_month_turns_over_at_midnight_in_los_angeles(before: str, after: str) -> None:
    till = TeamPayments(now="2027-03-01T08:00:00Z")
    till.advance_to(parse_instant(before) - 1000)
    till.pay(PER_REQUEST)
    till.pay(PER_REQUEST)
    till.advance_to(parse_instant(before))
    with pytest.raises(MonthlyCapExceeded):
        till.pay(1)
    till.advance_to(parse_instant(after))
    till.pay(PER_REQUEST)


@claims("T-5.19")
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_reserved_payment_counts_until_it_fails(till: TeamPayments, method: str) -> None:
    till.change_settings(payments__settle_after="2h")
    payment = till.pay(PER_REQUEST, method=method)
    till.pay(PER_REQUEST - 1, method=method)
    assert till.paid == []
    with pytest.raises(MonthlyCapExceeded):
        till.pay(2)
    with till.state.transaction():
        fail(till.state, payment)
    till.pay(2)


@claims("T-5.20")
def test_an_uncertain_payment_counts_until_it_is_told_to_have_failed(till: TeamPayments) -> None:
    with pytest.raises(CrashAfterCharge):
        till.pay(PER_REQUEST, crash=True)
    lost = till.last()
    till.pay(PER_REQUEST)
    till.advance("20d")
    with pytest.raises(MonthlyCapExceeded):
        till.pay(1)
    assert payment_status(payment_of(till.state, THING, lost.resource)) == "uncertain"
    with till.state.transaction():
        fail(till.state, lost)
    till.pay(PER_REQUEST)
    assert till.unpaid == [lost.resource]


def test_an_uncertain_payment_of_last_month_frees_last_months_room(till: TeamPayments) -> None:
    with pytest.raises(CrashAfterCharge):
        till.pay(PER_REQUEST, crash=True)
    till.advance("30d")
    with till.state.transaction():
        fail(till.state, till.last())
    key = till.keys[0].n
    assert (spent_cents(till.state, key, "2027-01"), spent_cents(till.state, key, "2027-02")) == (0, 0)


@pytest.mark.parametrize(("method", "after"), [("balance", (91_000, 0, 0)), ("net_terms", (100_000, 0, 9000))])
def test_a_payment_is_reserved_until_the_provider_settles_it(
    till: TeamPayments, method: str, after: tuple[int, int, int]
) -> None:
    till.change_settings(payments__settle_after="90m")
    payment = till.pay(9000, method=method)
    assert payment_status(payment) == "reserved"
    assert left(till) == (100_000, 9000 if method == "balance" else 0, 0)
    assert read_terms(till.state, till.tenant).available_cents == (100_000 if method == "balance" else 91_000)
    till.advance("89m")
    assert till.paid == []
    till.advance("1m")
    assert till.paid == [0]
    assert left(till) == after
    assert payment_status(payment_of(till.state, THING, 0)) == "paid"


@pytest.mark.parametrize("outcome", ["settle", "fail"])
def test_what_nobody_knows_is_decided_once(till: TeamPayments, outcome: str) -> None:
    with pytest.raises(CrashAfterCharge):
        till.pay(9000, crash=True)
    assert left(till) == (100_000, 9000, 0)
    with pytest.raises(InvalidState):
        till.pay(9000, thing=0)
    decide = settle if outcome == "settle" else fail
    with till.state.transaction():
        decide(till.state, till.last())
    assert left(till) == ((91_000, 0, 0) if outcome == "settle" else (100_000, 0, 0))
    assert (till.paid, till.unpaid) == (([0], []) if outcome == "settle" else ([], [0]))
    for again in (settle, fail):
        with pytest.raises(InvalidState), till.state.transaction():
            again(till.state, till.last())


def test_a_partners_reconciling_decides_no_payment_of_a_team(till: TeamPayments) -> None:
    till.change_settings(partner__reconcile_unknown="paid")
    with pytest.raises(CrashAfterCharge):
        till.pay(9000, crash=True)
    till.advance("3d")
    assert till.last().status == "uncertain"


def test_a_reserved_payment_can_be_lost_and_then_settles_no_more_by_itself(till: TeamPayments) -> None:
    till.change_settings(payments__settle_after="1h")
    payment = till.pay(9000)
    with till.state.transaction():
        mark_uncertain(till.state, payment)
    till.advance("1d")
    assert (till.last().status, till.paid) == ("uncertain", [])

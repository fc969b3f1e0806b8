"""Payments of a team: permission, spending limits, and settling, failing or uncertain payments."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.instants import HOUR, LATEST_MS, parse_instant
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import API_KEYS, update_key
from giftsim.services.gifting.domain.money.charge import CrashAfterCharge
from giftsim.services.gifting.domain.team.billing.billing_profile import day_of, month_bounds, month_of
from giftsim.services.gifting.domain.team.billing.payment import (
    fail_payment,
    mark_uncertain,
    payment_of,
    payment_status,
    settle_payment,
)
from giftsim.services.gifting.domain.team.billing.payment_errors import (
    InvalidMonth,
    MonthlyCapExceeded,
    PaymentNotPermitted,
    SpendingCeilingExceeded,
)
from giftsim.services.gifting.domain.team.billing.spending_limits import spent_cents
from giftsim.services.gifting.domain.team.billing.wallet import read_terms
from tests.shows import shows
from tests.support.domain.paying_team import MONTHLY, PER_REQUEST, THING, PayingTeam

instants = st.integers(parse_instant("1900-01-01T00:00:00Z"), parse_instant("2500-01-01T00:00:00Z"))


@shows("T-5.21")
@given(instants)
def test_an_instant_is_within_the_bounds_of_its_own_month_only(at_ms: int) -> None:
    first, after = month_bounds(month_of(at_ms))
    assert first <= at_ms < after
    assert month_of(first) == month_of(after - 1) == month_of(at_ms)
    assert month_of(first - 1) != month_of(at_ms) != month_of(after)
    assert day_of(at_ms).startswith(month_of(at_ms))


@given(instants)
def test_months_follow_one_another_without_a_gap(at_ms: int) -> None:
    _, after = month_bounds(month_of(at_ms))
    assert month_bounds(month_of(after))[0] == after


@shows("T-5.21")
@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("2027-01-31T23:59:59-08:00", "2027-02-01T00:00:00-08:00"),
        ("2027-06-30T23:59:59-07:00", "2027-07-01T00:00:00-07:00"),
        ("2027-03-31T23:59:59-07:00", "2027-04-01T00:00:00-07:00"),
        ("2027-11-30T23:59:59-08:00", "2027-12-01T00:00:00-08:00"),
        ("2027-12-31T23:59:59-08:00", "2028-01-01T00:00:00-08:00"),
    ],
)
def test_a_month_ends_at_midnight_in_los_angeles_in_summer_and_winter(last: str, first: str) -> None:
    assert month_of(parse_instant(last)) == last[:7]
    assert month_of(parse_instant(first)) == first[:7]


@shows("T-5.21")
def test_the_months_in_which_the_clocks_change_are_an_hour_short_and_an_hour_long() -> None:
    hours = {
        month: (month_bounds(month)[1] - month_bounds(month)[0]) // HOUR for month in ("2027-02", "2027-03", "2027-11")
    }
    assert hours == {"2027-02": 28 * 24, "2027-03": 31 * 24 - 1, "2027-11": 30 * 24 + 1}


@shows("T-5.21")
def test_a_month_that_begins_on_the_day_of_a_clock_change_begins_before_the_change() -> None:
    first, _ = month_bounds("2026-11")
    assert first == parse_instant("2026-11-01T00:00:00-07:00")
    assert month_of(parse_instant("2026-11-01T09:30:00Z")) == "2026-11"


@pytest.mark.parametrize(
    "text", ["2027", "2027-1", "2027-13", "2027-00", "0000-01", "27-01", "2027-01-01", "2027/01", ""]
)
def test_a_month_must_be_written_yyyy_mm(text: str) -> None:
    with pytest.raises(InvalidMonth):
        month_bounds(text)


def test_the_last_month_that_can_be_written_has_an_end() -> None:
    assert month_bounds("9999-12")[1] == LATEST_MS + 1


def change_key(team: PayingTeam, **columns: Any) -> None:
    with team.state.transaction():
        update_key(team.state, team.state[API_KEYS].get(team.keys[0].n), **columns)


@shows("T-1.7")
@pytest.mark.parametrize(
    "columns", [{"scopes": []}, {"per_request_cents": None}, {"monthly_cents": None}, {"mode": "test"}]
)
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_key_without_scope_limits_or_live_mode_cannot_pay(
    team: PayingTeam, columns: dict[str, Any], method: str
) -> None:
    change_key(team, **columns)
    with pytest.raises(PaymentNotPermitted):
        team.pay(1000, method=method)
    assert team.totals() == (100_000, 0, 0)
    assert team.paid == []


@shows("T-5.16")
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_payment_may_reach_the_limit_per_request_but_not_exceed_it(team: PayingTeam, method: str) -> None:
    with pytest.raises(SpendingCeilingExceeded):
        team.pay(PER_REQUEST + 1, method=method)
    team.pay(PER_REQUEST, method=method)
    assert team.paid == [1]


@shows("T-5.18")
def test_payments_may_reach_the_monthly_limit_but_not_exceed_it(team: PayingTeam) -> None:
    team.pay(PER_REQUEST)
    team.pay(PER_REQUEST - 500, method="net_terms")
    with pytest.raises(MonthlyCapExceeded):
        team.pay(501)
    team.pay(500)
    assert spent_cents(team.state, team.keys[0].n, month_of(team.state.now_ms)) == MONTHLY


@shows("T-8.6")
def test_each_key_has_its_own_monthly_limit(team: PayingTeam) -> None:
    team.pay(PER_REQUEST)
    team.pay(PER_REQUEST)
    with pytest.raises(MonthlyCapExceeded):
        team.pay(1)
    team.pay(PER_REQUEST, key=1)


def test_a_person_has_no_spending_limit(team: PayingTeam) -> None:
    payment = team.pay(5 * PER_REQUEST, key=None)
    assert (payment.key, payment.month) == (None, "")
    team.pay(PER_REQUEST)


@shows("T-5.21")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2027-07-01T06:59:59Z", "2027-07-01T07:00:00Z"),
        ("2027-12-01T07:59:59Z", "2027-12-01T08:00:00Z"),
        ("2027-04-01T06:59:59Z", "2027-04-01T07:00:00Z"),
    ],
)
def test_a_new_month_begins_at_midnight_in_los_angeles(before: str, after: str) -> None:
    team = PayingTeam(now="2027-03-01T08:00:00Z")
    team.advance_to(parse_instant(before) - 1000)
    team.pay(PER_REQUEST)
    team.pay(PER_REQUEST)
    team.advance_to(parse_instant(before))
    with pytest.raises(MonthlyCapExceeded):
        team.pay(1)
    team.advance_to(parse_instant(after))
    team.pay(PER_REQUEST)


@shows("T-5.19")
@pytest.mark.parametrize("method", ["balance", "net_terms"])
def test_a_reserved_payment_counts_until_it_fails(team: PayingTeam, method: str) -> None:
    team.change_settings(payments__settle_after="2h")
    payment = team.pay(PER_REQUEST, method=method)
    team.pay(PER_REQUEST - 1, method=method)
    assert team.paid == []
    with pytest.raises(MonthlyCapExceeded):
        team.pay(2)
    with team.state.transaction():
        fail_payment(team.state, payment)
    team.pay(2)


@shows("T-5.20")
def test_an_uncertain_payment_counts_until_it_fails(team: PayingTeam) -> None:
    with pytest.raises(CrashAfterCharge):
        team.pay(PER_REQUEST, crash=True)
    lost = team.last()
    team.pay(PER_REQUEST)
    team.advance("20d")
    with pytest.raises(MonthlyCapExceeded):
        team.pay(1)
    assert payment_status(team.state, payment_of(team.state, THING, lost.resource)) == "uncertain"
    with team.state.transaction():
        fail_payment(team.state, lost)
    team.pay(PER_REQUEST)
    assert team.unpaid == [lost.resource]


def test_a_failed_payment_of_last_month_no_longer_counts_in_last_month(team: PayingTeam) -> None:
    with pytest.raises(CrashAfterCharge):
        team.pay(PER_REQUEST, crash=True)
    team.advance("30d")
    with team.state.transaction():
        fail_payment(team.state, team.last())
    key = team.keys[0].n
    assert (spent_cents(team.state, key, "2027-01"), spent_cents(team.state, key, "2027-02")) == (0, 0)


@pytest.mark.parametrize(("method", "after"), [("balance", (91_000, 0, 0)), ("net_terms", (100_000, 0, 9000))])
def test_a_payment_is_reserved_until_the_provider_settles_it(
    team: PayingTeam, method: str, after: tuple[int, int, int]
) -> None:
    team.change_settings(payments__settle_after="90m")
    payment = team.pay(9000, method=method)
    assert payment_status(team.state, payment) == "reserved"
    assert team.totals() == (100_000, 9000 if method == "balance" else 0, 0)
    assert read_terms(team.state, team.tenant).available_cents == (100_000 if method == "balance" else 91_000)
    team.advance("89m")
    assert team.paid == []
    team.advance("1m")
    assert team.paid == [0]
    assert team.totals() == after
    assert payment_status(team.state, payment_of(team.state, THING, 0)) == "paid"


@pytest.mark.parametrize("outcome", ["settle", "fail"])
def test_an_uncertain_payment_is_decided_once(team: PayingTeam, outcome: str) -> None:
    with pytest.raises(CrashAfterCharge):
        team.pay(9000, crash=True)
    assert team.totals() == (100_000, 9000, 0)
    with pytest.raises(InvalidState):
        team.pay(9000, thing=0)
    decide = settle_payment if outcome == "settle" else fail_payment
    with team.state.transaction():
        decide(team.state, team.last())
    assert team.totals() == ((91_000, 0, 0) if outcome == "settle" else (100_000, 0, 0))
    assert (team.paid, team.unpaid) == (([0], []) if outcome == "settle" else ([], [0]))
    for again in (settle_payment, fail_payment):
        with pytest.raises(InvalidState), team.state.transaction():
            again(team.state, team.last())


def test_reconciliation_of_partner_charges_does_not_decide_payments_of_a_team(team: PayingTeam) -> None:
    team.change_settings(partner__reconcile_unknown="paid")
    with pytest.raises(CrashAfterCharge):
        team.pay(9000, crash=True)
    team.advance("3d")
    assert team.last().status == "uncertain"


def test_an_uncertain_payment_does_not_settle_by_itself(team: PayingTeam) -> None:
    team.change_settings(payments__settle_after="1h")
    payment = team.pay(9000)
    with team.state.transaction():
        mark_uncertain(team.state, payment)
    team.advance("1d")
    assert (team.last().status, team.paid) == ("uncertain", [])

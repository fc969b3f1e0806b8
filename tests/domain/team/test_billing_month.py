"""Billing months: each begins at midnight in Los Angeles, in summer and winter, and every instant is in exactly one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.team.billing.billing_profile import day_of, month_bounds, month_of
from giftsim.domain.team.billing.problem import InvalidMonth
from giftsim.kernel.instants import HOUR, LATEST_MS, parse_instant
from tests.claims import claims

instants = st.integers(parse_instant("1900-01-01T00:00:00Z"), parse_instant("2500-01-01T00:00:00Z"))


@claims("T-5.21")
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


@claims("T-5.21")
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


@claims("T-5.21")
def test_the_months_in_which_the_clocks_change_are_an_hour_short_and_an_hour_long() -> None:
    hours = {
        month: (month_bounds(month)[1] - month_bounds(month)[0]) // HOUR for month in ("2027-02", "2027-03", "2027-11")
    }
    assert hours == {"2027-02": 28 * 24, "2027-03": 31 * 24 - 1, "2027-11": 30 * 24 + 1}


@claims("T-5.21")
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

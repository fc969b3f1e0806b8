"""Working time: never on a closed day, in the order of what came in, and all time while the calendar is off (G460)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from giftsim.engine.kernel.instants import DAY, HOUR, local_date, local_hour, parse_date, parse_instant
from giftsim.engine.kernel.table import Record
from giftsim.services.gifting.domain.fulfilment import due_times
from giftsim.services.gifting.domain.fulfilment.working_time import ABROAD, HOME, WorkingTime, holidays_in
from tests.support.domain.partner_orders import PartnerDomain

FIRST, LAST = parse_instant("2026-01-01T00:00:00Z"), parse_instant("2031-01-01T00:00:00Z")
ZONES = {HOME: "America/Los_Angeles", **ABROAD}
DUE = (due_times.production, due_times.label, due_times.shipping, due_times.delivery, due_times.promised_window)
instants = st.integers(FIRST, LAST)
spans = st.one_of(st.integers(0, 30 * DAY), st.sampled_from([0, 1, HOUR, DAY - 1, DAY, 2 * DAY, 5 * DAY]))
hours = st.builds(
    lambda country, weekends, holidays: WorkingTime(country, ZONES[country], weekends, holidays),
    st.sampled_from(sorted(ZONES)),
    st.booleans(),
    st.booleans(),
)
cut_offs = st.none() | st.integers(0, 24 * 60 - 1)


class Parcel(Record, frozen=True):
    """What the due times of a parcel follow from."""

    since_ms: int | None
    ship_on: str | None = None
    country: str | None = "US"
    rush: bool = False
    expires_at_ms: int | None = None
    shipped_at_ms: int | None = None


def day_of(at_ms: int, hours: WorkingTime) -> date:
    return parse_date(local_date(at_ms, hours.zone))


def open_ms(hours: WorkingTime, since_ms: int, until_ms: int) -> int:
    """The working time between two instants, day by day."""
    found, day = 0, day_of(since_ms, hours)
    while local_hour(day, 0, hours.zone) < until_ms:
        after = date.fromordinal(day.toordinal() + 1)
        if hours.closing(day) is None:
            first, last = local_hour(day, 0, hours.zone), local_hour(after, 0, hours.zone)
            found += max(0, min(last, until_ms) - max(first, since_ms))
        day = after
    return found


@given(hours, instants, spans)
def test_working_time_ends_on_an_open_day_as_soon_as_so_much_has_passed(
    hours: WorkingTime, since_ms: int, span_ms: int
) -> None:
    due_ms = hours.after(since_ms, span_ms)
    assert due_ms >= since_ms + span_ms
    assert hours.closing(day_of(due_ms, hours)) is None
    assert open_ms(hours, since_ms, due_ms) == span_ms
    assert day_of(due_ms - 1, hours) != day_of(due_ms, hours) or open_ms(hours, since_ms, due_ms - 1) < max(1, span_ms)


@given(hours, instants, spans, st.integers(0, 9 * DAY), st.integers(0, 9 * DAY), cut_offs)
def test_what_comes_in_later_or_takes_longer_is_never_sooner(
    hours: WorkingTime, since_ms: int, span_ms: int, later_ms: int, longer_ms: int, cut_off: int | None
) -> None:
    first = hours.after(hours.received(since_ms, cut_off), span_ms)
    second = hours.after(hours.received(since_ms + later_ms, cut_off), span_ms + longer_ms)
    assert first <= second


@given(instants, spans, st.sampled_from(sorted(ZONES)))
def test_with_every_day_open_all_time_counts(since_ms: int, span_ms: int, country: str) -> None:
    every = WorkingTime(country, ZONES[country], weekends_closed=False, holidays_closed=False)
    assert every.after(since_ms, span_ms) == every.received(since_ms, None) + span_ms == since_ms + span_ms
    assert every.before(since_ms, span_ms) == since_ms - span_ms
    assert every.closings(since_ms, since_ms + span_ms) == []


@given(hours, instants, spans)
def test_the_way_back_is_the_latest_start_that_is_in_time(hours: WorkingTime, until_ms: int, span_ms: int) -> None:
    start_ms = hours.before(until_ms, span_ms)
    assert hours.closing(day_of(start_ms, hours)) is None
    assert hours.after(start_ms, span_ms) == hours.after(until_ms, 0)
    assert span_ms == 0 or open_ms(hours, start_ms + 1, until_ms) < span_ms


@given(hours, instants, spans, spans)
def test_two_lead_times_in_a_row_are_their_sum(hours: WorkingTime, since_ms: int, first: int, second: int) -> None:
    assert hours.after(hours.after(since_ms, first), second) == hours.after(since_ms, first + second)


@given(hours, instants, st.integers(0, 24 * 60 - 1))
def test_what_misses_the_cut_off_counts_from_the_next_open_day(hours: WorkingTime, at_ms: int, cut_off: int) -> None:
    received_ms = hours.received(at_ms, cut_off)
    if not hours.is_late(at_ms, cut_off):
        assert received_ms == at_ms
        return
    day = day_of(received_ms, hours)
    assert received_ms == local_hour(day, 0, hours.zone)
    assert day > day_of(at_ms, hours)
    assert hours.closing(day) is None
    assert open_ms(hours, at_ms, received_ms) <= 25 * HOUR


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-20T00:00:00Z"])
@pytest.mark.parametrize("span_ms", [0, DAY, 9 * DAY, 10**6 * 7 * DAY])
@pytest.mark.parametrize("country", sorted(ZONES))
def test_the_ends_of_time_have_an_answer(at: str, span_ms: int, country: str) -> None:
    hours = WorkingTime(country, ZONES[country], weekends_closed=True, holidays_closed=True)
    assert hours.after(parse_instant(at), span_ms) >= parse_instant(at) + span_ms
    assert hours.before(parse_instant(at), 0) >= parse_instant(at) - DAY
    assert hours.closings(parse_instant(at), parse_instant(at) + span_ms) in ([], ["the weekend"])


parcels = st.builds(
    Parcel,
    n=st.just(0),
    since_ms=instants,
    ship_on=st.none() | st.dates(date(2026, 1, 1), date(2031, 1, 1)).map(str),
    country=st.sampled_from([None, *sorted(ZONES)]),
    rush=st.booleans(),
)
OFF: dict[str, Any] = {"calendar.working_days": False, "calendar.holidays": False, "calendar.cut_off": None}


def state_with(values: dict[str, Any]) -> Any:
    state = PartnerDomain().state
    with state.transaction():
        for name, value in values.items():
            state.set_setting(name, value)
    return state


PLAIN, TURNED_OFF = state_with({}), state_with(OFF)
ALL = state_with({"calendar.working_days": True, "calendar.holidays": True})


@settings(max_examples=300)
@given(parcels)
@example(Parcel(0, FIRST, "2026-01-03", "DE", True))
def test_due_times_are_those_of_before_while_the_calendar_is_off_and_never_sooner_or_closed_while_it_is_on(
    parcel: Parcel,
) -> None:
    for due in DUE:
        plain, on = due(PLAIN, parcel), due(ALL, parcel)
        assert plain is not None
        assert on is not None
        assert due(TURNED_OFF, parcel) == plain
        country = parcel.country if due is due_times.delivery and parcel.country else HOME
        assert holidays_in(country, 2027)
        hours = WorkingTime(country, ZONES[country], weekends_closed=True, holidays_closed=True)
        assert hours.closing(day_of(on, hours)) is None
        if parcel.ship_on is None or due is not due_times.production:
            assert on >= plain  # production that is held for its day starts sooner, so that it is made in time


def test_each_of_the_nine_countries_has_its_holidays_with_english_names() -> None:
    found = {country: dict(holidays_in(country, 2027)) for country in sorted(ZONES)}
    assert {country: name for country, days in found.items() if (name := days.get(date(2027, 1, 1)))} == dict.fromkeys(
        ZONES, "New Year's Day"
    )
    assert (found["US"][date(2027, 9, 6)], found["CA"][date(2027, 7, 1)]) == ("Labor Day", "Canada Day")
    assert (found["US"][date(2027, 7, 5)], found["GB"][date(2027, 5, 3)]) == ("Independence Day", "May Day")
    assert (found["DE"][date(2027, 5, 6)], found["NL"][date(2027, 4, 27)]) == ("Ascension Day", "King's Day")
    assert date(2027, 1, 6) in found["IT"]
    assert date(2027, 1, 6) in found["ES"]
    assert date(2027, 7, 14) in found["FR"]
    assert date(2027, 1, 26) in found["AU"]
    assert holidays_in("US", 2101) == {}


def test_what_was_closed_is_named_by_its_holidays_or_else_as_the_weekend() -> None:
    hours = WorkingTime(HOME, ZONES[HOME], weekends_closed=True, holidays_closed=True)

    def named(since: str, until: str) -> list[str]:
        return hours.closings(parse_instant(f"{since}T20:00:00Z"), parse_instant(f"{until}T20:00:00Z"))

    assert named("2027-09-01", "2027-09-02") == []
    assert named("2027-09-10", "2027-09-13") == ["the weekend"]
    assert named("2027-09-03", "2027-09-07") == ["Labor Day"]
    assert named("2027-12-23", "2028-01-04") == ["Christmas Day", "New Year's Day"]

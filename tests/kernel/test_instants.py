"""Instants and durations: what is written is read back, and what is neither is refused with an example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel import instants
from giftsim.engine.kernel.instants import EARLIEST_MS, LATEST_MS


@given(st.integers(EARLIEST_MS // 1000, LATEST_MS // 1000))
def test_an_instant_in_whole_seconds_is_read_back(second: int) -> None:
    assert instants.parse_instant(instants.format_instant(second * 1000)) == second * 1000


@given(st.integers(0, 10**12))
def test_a_duration_is_read_back(span_ms: int) -> None:
    assert instants.parse_duration(instants.format_duration(span_ms)) == span_ms


@pytest.mark.parametrize(
    ("span_ms", "text"),
    [
        (0, "0s"),
        (1, "1s"),
        (59_001, "1m"),
        (90_000, "90s"),
        (90_001, "2m"),
        (261_827_425, "73h"),
        (5_000_001, "84m"),
        (3_599_999, "1h"),
    ],
)
def test_a_time_to_wait_has_no_fraction_and_is_never_too_short(span_ms: int, text: str) -> None:
    assert instants.format_wait(span_ms) == text
    assert instants.parse_duration(text) >= span_ms


@given(st.integers(EARLIEST_MS, LATEST_MS))
def test_a_day_starts_at_its_first_millisecond(at_ms: int) -> None:
    start_ms = instants.start_of_date(instants.utc_date(at_ms))
    assert start_ms <= at_ms < start_ms + instants.DAY


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("90s", 90_000),
        ("PT36H", 129_600_000),
        ("P1DT1.5S", 86_401_500),
        ("250ms", 250),
        ("2w", 1_209_600_000),
        ("P1W", 604_800_000),
        ("3h", 10_800_000),
        ("15m", 900_000),
        ("PT1M", 60_000),
    ],
)
def test_durations_are_short_or_iso_8601(text: str, milliseconds: int) -> None:
    assert instants.parse_duration(text) == milliseconds


@pytest.mark.parametrize("text", ["", "3", "3x", "-3d", "P", "PT", "P1DT", "three days"])
def test_other_durations_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="like 90s, 15m, 3h, 2d, 1w or PT36H"):
        instants.parse_duration(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2027-01-04T09:00:00+02:00", "2027-01-04T07:00:00Z"),
        ("2027-01-03T23:30:00.999-01:30", "2027-01-04T01:00:00Z"),
        ("2027-01-04T09:00:00+00:00", "2027-01-04T09:00:00Z"),
    ],
)
def test_an_instant_with_an_offset_is_the_same_instant_in_utc(text: str, written: str) -> None:
    assert instants.format_instant(instants.parse_instant(text)) == written


@pytest.mark.parametrize(
    "text", ["", "2027-01-04", "2027-01-04T09:00:00", "2027-13-04T09:00:00Z", "10000-01-01T00:00:00Z"]
)
def test_other_instants_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="instant"):
        instants.parse_instant(text)

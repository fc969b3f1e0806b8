"""Times in a scenario: instants, and offsets from its start."""

from __future__ import annotations

import pytest

from giftsim.kernel.instants import parse_instant
from giftsim.scenario.time_values import parse_time, with_instants

START_MS = parse_instant("2027-01-04T09:00:00Z")


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("+3d", "2027-01-07T09:00:00Z"),
        ("-1h", "2027-01-04T08:00:00Z"),
        ("+0s", "2027-01-04T09:00:00Z"),
        ("2027-02-01T00:00:00Z", "2027-02-01T00:00:00Z"),
    ],
)
def test_a_time_is_an_instant_or_an_offset_from_the_start(text: str, instant: str) -> None:
    assert parse_time(text, START_MS) == parse_instant(instant)


def test_an_offset_outside_the_calendar_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^'\+999999w' is outside the calendar$"):
        parse_time("+999999w", START_MS)


def test_only_the_offsets_of_the_named_members_become_instants() -> None:
    event = {"at": "+1d", "until": "+1d", "type": "team_order.shipped"}
    assert with_instants(event, ("at", "type"), START_MS) == {**event, "at": "2027-01-05T09:00:00Z"}
    assert with_instants("team_order.shipped", ("at",), START_MS) == "team_order.shipped"

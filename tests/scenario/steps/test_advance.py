"""The `advance` step without `on_delivery`."""

from __future__ import annotations

import pytest

from tests.scenario.builders import WORLD, FakeSimulator, play_steps


@pytest.mark.parametrize(
    ("step", "sent"),
    [
        ("10d", {"by": "10d"}),
        ("{by: PT36H}", {"by": "PT36H"}),
        ("{to: +3d}", {"to": "2027-01-07T09:00:00Z"}),
        ("{to: 2027-02-01T00:00:00Z}", {"to": "2027-02-01T00:00:00Z"}),
        ("{until: idle}", {"until": "idle"}),
    ],
)
def test_an_advance_goes_by_a_duration_to_a_time_or_until_an_end(step: str, sent: dict[str, str]) -> None:
    fake = FakeSimulator()
    play_steps(f"  - advance: {step}", fake)
    assert fake.bodies(f"POST {WORLD}/clock/advance") == [sent]


def test_offsets_count_from_the_start_and_not_from_now() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: 10d\n  - advance: {to: +11d}", fake)
    assert fake.bodies(f"POST {WORLD}/clock/advance")[1] == {"to": "2027-01-15T09:00:00Z"}

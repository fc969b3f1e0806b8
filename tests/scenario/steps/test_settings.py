"""The `settings` step."""

from __future__ import annotations

from tests.scenario.builders import WORLD, FakeSimulator, play_steps


def test_settings_are_changed() -> None:
    fake = FakeSimulator()
    play_steps("  - settings: {partner.lead_times.production: 1h}", fake)
    assert fake.bodies(f"PATCH {WORLD}/settings") == [{"partner.lead_times.production": "1h"}]

"""The `fault` step."""

from __future__ import annotations

from tests.scenario.builders import WORLD, FakeSimulator, play_steps


def test_faults_start_and_end() -> None:
    fake = FakeSimulator()
    play_steps(
        """
  - fault: {id: decline, match: {interface: partner}, when: {from: +1h}, effect: {charge: card_charge_failed}}
  - fault: {clear: decline}
  - fault: {clear: all}
""",
        fake,
    )
    assert fake.bodies(f"POST {WORLD}/faults") == [
        {
            "id": "decline",
            "match": {"interface": "partner"},
            "when": {"from": "2027-01-04T10:00:00Z"},
            "effect": {"charge": "card_charge_failed"},
        }
    ]
    assert [made.call for made in fake.calls if made.call.startswith("DELETE")][:2] == [
        f"DELETE {WORLD}/faults/decline",
        f"DELETE {WORLD}/faults",
    ]

"""The `receiver` step."""

from __future__ import annotations

from tests.scenario.builders import WORLD, FakeSimulator, play_steps


def test_a_receiver_gets_instants_and_captures_by_default() -> None:
    fake = FakeSimulator()
    play_steps(
        """
  - receiver:
      host: hooks.example.com
      script: [{status: 503}, {timeout: true}]
      then: {status: 200}
      outage: {from: +3d, to: 2027-01-08T09:00:00Z, status: 503}
""",
        fake,
    )
    assert fake.bodies(f"PUT {WORLD}/receivers/hooks.example.com") == [
        {
            "mode": "capture",
            "script": [{"status": 503}, {"timeout": True}],
            "then": {"status": 200},
            "outage": {"from": "2027-01-07T09:00:00Z", "to": "2027-01-08T09:00:00Z", "status": 503},
        }
    ]


def test_a_receiver_with_a_target_forwards_and_an_asterisk_is_not_quoted() -> None:
    fake = FakeSimulator()
    play_steps("  - receiver: {host: '*', to: 'http://127.0.0.1:9000'}", fake)
    assert fake.bodies(f"PUT {WORLD}/receivers/*") == [{"mode": "forward", "to": "http://127.0.0.1:9000"}]

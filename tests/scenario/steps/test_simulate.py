"""The `simulate` step."""

from __future__ import annotations

from tests.scenario.builders import WORLD, FakeSimulator, play_steps, response


def test_a_verb_is_sent_with_its_members_and_may_save() -> None:
    fake = FakeSimulator()
    fake.respond(f"POST {WORLD}/simulate/claim", response(200, {"status": "submitted"}))
    report = play_steps(
        """
  - simulate: claim
    with: {team_order_id: 7, recipient: 0, address: {country: US}}
    expect: {status: 200, body: {status: submitted}}
    save: {status: $.status}
""",
        fake,
    )
    assert report.outcome == "passed"
    assert fake.bodies(f"POST {WORLD}/simulate/claim") == [
        {"team_order_id": 7, "recipient": 0, "address": {"country": "US"}}
    ]

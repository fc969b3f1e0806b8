"""The `advance` step without `on_delivery`."""

from __future__ import annotations

import re

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import InvalidScenario, Report, check_scenario, load_scenario
from tests.scenario.builders import WORLD, FakeSimulator, assert_passed, play_steps, play_text, response


@pytest.mark.parametrize(
    ("step", "sent"),
    [
        ("10d", {"by": "10d"}),
        ("{by: PT36H}", {"by": "PT36H"}),
        ("{to: +3d}", {"to": "2027-01-07T09:00:00Z"}),
        ("{to: 2027-02-01T00:00:00Z}", {"to": "2027-02-01T00:00:00Z"}),
        ("{until: idle}", {"until": "idle"}),
        ("next", {"until": "next"}),
        ("idle", {"until": "idle"}),
        ("'2027-02-01T00:00:00Z'", {"to": "2027-02-01T00:00:00Z"}),
    ],
)
def test_an_advance_goes_by_a_duration_to_a_time_or_until_an_end(step: str, sent: dict[str, str]) -> None:
    fake = FakeSimulator()
    play_steps(f"  - advance: {step}", fake)
    assert fake.bodies(f"POST {WORLD}/clock/advance") == [sent]


def test_a_variable_may_be_any_goal() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: ${goal}\n", fake, vars="{goal: next}")
    assert fake.bodies(f"POST {WORLD}/clock/advance") == [{"until": "next"}]


def test_offsets_count_from_the_start_and_not_from_now() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: 10d\n  - advance: {to: +11d}", fake)
    assert fake.bodies(f"POST {WORLD}/clock/advance")[1] == {"to": "2027-01-15T09:00:00Z"}


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


def test_settings_are_changed() -> None:
    fake = FakeSimulator()
    play_steps("  - settings: {partner.lead_times.production: 1h}", fake)
    assert fake.bodies(f"PATCH {WORLD}/settings") == [{"partner.lead_times.production": "1h"}]


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


HEAD = """
scenario: A scenario
vars:
  body: &body
    idempotency_key: first
    gift_sender: Ada
    items: [{sku_code: MUG-01}]
    recipients: [{name: Bo, email: bo@example.com}]
steps:
  - &order {call: POST /api/external/team-orders, as: partner.prepaid, body: *body}
  - &one {call: GET /api/external/team-orders, as: partner.prepaid, expect: {body: {team_orders: {$length: 1}}}}
"""
NONE = "{call: GET /api/external/team-orders, as: partner.prepaid, expect: {body: {team_orders: {$length: 0}}}}"


def play_after_order(simulator: Simulator, steps: str, *, first: str = "") -> Report:
    """Play steps after an order, with the steps `first` before it."""
    head = HEAD.replace("steps:\n", f"steps:\n{first}") if first else HEAD
    return assert_passed(play_text(head + steps.strip("\n") + "\n", simulator.client))


def test_restore_returns_clock_and_lists(simulator: Simulator) -> None:
    report = play_after_order(
        simulator,
        f"""
  - advance: 40d
  - restore: before
  - {NONE}
  - expect: {{events_exactly: []}}
""",
        first="  - snapshot: before\n",
    )
    assert [step.at for step in report.steps][-1] == report.steps[0].at
    assert report.steps[4].detail == f"to {report.steps[0].at}"


def test_undo_takes_back_a_write(simulator: Simulator) -> None:
    play_after_order(simulator, f"  - undo: 1\n  - {NONE}\n")


def test_a_fork_does_not_change_the_main_world(simulator: Simulator) -> None:
    report = play_after_order(
        simulator,
        """
  - fork: other
  - {advance: 40d, in: other, expect: {events: [team_order.needs_attention]}}
  - {<<: *one, in: other}
  - {call: GET /api/external/team-orders, in: other, as: partner.prepaid, save: {id: "$.team_orders[0].id"}}
  - {call: "GET /api/external/team-orders/${id}", as: partner.prepaid}
  - expect: {events_exactly: []}
  - {in: other, expect: {events: [team_order.needs_attention]}}
""",
    )
    assert report.steps[3].title == "advance 40d, in other"
    assert [step.at for step in report.steps[6:8]] == [report.steps[0].at] * 2
    assert report.steps[8].at == "2027-02-13T09:00:00Z"


def test_earlier_events_are_not_reported_again_in_a_fork(simulator: Simulator) -> None:
    report = play_after_order(
        simulator,
        """
  - advance: 40d
  - fork: other
  - {advance: 1s, in: other}
  - {in: other, expect: {events: [team_order.needs_attention]}}
  - control: POST /reset
  - expect: {events_exactly: []}
  - {in: other, expect: {events: [team_order.needs_attention]}}
""",
    )
    assert [event.type for event in report.events] == ["team_order.needs_attention"]


def test_two_forks_of_one_state_have_the_same_future(simulator: Simulator) -> None:
    play_after_order(
        simulator,
        """
  - fork: a
  - fork: b
  - {advance: 40d, in: a}
  - {advance: 40d, in: b}
  - {control: GET /fingerprint, in: a, save: {print: $.sha256}}
  - {control: GET /fingerprint, in: b, expect: {body: {sha256: "${print}"}}}
  - {in: b, expect: {fingerprint: "${print}"}}
""",
    )


def test_a_fork_has_its_own_id_and_is_deleted(simulator: Simulator) -> None:
    before = simulator.client.call("GET", "/_sim/v1/worlds").json()
    play_after_order(
        simulator,
        """
  - fork: other
  - {call: "GET /_sim/v1/worlds/${world}", in: other, save: {there: $.id}}
  - {call: "GET /_sim/v1/worlds/${world}", save: {here: $.id}}
""",
    )
    assert simulator.client.call("GET", "/_sim/v1/worlds").json() == before


def test_a_different_fingerprint_is_reported(simulator: Simulator) -> None:
    zeros = "0" * 64
    report = play_steps(f"  - expect: {{fingerprint: '{zeros}'}}", simulator.client)
    assert report.steps[0].detail == (
        f"scenario.yaml:3: step 1, expect fingerprint\n  fingerprint: expected {zeros}, actual {report.fingerprint}"
    )


def test_a_situation_is_rehearsed_and_may_be_unable_to_happen() -> None:
    fake = FakeSimulator()
    fake.respond(f"POST {WORLD}/rehearse", response(409, {"error": {"code": "invalid_state", "message": "no"}}))
    step = "  - rehearse: parcel-lost\n    with: {team_order_id: 1001}\n"
    assert play_steps(step, fake).outcome == "failed"
    assert fake.bodies(f"POST {WORLD}/rehearse") == [{"name": "parcel-lost", "team_order_id": 1001}]
    assert play_steps(f"{step}    optional: true\n", fake).outcome == "passed"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            "  - {rehearse: parcel-lots, with: {team_order_id: 1001}}\n",
            '3:16: "parcel-lots" is not a rehearsal; did you mean "parcel-lost"?',
        ),
        (
            "  - {rehearse: parcel-lost, with: {team_order: 1001}}\n",
            '3:36: parcel-lost does not take "team_order"; did you mean "team_order_id"?',
        ),
        (
            "  - {rehearse: card-closed, with: {key: partner.prepayd}}\n",
            '3:41: the world has no key "partner.prepayd"; did you mean "partner.prepaid"?',
        ),
    ],
)
def test_a_rehearsal_that_could_never_happen_is_refused(simulator: Simulator, step: str, message: str) -> None:
    with pytest.raises(InvalidScenario, match=re.escape(message)):
        check_scenario(load_scenario(f"scenario: A\nsteps:\n{step}"), simulator.client)

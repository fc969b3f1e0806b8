"""Unused faults, scripted responses and background calls fail a scenario."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import load_scenario
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient, create_world
from tests.scenario.builders import HEAD, WORLD, FakeSimulator, play_steps, response

LIST = "  - {call: GET /api/external/team-orders, as: partner.prepaid}\n"
HOOK = """\
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.partner.example/gifts", events: [team_order.shipped]}
    save: {hook: $.endpoint.id}
"""
PING = "  - {call: 'POST /api/external/webhooks/${hook}/test', as: partner.prepaid}\n"
FAULT = "  - fault: {id: late, match: {operation: listTeamOrders}, effect: {delay_s: 0}}\n"
SCRIPT = "  - receiver: {host: Hooks.partner.example, script: [{status: 200}, {status: 200}]}\n"
NEVER = "expected the fault to act, actual never; `optional: true` allows that"


def failures(simulator: Simulator, steps: str) -> list[str]:
    """The details of the failed steps."""
    return [step.detail for step in play_steps(steps, simulator.client).steps if step.outcome == "failed"]


def test_a_fault_that_never_acts_fails_the_scenario(simulator: Simulator) -> None:
    report = play_steps(FAULT + "  - advance: 1d\n", simulator.client)
    assert report.outcome == "failed"
    assert [step.outcome for step in report.steps] == ["passed", "passed", "failed"]
    assert report.steps[2].detail == f"scenario.yaml:3: step 1, fault late\n  {NEVER}"
    assert (report.steps[2].number, report.steps[2].line) == (3, 3)


def test_a_fault_that_acted_may_be_cleared_or_undone_later(simulator: Simulator) -> None:
    assert failures(simulator, FAULT + LIST) == []
    assert failures(simulator, FAULT + LIST + "  - fault: {clear: late}\n") == []
    assert failures(simulator, FAULT + LIST + "  - fault: {clear: all}\n" + FAULT + LIST) == []
    assert failures(simulator, "  - snapshot: a\n" + FAULT + LIST + "  - restore: a\n") == []
    assert failures(simulator, FAULT + LIST + "  - control: DELETE /faults\n") == []


def test_a_fault_that_is_cleared_before_it_acts_fails_the_scenario(simulator: Simulator) -> None:
    assert failures(simulator, FAULT + "  - fault: {clear: late}\n" + LIST) == [
        f"scenario.yaml:3: step 1, fault late\n  {NEVER}"
    ]


def test_an_optional_fault_may_never_act(simulator: Simulator) -> None:
    assert failures(simulator, FAULT.replace("effect", "optional: true, effect")) == []


def test_a_fault_may_act_in_a_fork(simulator: Simulator) -> None:
    fork = "  - fork: other\n"
    assert failures(simulator, FAULT + fork + LIST.replace("}", ", in: other}")) == []
    assert failures(simulator, fork + FAULT.replace("}}\n", "}}\n    in: other\n") + LIST) == [
        f"scenario.yaml:4: step 2, fault late, in other\n  {NEVER}"
    ]


def test_unused_responses_of_a_script_fail_the_scenario(simulator: Simulator) -> None:
    assert failures(simulator, SCRIPT + HOOK + PING) == [
        (
            "scenario.yaml:3: step 1, receiver Hooks.partner.example\n"
            "  expected its script to be used up, actual 1 of 2 responses left; `optional: true` allows that"
        )
    ]
    assert failures(simulator, SCRIPT + HOOK + PING + PING) == []
    assert failures(simulator, SCRIPT.replace("script", "optional: true, script")) == []


DURING = "expected a webhook during its outage, actual none; `optional: true` allows that"
MET = "expected a webhook, actual none; `optional: true` allows that"


@pytest.mark.parametrize(
    ("receiver", "unmet"),
    [
        ("outage: {from: +40d, to: +41d}", DURING),
        ("outage: {from: +0s, to: +1d}, script: [{status: 500}]", "expected its script to be used up"),
        ("then: {status: 500}", MET),
        ("then: {delay_s: 12}", MET),
        ("mode: refuse", MET),
        ("mode: hold", MET),
    ],
)
def test_a_receiver_that_meets_no_webhook_fails_the_scenario(simulator: Simulator, receiver: str, unmet: str) -> None:
    step = f"  - receiver: {{host: hooks.partner.example, {receiver}}}\n  - advance: 2d\n"
    (failure,) = failures(simulator, step)
    assert unmet in failure
    assert failures(simulator, step.replace(receiver, f"optional: true, {receiver}")) == []


def test_a_receiver_that_met_a_webhook_passes_and_one_before_it_does_not_count(simulator: Simulator) -> None:
    down = "  - receiver: {host: hooks.partner.example, outage: {from: +0s, to: +1d}}\n"
    assert failures(simulator, down + HOOK + PING) == []
    assert failures(simulator, down + HOOK + PING + "  - undo: 1\n") == []
    fork = "  - fork: other\n" + PING.replace("}\n", ", in: other}\n")
    assert failures(simulator, down + HOOK + fork) == []
    (failure,) = failures(simulator, HOOK + PING + down)
    assert DURING in failure
    (failure,) = failures(simulator, down + HOOK + "  - advance: 2d\n" + PING)
    assert DURING in failure


def test_a_receiver_that_accepts_or_forwards_needs_no_webhook(simulator: Simulator) -> None:
    for members in ("then: {status: 204}", "to: 'http://127.0.0.1:9'", "addresses: [203.0.113.9]"):
        assert failures(simulator, f"  - receiver: {{host: hooks.partner.example, {members}}}\n") == []


def test_responses_that_another_receiver_replaces_fail_the_scenario(simulator: Simulator) -> None:
    other = "  - receiver: {host: hooks.partner.example, then: {status: 200}}\n"
    assert failures(simulator, SCRIPT + HOOK + PING + other + PING) == [
        (
            "scenario.yaml:3: step 1, receiver Hooks.partner.example\n"
            "  expected its script to be used up, actual removed before that; `optional: true` allows that"
        )
    ]
    assert failures(simulator, SCRIPT + HOOK + PING + PING + other) == []


def test_a_background_call_that_is_never_awaited_fails_the_scenario(simulator: Simulator) -> None:
    assert failures(simulator, LIST.replace("}", ", background: first}")) == [
        (
            "scenario.yaml:3: step 1, GET /api/external/team-orders as partner.prepaid\n"
            "  expected its response to be awaited, actual never"
        )
    ]


def test_unused_setup_is_not_reported_after_a_failed_step(simulator: Simulator) -> None:
    assert len(failures(simulator, FAULT + "  - call: GET /x\n" + LIST)) == 1


def world_of(simulator: FakeSimulator) -> WorldClient:
    return create_world(simulator, load_scenario(f"{HEAD}steps: [advance: 1d]\n"))


def test_a_list_is_read_over_all_pages_and_then_from_its_last_entry() -> None:
    simulator = FakeSimulator()
    for number in range(5):
        simulator.add_at(f"2027-01-04T09:00:0{number}Z", "events", type=f"event.{number}")
    world = world_of(simulator)
    world.control("POST", "/clock/advance", {"by": "2s"})
    events = world.lists["events"]
    events.read()
    world.control("POST", "/clock/advance", {"by": "2s"})
    events.read()
    assert [event["seq"] for event in events.items] == [1, 2, 3, 4, 5]
    assert events.unreported == events.items
    reads = [made.call for made in simulator.calls if made.call.startswith(f"GET {WORLD}/events")]
    assert reads == [f"GET {WORLD}/events?limit=1000{after}" for after in ("", "&after=2", "&after=3")]


def test_a_reloaded_list_has_all_entries_and_none_counts_as_new() -> None:
    simulator = FakeSimulator()
    simulator.add_at("2027-01-04T09:00:00Z", "events", type="team_order.shipped")
    world = world_of(simulator)
    world.control("POST", "/clock/advance", {"by": "1s"})
    events = world.lists["events"]
    events.reload()
    assert len(events.items) == 1
    assert events.unreported == []


def test_a_credential_is_found_by_name_and_by_value() -> None:
    world = world_of(FakeSimulator())
    assert world.credential_headers("partner.prepaid") == {"Authorization": "Bearer pk_1"}
    assert world.credential_headers("pk_1") == {"Authorization": "Bearer pk_1"}
    assert world.credential_headers(None) == {"X-Sim-World": "w1"}


def test_a_control_call_that_does_not_succeed_fails_the_step() -> None:
    simulator = FakeSimulator()
    simulator.respond(f"POST {WORLD}/undo", response(409, {"error": {"code": "nothing_to_undo"}}))
    with pytest.raises(StepFailed) as failed:
        world_of(simulator).control("POST", "/undo", {"count": 1})
    assert str(failed.value) == f'POST {WORLD}/undo answered 409 {{"error": {{"code": "nothing_to_undo"}}}}'

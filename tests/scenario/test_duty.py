"""What a story sets up and never sees is a failure: idle faults, answers left over, calls that nobody awaits."""

from __future__ import annotations

from giftsim import Simulator
from giftsim.scenario import Report, load, play

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
NEVER = "expected that it strikes, actual never; `optional: true` allows that"


def told(simulator: Simulator, steps: str) -> Report:
    """Plays steps."""
    return play(load(f"scenario: A story\nsteps:\n{steps}", "story.yaml"), simulator.client)


def failures(simulator: Simulator, steps: str) -> list[str]:
    """What the failed steps say."""
    return [step.detail for step in told(simulator, steps).steps if step.outcome == "failed"]


def test_a_fault_that_never_strikes_fails_the_story(simulator: Simulator) -> None:
    report = told(simulator, FAULT + "  - advance: 1d\n")
    assert report.outcome == "failed"
    assert [step.outcome for step in report.steps] == ["passed", "passed", "failed"]
    assert report.steps[2].detail == f"story.yaml:3: step 1, fault late\n  {NEVER}"
    assert (report.steps[2].number, report.steps[2].line) == (3, 3)


def test_a_fault_that_struck_is_well_even_if_it_is_cleared_or_taken_back_later(simulator: Simulator) -> None:
    assert failures(simulator, FAULT + LIST) == []
    assert failures(simulator, FAULT + LIST + "  - fault: {clear: late}\n") == []
    assert failures(simulator, FAULT + LIST + "  - fault: {clear: all}\n" + FAULT + LIST) == []
    assert failures(simulator, "  - snapshot: a\n" + FAULT + LIST + "  - restore: a\n") == []
    assert failures(simulator, FAULT + LIST + "  - control: DELETE /faults\n") == []


def test_a_fault_that_was_cleared_before_it_struck_fails_the_story(simulator: Simulator) -> None:
    assert failures(simulator, FAULT + "  - fault: {clear: late}\n" + LIST) == [
        f"story.yaml:3: step 1, fault late\n  {NEVER}"
    ]


def test_a_fault_may_be_allowed_to_be_idle(simulator: Simulator) -> None:
    assert failures(simulator, FAULT.replace("effect", "optional: true, effect")) == []


def test_a_fault_may_strike_in_a_fork(simulator: Simulator) -> None:
    fork = "  - fork: other\n"
    assert failures(simulator, FAULT + fork + LIST.replace("}", ", in: other}")) == []
    assert failures(simulator, fork + FAULT.replace("}}\n", "}}\n    in: other\n") + LIST) == [
        f"story.yaml:4: step 2, fault late, in other\n  {NEVER}"
    ]


def test_answers_that_are_left_over_fail_the_story(simulator: Simulator) -> None:
    assert failures(simulator, SCRIPT + HOOK + PING) == [
        (
            "story.yaml:3: step 1, receiver Hooks.partner.example\n"
            "  expected that its script is used up, actual 1 of 2 answers left; `optional: true` allows that"
        )
    ]
    assert failures(simulator, SCRIPT + HOOK + PING + PING) == []
    assert failures(simulator, SCRIPT.replace("script", "optional: true, script")) == []


def test_answers_that_another_receiver_takes_away_fail_the_story(simulator: Simulator) -> None:
    other = "  - receiver: {host: hooks.partner.example, then: {status: 200}}\n"
    assert failures(simulator, SCRIPT + HOOK + PING + other + PING) == [
        (
            "story.yaml:3: step 1, receiver Hooks.partner.example\n"
            "  expected that its script is used up, actual taken away before; `optional: true` allows that"
        )
    ]
    assert failures(simulator, SCRIPT + HOOK + PING + PING + other) == []


def test_a_call_that_nobody_awaits_fails_the_story(simulator: Simulator) -> None:
    assert failures(simulator, LIST.replace("}", ", background: first}")) == [
        (
            "story.yaml:3: step 1, GET /api/external/team-orders as partner.prepaid\n"
            "  expected that its answer is awaited, actual never"
        )
    ]


def test_after_another_failure_nothing_is_said_of_what_could_not_happen_any_more(simulator: Simulator) -> None:
    assert len(failures(simulator, FAULT + "  - call: GET /x\n" + LIST)) == 1

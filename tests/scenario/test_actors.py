"""Actors of a scenario: what they do, when they are reported as idle, and which ones are refused."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.scenario import Report
from tests.scenario.builders import HEAD, assert_passed, load_error, play_text

ORDER = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: first, gift_sender: Ada, items: [{sku_code: MUG-01, quantity: 1}],
       recipients: [{name: Bo, email: bo@example.com}]}
"""
LATE = "refused at 2027-02-03T09:00:00Z: claim_expired, this link has expired"


def played(simulator: Simulator, actors: str, steps: str = "") -> Report:
    """Play an order, then `steps`, with these actors."""
    return play_text(f"{HEAD}actors:\n{actors}\nsteps:{ORDER}{steps}", simulator.client)


def error_of(actor: str) -> str:
    """The error of a scenario with this actor."""
    return load_error(f"{HEAD}actors:\n  - {actor}\nsteps: [advance: 1d]\n")


def test_actors_act_on_the_clock_of_the_world(simulator: Simulator) -> None:
    report = played(
        simulator,
        "  - {id: bo, recipient: bo@example.com, claims: 3d}",
        "  - advance: 3d\n    expect: {events_exactly: [{type: team_order.claimed, at: +3d}]}\n",
    )
    assert_passed(report)


def test_a_recipient_may_never_claim(simulator: Simulator) -> None:
    report = played(
        simulator,
        "  - {recipient: Bo, claims: never}\n  - {recipient: any, claims: 1d, optional: true}",
        "  - advance: 31d\n    expect: {events_exactly: [team_order.needs_attention]}",
    )
    assert_passed(report)


@pytest.mark.parametrize(
    ("actor", "message"),
    [
        (
            "{id: bo, recipient: boo@example.com, claims: 1d}",
            "expected it to claim, actual never: it received no claim link; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: Bo, claims: 40d}",
            "expected it to claim, actual never: the scenario ended before; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: Bo, claims: 30d}",
            f"expected it to claim, actual never: {LATE}; `optional: true` allows that",
        ),
        (
            "{id: bo, approver: gift, decides: approve}",
            "expected it to decide, actual never: it received no approval request; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: nobody@example.com, claims: never}",
            "expected a claim link for it to ignore, actual none",
        ),
    ],
)
def test_an_actor_that_never_acted_fails_the_scenario(simulator: Simulator, actor: str, message: str) -> None:
    report = played(simulator, f"  - {actor}", "  - advance: 31d\n")
    assert report.outcome == "failed"
    last = report.steps[-1]
    assert (last.number, last.title, last.outcome) == (3, "actor bo", "failed")
    assert last.detail == f"scenario.yaml:3: actor bo\n  {message}"


def test_idle_actors_are_not_reported_after_a_failed_step(simulator: Simulator) -> None:
    report = played(simulator, "  - {recipient: Bo, claims: 40d}", "  - expect: {events: [order.shipped]}\n")
    assert [step.outcome for step in report.steps] == ["passed", "failed"]


def test_an_actor_that_the_simulator_refuses_fails_before_any_step_runs(simulator: Simulator) -> None:
    report = played(simulator, "  - {id: bo, recipient: Bo, claims: 1d, address: {city: Reno}}")
    assert [(step.title, step.outcome) for step in report.steps] == [
        ("actor bo", "failed"),
        ("POST /api/external/team-orders as partner.prepaid", "skipped"),
    ]
    assert "invalid_actor" in report.steps[0].detail


@pytest.mark.parametrize(
    ("actor", "message"),
    [
        ("{id: bo}", '3:5: an actor is either a "recipient" or an "approver"'),
        ("{recipient: Bo, approver: any}", '3:21: an actor is either a "recipient" or an "approver"'),
        ("{recipient: Bo}", '3:5: "recipient" needs "claims"'),
        ("{recipient: Bo, claim: 3d}", '3:21: "claim" is not a member of an actor; did you mean "claims"?'),
        ("{recipient: Bo, claims: soon}", "3:29: 'soon' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H"),
        (
            "{recipient: Bo, claims: nevr}",
            "3:29: 'nevr' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H; did you mean \"never\"?",
        ),
        (
            "{recipient: Bo, claims: 1d, note: x}",
            '3:33: "note" is not a member of a "recipient", which has "claims", "address" and "selection"',
        ),
        (
            "{approver: gifts, decides: approve}",
            '3:16: "gifts" is not a kind of approval; did you mean "gift"?',
        ),
        ("{approver: any, decides: never, after: 1d}", '3:37: "after" has no effect on an actor that never acts'),
        ("{recipient: '${bo}', claims: 1d}", '3:17: ${bo} is not defined here; known are "origin", "run", "start", "start_date" and "world"'),  # noqa: E501
        (
            "{id: a, recipient: any, claims: 1d}\n  - {id: a, recipient: Bo, claims: 1d}",
            '4:10: there is already an actor "a" on line 3',
        ),
    ],
)  # fmt: skip
def test_an_invalid_actor_is_refused(actor: str, message: str) -> None:
    assert error_of(actor) == f"scenario.yaml:{message}"

"""People of a story who act by themselves: what they do, when they are told of as idle, and which cannot be meant."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.scenario import InvalidScenario, Report, load, play

ORDER = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: first, gift_sender: Ada, items: [{sku_code: MUG-01, quantity: 1}],
       recipients: [{name: Bo, email: bo@example.com}]}
"""
LATE = "refused at 2027-02-03T09:00:00Z: claim_expired, this link has expired"


def played(simulator: Simulator, actors: str, steps: str = "") -> Report:
    """A story of one order and the actors."""
    return play(load(f"scenario: A story\nactors:\n{actors}\nsteps:{ORDER}{steps}", "story.yaml"), simulator.client)


def refusal(actor: str) -> str:
    """Why a story with that one actor is refused."""
    with pytest.raises(InvalidScenario) as caught:
        load(f"scenario: A story\nactors:\n  - {actor}\nsteps: [advance: 1d]\n", "story.yaml")
    return str(caught.value)


def test_actors_act_on_the_clock_of_the_story(simulator: Simulator) -> None:
    report = played(
        simulator,
        "  - {id: bo, recipient: bo@example.com, claims: 3d}",
        "  - advance: 3d\n    expect: {events_exactly: [{type: team_order.claimed, at: +3d}]}\n",
    )
    assert report.outcome == "passed", report.timeline


def test_a_recipient_who_lets_it_expire(simulator: Simulator) -> None:
    report = played(
        simulator,
        "  - {recipient: Bo, claims: never}\n  - {recipient: any, claims: 1d, optional: true}",
        "  - advance: 31d\n    expect: {events_exactly: [team_order.needs_attention]}",
    )
    assert report.outcome == "passed", report.timeline


@pytest.mark.parametrize(
    ("actor", "told"),
    [
        (
            "{id: bo, recipient: boo@example.com, claims: 1d}",
            "expected that it claimed, actual never: no claim link came to it; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: Bo, claims: 40d}",
            "expected that it claimed, actual never: the story ended before; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: Bo, claims: 30d}",
            f"expected that it claimed, actual never: {LATE}; `optional: true` allows that",
        ),
        (
            "{id: bo, approver: gift, decides: approve}",
            "expected that it decided, actual never: no request for approval came to it; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: nobody@example.com, claims: never}",
            "expected a claim link that it leaves alone, actual none came to it",
        ),
    ],
)
def test_an_actor_that_did_nothing_fails_the_story(simulator: Simulator, actor: str, told: str) -> None:
    report = played(simulator, f"  - {actor}", "  - advance: 31d\n")
    assert report.outcome == "failed"
    last = report.steps[-1]
    assert (last.number, last.title, last.outcome) == (3, "actor bo", "failed")
    assert last.detail == f"story.yaml:3: actor bo\n  {told}"


def test_after_a_failed_step_idle_actors_are_not_told_of(simulator: Simulator) -> None:
    report = played(simulator, "  - {recipient: Bo, claims: 40d}", "  - expect: {events: [order.shipped]}\n")
    assert [step.outcome for step in report.steps] == ["passed", "failed"]


def test_an_actor_that_the_simulator_refuses_is_told_of_before_anything_runs(simulator: Simulator) -> None:
    report = played(simulator, "  - {id: bo, recipient: Bo, claims: 1d, address: {city: Reno}}")
    assert [(step.title, step.outcome) for step in report.steps] == [
        ("actor bo", "failed"),
        ("POST /api/external/team-orders as partner.prepaid", "skipped"),
    ]
    assert "invalid_actor" in report.steps[0].detail


@pytest.mark.parametrize(
    ("actor", "said"),
    [
        ("{id: bo}", '3:5: an actor is one of "recipient" and "approver"'),
        ("{recipient: Bo, approver: any}", '3:21: an actor is one of "recipient" and "approver"'),
        ("{recipient: Bo}", '3:5: "recipient" needs "claims"'),
        ("{recipient: Bo, claim: 3d}", '3:21: "claim" is no part of an actor; did you mean "claims"?'),
        ("{recipient: Bo, claims: soon}", "3:29: 'soon' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H"),
        (
            "{recipient: Bo, claims: nevr}",
            "3:29: 'nevr' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H; did you mean \"never\"?",
        ),
        (
            "{recipient: Bo, claims: 1d, note: x}",
            '3:33: "note" is not for "recipient", which has "claims", "address" and "selection"',
        ),
        (
            "{approver: gifts, decides: approve}",
            '3:16: "gifts" is not a kind of approval; did you mean "gift"?',
        ),
        ("{approver: any, decides: never, after: 1d}", '3:37: "after" is of no use to one who never acts'),
        ("{recipient: '${bo}', claims: 1d}", '3:17: ${bo} is filled by nothing before it; there is "origin", "start", "start_date" and "world"'),  # noqa: E501
        (
            "{id: a, recipient: any, claims: 1d}\n  - {id: a, recipient: Bo, claims: 1d}",
            '4:10: there is an actor "a" already, on line 3',
        ),
    ],
)  # fmt: skip
def test_an_actor_that_cannot_be_meant_is_refused(actor: str, said: str) -> None:
    assert refusal(actor) == f"story.yaml:{said}"

"""Moments of a world that a story keeps, comes back to, takes back, and from which a second world branches off."""

from __future__ import annotations

from giftsim import Simulator
from giftsim.scenario import Report, load, play

HEAD = """
scenario: A story
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


def told(simulator: Simulator, steps: str, *, first: str = "") -> Report:
    """Plays steps after an order, `first` before it."""
    head = HEAD.replace("steps:\n", f"steps:\n{first}") if first else HEAD
    report = play(load(head + steps.strip("\n") + "\n", "story.yaml"), simulator.client)
    assert report.outcome == "passed", report.timeline
    return report


def test_a_moment_comes_back_with_clock_and_lists(simulator: Simulator) -> None:
    report = told(
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


def test_a_write_can_be_taken_back(simulator: Simulator) -> None:
    told(simulator, f"  - undo: 1\n  - {NONE}\n")


def test_a_fork_goes_its_own_way_and_the_first_world_stays_as_it_was(simulator: Simulator) -> None:
    report = told(
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


def test_what_came_before_is_no_news_in_a_fork_and_gone_after_a_reset(simulator: Simulator) -> None:
    report = told(
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


def test_two_forks_of_a_moment_have_one_future(simulator: Simulator) -> None:
    told(
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


def test_a_fork_has_its_own_id_and_all_worlds_go_away(simulator: Simulator) -> None:
    before = simulator.client.call("GET", "/_sim/v1/worlds").json()
    told(
        simulator,
        """
  - fork: other
  - {call: "GET /_sim/v1/worlds/${world}", in: other, save: {there: $.id}}
  - {call: "GET /_sim/v1/worlds/${world}", save: {here: $.id}}
""",
    )
    assert simulator.client.call("GET", "/_sim/v1/worlds").json() == before


def test_a_fingerprint_that_is_another_is_told(simulator: Simulator) -> None:
    zeros = "0" * 64
    story = f"scenario: A\nsteps:\n  - expect: {{fingerprint: '{zeros}'}}\n"
    report = play(load(story, "story.yaml"), simulator.client)
    assert report.steps[0].detail == (
        f"story.yaml:3: step 1, expect fingerprint\n  fingerprint: expected {zeros}, actual {report.fingerprint}"
    )

"""Reports: as data for programs and as a timeline for people."""

from __future__ import annotations

from giftsim.scenario import Report, load, play
from tests.scenario.builders import FakeSimulator, delivery_attempt, response

SCENARIO = """\
scenario: A late gift
steps:
  - call: POST /orders
    as: partner.prepaid
    expect: {status: 201}
  - advance: 2d
    expect: {events: [team_order.shipped]}
  - call: GET /orders
    expect: {status: 200, body: {status: shipped}}
  - advance: 1d
"""
UNCHECKED = """\
scenario: Much to see
steps:
  - {call: GET /orders, expect: {status: 404}}
  - {call: GET /orders, expect: {status: 200, body: {}}}
  - advance: 1d
  - {call: GET /orders, recorded: {status: 200}}
"""


def play_order(status: str, *, keep: bool = False) -> Report:
    """Play the scenario with an order that has this status at the end."""
    fake = FakeSimulator()
    fake.respond("POST /orders", response(201, {}))
    fake.respond("GET /orders", response(200, {"status": status}))
    fake.add_during("POST /orders", "events", type="order.placed")
    fake.add_at("2027-01-05T10:00:00Z", "events", type="team_order.shipped")
    fake.add_at("2027-01-05T10:00:00Z", "deliveries", **delivery_attempt("team_order.shipped", 200))
    fake.add_at("2027-01-07T08:00:00Z", "events", type="team_order.delivered")
    return play(load(SCENARIO, "late.yaml"), fake, keep=keep)


def test_the_data_of_a_report_has_the_published_shape() -> None:
    data = play_order("shipped").data
    steps = data.pop("steps")
    assert data == {
        "scenario": "A late gift",
        "outcome": "passed",
        "events": [
            {"at": "2027-01-04T09:00:00Z", "type": "order.placed"},
            {"at": "2027-01-05T10:00:00Z", "type": "team_order.shipped"},
            {"at": "2027-01-07T08:00:00Z", "type": "team_order.delivered"},
        ],
        "unchecked": 0,
        "fingerprint": "f00d",
        "world": None,
    }
    assert steps[2] == {
        "step": 3,
        "line": 8,
        "title": "GET /orders",
        "at": "2027-01-06T09:00:00Z",
        "outcome": "passed",
        "detail": "200",
    }
    assert [(step["step"], step["line"], step["detail"]) for step in steps] == [
        (1, 3, "201"),
        (2, 6, "to 2027-01-06T09:00:00Z"),
        (3, 8, "200"),
        (4, 10, "to 2027-01-07T09:00:00Z"),
    ]


def test_steps_after_a_failure_are_skipped_and_the_fingerprint_is_still_taken() -> None:
    report = play_order("unpaid")
    assert [step.outcome for step in report.steps] == ["passed", "passed", "failed", "skipped"]
    assert report.outcome == "failed"
    assert report.steps[2].detail == (
        "late.yaml:8: step 3, GET /orders\n"
        '  body.status: expected "shipped", actual "unpaid"\n'
        '  the response was 200 {"status": "unpaid"}'
    )
    assert report.steps[3].at is None
    assert report.data["fingerprint"] == "f00d"


def test_the_expectations_of_skipped_steps_are_counted() -> None:
    fake = FakeSimulator()
    fake.respond("GET /orders", response(200, {}))
    report = play(load(UNCHECKED), fake)
    assert report.data["unchecked"] == 3
    assert report.timeline.splitlines()[-1] == "skipped: 3 steps with 3 expectations that were not checked"


def test_a_timeline_has_each_step_with_its_time_and_its_events() -> None:
    assert (
        play_order("shipped").timeline
        == """\
ok  A late gift (late.yaml)
  2027-01-04T09:00:00Z  ok        1  POST /orders as partner.prepaid: 201
  2027-01-04T09:00:00Z               order.placed
  2027-01-04T09:00:00Z  ok        2  advance 2d: to 2027-01-06T09:00:00Z
  2027-01-05T10:00:00Z               team_order.shipped
  2027-01-06T09:00:00Z  ok        3  GET /orders: 200
  2027-01-06T09:00:00Z  ok        4  advance 1d: to 2027-01-07T09:00:00Z
  2027-01-07T08:00:00Z               team_order.delivered
"""
    )


def test_a_timeline_shows_the_failure_and_the_kept_world() -> None:
    assert (
        play_order("unpaid", keep=True).timeline
        == """\
FAILED  A late gift (late.yaml)
  2027-01-04T09:00:00Z  ok        1  POST /orders as partner.prepaid: 201
  2027-01-04T09:00:00Z               order.placed
  2027-01-04T09:00:00Z  ok        2  advance 2d: to 2027-01-06T09:00:00Z
  2027-01-05T10:00:00Z               team_order.shipped
  2027-01-06T09:00:00Z  FAILED    3  GET /orders
      late.yaml:8: step 3, GET /orders
        body.status: expected "shipped", actual "unpaid"
        the response was 200 {"status": "unpaid"}
                        skipped   4  advance 1d
the world w1 is kept
"""
    )

"""What a play reports, to programs and to people."""

from __future__ import annotations

from giftsim.scenario import Report, load, play
from tests.scenario.service import Service, attempt, reply

STORY = """\
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


def played(status: str, *, keep: bool = False) -> Report:
    """The story, in which the order has this status in the end."""
    service = Service()
    service.answer("POST /orders", reply(201, {}))
    service.answer("GET /orders", reply(200, {"status": status}))
    service.during("POST /orders", "events", type="order.placed")
    service.at("2027-01-05T10:00:00Z", "events", type="team_order.shipped")
    service.at("2027-01-05T10:00:00Z", "deliveries", **attempt("team_order.shipped", 200))
    service.at("2027-01-07T08:00:00Z", "events", type="team_order.delivered")
    return play(load(STORY, "late.yaml"), service, keep=keep)


def test_a_report_is_data_in_the_published_shape() -> None:
    data = played("shipped").data
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


def test_after_a_step_that_fails_the_rest_is_skipped_and_the_state_is_still_fingerprinted() -> None:
    report = played("unpaid")
    assert [step.outcome for step in report.steps] == ["passed", "passed", "failed", "skipped"]
    assert report.outcome == "failed"
    assert report.steps[2].detail == (
        "late.yaml:8: step 3, GET /orders\n"
        '  body.status: expected "shipped", actual "unpaid"\n'
        '  the answer was 200 {"status": "unpaid"}'
    )
    assert report.steps[3].at is None
    assert report.data["fingerprint"] == "f00d"


def test_the_expectations_of_skipped_steps_are_counted() -> None:
    service = Service()
    service.answer("GET /orders", reply(200, {}))
    report = play(load(UNCHECKED), service)
    assert report.data["unchecked"] == 3
    assert report.timeline.splitlines()[-1] == "skipped: 3 steps with 3 expectations that never ran"


def test_a_timeline_tells_each_step_at_its_time_and_what_happened_below_it() -> None:
    assert (
        played("shipped").timeline
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


def test_a_timeline_shows_where_it_went_wrong_and_which_world_is_kept() -> None:
    assert (
        played("unpaid", keep=True).timeline
        == """\
FAILED  A late gift (late.yaml)
  2027-01-04T09:00:00Z  ok        1  POST /orders as partner.prepaid: 201
  2027-01-04T09:00:00Z               order.placed
  2027-01-04T09:00:00Z  ok        2  advance 2d: to 2027-01-06T09:00:00Z
  2027-01-05T10:00:00Z               team_order.shipped
  2027-01-06T09:00:00Z  FAILED    3  GET /orders
      late.yaml:8: step 3, GET /orders
        body.status: expected "shipped", actual "unpaid"
        the answer was 200 {"status": "unpaid"}
                        skipped   4  advance 1d
the world w1 is kept
"""
    )

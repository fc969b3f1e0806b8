"""What `${...}` is resolved to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.scenario import Report, check_scenario, load_scenario, play
from giftsim.workbench.scenario.variables import parse_time, resolve_variables, with_instants
from tests.scenario.builders import (
    FakeSimulator,
    assert_passed,
    delivery_attempt,
    play_steps,
    response,
    write_files,
)

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
    return play(load_scenario(SCENARIO, "late.yaml"), fake, keep=keep)


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
    report = play(load_scenario(UNCHECKED), fake)
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


def test_saved_values_keep_their_type() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(200, {"rows": [{"mail": "a", "id": 1}, {"mail": "b", "id": 2}]}))
    fake.respond("POST /y/2", response(200, {"id": 2}))
    report = play_steps(
        """
  - {call: GET /x, save: {id: "$.rows[?(@.mail == 'b')].id", rows: $.rows}}
  - {call: "POST /y/${id}", body: {id: "${id}", all: "${rows}"}, expect: {body: {id: "${id}"}}}
""",
        fake,
    )
    assert report.outcome == "passed", report.timeline
    assert fake.bodies("POST /y/2") == [{"id": 2, "all": [{"mail": "a", "id": 1}, {"mail": "b", "id": 2}]}]


def test_saving_a_missing_value_fails() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(200, {"id": 1}))
    report = play_steps("  - {call: GET /x, save: {order: $.order.id}}", fake)
    assert report.steps[0].detail == (
        "scenario.yaml:3: step 1, GET /x\n"
        "  save.order: expected a value at $.order.id, actual none\n"
        '  the response was 200 {"id": 1}'
    )


def test_saving_from_an_empty_body_fails() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(204))
    report = play_steps("  - {call: GET /x, save: {order: $.id}}", fake)
    assert "save.order: expected a value at $.id, actual none" in report.steps[0].detail


START_MS = parse_instant("2027-01-04T09:00:00Z")


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("+3d", "2027-01-07T09:00:00Z"),
        ("-1h", "2027-01-04T08:00:00Z"),
        ("+0s", "2027-01-04T09:00:00Z"),
        ("2027-02-01T00:00:00Z", "2027-02-01T00:00:00Z"),
    ],
)
def test_a_time_is_an_instant_or_an_offset_from_the_start(text: str, instant: str) -> None:
    assert parse_time(text, START_MS) == parse_instant(instant)


def test_an_offset_outside_the_calendar_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^'\+999999w' is outside the calendar$"):
        parse_time("+999999w", START_MS)


def test_only_the_offsets_of_the_named_members_become_instants() -> None:
    event = {"at": "+1d", "until": "+1d", "type": "team_order.shipped"}
    assert with_instants(event, ("at", "type"), START_MS) == {**event, "at": "2027-01-05T09:00:00Z"}
    assert with_instants("team_order.shipped", ("at",), START_MS) == "team_order.shipped"


VARIABLES = {
    "world": "w1",
    "start": START_MS,
    "start_date": START_MS,
    "order": 7,
    "list": [1, {"a": None}],
    "none": None,
}

RESOLVED = [
    ("${order}", 7),
    ("order ${order}", "order 7"),
    ("${order}${order}", "77"),
    ("/worlds/${world}/orders/${order}?x=${order}", "/worlds/w1/orders/7?x=7"),
    ("${list}", [1, {"a": None}]),
    ("${none}", None),
    ("${start}", "2027-01-04T09:00:00Z"),
    ("${start+36h}", "2027-01-05T21:00:00Z"),
    ("${start-1w}", "2026-12-28T09:00:00Z"),
    ("${start_date}", "2027-01-04"),
    ("${start_date+3d}", "2027-01-07"),
    ("from ${start_date-1d} on", "from 2027-01-03 on"),
    ("$${order}", "${order}"),
    ("a $${order} ${order}", "a ${order} 7"),
    ("$order {order} $ {order}", "$order {order} $ {order}"),
    ({"${order}": ["${order}", {"a": "x${order}"}, 1, True, None]}, {"${order}": [7, {"a": "x7"}, 1, True, None]}),
]


@pytest.mark.parametrize(("value", "resolved"), RESOLVED)
def test_expressions_are_resolved_and_one_that_is_the_whole_text_keeps_its_type(value: Any, resolved: Any) -> None:
    assert resolve_variables(value, VARIABLES) == resolved


def test_resolving_does_not_change_the_original() -> None:
    value = {"a": ["${order}"]}
    resolve_variables(value, VARIABLES)
    assert value == {"a": ["${order}"]}


HOOKS = """\
scenario: Variables stand for numbers, choices and lists
vars: {fine: 200, refused: 404, status: 503, yes: true, mode: capture, one: 1, kinds: [ping, ping], drop: before}
data: {rows: {file: rows.csv}}
steps:
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.example/gifts", events: [team_order.shipped]}
    expect: {status: 201}
    save: {hook: $.endpoint.id}
  - receiver:
      host: hooks.example
      mode: ${mode}
      script: [{status: "${status}"}, {timeout: "${yes}"}]
  - call: POST /api/external/webhooks/${hook}/test
    as: partner.prepaid
    expect: {status: "${fine}", deliveries: {type: ping, count: "${one}", first: "${status}"}}
  - call: POST /api/external/webhooks/${hook}/test
    as: partner.prepaid
    expect: {status: 200, deliveries: {type: ping, outcomes: [timeout]}}
  - fault: {when: {first: "${one}"}, effect: {status: "${status}", undocumented: "${yes}"}}
  - {call: GET /api/external/team-orders, as: partner.prepaid, expect: {status: "${status}"}}
  - fault: {when: {first: 1}, effect: {drop: "${drop}"}}
  - {call: GET /api/external/team-orders, as: partner.prepaid, expect: {connection: lost}}
  - for_each: {row: "${rows}"}
    steps:
      - call: GET /api/external/team-orders/${row.id}
        as: partner.prepaid
        expect: {status: "${row.status}", deliveries: {type: ping, count: "${row.count}"}}
"""


def test_a_variable_stands_for_a_number_a_choice_and_true(simulator: Simulator, tmp_path: Path) -> None:
    files = write_files(tmp_path, scenario__yaml=HOOKS, rows__csv="id,status,count\n1,404,0\n2,404,0\n")
    scenario = load_scenario(files)
    check_scenario(scenario, simulator.client)
    assert_passed(play(scenario, simulator.client))


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("status: '${id}'", '"x" is not an HTTP status'),
        ("deliveries: {type: ping, count: '${many}'}", '"count" must be at least 0, not -1'),
        ("events: '${id}'", '"x" is not a list'),
    ],
)
def test_a_saved_value_that_fits_nowhere_fails_the_step(expect: str, message: str) -> None:
    fake = FakeSimulator()
    fake.respond("GET /orders", response(200, {"id": "x", "many": -1}))
    steps = "  - {call: GET /orders, save: {id: $.id, many: $.many}}\n  - {call: GET /orders, expect: {%s}}\n"
    report = play_steps(steps % expect, fake)
    assert [step.outcome for step in report.steps] == ["passed", "failed"]
    assert message in report.steps[1].detail

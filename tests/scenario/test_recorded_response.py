"""Responses that must repeat a recorded one byte for byte, and how a difference is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.client.matching import find_mismatches, matches_expected
from giftsim.engine.client.response import Response
from giftsim.workbench.scenario import Report, load_scenario, play
from giftsim.workbench.scenario.recorded_response import compared_headers, diff_responses
from giftsim.workbench.scenario.variables import escape_variables
from tests.scenario.builders import FakeSimulator, play_steps, response
from tests.scenario.test_yaml_source import JSON

MATCHING = [
    ({}, {"a": 1}),
    ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}),
    ([{"a": 1}, {}], [{"a": 1, "b": 2}, {"c": 3}]),
    ({"a": None}, {"a": None}),
    ({"a": {"$absent": True}}, {}),
    ({"a": {"$absent": False}}, {"a": None}),
    ({"$matches": "^whsec_"}, "whsec_1"),
    ({"$length": 2}, [1, 2]),
    ({"$length": 0}, {}),
    ({"$includes": {"a": 1}}, [{"a": 2}, {"a": 1, "b": 1}]),
    ({"$length": 1, "$includes": 7}, [7]),
]

DIFFERENT = [
    ({"a": 1}, {"a": 2}, "body.a: expected 1, actual 2"),
    ({"a": 1}, {}, "body.a: expected 1, actual absent"),
    ({"a": None}, {}, "body.a: expected null, actual absent"),
    ({"a": 1}, {"a": 1.0}, "body.a: expected 1, actual 1.0"),
    ({"a": 1}, {"a": True}, "body.a: expected 1, actual true"),
    ({"a": 0}, {"a": False}, "body.a: expected 0, actual false"),
    ({"a": "1"}, {"a": 1}, 'body.a: expected "1", actual 1'),
    ({"a": {"b": 1}}, {"a": [1]}, 'body.a: expected {"b": 1}, actual [1]'),
    ([1, 2], [1], "body: expected 2 items [1, 2], actual 1 items [1]"),
    ([], [1], "body: expected 0 items [], actual 1 items [1]"),
    ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": 3}]}, "body.a[1].b: expected 2, actual 3"),
    ({"a": {"$absent": True}}, {"a": 1}, "body.a: expected no such member, actual 1"),
    ({"a": {"$absent": False}}, {}, "body.a: expected any value, actual absent"),
    ({"$matches": "^a"}, "ba", 'body: expected text matching "^a", actual "ba"'),
    ({"$matches": "1"}, 1, 'body: expected text matching "1", actual 1'),
    ({"$length": 2}, [1], "body: expected length 2, actual length 1 [1]"),
    ({"$length": 2}, 2, "body: expected length 2, actual 2"),
    ({"$includes": 3}, [1, 2], "body: expected a list that includes 3, actual [1, 2]"),
    ({"$includes": 3}, {"a": 3}, 'body: expected a list that includes 3, actual {"a": 3}'),
]


@pytest.mark.parametrize(("expected", "actual"), MATCHING)
def test_a_subset_matches(expected: Any, actual: Any) -> None:
    assert matches_expected(expected, actual)


@pytest.mark.parametrize(("expected", "actual", "message"), DIFFERENT)
def test_a_mismatch_has_path_expected_and_actual_value(expected: Any, actual: Any, message: str) -> None:
    assert [str(mismatch) for mismatch in find_mismatches(expected, actual, "body")] == [message]


def test_all_mismatches_are_reported() -> None:
    differences = find_mismatches({"a": 1, "b": {"c": [2, 3]}}, {"a": 2, "b": {"c": [2, 4]}}, "body")
    assert [mismatch.path for mismatch in differences] == ["body.a", "body.b.c[1]"]


def test_a_long_value_is_shortened() -> None:
    [mismatch] = find_mismatches("a", "b" * 1_000, "body")
    assert mismatch.actual == '"' + "b" * 299 + "... (1,002 characters)"


@given(JSON)
def test_every_value_matches_itself(value: Any) -> None:
    assert matches_expected(value, value)


@given(st.dictionaries(st.text("abc"), JSON), st.dictionaries(st.text("def"), JSON))
def test_more_members_still_match(expected: dict[str, Any], more: dict[str, Any]) -> None:
    assert matches_expected(expected, {**more, **expected})


RECORDED = """
  - call: GET /x
    recorded:
      status: 201
      headers: {Content-Type: application/json, X-Link: "${origin}/${world}"}
      body: '{"id":7,"link":"${origin}/claim/${world}/t","plain":"$${origin}"}'
"""
BODY = b'{"id":7,"link":"http://giftsim.example/claim/w1/t","plain":"${origin}"}'
HEADERS = {"content-type": "application/json", "x-link": "http://giftsim.example/w1"}


def play_recorded(status: int = 201, body: bytes = BODY, **headers: str) -> Report:
    """Play the recorded call with this response; header names have `_` for `-`."""
    fake = FakeSimulator()
    all_headers = {**HEADERS, "date": "now", "server": "giftsim", "content-length": "1"}
    response_headers = {**all_headers, **{name.replace("_", "-"): text for name, text in headers.items()}}
    fake.respond("GET /x", Response(status, response_headers, body))
    return play_steps(RECORDED, fake)


def difference_in(report: Report) -> str:
    assert report.outcome == "failed"
    return report.steps[0].detail.split("\n", 1)[1]


def test_a_repeated_response_passes_whatever_its_connection_headers() -> None:
    report = play_recorded()
    assert report.outcome == "passed", report.timeline


def test_an_error_response_can_be_recorded() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(402, {"a": 1}))
    assert play_steps("  - {call: GET /x, recorded: {status: 402, body: '{\"a\": 1}'}}", fake).outcome == "passed"


def test_a_different_status_is_shown_next_to_the_recorded_one() -> None:
    assert difference_in(play_recorded(402)) == (
        "  recorded: the response differs\n"
        "      recorded                                                 | now\n"
        "    > status 201                                               | status 402\n"
        "             ^                                                 |        ^\n"
        "      content-type: application/json                           | content-type: application/json\n"
        "      x-link: http://giftsim.example/w1                        | x-link: http://giftsim.example/w1\n"
        "                                                               |\n"
        "      {                                                        | {\n"
        '        "id": 7,                                               |   "id": 7,\n'
        '        "link": "http://giftsim.example/claim/w1/t",           |   '
        '"link": "http://giftsim.example/claim/w1/t",\n'
        '        "plain": "${origin}"                                   |   "plain": "${origin}"\n'
        "      ...                                                      | ...\n"
        '  the response was 402 {"id": 7, "link": "http://giftsim.example/claim/w1/t", "plain": "${origin}"}'
    )


def test_additional_and_different_headers_are_differences() -> None:
    assert "> (none)                                                   | x-new: 1\n" in difference_in(
        play_recorded(x_new="1")
    )
    assert "> x-link: http://giftsim.example/w1                        | x-link: elsewhere\n" in difference_in(
        play_recorded(x_link="elsewhere")
    )


def test_different_bytes_of_equal_json_are_a_difference() -> None:
    difference = difference_in(play_recorded(body=BODY.replace(b":7", b": 7")))
    assert '> {"id":7,"link":"http://giftsim.example/claim/w1/t","p... | {"id": 7,"link"' in difference


def test_a_lost_connection_is_a_difference() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", ConnectionError("closed"))
    assert "recorded: expected a response, 201, actual lost" in difference_in(play_steps(RECORDED, fake))


def test_a_binary_body_is_recorded_in_base64() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", Response(200, {}, b"\x89PNG\x00"))
    assert play_steps("  - {call: GET /x, recorded: {status: 200, body: {base64: iVBORwA=}}}", fake).outcome == "passed"
    report = play_steps("  - {call: GET /x, recorded: {status: 200, body: {base64: iVBORwE=}}}", fake)
    assert "> 89 50 4e 47 01                                           | 89 50 4e 47 00\n" in difference_in(report)


def body_difference(left: bytes, right: bytes) -> list[str]:
    return diff_responses(Response(200, {}, left), Response(200, {}, right)).split("\n")


def test_equal_responses_have_no_difference() -> None:
    assert diff_responses(Response(200, {"Date": "a"}, b"x"), Response(200, {"via": "b"}, b"x")) == ""


def test_lines_after_an_inserted_one_stay_side_by_side() -> None:
    lines = body_difference(b'{"a":1,"c":3}', b'{"a":1,"b":2,"c":3}')
    assert lines[5:7] == [
        f"> (none){' ' * 50} |   {chr(34)}b{chr(34)}: 2,",
        f"    {chr(34)}c{chr(34)}: 3{' ' * 48} |   {chr(34)}c{chr(34)}: 3",
    ]


def test_a_long_line_is_shown_where_it_differs() -> None:
    lines = body_difference(b"x" * 200 + b"a" + b"y" * 90, b"x" * 200 + b"b" + b"y" * 90)
    left, right = lines[3][2:58], lines[3][61:]
    at = lines[4].index("^") - 2
    assert (left[at], right[at]) == ("a", "b")
    assert left.startswith("...x")
    assert left.endswith("y...")


def test_the_simulator_returns_the_same_bytes_in_every_world(simulator: Simulator) -> None:
    order: dict[str, object] = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
    order["return_claim_links"] = True
    order["recipients"] = [{"name": "Bo", "email": "bo@example.com"}]
    world = simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "empty"}).json()
    headers = world["credentials"]["partner.prepaid"]["headers"]
    answer = simulator.client.call("POST", "/api/external/team-orders", body=order, headers=headers)
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{world['id']}")
    body = (
        escape_variables(answer.text)
        .replace(simulator.registry.runtime.origin, "${origin}")
        .replace(world["id"], "${world}", 1)
    )
    assert "${origin}/claim/${world}/" in body
    step = {
        "call": "POST /api/external/team-orders",
        "as": "partner.prepaid",
        "body": order,
        "recorded": {"status": 201, "headers": compared_headers(answer.headers), "body": body},
    }
    report = play(load_scenario(json.dumps({"scenario": "A", "steps": [step]})), simulator.client)
    assert report.outcome == "passed", report.timeline

"""Answers that must be what was recorded, to the byte, and how a difference is shown."""

from __future__ import annotations

import json

from giftsim import Simulator
from giftsim.scenario import Report, load, play
from giftsim.scenario.response_diff import difference, lasting
from giftsim.scenario.variables import plain
from tests.scenario.service import Reply, Service, reply, told

RECORDED = """
  - call: GET /x
    recorded:
      status: 201
      headers: {Content-Type: application/json, X-Link: "${origin}/${world}"}
      body: '{"id":7,"link":"${origin}/claim/${world}/t","plain":"$${origin}"}'
"""
BODY = b'{"id":7,"link":"http://giftsim.example/claim/w1/t","plain":"${origin}"}'
HEADERS = {"content-type": "application/json", "x-link": "http://giftsim.example/w1"}


def answered(status: int = 201, body: bytes = BODY, **headers: str) -> Report:
    """The recorded call, answered like this; header names with `_` for `-`."""
    service = Service()
    all_headers = {**HEADERS, "date": "now", "server": "giftsim", "content-length": "1"}
    told_headers = {**all_headers, **{name.replace("_", "-"): text for name, text in headers.items()}}
    service.answer("GET /x", Reply(status, told_headers, body))
    return told(RECORDED, service)


def shown(report: Report) -> str:
    assert report.outcome == "failed"
    return report.steps[0].detail.split("\n", 1)[1]


def test_an_answer_that_is_as_recorded_passes_whatever_its_connection_says() -> None:
    report = answered()
    assert report.outcome == "passed", report.timeline


def test_a_refusal_can_be_recorded() -> None:
    service = Service()
    service.answer("GET /x", reply(402, {"a": 1}))
    assert told("  - {call: GET /x, recorded: {status: 402, body: '{\"a\": 1}'}}", service).outcome == "passed"


def test_another_status_is_shown_beside_the_recorded_one() -> None:
    assert shown(answered(402)) == (
        "  recorded: the answer is another\n"
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
        '  the answer was 402 {"id": 7, "link": "http://giftsim.example/claim/w1/t", "plain": "${origin}"}'
    )


def test_a_header_more_or_less_or_another_is_a_difference() -> None:
    assert "> (none)                                                   | x-new: 1\n" in shown(answered(x_new="1"))
    assert "> x-link: http://giftsim.example/w1                        | x-link: elsewhere\n" in shown(
        answered(x_link="elsewhere")
    )


def test_a_body_of_other_bytes_is_a_difference_even_where_the_json_is_the_same() -> None:
    said = shown(answered(body=BODY.replace(b":7", b": 7")))
    assert '> {"id":7,"link":"http://giftsim.example/claim/w1/t","p... | {"id": 7,"link"' in said


def test_no_answer_is_another_answer() -> None:
    service = Service()
    service.answer("GET /x", ConnectionError("closed"))
    assert "recorded: expected an answer, 201, actual lost" in shown(told(RECORDED, service))


def test_a_body_that_is_no_text_is_recorded_in_base64() -> None:
    service = Service()
    service.answer("GET /x", Reply(200, {}, b"\x89PNG\x00"))
    assert told("  - {call: GET /x, recorded: {status: 200, body: {base64: iVBORwA=}}}", service).outcome == "passed"
    report = told("  - {call: GET /x, recorded: {status: 200, body: {base64: iVBORwE=}}}", service)
    assert "> 89 50 4e 47 01                                           | 89 50 4e 47 00\n" in shown(report)


def test_answers_that_are_alike_have_no_difference() -> None:
    assert difference(b"a", b"a") == ""
    assert difference(Reply(200, {"Date": "a"}, b"x"), Reply(200, {"via": "b"}, b"x")) == ""


def test_lines_that_came_in_between_leave_the_rest_side_by_side() -> None:
    lines = difference(b'{"a":1,"c":3}', b'{"a":1,"b":2,"c":3}').split("\n")
    assert lines[3:5] == [
        f"> (none){' ' * 50} |   {chr(34)}b{chr(34)}: 2,",
        f"    {chr(34)}c{chr(34)}: 3{' ' * 48} |   {chr(34)}c{chr(34)}: 3",
    ]


def test_a_long_line_is_shown_where_it_differs() -> None:
    lines = difference(b"x" * 200 + b"a" + b"y" * 90, b"x" * 200 + b"b" + b"y" * 90).split("\n")
    left, right = lines[1][2:58], lines[1][61:]
    at = lines[2].index("^") - 2
    assert (left[at], right[at]) == ("a", "b")
    assert left.startswith("...x")
    assert left.endswith("y...")


def test_the_simulator_answers_the_same_bytes_in_every_world(simulator: Simulator) -> None:
    order: dict[str, object] = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
    order["return_claim_links"] = True
    order["recipients"] = [{"name": "Bo", "email": "bo@example.com"}]
    world = simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "empty"}).json()
    headers = world["credentials"]["partner.prepaid"]["headers"]
    answer = simulator.client.call("POST", "/api/external/team-orders", body=order, headers=headers)
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{world['id']}")
    body = plain(answer.text).replace(simulator.registry.runtime.origin, "${origin}").replace(world["id"], "${world}", 1)
    assert "${origin}/claim/${world}/" in body
    step = {
        "call": "POST /api/external/team-orders",
        "as": "partner.prepaid",
        "body": order,
        "recorded": {"status": 201, "headers": lasting(answer.headers), "body": body},
    }
    report = play(load(json.dumps({"scenario": "A", "steps": [step]})), simulator.client)
    assert report.outcome == "passed", report.timeline

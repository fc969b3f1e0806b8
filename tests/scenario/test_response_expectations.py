"""Expectations of a response: status, headers, body, or a lost connection."""

from __future__ import annotations

from tests.scenario.builders import FakeSimulator, failure_lines, play_steps, response

GET = "GET /x"


def failures(expect: str, status: int, body: object = None, **headers: str) -> list[str]:
    """The failures of an expectation of one response."""
    fake = FakeSimulator()
    fake.respond(GET, response(status, body, **headers))
    return failure_lines(play_steps(f"  - {{call: {GET}, expect: {expect}}}", fake))


def test_a_response_contains_what_is_expected() -> None:
    assert failures("{status: 201, body: {a: 1}, headers: {X-B: 2}}", 201, {"a": 1, "c": 2}, x_b="2") == []


def test_every_part_of_a_response_is_checked() -> None:
    assert failures("{status: 200, body: {a: 1}, headers: {X-B: c, X-D: 1}}", 402, {"a": 2}, x_b="b") == [
        "status: expected 200, actual 402",
        'headers.X-B: expected "c", actual "b"',
        'headers.X-D: expected "1", actual absent',
        "body.a: expected 1, actual 2",
        'the response was 402 {"a": 2}',
    ]


def test_a_response_without_expected_status_must_be_2xx() -> None:
    assert failures("{body: {}}", 402, {}) == ["status: expected 2xx, actual 402", "the response was 402 {}"]
    assert failures("{body: {}}", 204, {}) == []


def test_a_call_without_expectations_must_succeed() -> None:
    fake = FakeSimulator()
    fake.respond(GET, response(500, {}))
    assert failure_lines(play_steps(f"  - call: {GET}", fake)) == [
        "status: expected 2xx, actual 500",
        "the response was 500 {}",
    ]


def test_a_body_that_is_not_json_is_compared_as_text() -> None:
    assert failures('{body: {$matches: "^recipient_id,name"}}', 200, "recipient_id,name\n1,Bo\n") == []
    assert failures("{body: a}", 200, "b") == ['body: expected "a", actual "b"', 'the response was 200 "b"']


def test_json_of_another_content_type_is_compared_as_json_if_json_is_expected() -> None:
    assert failures("{body: {ok: true}}", 200, '{"ok": true, "more": 1}\n') == []
    assert failures('{body: {$matches: "^{"}}', 200, '{"ok": true}') == []
    assert failures("{body: {ok: true}}", 200, "{}")[0] == "body.ok: expected true, actual absent"
    assert failures("{body: {ok: true}}", 200, "{ok")[0] == 'body: expected {"ok": true}, actual "{ok"'


def test_an_empty_body_is_absent() -> None:
    assert failures("{body: {$absent: true}}", 204) == []
    assert failures("{body: {a: 1}}", 204) == ['body: expected {"a": 1}, actual absent', "the response was 204 absent"]


def test_a_lost_connection_must_be_expected_and_an_expected_one_must_be_lost() -> None:
    fake = FakeSimulator()
    fake.respond(GET, ConnectionError("closed"))
    lost = play_steps(f"  - {{call: {GET}, expect: {{connection: lost}}}}", fake)
    assert lost.steps[0].detail == "no response: the connection was lost"
    assert failure_lines(play_steps(f"  - {{call: {GET}}}", fake)) == ["connection: expected a response, actual lost"]
    assert failures("{connection: lost}", 201)[0] == "connection: expected lost, actual a response, 201"

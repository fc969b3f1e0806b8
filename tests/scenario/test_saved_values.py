"""The `save` member of a step."""

from __future__ import annotations

from tests.scenario.builders import FakeSimulator, play_steps, response


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

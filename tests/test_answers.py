"""The plugin that fails a test during which the simulator answered or sent what its contracts lack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim.engine.gateway.body_schema import Schema
from tests.support.closed_schema import closed_document

ROOT = Path(__file__).parents[1]
PLUGINS = ("-p", "tests.support.answers", "-p", "no:cacheprovider")

TESTS = """
    import json
    from msgspec.structs import replace

    import pytest

    from giftsim import Simulator
    from giftsim.engine.gateway.call import Response
    from giftsim.services.gifting.interfaces.partner import event_data
    from giftsim.engine.url_paths import CONTROL

    HEALTH = {"status": "ready", "version": "1", "worlds": 1, "failures": 0}

    @pytest.fixture
    def simulator():
        simulator = Simulator(fixture="empty")
        yield simulator
        simulator.close()

    def answers(simulator, **response):
        interfaces = simulator.wsgi_app.interfaces
        control = interfaces[CONTROL]
        answer = {"status": 200, "body": HEALTH, **response}
        handlers = {**control.handlers, "getHealth": lambda call: Response(**answer)}
        simulator.wsgi_app.interfaces = {**interfaces, CONTROL: replace(control, handlers=handlers)}
        return simulator.client.call("GET", "/_sim/v1/health")

    def credential(simulator):
        world = simulator.client.call("GET", "/_sim/v1/worlds/default").json()
        return world["credentials"]["partner.prepaid"]["headers"]

    def test_a_documented_answer(simulator):
        assert answers(simulator).status == 200

    def test_a_member(simulator):
        answers(simulator, body={**HEALTH, "load": 1})

    def test_a_status(simulator):
        answers(simulator, status=202)

    def test_a_header(simulator):
        answers(simulator, headers={"X-Powered-By": "pots"})

    def test_a_media_type(simulator):
        answers(simulator, content_type="text/json")

    def test_a_code(simulator):
        answers(simulator, status=503, body={"error": {"code": "tired", "message": "no", "request_id": "req_1"}})

    def test_a_path(simulator):
        assert simulator.client.call("GET", "/_sim/v1/nowhere").status == 404

    def test_a_fault(simulator):
        fault = {**credential(simulator), "X-Sim-Fault": "status=418; undocumented=true"}
        assert simulator.client.call("GET", "/api/external/team-orders", headers=fault).status == 418

    def test_a_webhook(simulator, monkeypatch):
        described = event_data.describe
        monkeypatch.setattr(
            event_data, "describe",
            lambda *given: json.dumps({**json.loads(described(*given)), "weather": "fine"}).encode(),
        )
        call, key = simulator.client.call, credential(simulator)
        hook = {"url": "https://hooks.partner.example/", "events": ["team_order.claimed"]}
        assert call("POST", "/api/external/webhooks", body=hook, headers=key).status == 201
        order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                 "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
        id = call("POST", "/api/external/team-orders", body=order, headers=key).json()["team_order"]["id"]
        control = "/_sim/v1/worlds/default"
        assert call("POST", f"{control}/simulate/claim", body={"team_order_id": id, "recipient": 0}).status == 200
        assert call("POST", f"{control}/clock/advance", body={"by": "1h"}).status == 200
"""
FOUND = {
    "member": "control getHealth answered 200: body: has a member that is not known: 'load'",
    "status": "control getHealth answered 202: status 202 is not documented",
    "header": "control getHealth answered 200: header x-powered-by is not documented",
    "media_type": "control getHealth answered 200: content type 'text/json' is none of application/json",
    "code": "control getHealth answered 503: the error code 'tired' is none of starting",
    "webhook": "the webhook team_order.claimed was sent: data: has a member that is not known: 'weather'",
}


def test_a_test_fails_for_what_no_contract_has_and_names_it_with_the_answer(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'simulator'}:{ROOT}")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makepyfile(test_answers=TESTS)
    result = pytester.runpytest_subprocess(*PLUGINS, "-rfp")
    result.assert_outcomes(passed=3, failed=len(FOUND))
    for name, line in FOUND.items():
        result.stdout.fnmatch_lines([f"*test_a_{name}*", "This is in no contract:", line, "    in {*"])


THING: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}
NAMED = {"allOf": [{"$ref": "#/components/schemas/Thing"}], "properties": {"size": {"type": "integer"}}}
NARROWED = {
    "allOf": [{"type": "object", "properties": {"thing": {"$ref": "#/components/schemas/Thing"}}}],
    "properties": {"thing": {"properties": {"name": {"const": "mug"}}}},
}
EITHER = {"oneOf": [{"$ref": "#/components/schemas/Thing"}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "allowed", "refused"),
    [
        (THING, {"name": "mug"}, {"name": "mug", "size": 1}),
        ({"type": "array", "items": THING}, [{"name": "mug"}], [{"size": 1}]),
        ({"type": "object", "properties": {"thing": THING}}, {"thing": {"name": "mug"}}, {"thing": {"size": 1}}),
        ({"type": "object", "additionalProperties": THING}, {"a": {"name": "mug"}}, {"a": {"size": 1}}),
        (NAMED, {"name": "mug", "size": 1}, {"name": "mug", "weight": 1}),
        (NARROWED, {"thing": {"name": "mug"}}, {"thing": {"name": "mug", "size": 1}}),
        (EITHER, {"name": "mug"}, {"size": 1}),
        ({"type": "object"}, {"anything": 1}, "text"),
    ],
)
def test_a_closed_schema_refuses_members_that_it_does_not_name(schema: Any, allowed: Any, refused: Any) -> None:
    document = closed_document({"components": {"schemas": {"Thing": THING, "Root": schema}}})
    closed = Schema(document["components"]["schemas"]["Root"], document)
    assert (closed.is_valid(allowed), closed.is_valid(refused)) == (True, False)

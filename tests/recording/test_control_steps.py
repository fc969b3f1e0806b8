"""Control calls as steps: of the matching kind where the scenario language has one, else as plain `control` steps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from giftsim.engine.log.inputs import ControlCall
from giftsim.workbench.recording.steps import control_step, plain_step
from giftsim.workbench.recording.world_text import WorldVariables
from giftsim.workbench.scenario.schema import is_step

VARIABLES = WorldVariables("w1", "http://giftsim.example")


def step(method: str, path: str, data: Any = None) -> dict[str, Any]:
    body = b"" if data is None else json.dumps(data).encode()
    return control_step(ControlCall(method=method, path=path, body=body), VARIABLES, is_step)


@pytest.mark.parametrize(
    ("method", "path", "data", "expected"),
    [
        ("PUT", "/receivers/a.example", {"mode": "capture"}, {"receiver": {"host": "a.example"}}),
        (
            "PUT",
            "/receivers/a.example",
            {"script": [{"status": 500}]},
            {"receiver": {"host": "a.example", "script": [{"status": 500}], "optional": True}},
        ),
        ("POST", "/faults", {"effect": {"drop": "after"}}, {"fault": {"effect": {"drop": "after"}, "optional": True}}),
        ("DELETE", "/faults/f1", None, {"fault": {"clear": "f1"}}),
        ("DELETE", "/faults", None, {"fault": {"clear": "all"}}),
        ("PATCH", "/settings", {"museum.open": True}, {"settings": {"museum.open": True}}),
        ("POST", "/simulate/claim", {"recipient": 0}, {"simulate": "claim", "with": {"recipient": 0}}),
    ],
)
def test_a_control_call_becomes_the_step_of_its_kind(method: str, path: str, data: Any, expected: Any) -> None:
    assert step(method, path, data) == expected


def test_a_span_with_instants_needs_a_plain_step() -> None:
    outage = {"outage": {"from": "2027-01-04T09:00:00Z", "to": "2027-01-05T09:00:00Z", "status": 503}}
    assert step("PUT", "/receivers/a.example", outage) == {"control": "PUT /receivers/a.example", "body": outage}
    fault = {"effect": {"drop": "after"}, "when": {"from": "2027-01-04T09:00:00.500Z"}}
    assert step("POST", "/faults", fault) == {"control": "POST /faults", "body": fault}


def test_a_call_that_has_no_kind_of_step_is_a_plain_step() -> None:
    assert step("POST", "/reset") == {"control": "POST /reset"}
    assert step("POST", "/keys", {"interface": "partner"}) == {
        "control": "POST /keys",
        "body": {"interface": "partner"},
    }


def test_a_step_that_the_language_refuses_is_a_plain_step() -> None:
    call = ControlCall(method="PATCH", path="/settings", body=b'{"museum.open": true}')
    assert control_step(call, VARIABLES, lambda _: False) == {
        "control": "PATCH /settings",
        "body": {"museum.open": True},
    }


def test_the_world_in_a_key_becomes_a_variable() -> None:
    assert step("DELETE", "/keys/pk_live_w1_x") == {"control": "DELETE /keys/pk_live_${world}_x"}


def test_the_path_of_a_plain_step_is_quoted() -> None:
    assert plain_step("DELETE", "/snapshots/a b?") == {"control": "DELETE /snapshots/a%20b%3F"}

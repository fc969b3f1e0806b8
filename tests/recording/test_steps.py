"""Bodies in a recording: as data if that sends the same, else as text, else in Base64."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import giftsim
from giftsim.engine.gateway.json_body import MAX_DATA_DEPTH, MAX_INTEGER, MAX_WHITE_SPACE
from giftsim.engine.kernel.placeholders import WORLD
from giftsim.engine.log.inputs import CallRecord, ClientCall
from giftsim.engine.log.log import NO_RESPONSE
from giftsim.engine.log.segment import CallOutcome
from giftsim.workbench.recording.steps import (
    READ_HEADERS,
    Advance,
    call_step,
    control_data,
    request_members,
    response_check,
    response_members,
)
from giftsim.workbench.recording.world_text import WorldVariables

VARIABLES = WorldVariables("w1", "http://giftsim.example")


def test_an_object_or_a_list_is_recorded_as_data() -> None:
    assert request_members(b'{"a": [1, true, null, "x"]}') == {"body": {"a": [1, True, None, "x"]}}
    assert request_members(b"[ ]") == {"body": []}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": 1.0}',
        f'{{"a": {MAX_INTEGER}}}',
        '"text"',
        "7",
        "no json",
        "[" * (MAX_DATA_DEPTH + 1) + "]" * (MAX_DATA_DEPTH + 1),
        "[" + " " * MAX_WHITE_SPACE + "]",
    ],
)
def test_json_that_data_would_change_is_recorded_as_text(text: str) -> None:
    assert request_members(text.encode()) == {"body": text}


def test_bytes_that_are_not_text_are_recorded_in_base64() -> None:
    assert request_members(b"\xff") == {"base64": "/w=="}
    assert response_members(b"\xff", VARIABLES, opaque=False) == {"body": {"base64": "/w=="}}


def test_an_empty_body_has_no_member() -> None:
    assert request_members(b"") == {}
    assert response_members(b"", VARIABLES, opaque=False) == {}


def test_request_text_that_looks_like_a_variable_or_names_the_world_stays_the_clients() -> None:
    assert request_members(b'{"a": "${x} pk_live_w1_y"}') == {"body": {"a": "$${x} pk_live_w1_y"}}
    assert request_members(b"${x}") == {"body": "$${x}"}


def test_a_response_is_text_with_variables_for_its_placeholders() -> None:
    assert response_members(f'{{"link":"/{WORLD}"}}'.encode(), VARIABLES, opaque=False) == {
        "body": '{"link":"/${world}"}'
    }


def test_an_opaque_response_has_no_placeholders_and_is_recorded_in_base64() -> None:
    assert response_members(b"a\x02", VARIABLES, opaque=True) == {"body": {"base64": "YQI="}}


def test_a_control_call_may_have_no_body() -> None:
    assert control_data(b" \n") is None
    assert control_data(b'{"by": "1h"}') == {"by": "1h"}


NAMES = {"Bearer pk_live_w1_prepaid": "partner.prepaid"}
ORDERS = "/api/external/team-orders"


def call(path: str = ORDERS, method: str = "GET", body: bytes = b"", **headers: str) -> ClientCall:
    """A call with headers by their names with `_` for `-`."""
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return ClientCall(method=method, path=path, headers=pairs, body=body)


def outcome(status: int | None = 200, body: bytes = b"{}", **headers: str) -> CallOutcome:
    """A response of JSON as the call log keeps it."""
    record = CallRecord(
        seq=1, at_ms=0, method="GET", path=ORDERS, headers=(), body=b"", status=status,
        answer_headers=headers, answer=body, fault=None, note=None,
    )  # fmt: skip
    return CallOutcome(entry=record, kind="application/json")


def step(made: ClientCall, result: CallOutcome | None = None) -> dict[str, Any]:
    return call_step(made, result, NAMES, VARIABLES)


def test_a_known_authorization_header_becomes_the_name_of_its_credential() -> None:
    assert step(call(Authorization="Bearer pk_live_w1_prepaid")) == {"call": f"GET {ORDERS}", "as": "partner.prepaid"}


def test_an_unknown_authorization_header_is_sent_as_text() -> None:
    assert step(call(Authorization="Bearer pk_live_w1_other")) == {
        "call": f"GET {ORDERS}",
        "headers": {"Authorization": "Bearer pk_live_${world}_other"},
    }


def test_a_refused_credential_is_sent_as_text_since_it_was_revoked() -> None:
    refused = step(call(Authorization="Bearer pk_live_w1_prepaid"), outcome(401))
    assert refused["headers"] == {"Authorization": "Bearer pk_live_${world}_prepaid"}


@pytest.mark.parametrize(("status", "credential"), [(200, "museum"), (401, None)])
def test_a_museum_call_without_a_known_credential_uses_the_worlds_own_unless_it_was_refused(
    status: int, credential: str | None
) -> None:
    visit = step(call("/v1.1/special-events", Authorization="Basic eDp5"), outcome(status))
    assert (visit.get("as"), "headers" in visit) == (credential, False)


def test_headers_that_no_response_depends_on_are_left_out() -> None:
    made = call(Host="x", User_Agent="y", Accept="*/*", X_Sim_World="w1", Accept_Language="de", X_Own="z")
    assert "headers" not in step(made)
    assert step(call(Accept="text/csv"))["headers"] == {"Accept": "text/csv"}
    read = {"Authorization": "Bearer x", "X-Api-Key": "y", "Cookie": "z", "Idempotency-Key": "a", "X-Sim-Fault": "hold"}
    assert step(ClientCall(method="GET", path=ORDERS, headers=tuple(read.items()), body=b""))["headers"] == read


def test_every_header_that_the_interfaces_read_is_recorded() -> None:
    """A call has these headers by other means: its world, its body, and what server and assistants look at first."""
    package = Path(giftsim.__file__).parent
    read = set[str]()
    for path in (*package.glob("engine/gateway/**/*.py"), *package.glob("services/**/*.py")):
        text = path.read_text(encoding="utf-8")
        read |= {name.lower() for name in re.findall(r"""(?:header|headers\.get)\(["']([A-Za-z-]+)["']""", text)}
        read |= {name.lower().replace("_", "-") for name in re.findall(r"""["']HTTP_([A-Z_]+)["']""", text)}
    elsewhere = {"accept-encoding", "connection", "host", "mcp-protocol-version", "origin"}
    elsewhere |= {"sec-fetch-site", "x-sim-world", "expect", "transfer-encoding"}
    elsewhere |= {f"access-control-request-{name}" for name in ("headers", "method", "private-network")}  # no calls
    assert {"authorization", "cookie", "idempotency-key", "x-sim-fault"} <= read
    assert read - elsewhere - set(READ_HEADERS) == set()


def test_a_path_and_a_query_are_quoted_so_that_they_stay_one_word() -> None:
    assert step(call("/a b/é?c=d e\xa0&f=%20"))["call"] == "GET /a%20b/%C3%A9?c=d%20e%A0&f=%20"


def test_an_assistants_call_is_its_message() -> None:
    made = ClientCall(method="GET", path=ORDERS, assistant=b'{"jsonrpc": "2.0"}')
    assert step(made) == {"call": "POST /mcp", "body": {"jsonrpc": "2.0"}}
    assert response_check(made, outcome(), VARIABLES) == {}


def test_a_response_is_recorded_with_its_status_headers_and_body() -> None:
    result = outcome(201, f'{{"id":"{WORLD}"}}'.encode(), Location="/claim/w1/x")
    assert response_check(call(), result, VARIABLES) == {
        "recorded": {
            "status": 201,
            "headers": {"Location": "/claim/${world}/x", "Content-Type": "application/json"},
            "body": '{"id":"${world}"}',
        }
    }


def test_a_response_without_content_has_no_content_type() -> None:
    assert response_check(call(), outcome(204, b""), VARIABLES) == {"recorded": {"status": 204, "headers": {}}}


@pytest.mark.parametrize("result", [CallOutcome(status=NO_RESPONSE), outcome(None)])
def test_a_lost_response_is_a_lost_connection(result: CallOutcome) -> None:
    assert response_check(call(), result, VARIABLES) == {"expect": {"connection": "lost"}}


def test_a_call_without_a_record_expects_its_status_if_that_is_known() -> None:
    assert response_check(call(), CallOutcome(status=404), VARIABLES) == {"expect": {"status": 404}}
    assert response_check(call(), CallOutcome(), VARIABLES) == {}
    assert response_check(call(), None, VARIABLES) == {}


FIRST, SECOND = ("evt_1", 1), ("evt_2", 1)


def test_a_new_advance_leads_nowhere() -> None:
    advance = Advance()
    assert (advance.to_ms, advance.in_delivery, advance.on_delivery()) == (None, False, [])


def test_steps_of_one_attempt_are_gathered_in_one_entry() -> None:
    advance = Advance()
    advance.extend(1000)
    advance.add_step(FIRST, {"call": "GET /a"})
    advance.add_step(FIRST, {"call": "GET /b"})
    advance.add_step(SECOND, {"call": "GET /c"})
    assert advance.in_delivery
    assert advance.on_delivery() == [
        {"event": "evt_1", "attempt": 1, "steps": [{"call": "GET /a"}, {"call": "GET /b"}]},
        {"event": "evt_2", "attempt": 1, "steps": [{"call": "GET /c"}]},
    ]


def test_an_attempt_in_the_first_stretch_of_time_needs_no_split() -> None:
    advance = Advance()
    advance.extend(1000)
    assert advance.split_before(FIRST) is None


def test_an_attempt_in_a_later_stretch_of_time_splits_the_step_before_it() -> None:
    advance = Advance()
    advance.extend(1000)
    advance.extend(5000)
    assert (advance.split_before(FIRST), advance.to_ms) == (1000, 5000)
    assert advance.split_before(FIRST) is None, "a step is split once for an attempt"


def test_more_steps_of_the_attempt_in_progress_never_split_the_step() -> None:
    advance = Advance()
    advance.extend(1000)
    advance.add_step(FIRST, {"call": "GET /a"})
    advance.extend(5000)
    assert advance.split_before(FIRST) is None
    assert advance.split_before(SECOND) == 1000


def test_the_steps_of_the_last_delivery_can_be_removed() -> None:
    advance = Advance()
    advance.add_step(FIRST, {"call": "GET /a"})
    advance.add_step(SECOND, {"call": "GET /b"})
    assert advance.remove_last_delivery() == [{"call": "GET /b"}]
    assert [entry["event"] for entry in advance.on_delivery()] == ["evt_1"]
    assert advance.remove_last_delivery() == [{"call": "GET /a"}]
    assert advance.remove_last_delivery() == []

"""The assistant endpoint in the revision of its protocol without a handshake: envelope, headers, errors (G390)."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY, SERVER_INFO_META_KEY
from mcp_types.methods import validate_client_request, validate_server_result

from giftsim import __version__
from giftsim.engine.client.response import Response
from tests.support.team.clients import TeamClients

REVISION = "2026-07-28"
META = {PROTOCOL_VERSION_META_KEY: REVISION, CLIENT_CAPABILITIES_META_KEY: {}}
LIST_PEOPLE = {"name": "listPeople", "arguments": {}}


def send(
    team: TeamClients, method: str, params: dict[str, Any] | None = None, *, meta: Any = META, **headers: str | None
) -> Response:
    """The response to a request with its envelope and headers. None as a header leaves it out."""
    params = {**(params or {}), "_meta": meta}
    sent: dict[str, str | None] = {"MCP-Protocol-Version": REVISION, "Mcp-Method": method}
    if "name" in params:
        sent["Mcp-Name"] = params["name"]
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    message = {"jsonrpc": "2.0", "id": 3, "method": method, "params": params}
    kept = {name: value for name, value in sent.items() if value is not None}
    return team.world.client.call("POST", "/mcp", body=message, headers={**team.live.headers, **kept})


def error_of(response: Response) -> tuple[int, int, int]:
    """The status, the id and the code of an error."""
    body = response.json()
    return response.status, body["id"], body["error"]["code"]


@pytest.mark.parametrize(
    ("method", "params"), [("server/discover", {}), ("tools/list", {}), ("tools/call", LIST_PEOPLE)]
)
def test_a_request_needs_no_handshake_and_its_result_fits_the_protocol(
    team: TeamClients, method: str, params: dict[str, Any]
) -> None:
    validate_client_request(method, REVISION, {**params, "_meta": META})
    response = send(team, method, params)
    assert response.status == 200, response.body
    result = response.json()["result"]
    validate_server_result(method, REVISION, result)
    assert result["resultType"] == "complete"
    assert result["_meta"][SERVER_INFO_META_KEY] == {"name": "giftsim", "version": __version__}


def test_discovery_names_the_revisions_and_says_what_the_tools_are_for(team: TeamClients) -> None:
    found = send(team, "server/discover").json()["result"]
    assert {REVISION, "2025-11-25"} <= set(found["supportedVersions"])
    assert found["capabilities"] == {"tools": {"listChanged": False}}
    assert "They never pay" in found["instructions"]


def test_the_results_of_older_revisions_are_as_they_were(team: TeamClients) -> None:
    message = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": LIST_PEOPLE}
    older = team.world.client.call("POST", "/mcp", body=message, headers=team.live.headers).json()["result"]
    newer = send(team, "tools/call", LIST_PEOPLE).json()["result"]
    assert "_meta" not in older
    assert {**older, "_meta": newer["_meta"]} == newer


def test_a_result_keeps_its_own_meta_beside_the_servers_name(team: TeamClients) -> None:
    body = {"recipients": [{"name": "Bo", "email": "bo@example.com"}], "gift": {"collection_slug": "welcome-kit"}}
    call = {"name": "sendGift", "arguments": {"body": body, "idempotency_key": "one"}}
    send(team, "tools/call", call)
    again = send(team, "tools/call", call).json()["result"]["_meta"]
    assert (again["giftsim/idempotent-replayed"], again[SERVER_INFO_META_KEY]["name"]) == (True, "giftsim")


@pytest.mark.parametrize("method", ["initialize", "ping", "resources/list", "subscriptions/listen"])
def test_what_the_revision_or_the_server_lacks_is_not_found(team: TeamClients, method: str) -> None:
    response = send(team, method)
    assert error_of(response) == (404, 3, -32601)
    assert "server/discover, tools/list and tools/call" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "meta",
    [
        None, "x", {}, {PROTOCOL_VERSION_META_KEY: REVISION}, {CLIENT_CAPABILITIES_META_KEY: {}},
        {**META, CLIENT_CAPABILITIES_META_KEY: 7},
    ],
)  # fmt: skip
def test_a_request_that_does_not_describe_its_caller_is_refused(team: TeamClients, meta: Any) -> None:
    response = send(team, "tools/list", meta=meta)
    assert error_of(response) == (400, 3, -32602)
    assert "io.modelcontextprotocol/" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Mcp_Method": None}, {"Mcp_Method": "tools/list"}, {"Mcp_Name": None}, {"Mcp_Name": "getTeam"},
        {"Mcp_Name": "=?base64?!?="}, {"Mcp_Name": "=?base64?/w==?="},
    ],
)  # fmt: skip
def test_headers_that_say_something_else_than_the_body_are_refused(
    team: TeamClients, headers: dict[str, str | None]
) -> None:
    with team.world.assert_unchanged():
        response = send(team, "tools/call", LIST_PEOPLE, **headers)
    assert error_of(response) == (400, 3, -32020)
    assert next(iter(headers)).replace("_", "-") in response.json()["error"]["message"]


def test_a_body_of_another_revision_than_the_header_is_refused(team: TeamClients) -> None:
    response = send(team, "tools/list", meta={**META, PROTOCOL_VERSION_META_KEY: "2025-11-25"})
    assert error_of(response) == (400, 3, -32020)


def test_a_name_in_base64_is_the_name(team: TeamClients) -> None:
    encoded = f"=?base64?{b64encode(b'listPeople').decode()}?="
    assert send(team, "tools/call", LIST_PEOPLE, Mcp_Name=encoded).status == 200


def test_a_tool_that_does_not_exist_is_a_bad_request(team: TeamClients) -> None:
    assert error_of(send(team, "tools/call", {"name": "pay", "arguments": {}})) == (400, 3, -32602)


def test_an_unknown_revision_is_told_what_is_supported(team: TeamClients) -> None:
    later = "2031-01-01"
    meta = {**META, PROTOCOL_VERSION_META_KEY: later}
    response = send(team, "server/discover", meta=meta, MCP_Protocol_Version=later)
    error = response.json()["error"]
    assert (response.status, error["code"], error["data"]["requested"]) == (400, -32022, later)
    assert {REVISION, "2025-11-25"} <= set(error["data"]["supported"])


def test_a_notification_is_accepted_without_an_answer(team: TeamClients) -> None:
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    headers = {**team.live.headers, "MCP-Protocol-Version": REVISION}
    response = team.world.client.call("POST", "/mcp", body=notice, headers=headers)
    assert (response.status, response.body) == (202, b"")

"""The assistant endpoint, called by the official MCP client over HTTP (T-1.8, A4.9, G50)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest

from giftsim.services.gifting.interfaces.team.mcp_tools import make_tools
from tests.shows import shows
from tests.support.assistants import fresh_key
from tests.support.served_simulator import ServedSimulator
from tests.support.team.clients import TEAM_CONTRACT, TeamClients
from tests.support.waiting import TIMEOUT_S
from tests.support.worlds import World

if TYPE_CHECKING:  # the client is imported by the worker that uses it: that takes 0.4 s
    from mcp.client.client import Client
    from mcp_types import CallToolResult

ORDER: dict[str, Any] = {
    "collection": "welcome-kit",
    "headcount": 1,
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
GIFT: dict[str, Any] = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
}
UseClient = Callable[["Client"], Awaitable[Any]]


class Assistant:
    """An MCP client with one team key."""

    def __init__(self, served: ServedSimulator, headers: dict[str, str]) -> None:
        self.url, self.headers = f"{served.banner['origin']}/mcp", headers

    def with_client(self, use_client: UseClient, mode: str = "auto") -> Any:
        """The result of a function that gets a connected client, which finds its revision in this mode."""
        import anyio
        from httpx2 import AsyncClient
        from mcp.client.client import Client
        from mcp.client.streamable_http import streamable_http_client

        async def run() -> Any:
            async with (
                AsyncClient(headers=self.headers, timeout=TIMEOUT_S) as http,
                Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
            ):
                return await use_client(client)

        return anyio.run(run)

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """The result of a tool call on a new connection, with a fresh idempotency key if none is given."""

        async def call_tool(client: Client) -> Any:
            return await client.call_tool(tool, {**fresh_key(tool), **arguments})

        result: CallToolResult = self.with_client(call_tool)
        return result

    def call_ok(self, tool: str, **arguments: Any) -> Any:
        """The structured content of a call that must succeed."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result
        return result.structured_content

    def error_code(self, tool: str, **arguments: Any) -> str:
        """The error code of a call that must be refused."""
        result = self.call(tool, **arguments)
        assert result.is_error, result
        return str(result.structured_content["error"]["code"])


@pytest.fixture
def world(remote_world: Callable[..., World]) -> World:
    """A fresh world on the server."""
    return remote_world()


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team interface over HTTP."""
    return TeamClients(world)


@pytest.fixture
def assistant(shared_server: ServedSimulator, world: World) -> Assistant:
    """An assistant with the key that has every scope."""
    return assistant_with(shared_server, world, "team.live_approver")


def assistant_with(served: ServedSimulator, world: World, name: str) -> Assistant:
    """An assistant with a named credential."""
    return Assistant(served, dict(world.credentials[name]["headers"]))


def test_the_tools_are_the_operations_for_keys_except_paying_signing_and_managing(assistant: Assistant) -> None:
    async def list_tools(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in assistant.with_client(list_tools)}
    none = {
        op.id
        for op in TEAM_CONTRACT.operations.values()
        if "x-session" in op.node or op.node.get("x-assistant") == "none"
    }
    assert {"createFunding", "createDepositInvoice"} <= none
    assert tools.keys() == TEAM_CONTRACT.operations.keys() - none
    assert "held until a human decides" in tools["createTeamOrder"].description
    assert tools["getTeam"].annotations.read_only_hint is True
    for tool in tools.values():
        schema = tool.input_schema
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert "#/components" not in str(schema)


@pytest.mark.parametrize(
    ("mode", "revision"), [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")]
)
def test_the_official_client_speaks_the_older_and_the_current_revision(
    assistant: Assistant, mode: str, revision: str
) -> None:
    async def use(client: Client) -> Any:
        listed = await client.list_tools()
        made = await client.call_tool("sendGift", {"body": GIFT, "idempotency_key": "one"})
        read = await client.call_tool("getGift", {"id": made.structured_content["id"]})
        return client.protocol_version, len(listed.tools), made.is_error, read.structured_content["status"]

    tools = len(make_tools(TEAM_CONTRACT))
    assert assistant.with_client(use, mode) == (revision, tools, False, "awaiting_approval")


@shows("T-1.8")
def test_a_payment_by_a_key_with_every_scope_awaits_approval(assistant: Assistant, team: TeamClients) -> None:
    before = team.live.get_json("/billing/balance"), team.live.get_json("/credit-terms")
    order = assistant.call_ok("createTeamOrder", body={**ORDER, "payment_method": "net_terms"})
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "unpaid")
    gift = assistant.call_ok("sendGift", body=GIFT)
    assert gift["status"] == "awaiting_approval"
    assert team.live.get_json(f"/team-orders/{order['id']}")["payment_status"] == "unpaid"
    assert (team.live.get_json("/billing/balance"), team.live.get_json("/credit-terms")) == before
    assert team.world.call_control("GET", "/payments")["payments"] == []
    paid = team.live.post_json("/team-orders", {**ORDER, "payment_method": "net_terms"})
    assert paid["payment_status"] == "paid"


@shows("T-1.8")
@pytest.mark.parametrize(
    "tool", ["createFunding", "createDepositInvoice", "createKey", "signProof", "createSandboxEvent", "approve"]
)
def test_there_is_no_tool_to_approve_fund_or_pay(assistant: Assistant, tool: str) -> None:
    from mcp.shared.exceptions import MCPError

    with pytest.raises(BaseExceptionGroup) as raised:
        assistant.call(tool, body={"amount_cents": 100})
    assert raised.group_contains(MCPError, match="no tool has this name")


@shows("T-1.8")
def test_an_assistant_cannot_pay_a_batch_of_an_approved_campaign(assistant: Assistant, team: TeamClients) -> None:
    body = {"name": "Spring", "collection": "welcome-kit", "recipients": ORDER["recipients"]}
    campaign = team.live.post_json("/large-campaigns", body, 202)
    team.live.post_json(f"/large-campaigns/{campaign['id']}/process", {}, 202)
    team.world.simulate("approval", campaign_id=campaign["id"], decision="approve")
    before = team.live.get_json("/billing/balance")
    assert assistant.error_code("processLargeCampaign", id=campaign["id"], body={}) == "payment_not_permitted"
    assert team.live.get_json("/billing/balance") == before


def test_a_result_is_the_team_interfaces_response(assistant: Assistant, team: TeamClients) -> None:
    order = team.live.post_json("/team-orders", ORDER)
    assert assistant.call_ok("getTeamOrder", id=order["id"]) == team.live.get_json(f"/team-orders/{order['id']}")
    assert assistant.call_ok("getTeamOrder", id=str(order["id"])) == team.live.get_json(f"/team-orders/{order['id']}")
    team.live.post_json("/team-orders", ORDER)
    assert assistant.call_ok("listTeamOrders", limit=1) == team.live.get_json("/team-orders?limit=1")
    changed = assistant.call_ok("updateTeamOrder", id=order["id"], body={"po_number": "PO / 7"})
    assert changed["po_number"] == "PO / 7"


@shows("T-1.8")
def test_a_key_that_cannot_pay_can_create_orders_by_an_assistant(shared_server: ServedSimulator, world: World) -> None:
    requester = assistant_with(shared_server, world, "team.live_requester")
    order = requester.call_ok("createTeamOrder", body={**ORDER, "payment_method": "net_terms"})
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "unpaid")


def test_files_are_returned_as_resources(assistant: Assistant, team: TeamClients) -> None:
    order = team.live.post_json("/team-orders", ORDER)["id"]
    csv: Any = assistant.call("getTeamOrderManifest", id=order).content[0]
    assert (csv.type, csv.resource.mime_type) == ("resource", "text/csv")
    assert csv.resource.text == team.live.get(f"/team-orders/{order}/manifest.csv").text
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 100})["id"]
    pdf: Any = assistant.call("getInvoicePdf", id=invoice).content[0]
    assert pdf.resource.mime_type == "application/pdf"
    assert pdf.resource.blob.startswith("JVBERi0")


def test_scopes_modes_and_bodies_are_checked_as_over_http(
    shared_server: ServedSimulator, world: World, assistant: Assistant
) -> None:
    requester, test = (assistant_with(shared_server, world, f"team.{name}") for name in ("live_requester", "test"))
    assert requester.error_code("listPeople") == "insufficient_role"
    assert test.call_ok("getTeam")["id"] == assistant.call_ok("getTeam")["id"]
    assert test.call_ok("createTeamOrder", body=ORDER)["livemode"] is False
    assert assistant.error_code("getTeamOrder", id="..") == "not_found"
    assert assistant.error_code("createTeamOrder", body={}) == "validation_failed"
    assert assistant.error_code("listTeamOrders", limit=0) == "invalid_parameter"
    assert assistant.error_code("createTeamOrder", body=ORDER, idempotency_key="k" * 129) == "invalid_idempotency_key"
    for arguments in ({}, {"id": 1, "team_id": 5}, {"id": [1]}, {"id": "1/proofs"}):
        assert assistant.call("getTeamOrder", **arguments).is_error


def test_idempotency_follows_the_given_key(assistant: Assistant) -> None:
    first = assistant.call_ok("createTeamOrder", body=ORDER, idempotency_key="one")
    other = assistant.call_ok("createTeamOrder", body=ORDER, idempotency_key="two")
    assert other["id"] != first["id"]
    assert assistant.call_ok("createTeamOrder", body=ORDER, idempotency_key="two") == other
    assert assistant.call_ok("createTeamOrder", body=ORDER, idempotency_key="one") == first
    assert assistant.error_code("createTeamOrder", body={**ORDER, "headcount": 2}, idempotency_key="two") == (
        "idempotency_key_reused"
    )


def test_an_assistants_actions_send_webhooks(assistant: Assistant, team: TeamClients) -> None:
    team.live.post_json("/webhooks", {"url": "https://hooks.team.example/x", "events": ["approval.requested"]})
    gift = assistant.call_ok("sendGift", body=GIFT)
    (sent,) = team.world.deliveries()
    assert str(gift["id"]) in sent["request"]["body"]
    assert "bo@example.com" not in sent["request"]["body"]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_post_is_allowed(team: TeamClients, method: str) -> None:
    response = team.world.client.call(method, "/mcp", headers=team.live.headers)
    assert (response.status, response.headers["allow"]) == (405, "POST, OPTIONS")


def post(team: TeamClients, message: Any, **headers: str) -> Any:
    """The response to one message, sent as it is."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return team.world.client.call("POST", "/mcp", body=message, headers={**team.live.headers, **sent})


PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


@shows("T-5.14")
def test_requests_without_a_valid_key_are_refused(team: TeamClients) -> None:
    client = team.world.client
    for headers, code in (
        ({}, "missing_api_key"),
        ({"Authorization": "Bearer ptk_live_nope"}, "invalid_api_key"),
        (dict(team.owner.headers), "missing_api_key"),
        (dict(team.world.credentials["partner.prepaid"]["headers"]), "invalid_api_key"),
    ):
        response = client.call("POST", "/mcp", body=PING, headers=headers)
        assert (response.status, response.json()["error"]["code"]) == (401, code)
        assert response.headers["www-authenticate"] == 'Bearer realm="team"'
    team.world.call_control("DELETE", "/keys/team.live_approver")
    assert post(team, PING).status == 401


def test_every_response_names_its_request(team: TeamClients) -> None:
    """A tool call has the id of the call that it made, which the world's call log shows."""
    tool = {**PING, "method": "tools/call", "params": {"name": "listPeople", "arguments": {}}}
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    client = team.world.client
    responses = [post(team, message) for message in (PING, {**PING, "method": "no"}, notice, "{", tool)]
    responses += [client.call("POST", "/mcp", body=PING), client.call("GET", "/mcp")]
    assert [response.status for response in responses] == [200, 200, 202, 400, 200, 401, 405]
    ids = [response.headers["x-request-id"] for response in responses]
    assert len(set(ids)) == len(ids)
    assert ids[5] == responses[5].json()["error"]["request_id"]
    (logged,) = team.world.call_control("GET", "/calls")["calls"]
    assert logged["response"]["headers"]["X-Request-Id"] == ids[4]


def test_messages_get_the_protocols_responses(team: TeamClients) -> None:
    assert post(team, PING).json() == {"jsonrpc": "2.0", "id": 7, "result": post(team, PING).json()["result"]}
    started = post(team, {**PING, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}).json()
    assert started["result"]["protocolVersion"] == "2025-03-26"
    assert "mcp-session-id" not in post(team, PING).headers
    noted = post(team, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (noted.status, noted.body) == (202, b"")
    for message, status, code in (
        ("{", 400, -32700),
        ([PING], 400, -32600),
        ({"id": 1}, 400, -32600),
        ({**PING, "method": "resources/list"}, 200, -32601),
        ({**PING, "method": "tools/call", "params": {"name": 5}}, 200, -32602),
    ):
        response = post(team, message)
        assert (response.status, response.json()["error"]["code"]) == (status, code)
    assert post(team, PING, MCP_Protocol_Version="1999-01-01").status == 400
    for origin in ("https://evil.example", "http://["):
        assert post(team, PING, Origin=origin).status == 403


def test_headers_do_not_change_who_counts_as_an_assistant(team: TeamClients) -> None:
    paying = {**ORDER, "payment_method": "net_terms"}
    order = team.live.post_json("/team-orders", paying, giftsim_assistant="true")
    assert order["payment_status"] == "paid"
    call = {"name": "createTeamOrder", "arguments": {"body": paying, "idempotency_key": "inner"}}
    response = post(
        team, {**PING, "method": "tools/call", "params": call}, giftsim_assistant="", Idempotency_Key="outer"
    )
    assert response.json()["result"]["structuredContent"]["payment_status"] == "unpaid"


def test_a_dropped_connection_gives_the_client_no_response(team: TeamClients) -> None:
    call = {"name": "createTeamOrder", "arguments": {"body": ORDER, "idempotency_key": "one"}}
    with pytest.raises((ConnectionError, OSError)):
        post(team, {**PING, "method": "tools/call", "params": call}, X_Sim_Fault="drop=after")
    assert len(team.live.get_json("/team-orders")["data"]) == 1

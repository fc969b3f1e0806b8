"""The host names by which the assistant endpoint may be called (G91)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.control.access import Access
from tests.shows import shows
from tests.support.assistants import fresh_key
from tests.support.responses import expect_status
from tests.support.team.artwork import create_artwork
from tests.support.team.campaigns import create_campaign
from tests.support.team.clients import TEAM_CONTRACT, TeamClients
from tests.support.team.orders import KIT, gift_body, typed_recipients
from tests.support.team.proofs import create_branded_order, first_proof

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


def post_over_network(simulator: Simulator, host: str) -> Response:
    """A message to the endpoint as it comes over a socket, with a `Host` header."""
    headers = {"Authorization": "Bearer ptk_live_default_approver", "Host": host}
    socket_only = {"giftsim.in_process": False}
    return simulator.client.call("POST", "/mcp", body=PING, headers=headers, environ=socket_only)


@pytest.fixture(scope="module", params=[None, "let me in"])
def reachable(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    """A simulator with another host name, with and without a control token."""
    simulator = Simulator(access=Access(token=request.param, host_names=("sim.team.example",)))
    simulator.registry.runtime.origin = "https://gifts.team.example:8443"
    yield simulator
    simulator.close()


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "sim.team.example", "SIM.team.example:1", "192.168.1.5:8080",
        "[fd00::7]:8080", "gifts.team.example:8443", "gifts.team.example",
    ],
)  # fmt: skip
def test_assistants_reach_the_endpoint_by_the_names_of_the_simulator(reachable: Simulator, host: str) -> None:
    assert post_over_network(reachable, host).status == 200


@pytest.mark.parametrize(
    "host",
    ["", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "sim.team.example.evil", "127.1"],
)
def test_a_name_that_leads_here_by_rebinding_is_refused(reachable: Simulator, host: str) -> None:
    response = post_over_network(reachable, host)
    error = response.json()["error"]
    assert (response.status, error["code"]) == (403, -32600)
    assert repr(host) in error["message"]
    assert "--host-name" in error["message"]


def test_in_process_any_name_leads_to_the_endpoint(reachable: Simulator) -> None:
    headers = {"Authorization": "Bearer ptk_live_default_approver", "Host": "gifts.vendor.example"}
    assert reachable.client.call("POST", "/mcp", body=PING, headers=headers).status == 200


HELD = "This tool never pays: what it creates is held until a human decides."


def ask(team: TeamClients, method: str, **params: Any) -> Any:
    """The result of a message to the endpoint, sent with the key that has every scope."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    response = team.world.client.call("POST", "/mcp", body=message, headers=team.live.headers)
    return expect_status(response, 200).json()["result"]


def call_tool(team: TeamClients, name: str, **arguments: Any) -> Any:
    """The result of a tool call, with a fresh idempotency key if it needs one and none is given."""
    return ask(team, "tools/call", name=name, arguments={**fresh_key(name), **arguments})


def descriptions(team: TeamClients) -> dict[str, Any]:
    """The input schema of each tool."""
    return {tool["name"]: tool["inputSchema"] for tool in ask(team, "tools/list")["tools"]}


def test_a_tool_requires_a_key_where_its_operation_does_and_says_what_a_fresh_one_does(team: TeamClients) -> None:
    for name, schema in descriptions(team).items():
        operation = TEAM_CONTRACT.operations[name]
        takes_key = operation.method != "GET" and operation.idempotency is not None
        assert ("idempotency_key" in schema["properties"]) == takes_key
        needs_key = takes_key and operation.idempotency == "required"
        assert ("idempotency_key" in schema["required"]) == needs_key
        assert not needs_key or "With a fresh value" in schema["properties"]["idempotency_key"]["description"]


@pytest.mark.parametrize("arguments", [{}, {"idempotency_key": None}])
def test_a_call_without_the_key_does_nothing(team: TeamClients, arguments: dict[str, Any]) -> None:
    with team.world.assert_unchanged():
        refused = ask(team, "tools/call", name="sendGift", arguments={"body": gift_body(), **arguments})
    assert (refused["isError"], refused["content"][0]["text"]) == (True, "sendGift needs idempotency_key")


def test_each_fresh_key_processes_the_next_batch_and_a_used_one_says_that_nothing_was_done(team: TeamClients) -> None:
    team.world.change_settings(large_campaign__batch_size=1)
    campaign = create_campaign(team.live, 3)["id"]
    results = [
        call_tool(team, "processLargeCampaign", id=campaign, idempotency_key=key) for key in ("a", "b", "a", "c")
    ]
    prepared = [str(each["structuredContent"]["batches"]).count("'prepared'") for each in results]
    assert prepared == [1, 2, 1, 3]
    assert [each.get("_meta") for each in results] == [None, None, {"giftsim/idempotent-replayed": True}, None]
    assert [len(each["content"]) for each in results] == [1, 1, 2, 1]
    assert "Nothing was done now" in results[2]["content"][1]["text"]


def test_an_argument_that_is_null_counts_as_absent(team: TeamClients) -> None:
    assert call_tool(team, "listGifts", limit=None, cursor=None)["structuredContent"] == team.live.get_json("/gifts")


@shows("T-1.8")
def test_an_assistant_moves_no_test_record_past_its_approval(team: TeamClients) -> None:
    assert "createSandboxEvent" not in descriptions(team)


@shows("T-1.8")
def test_no_tool_takes_a_payment_or_says_that_its_call_pays(team: TeamClients) -> None:
    for tool in ask(team, "tools/list")["tools"]:
        text = tool["description"]
        assert not re.search(r"payment_method|net_terms|orders:pay", text + json.dumps(tool["inputSchema"]))
        sentences = re.split(r"(?<=[.)])\s+|\n\n", text)
        paying = [sentence.strip() for sentence in sentences if re.search(r"\bpay(s|ing)?\b", sentence)]
        assert [each for each in paying if each != HELD and not each.startswith("The approval pays")] == []


@shows("T-1.8")
def test_what_an_assistant_creates_is_not_to_be_paid_on_terms(team: TeamClients) -> None:
    terms = {"collection": KIT, "recipients": typed_recipients(1), "payment_method": "net_terms"}
    campaign = call_tool(team, "createLargeCampaign", body=terms)["structuredContent"]
    order = call_tool(team, "createTeamOrder", body={**terms, "headcount": 1})["structuredContent"]
    assert (campaign["payment_method"], order["payment_method"], order["payment_status"]) == (None, None, "unpaid")


@shows("T-1.8")
def test_an_assistant_reviews_a_proof_only_to_request_changes(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    proof, art = first_proof(team.live, order)["id"], create_artwork(team.live)["id"]
    call_tool(team, "addProofVersion", id=proof, body={"artwork_id": art})
    refused = call_tool(team, "reviewProof", id=proof, body={"decision": "approve"})
    assert refused["isError"] is True
    assert "takes only request_changes as decision" in refused["content"][0]["text"]
    unknown = call_tool(team, "reviewProof", id=proof, body={"decision": "sign"})["structuredContent"]
    assert unknown["error"]["code"] == "validation_failed"
    assert first_proof(team.live, order)["status"] == "in_review"
    changes = call_tool(team, "reviewProof", id=proof, body={"decision": "request_changes"})
    assert changes["structuredContent"]["status"] == "changes_requested"


def test_the_review_tool_offers_nothing_but_changes(team: TeamClients) -> None:
    [tool] = [each for each in ask(team, "tools/list")["tools"] if each["name"] == "reviewProof"]
    request = tool["inputSchema"]["$defs"]["ProofReviewRequest"]
    assert request["properties"]["decision"]["enum"] == ["request_changes"]
    assert "`approve`" not in tool["description"]
